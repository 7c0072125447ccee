/** A repository's judgements of findings: who was found right how often. */
import type { Event } from '../domain/event/event.ts';
import { addJudgements, NO_PRECISION, type PrecisionState } from '../domain/review/precision.ts';
import { readState, type Decision } from './run/decision.ts';

export function decidePrecision(before: unknown, { data }: Event): Decision {
  const state = readState<PrecisionState>(before, NO_PRECISION);
  if (data.kind !== 'judged')
    return { state, effects: [], events: [], ignored: 'no judgement of a finding' };
  addJudgements(state, data.judged);
  return { state, effects: [], events: [] };
}
