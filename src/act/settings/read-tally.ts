/** How often each voice and rule was found right in a repository, from our own store. */
import {
  NO_PRECISION,
  precisionKey,
  tallyOf,
  toPrecisionState,
  type Tally,
} from '../../domain/review/precision.ts';
import type { ActPorts } from '../ports.ts';

export async function readTally(repositoryId: number, { store, clock }: ActPorts): Promise<Tally> {
  const kept = await store.load(precisionKey(repositoryId));
  return tallyOf(toPrecisionState(kept?.state) ?? NO_PRECISION, clock.now());
}
