/** Which models are not to be asked now: what one worker learned, the others need not learn again. */
import type { Event } from '../domain/event/event.ts';
import { NO_BREAKS, noteBreak, type ModelBreaks } from '../domain/run/model-breaks.ts';
import { ignored, readState, type Decision, type DecisionContext } from './run/decision.ts';

export function decideModels(before: unknown, { data }: Event, { now }: DecisionContext): Decision {
  const state = readState<ModelBreaks>(before, NO_BREAKS);
  if (data.kind !== 'model-break') return ignored(state, 'no breaker of a model');
  state.breaks = noteBreak(state.breaks, data.told, now);
  return { state, effects: [], events: [] };
}
