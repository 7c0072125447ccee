/** When the journal of a plan is written again: after what its readers look for. */
import type { PlanState } from '../../domain/plan/plan-view.ts';
import type { TaskState } from '../../domain/plan/task-state.ts';
import type { EffectKind } from '../../domain/event/effect.ts';
import type { Event } from '../../domain/event/event.ts';
import { derivedId } from '../../domain/run/ids.ts';
import { threadKey, type ThreadRef } from '../../domain/run/thread-ref.ts';
import { createStep, emitEffect, type Decision, type Step } from '../run/decision.ts';
import type { ThreadContext, ThreadState } from '../run/thread-context.ts';

/** How a task ends, for now or finally. An open pull request already shows by its number. */
const ENDS: ReadonlySet<TaskState> = new Set(['completed', 'blocked', 'failed']);

/** What a reader of the journal would look for, each by a name: when there is a new one, the journal is written. */
export function journalMarks(plan: PlanState | undefined): string[] {
  if (plan === undefined) return [];
  const { isWaiting, approval, rejected, tasks = {} } = plan;
  return [
    ...(isWaiting === true ? ['waits'] : []),
    ...(approval === undefined ? [] : [`approved ${approval.digest}`]),
    ...(rejected === undefined ? [] : [`rejected ${rejected.digest}`]),
    ...Object.values(tasks).flatMap(({ task, attempt, state, pull }) => [
      ...(pull === undefined ? [] : [`task ${task} in #${pull.number}`]),
      ...(ENDS.has(state) ? [`task ${task} ${state} ${attempt}`] : []),
    ]),
  ];
}

/** What a memory run leaves in the journal of the plan: its lessons, its proposal, and what its calls cost. */
const LEARNED: ReadonlySet<string> = new Set(['ended', 'proposed']);

/** Runs of memory in a task's pull request, as far as they have something to tell. */
function learnedMarks({ task, runs }: ThreadState): string[] {
  if (task === undefined) return [];
  return Object.values(runs).flatMap(({ trigger, id, phase }) =>
    MEMORY_RUNS.has(trigger) && LEARNED.has(phase.kind) ? [`${id} ${phase.kind}`] : [],
  );
}

const MEMORY_RUNS: ReadonlySet<string> = new Set(['reflection', 'role_memory']);

/** What a thread's journal, or the one of its plan, shows before an event. */
export function marksOf(state: ThreadState): string[] {
  return [...journalMarks(state.plan), ...learnedMarks(state)];
}

interface Reduced extends ThreadContext {
  /** Of the thread before the event. */
  marks: readonly string[];
}

/** One write waits for each thread: a newer one replaces it. */
export function wantJournal(decision: Decision, reduced: Reduced): Decision {
  const { state, event, now } = reduced;
  if (decision.state !== state) return decision;
  const { plan, task } = state;
  if (plan !== undefined)
    return isDue(plan, reduced) ? writeOwn(decision, reduced, plan) : decision;
  if (task === undefined || !isOfEnd(reduced)) return decision;
  const step = createStep(event.key, { id: derivedId(event.id, now), step: 0 }, now);
  const thread = task.ref.plan;
  emitEffect(step, { kind: 'write-journal', thread, whenClosed: true }, orderOf(thread, 'late'));
  return withEffects(decision, step);
}

/** A pull request does not know whether its plan has ended. */
function isOfEnd({ state, event, marks }: Reduced): boolean {
  return endOf(event) !== undefined || learnedMarks(state).some((each) => !marks.includes(each));
}

function isDue(plan: PlanState, { event, marks }: Reduced): boolean {
  const end = endOf(event);
  if (end === 'shut') plan.isShut = true;
  if (end === 'open') delete plan.isShut;
  if (end !== undefined || journalMarks(plan).some((each) => !marks.includes(each))) return true;
  return plan.isShut === true && isTold(event);
}

/** A person closes the thread or opens it again, or Quorum closed it. */
function endOf({ data }: Event): 'shut' | 'open' | undefined {
  if (data.kind === 'done') return data.effectKind === 'close' ? 'shut' : undefined;
  if (data.kind !== 'trigger') return undefined;
  if (data.trigger.kind === 'reopened') return 'open';
  return data.trigger.kind === 'ended' && data.trigger.how === 'closed' ? 'shut' : undefined;
}

/** Results that the journal tells of. */
const TOLD: ReadonlySet<EffectKind> = new Set([
  'look-comment',
  'ask',
  'remember',
  'open-roles',
  'open-consolidation',
]);

function isTold({ data }: Event): boolean {
  if (data.kind === 'done') return TOLD.has(data.effectKind);
  return data.kind === 'task-told' || data.kind === 'failed';
}

function writeOwn(decision: Decision, { event, now }: Reduced, plan: PlanState): Decision {
  const { thread } = plan;
  const step = createStep(event.key, { id: plan.id, step: plan.journals ?? 0 }, now);
  emitEffect(step, { kind: 'write-journal', thread }, orderOf(thread, 'journal'));
  plan.journals = step.run.step;
  return withEffects(decision, step);
}

/** A write that may write nothing takes no other one's place. */
function orderOf(thread: ThreadRef, slot: 'journal' | 'late'): { lane: string; slot: string } {
  const name = slot === 'journal' ? slot : `journal-${slot}`;
  return { lane: `memory:${thread.repositoryId}`, slot: `${name}:${threadKey(thread)}` };
}

function withEffects(decision: Decision, { effects }: Step): Decision {
  const { ignored: _, ...rest } = decision;
  return { ...rest, effects: [...decision.effects, ...effects] };
}
