/** What came of a change of memory that a command asked for. The command was answered already, so a failure is told. */
import type { EventData } from '../../../domain/event/event.ts';
import { asCode } from '../../run/command-context.ts';
import { createStep, emitEffect, ignored, type Decision } from '../../run/decision.ts';
import { writeLane, type ResultData, type ThreadContext } from '../../run/thread-context.ts';

type Failed = Extract<EventData, { kind: 'failed' }>;

/** Undefined for what no command asked for. */
export function onMemoryChanged(context: ThreadContext, data: ResultData): Decision | undefined {
  const { state } = context;
  if (data.kind === 'timer' || data.effectKind !== 'remember') return undefined;
  const wanted = state.memoryChanges?.[data.effectId];
  if (wanted === undefined) return undefined;
  const { [data.effectId]: _, ...others } = state.memoryChanges ?? {};
  state.memoryChanges = others;
  if (data.kind === 'done') return ignored(state, 'memory is as the command wanted it');
  // What was to be approved or rejected waits again, under the numbers that people saw.
  state.lessons = [...(wanted.lessons ?? []), ...(state.lessons ?? [])];
  return tellFailure(context, data, wanted);
}

function tellFailure(
  { state, event, now }: ThreadContext,
  { effectId, run, failure }: Failed,
  { thread }: NonNullable<ThreadContext['state']['memoryChanges']>[string],
): Decision {
  const step = createStep(event.key, { id: `memory:${effectId}`, step: 0 }, now);
  const marker = { kind: 'notice' as const, run, key: `memory-${effectId}` };
  const body = `Memory was not changed (${asCode(failure.code)}): ${asCode(failure.message, 400)}`;
  emitEffect(
    step,
    { kind: 'comment', thread, marker, body, isNew: true },
    { lane: writeLane(thread), isUnheard: true },
  );
  return { state, effects: step.effects, events: step.events };
}
