/** The state machine of one attempt at a task: which phase may follow which, and the only function that changes it. */
import type { TaskPhase } from '../../domain/task/task.ts';

type PhaseKind = TaskPhase['kind'];

/** A phase that follows itself is entered again with another effect or timer. */
export const NEXT_PHASES: { readonly [K in PhaseKind]: readonly PhaseKind[] } = {
  // The claim was granted, or refused. What was found again is proved at once, what was reopened is looked at.
  claiming: ['asking', 'coding', 'verifying', 'reviewing', 'ended'],
  // A session of the Coder is asked for once more when no answer came.
  asking: ['asking', 'coding', 'closing'],
  coding: ['verifying', 'closing'],
  // A change that conflicts with the base is made again, or waits for a person.
  verifying: ['publishing', 'asking', 'coding', 'reviewing', 'closing'],
  // A base with other workflow files needs the gates again.
  publishing: ['reviewing', 'verifying', 'closing'],
  reviewing: ['reviewing', 'merging', 'asking', 'coding', 'verifying', 'closing'],
  merging: ['reviewing', 'closing'],
  closing: ['ended'],
  // A pull request that was closed may be reopened, or merged by somebody else.
  ended: ['claiming', 'closing', 'ended'],
};

/**
 * Every other type of a run has a phase that cannot be assigned, so this is the only writer.
 *
 * @throws Error where the table has no such transition: a bug, which must not go on unseen
 */
export function enter(run: { id: string; phase: TaskPhase }, phase: TaskPhase): void {
  const { kind } = run.phase;
  if (!NEXT_PHASES[kind].includes(phase.kind))
    throw new Error(`task run ${run.id} cannot go from ${kind} to ${phase.kind}`);
  run.phase = phase;
}
