/** Results of effects that belong to no run: the thread itself wanted them. */
import type { EffectKind } from '../domain/event/effect.ts';
import { findOvertaken, onOvertakenAnswer } from './discussion/on-overtaken.ts';
import { onFeedbackRead } from './kinds/review/afterwards.ts';
import { onLabelResolved } from './label-starts.ts';
import { ignored, type Decision } from './run/decision.ts';
import type { ResultData, ThreadContext } from './run/thread-context.ts';
import { onMemoryChanged } from './talk/commands/on-memory-changed.ts';

/** What comes back to the thread itself and asks for nothing. */
const NOTHING_TO_DO: Readonly<Partial<Record<EffectKind, string>>> = {
  'report-group': 'the merge queue has its checks',
  'test-head': 'the check says how the tests ended',
  erase: 'what was deleted is erased',
};

/** What came back to the thread itself, and to none of its runs; undefined for all else. */
export function onOwnResult(threadContext: ThreadContext, data: ResultData): Decision | undefined {
  if (data.kind === 'timer') return undefined;
  const overtaken = findOvertaken(data);
  if (overtaken !== undefined) return onOvertakenAnswer(threadContext, overtaken);
  const changed = onMemoryChanged(threadContext, data);
  if (changed !== undefined) return changed;
  const { effectKind } = data;
  const nothing = NOTHING_TO_DO[effectKind];
  const isOwn = nothing ?? (effectKind === 'name-label' || effectKind === 'look-feedback');
  if (isOwn === false) return undefined;
  if (data.kind === 'failed')
    return ignored(threadContext.state, `${effectKind} failed: ${data.failure.code}`);
  if (data.effectKind === 'name-label') return onLabelResolved(threadContext, data.result);
  if (data.effectKind === 'look-feedback') return onFeedbackRead(threadContext, data);
  return ignored(threadContext.state, nothing ?? '');
}
