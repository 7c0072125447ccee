/** `/pm run`, `claim`, `release`, `retry`, `block` and `unblock`: people move the tasks of a plan. */
import type { ParsedCommand } from '../../../../domain/commands/command.ts';
import { isApproved, isBefore } from '../../../../domain/plan/approval.ts';
import { claimable } from '../../../../policy/claimable.ts';
import { parsePlan } from '../../../../domain/plan/body/parse-plan.ts';
import { planDigest } from '../../../../domain/plan/plan-digest.ts';
import type { PlanTask } from '../../../../domain/plan/plan.ts';
import type { PlanState } from '../../../../domain/plan/plan-view.ts';
import { questionKey } from '../../../../domain/task/exchange.ts';
import { taskKey } from '../../../../domain/task/task.ts';
import type { TaskLines } from '../../../../domain/commands/undo.ts';
import { emitEvent } from '../../../run/decision.ts';
import {
  done,
  refused,
  type CommandContext,
  type CommandOutcome,
} from '../../../run/command-context.ts';
import { readAgain } from './plan-commands.ts';
import { editLines, linesOf } from './task-lines.ts';

interface Named {
  plan: PlanState;
  task: PlanTask;
}

const NO_PLAN =
  'This command works only on a plan: an issue with the label `plan` and tasks in it.';

function find(context: CommandContext, word: string | undefined): Named | string {
  const { plan } = context.state;
  if (plan === undefined) return NO_PLAN;
  const number = Number((word ?? '').replace('#', ''));
  const task = parsePlan(context.view.issue.body).tasks.find((each) => each.number === number);
  return task === undefined ? `The plan has no task ${number}.` : { plan, task };
}

export function run(context: CommandContext, { args }: ParsedCommand): CommandOutcome {
  const { state, view } = context;
  const { plan } = state;
  if (plan === undefined) return refused(NO_PLAN);
  const read = parsePlan(view.issue.body);
  if (read.problems.length > 0)
    return refused('The plan has errors. Fix them first; its comment lists them.');
  if (!isApproved(plan.approval, planDigest(read)))
    return refused('Its text needs approval first: `/pm approve`.');
  const ready = claimable(read).map(({ number }) => number);
  const word = args.at(-1);
  const number = word === undefined ? undefined : Number(word.replace('#', ''));
  if (ready.length === 0)
    return refused('No task can start now: each one is done, in progress or waiting.');
  if (number !== undefined && !ready.includes(number))
    return refused(`Task ${number} cannot start now. These can: ${ready.join(', ')}.`);
  // What cools down is begun at once: a person asks.
  for (const each of number === undefined ? ready : [number]) forget(plan, each);
  readAgain(context, plan);
  return done();
}

function forget(plan: PlanState, number: number): void {
  const key = String(number);
  if (plan.tasks?.[key]?.state === 'released') delete plan.tasks[key];
}

/** Takes it for the person who asks: agents leave it alone. */
export function claimFor(context: CommandContext, { args }: ParsedCommand): CommandOutcome {
  const found = find(context, args.at(0));
  if (typeof found === 'string') return refused(found);
  const { task } = found;
  if (task.status !== 'pending')
    return refused(
      `Task ${task.number} is ${task.status.replace('_', ' ')}; only a pending one can be taken.`,
    );
  return move(context, found, {
    status: 'claimed',
    reason: '',
    assignee: context.talk.actor.login,
  });
}

export function release(context: CommandContext, { args }: ParsedCommand): CommandOutcome {
  const found = find(context, args.at(0));
  if (typeof found === 'string') return refused(found);
  const { plan, task } = found;
  if (isOurs(plan, task)) return tell(context, found, { word: 'release', why: '' });
  if (task.status !== 'claimed' && task.status !== 'in_progress')
    return refused(`Nobody holds task ${task.number}.`);
  return move(context, found, { status: 'pending', reason: '', assignee: '' });
}

/** Whether one of our agents works on it. */
function isOurs(plan: PlanState, { number }: PlanTask): boolean {
  const state = plan.tasks?.[String(number)]?.state;
  return (
    state === 'claimed' || state === 'in_progress' || state === 'verifying' || state === 'in_review'
  );
}

export function retry(context: CommandContext, command: ParsedCommand): CommandOutcome {
  return again(context, command, { from: ['pending', 'blocked'] });
}

export function unblock(context: CommandContext, command: ParsedCommand): CommandOutcome {
  const answer = afterNumber(command);
  if (answer !== '' && isAskedSince(context, command))
    return refused('The coder asked another question after you wrote this. Read it, then answer.');
  return again(context, command, { from: ['blocked'], ...(answer === '' ? {} : { answer }) });
}

/** Whether the last question of the task came after the comment: an answer is to what its author could read. */
function isAskedSince({ view, talk }: CommandContext, { args }: ParsedCommand): boolean {
  const key = questionKey(Number((args.at(0) ?? '').replace('#', '')));
  const question = view.comments.findLast(({ marker }) => marker?.key === key);
  return question !== undefined && question.id > talk.comment.id;
}

/**
 * With fresh attempts. Where a gate could not say whether the tests pass, a person accepts that by this, once our comment
 * has told them.
 */
function again(
  context: CommandContext,
  { args }: ParsedCommand,
  { from, ...said }: { from: readonly string[]; answer?: string },
): CommandOutcome {
  const found = find(context, args.at(0));
  if (typeof found === 'string') return refused(found);
  const { plan, task } = found;
  if (!from.includes(task.status))
    return refused(
      `Task ${task.number} is ${task.status.replace('_', ' ')}: there is nothing to release.`,
    );
  const hadNoTests = plan.tasks?.[String(task.number)]?.lacksTests === true;
  const toldAt = plan.untestedShown?.[String(task.number)];
  if (hadNoTests && !isBefore(toldAt, context.view.comment.createdAt)) {
    readAgain(context, plan);
    return refused(
      `Task ${task.number} stopped because it has no tests. That was not shown here before your comment. To continue without tests, repeat the command.`,
    );
  }
  tell(context, found, {
    word: 'again',
    why: '',
    ...said,
    ...(hadNoTests ? { acceptsNoTests: true } : {}),
  });
  delete plan.tasks?.[String(task.number)];
  editLines(context, plan, {
    task: task.number,
    lines: { status: 'pending', reason: '', assignee: task.assignee },
  });
  return done(
    hadNoTests ? 'It continues without tests. Your decision is recorded with the task.' : undefined,
  );
}

export function blockTask(context: CommandContext, command: ParsedCommand): CommandOutcome {
  const { args } = command;
  const found = find(context, args.at(0));
  if (typeof found === 'string') return refused(found);
  const { plan, task } = found;
  const why = afterNumber(command).slice(0, 200);
  if (isOurs(plan, task)) return tell(context, found, { word: 'block', why });
  if (task.status === 'completed') return refused(`Task ${task.number} is completed.`);
  return move(context, found, { status: 'blocked', reason: why, assignee: task.assignee });
}

function afterNumber({ text }: ParsedCommand): string {
  return text.replace(/^\S+\s*/, '');
}

function tell(
  { step, talk }: CommandContext,
  { plan, task }: Named,
  said: {
    word: 'release' | 'block' | 'again';
    why: string;
    acceptsNoTests?: true;
    answer?: string;
  },
): CommandOutcome {
  const { id, login } = talk.actor;
  const key = taskKey({ plan: plan.thread, task: task.number });
  emitEvent(
    step,
    { kind: 'task-word', run: talk.id, by: { id, login }, ...said },
    { key, suffix: `${said.word}-${task.number}` },
  );
  return done();
}

/** By a person's hand; it can be taken back. */
function move(context: CommandContext, { plan, task }: Named, after: TaskLines): CommandOutcome {
  const { number } = task;
  editLines(context, plan, { task: number, lines: after });
  return { ...done(), undo: { kind: 'task', task: number, before: linesOf(task), after } };
}

/** Stops every task of the plan that an agent works on; returns how many. */
export function stopTasks(context: CommandContext, why: string): number {
  const { plan } = context.state;
  if (plan === undefined) return 0;
  const busy = parsePlan(context.view.issue.body).tasks.filter((task) => isOurs(plan, task));
  for (const task of busy)
    tell(context, { plan, task }, { word: 'block', why: why === '' ? 'stopped' : why });
  return busy.length;
}
