/** Results of effects that belong to no run: the thread itself wanted them. */
import type { EffectKind } from '../domain/event/effect.ts';
import { findOvertaken, onOvertakenAnswer } from './discussion/on-overtaken.ts';
import { onFeedbackRead } from './kinds/review/afterwards.ts';
import { onOwnMove } from './kinds/standup/on-own-move.ts';
import { onFollowUpEnded } from './kinds/standup/follow-up-thread.ts';
import { onLabelResolved } from './label-starts.ts';
import { ignored, type Decision } from './run/decision.ts';
import type { ResultData, ThreadContext } from './run/thread-context.ts';
import { onMemoryChanged } from './talk/commands/on-memory-changed.ts';

/** Results for the thread itself that need no action. */
const NOTHING_TO_DO: Readonly<Partial<Record<EffectKind, string>>> = {
  'report-group': 'the merge queue has its checks',
  'test-head': 'the check says how the tests ended',
  erase: 'what was deleted is erased',
};

const OWN: ReadonlySet<EffectKind> = new Set<EffectKind>([
  'name-label',
  'look-feedback',
  'end-follow-up',
]);

/** A result for the thread itself and none of its runs; undefined for all others. */
export function onOwnResult(threadContext: ThreadContext, data: ResultData): Decision | undefined {
  if (data.kind === 'timer') return undefined;
  const overtaken = findOvertaken(data);
  if (overtaken !== undefined) return onOvertakenAnswer(threadContext, overtaken);
  const wanted = onMemoryChanged(threadContext, data) ?? onOwnMove(threadContext, data);
  if (wanted !== undefined) return wanted;
  const { effectKind } = data;
  const nothing = NOTHING_TO_DO[effectKind];
  if (nothing === undefined && !OWN.has(effectKind)) return undefined;
  if (data.kind === 'failed')
    return ignored(threadContext.state, `${effectKind} failed: ${data.failure.code}`);
  if (data.effectKind === 'name-label') return onLabelResolved(threadContext, data.result);
  if (data.effectKind === 'end-follow-up') return onFollowUpEnded(threadContext, data);
  if (data.effectKind === 'look-feedback') return onFeedbackRead(threadContext, data);
  return ignored(threadContext.state, nothing ?? '');
}
