/**
 * Answers to what is proposed for the files of roles (CB-9): in words, by `/pm memory approve|reject`, and by `/pm remove`,
 * `/pm add` and `/pm change`.
 */
import type { ParsedCommand } from '../../../domain/commands/command.ts';
import type { MemoryAnswer } from '../../../domain/memory/role/role-answer.ts';
import type { RoleOperation } from '../../../domain/memory/role/role-memory.ts';
import { applyAnswer } from '../../../domain/memory/role/role-proposal.ts';
import type { Run } from '../../../domain/run/state/run-record.ts';
import { openProposal } from '../../run/answers/proposals.ts';
import { endProposal, showProposal } from '../../kinds/role-memory/show.ts';
import {
  asCode,
  done,
  isLater,
  refused,
  type CommandContext,
  type CommandOutcome,
} from '../../run/command-context.ts';
import { createStep, emitEffect, type Step } from '../../run/decision.ts';

const NOTHING_LEARNED = 'Nothing that was learned in this thread waits for an answer.';
export const NOTHING_PROPOSED = `${NOTHING_LEARNED} A note of \`/pm memory\` is named by its id: \`/pm memory approve ID\`, \`/pm change ID to …\` or \`/pm forget ID\`.`;
const CHANGED =
  'The proposal was changed after this comment was written. Read it again, and answer what it says now.';
const UNCLEAR =
  'I read no plain answer in this, so nothing was changed. Answer `yes`, `no`, `remove 3`, `add: …` or `change 1 to: …`.';

type RoleRun = Run<'role_memory'>;

/** A step of the run that proposed: what it wants goes out with the talk's own. */
function inRun({ step, event }: CommandContext, run: RoleRun, take: (step: Step) => void): void {
  const own = createStep(event.key, run, step.now);
  take(own);
  step.effects.push(...own.effects);
  step.events.push(...own.events);
}

/** An approval is carried out whole, or not at all if one of its steps cannot be done. */
export function answerProposal(context: CommandContext, answer: MemoryAnswer): CommandOutcome {
  const run = openProposal(context.state);
  if (run === undefined) return refused(NOTHING_PROPOSED);
  if (isLater(run.changedBy, context.talk.comment)) return refused(CHANGED);
  const { operations, problems } = applyAnswer(run.operations ?? [], answer, run.first);
  const told = problems.join('\n');
  const isStep = answer.remove.length + answer.add.length + answer.change.length > 0;
  if (answer.verdict === 'no') return drop(context, run);
  if (answer.verdict === 'yes')
    return problems.length > 0
      ? refused(`${told}\nNothing was approved.`)
      : approveOperations(context, run, operations);
  if (!isStep) return refused(UNCLEAR);
  run.operations = operations;
  run.changedBy = context.talk.comment.id;
  if (operations.length === 0) return drop(context, run);
  inRun(context, run, (step) => showProposal({ run, step }));
  return problems.length > 0 ? refused(told) : done();
}

function approveOperations(
  context: CommandContext,
  run: RoleRun,
  operations: RoleOperation[],
): CommandOutcome {
  if (operations.length === 0) return drop(context, run);
  const { id, login } = context.talk.actor;
  const { thread } = run;
  run.operations = operations;
  inRun(context, run, (step) => {
    const effectId = emitEffect(
      step,
      {
        kind: 'open-roles',
        thread,
        operations,
        proposedBy: run.id,
        authority: { user: { id, login }, needed: 'write' },
      },
      { lane: `memory:${thread.repositoryId}` },
    );
    run.phase = { kind: 'publishing', effectId };
  });
  return done();
}

function drop(context: CommandContext, run: RoleRun): CommandOutcome {
  const by = context.talk.actor.login;
  inRun(context, run, (step) => endProposal({ run, step }, { kind: 'dropped', by }));
  return done();
}

/** Numbers of the operations that wait, as they are shown. */
export function operationNumbers({ state }: Pick<CommandContext, 'state'>): number[] {
  const { operations = [], first = 1 } = openProposal(state) ?? {};
  return operations.map((_, at) => first + at);
}

/** `/pm memory approve|reject` with numbers of the proposal, or none for all of it. What is not approved is dropped with it. */
export function settleOperations(
  context: CommandContext,
  kind: 'approve' | 'reject',
  numbers: readonly number[],
): CommandOutcome {
  const all = operationNumbers(context);
  const chosen = numbers.length === 0 ? all : all.filter((number) => numbers.includes(number));
  const others = all.filter((number) => !chosen.includes(number));
  if (kind === 'approve')
    return answerProposal(context, { ...NO_STEP, remove: others, verdict: 'yes' });
  return others.length === 0
    ? answerProposal(context, { ...NO_STEP, verdict: 'no' })
    : answerProposal(context, { ...NO_STEP, remove: chosen });
}

const NO_STEP: MemoryAnswer = { verdict: undefined, remove: [], add: [], change: [], unclear: [] };

export function removeProposed(context: CommandContext, { text }: ParsedCommand): CommandOutcome {
  return answerProposal(context, { ...NO_STEP, remove: [numberIn(text)] });
}

export function addProposed(context: CommandContext, { text }: ParsedCommand): CommandOutcome {
  if (openProposal(context.state) === undefined)
    return refused(`${NOTHING_LEARNED} \`/pm remember …\` keeps a sentence without a proposal.`);
  return answerProposal(context, { ...NO_STEP, add: [text.replace(/^:/, '').trim()] });
}

const CHANGE = /^#?(\d{1,6})\s+to:?\s+(\S.*)$/is;

export function changeProposed(context: CommandContext, { text }: ParsedCommand): CommandOutcome {
  const [, number = '', words = ''] = CHANGE.exec(text.trim()) ?? [];
  if (words === '') return refused(`Say what it should say: ${asCode('/pm change 1 to …')}.`);
  const change = [{ number: Number(number), text: words.trim() }];
  return answerProposal(context, { ...NO_STEP, change });
}

function numberIn(text: string): number {
  return Number(/\d+/.exec(text)?.[0] ?? 0);
}
