/** What is left to be done, without the timer that ends a repository's week: it waits for days. */
import type { StoreReader } from '../../src/ports/store.ts';

export async function pendingButWeek(
  records: Pick<StoreReader['records'], 'events'>,
): Promise<number> {
  const waiting = await records.events({ status: 'pending', limit: 1000 });
  return waiting.filter(
    ({ key, data }) => !(data.kind === 'timer' && key.startsWith('repository:')),
  ).length;
}
