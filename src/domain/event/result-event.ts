/** The event that tells a stream how an effect ended. */
import type { Effect, EffectKind } from './effect.ts';
import type { Failure } from './errors.ts';
import { EVENT_VERSION, UNHEARD, type EventData, type NewEvent } from './event.ts';
import type { Result } from './result.ts';

type Outcome =
  ({ kind: 'done' } & Result) | { kind: 'failed'; effectKind: EffectKind; failure: Failure };

/**
 * Its id derives from the effect's, so that a result is recorded once. A result without a reader is stored, not
 * reduced.
 */
export function toResultEvent(effect: Effect, outcome: Outcome, now: number): NewEvent {
  const { id: effectId, key, run, isUnheard } = effect;
  const data: EventData = { ...outcome, effectId, run };
  const at = new Date(now).toISOString();
  const event = { id: `${effectId}:${outcome.kind}`, key, version: EVENT_VERSION, at, data };
  const isKeptOnly = isUnheard === true && outcome.kind === 'done';
  return isKeptOnly ? { ...event, ignoredReason: UNHEARD } : event;
}
