/**
 * The result of a memory change that a command asked for. The command was answered already, so only a failure, and what
 * was not approved, is reported.
 */
import type { EventData } from '../../../domain/event/event.ts';
import type { ThreadRef } from '../../../domain/run/thread-ref.ts';
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
  if (data.kind === 'done') {
    const { refused } = data.result;
    if (refused.length === 0) return ignored(state, 'memory is as the command wanted it');
    return tell(context, data, { ...wanted, body: refused.join('\n') });
  }
  // What was to be approved or rejected waits again, under the numbers that people saw.
  state.lessons = [...(wanted.lessons ?? []), ...(state.lessons ?? [])];
  const { code, message } = data.failure;
  const body = `Memory was not changed (${asCode(code)}): ${asCode(message, 400)}`;
  return tell(context, data, { ...wanted, body });
}

function tell(
  { state, event, now }: ThreadContext,
  { effectId, run }: Pick<Failed, 'effectId' | 'run'>,
  { thread, body }: { thread: ThreadRef; body: string },
): Decision {
  const step = createStep(event.key, { id: `memory:${effectId}`, step: 0 }, now);
  const marker = { kind: 'notice' as const, run, key: `memory-${effectId}` };
  emitEffect(
    step,
    { kind: 'comment', thread, marker, body, isNew: true },
    { lane: writeLane(thread), isUnheard: true },
  );
  return { state, effects: step.effects, events: step.events };
}
