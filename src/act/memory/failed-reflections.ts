/** Which reflections failed: nothing waits for one, so its failure shows nowhere by itself (NW-14). */
import type { EffectData } from '../../domain/event/effect.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Records, StoredEffect } from '../../ports/store.ts';

/** Of each kind and status: old ones leave the store some day. */
const MOST = 100;
const STATUSES = ['dead', 'refused'] as const;
/** Its steps, each with what tells it from others of its kind: these are not to use up the limit. */
const STEPS = [
  { idEnd: '-ask', holds: '"purpose":"reflection"' },
  { idEnd: '-look-memory' },
  { idEnd: '-remember', holds: '"learned":[{' },
] as const;

/** The newest of the whole store, at most 100 of each step and status. */
export async function findFailedReflections(
  records: Pick<Records, 'effects'>,
): Promise<StoredEffect[]> {
  const found = await Promise.all(
    STATUSES.flatMap((status) =>
      STEPS.map((step) => records.effects({ ...step, status, limit: MOST, newestFirst: true })),
    ),
  );
  return found.flat().filter(({ data }) => isOfReflection(data));
}

/** So long a count is kept: each scrape asks for it, and it reads hundreds of effects. */
const COUNTED_MS = 60_000;

/** Counts them, once a minute at most. */
export function createFailedCount(
  records: Pick<Records, 'effects'>,
  clock: Pick<Clock, 'now'>,
): () => Promise<number> {
  let last: { at: number; count: number } | undefined;
  return async () => {
    const at = clock.now();
    if (last !== undefined && at - last.at < COUNTED_MS) return last.count;
    const { length: count } = await findFailedReflections(records);
    last = { at, count };
    return count;
  };
}

export function isOfReflection(data: EffectData): boolean {
  if (data.kind === 'ask') return data.purpose === 'reflection';
  if (data.kind === 'look-memory') return true;
  // A change without lessons counts uses of notes.
  return data.kind === 'remember' && data.change.kind === 'learn' && data.change.learned.length > 0;
}
