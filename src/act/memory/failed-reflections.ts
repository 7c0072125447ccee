/** Which reflections failed: nothing waits for one, so its failure shows nowhere by itself (NW-14). */
import type { EffectData } from '../../domain/event/effect.ts';
import type { Records, StoredEffect } from '../../ports/store.ts';

/** Of each kind and status: old ones leave the store some day. */
const MOST = 100;
const STATUSES = ['dead', 'refused'] as const;
const STEPS = ['ask', 'look-memory', 'remember'] as const;

/** The newest of the whole store. */
export async function findFailedReflections(
  records: Pick<Records, 'effects'>,
): Promise<StoredEffect[]> {
  const found = await Promise.all(
    STATUSES.flatMap((status) =>
      STEPS.map((step) =>
        records.effects({ status, idEnd: `-${step}`, limit: MOST, newestFirst: true }),
      ),
    ),
  );
  return found.flat().filter(({ data }) => isOfReflection(data));
}

export function isOfReflection(data: EffectData): boolean {
  if (data.kind === 'ask') return data.purpose === 'reflection';
  if (data.kind === 'look-memory') return true;
  // A change without lessons counts uses of notes.
  return data.kind === 'remember' && data.change.kind === 'learn' && data.change.learned.length > 0;
}
