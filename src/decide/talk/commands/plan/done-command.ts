/** `/pm done`: the thread comes to its end, with a report; a task's pull request is merged as soon as everything holds. */
import { folded } from '../../../../domain/text/folded.ts';
import { shownRuns } from '../../../../domain/run/state/run-record.ts';
import { parsePlan } from '../../../../domain/plan/body/parse-plan.ts';
import type { Plan } from '../../../../domain/plan/plan.ts';
import type { PlanState } from '../../../../domain/plan/plan-view.ts';
import { taskKey } from '../../../../domain/task/task.ts';
import { threadKey } from '../../../../domain/run/thread-ref.ts';
import { emitEvent, emitEffect } from '../../../run/decision.ts';
import { BUSY } from '../../../plan/advance.ts';
import { isDone } from '../../../plan/complete.ts';
import { isOpen, writeLane } from '../../../run/thread-context.ts';
import {
  asCode,
  done,
  refused,
  type CommandContext,
  type CommandOutcome,
} from '../../../run/command-context.ts';
import { RUN_KINDS } from '../../../kinds/run-kinds.ts';
import { startRoleMemory } from '../../../kinds/role-memory/start.ts';
import { endRunOf } from '../control-commands.ts';
import { merge, readAgain } from './plan-commands.ts';
import { labelHere, spending } from '../show/status-command.ts';

export function finishThread(context: CommandContext): CommandOutcome {
  const { state, view } = context;
  if (view.issue.isPull) return merge(context);
  return state.plan === undefined ? finishIssue(context) : finishPlan(context, state.plan);
}

function finishIssue(context: CommandContext): CommandOutcome {
  const { state, talk, step } = context;
  const ended = endAll(context);
  const { thread } = talk;
  emitEffect(
    step,
    { kind: 'close', thread, reason: 'completed' },
    {
      lane: writeLane(thread),
      isUnheard: true,
    },
  );
  const { proposed } = state;
  // A plan that came of it has its own end.
  if (proposed === undefined) learnFrom(context);
  return done(
    report(context, [
      ended === 0 ? '' : `Ended: ${ended === 1 ? 'the running work' : `${ended} things`} here.`,
      proposed === undefined ? '' : `Plan #${proposed.number} came from this thread and continues.`,
    ]),
  );
}

/** While anything is being worked on it has no end: a pull request is merged or closed first, the rest stopped. */
function finishPlan(context: CommandContext, plan: PlanState): CommandOutcome {
  const { view, step } = context;
  const busy = Object.values(plan.tasks ?? {}).filter(({ state }) => BUSY.has(state));
  if (busy.length > 0)
    return refused(
      `${busy.map(({ task, pull }) => (pull === undefined ? `Task ${task} is being written` : `Task ${task} waits in #${pull.number}`)).join(', ')}: \`/pm done\` on a pull request merges it, \`/pm stop\` here ends the rest.`,
    );
  endAll(context);
  const tidied = tidyTasks(context, plan);
  const read = parsePlan(view.issue.body);
  const { thread } = plan;
  const lane = { lane: `plan:${threadKey(thread)}`, isUnheard: true as const };
  const remove = (['plan:active', 'plan:blocked'] as const)
    .map((label) => labelHere(view, label))
    .filter((name) => view.issue.labels.includes(name));
  if (remove.length > 0) emitEffect(step, { kind: 'labels', thread, add: [], remove }, lane);
  emitEffect(
    step,
    { kind: 'close', thread, reason: isDone(read) ? 'completed' : 'not_planned' },
    { lane: lane.lane },
  );
  // Closed by ourselves: nobody else tells the plan.
  readAgain(context, plan);
  // What was merged was learned from when it was.
  if (Object.values(plan.tasks ?? {}).every(({ mergeSha }) => mergeSha === undefined))
    learnFrom(context);
  return done(report(context, [tasksOf(plan, read), tidied ? `${LEFT} ${TIDIED}` : LEFT]));
}

/** CB-9: a thread may end without a pull request, and hold something worth keeping. */
function learnFrom({ state, event, step, talk }: CommandContext): void {
  const { thread, actor } = talk;
  const begun = startRoleMemory(
    { state, event, now: step.now },
    { thread, actor, source: {} },
    RUN_KINDS.role_memory,
  );
  step.effects.push(...begun.effects);
  step.events.push(...begun.events);
}

const LEFT = 'All tasks are released and no worktree is left.';
const TIDIED =
  'Branches of tasks that were not merged are deleted, but for those that somebody else pushed to or that an open pull request needs.';

/** Each task knows what of its branch is ours. Returns whether there were any. */
function tidyTasks({ step, talk }: CommandContext, { tasks = {}, thread }: PlanState): boolean {
  const left = Object.values(tasks).filter(({ mergeSha }) => mergeSha === undefined);
  const { id, login } = talk.actor;
  for (const { task } of left)
    emitEvent(
      step,
      { kind: 'task-word', run: talk.id, word: 'tidy', by: { id, login }, why: '' },
      { key: taskKey({ plan: thread, task }), suffix: `tidy-${task}` },
    );
  return left.length > 0;
}

function tasksOf({ tasks = {} }: PlanState, read: Plan): string {
  return read.tasks
    .map(({ number, title, status }) => {
      const news = tasks[String(number)];
      const pull = news?.pull === undefined ? '' : `, #${news.pull.number}`;
      const attempts = news === undefined || news.attempt < 2 ? '' : `, ${news.attempt} attempts`;
      return `- Task ${number}, ${asCode(title)}: ${status.replace('_', ' ')}${pull}${attempts}`;
    })
    .join('\n');
}

/** What runs here is ended; returns how many things that were. */
function endAll(context: CommandContext): number {
  const { state, talk } = context;
  const open = shownRuns(state).filter((run) => isOpen(run));
  for (const run of open) endRunOf(context, run, `${asCode(talk.actor.login)} closed the thread`);
  const planned = state.planning === undefined ? 0 : 1;
  delete state.planning;
  return open.length + planned;
}

function report({ state, view }: CommandContext, parts: readonly string[]): string {
  const answers = (state.answers ?? []).length;
  const runs = shownRuns(state).length;
  return [
    '### Closed',
    ...parts,
    `${runs === 1 ? 'One discussion or review' : `${runs} discussions and reviews`}, ${answers === 1 ? 'one answer' : `${answers} answers`}; cost ${spending(view.spent.thread)}.`,
    view.report === undefined ? '' : folded('Report', view.report),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
