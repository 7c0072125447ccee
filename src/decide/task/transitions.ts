/** The state machine of one attempt at a task: where each result or event may lead, and the only function that goes there. */
import type { EffectKind } from '../../domain/event/effect.ts';
import type { EventData } from '../../domain/event/event.ts';
import type { TaskPhase, TaskRun } from '../../domain/task/task.ts';

export type PhaseKind = TaskPhase['kind'];
/** What a task's reducer is given: the kind of effect that was carried out, or `failed`, or the kind of another event. */
export type TaskInput = EffectKind | Exclude<EventData['kind'], 'done'>;

type Table = { readonly [P in PhaseKind]: { readonly [I in TaskInput]?: readonly PhaseKind[] } };

/**
 * By the phase in which an input finds the attempt: the phases that it may enter. Inputs that are not listed change
 * nothing. A phase that follows itself is entered again with another effect or timer.
 */
export const TRANSITIONS = {
  claiming: {
    // Granted, or refused. What was found again is proved at once, what was reopened is looked at.
    claim: ['asking', 'coding', 'verifying', 'reviewing', 'ended'],
    failed: ['ended'],
    'task-word': ['ended'],
  },
  asking: {
    'session-told': ['coding', 'closing'],
    // A session of the Coder is asked for once more when no answer came.
    timer: ['asking'],
    'task-word': ['closing'],
  },
  coding: {
    code: ['verifying', 'closing'],
    failed: ['closing'],
    'task-word': ['closing'],
  },
  verifying: {
    // A change that conflicts with the base is made again, or waits for a person.
    verify: ['publishing', 'asking', 'coding', 'reviewing', 'closing'],
    failed: ['closing'],
    'task-word': ['closing'],
  },
  publishing: {
    // A base with other workflow files needs the gates again.
    publish: ['reviewing', 'verifying', 'closing'],
    failed: ['closing'],
    'task-word': ['closing'],
  },
  reviewing: {
    'look-merge': ['reviewing', 'merging', 'asking', 'coding', 'verifying', 'closing'],
    retest: ['reviewing', 'asking', 'coding'],
    failed: ['reviewing'],
    timer: ['reviewing'],
    // A review sends it back to the coder.
    'pull-told': ['reviewing', 'asking', 'coding'],
    'task-word': ['closing'],
  },
  merging: {
    merge: ['reviewing', 'closing'],
    failed: ['reviewing'],
    'task-word': ['closing'],
  },
  closing: {
    release: ['ended'],
    'plan-edit': ['ended'],
    failed: ['ended'],
  },
  ended: {
    'task-go': ['claiming'],
    // What was found merged is over.
    'task-found': ['claiming', 'ended'],
    // A pull request that was closed may be reopened, or merged by somebody else.
    'pull-told': ['ended'],
    'look-merge': ['ended', 'claiming', 'closing'],
    failed: ['ended'],
  },
} as const satisfies Table;

/** Which input a transition rests on, and the phase in which that found the attempt. */
export interface Transition {
  readonly from: PhaseKind;
  readonly input: TaskInput;
}

export function transitionOf({ phase }: Pick<TaskRun, 'phase'>, data: EventData): Transition {
  return { from: phase.kind, input: data.kind === 'done' ? data.effectKind : data.kind };
}

/**
 * The only writer of a phase: every other type of a run makes it read-only.
 *
 * @throws Error where the table has no such transition. That is a bug, which must not stay hidden.
 */
export function enter(
  { run, on }: { run: { id: string; phase: TaskPhase }; on: Transition },
  phase: TaskPhase,
): void {
  const table: Table = TRANSITIONS;
  if (table[on.from][on.input]?.includes(phase.kind) !== true)
    throw new Error(`task run ${run.id} cannot go from ${on.from} to ${phase.kind} by ${on.input}`);
  run.phase = phase;
}
