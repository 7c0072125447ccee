/** The ledger of a session under way: each call as it ends, what the open calls can cost, and the rest as reserved. */
import { reservedCall, type LedgerEntry, type ModelCall } from '../../../domain/run/ledger.ts';
import type { Records } from '../../../ports/store.ts';

export interface SessionReservation {
  /** Writes a call down that ended. */
  spent: (entry: LedgerEntry) => void;
  /** Writes down what the open calls can cost together; rejects when the store cannot keep it. */
  reserved: (usd: number) => Promise<void>;
  /** Resolves when all of it is written and nothing is reserved any more. */
  release: () => Promise<void>;
}

/**
 * After a crash the next attempt takes over `restId` and nothing else. The possible cost of the open calls stays
 * counted, because nobody can say what they did cost.
 */
export function createReservation(
  records: Pick<Records, 'reserve' | 'settleCall'>,
  entry: (call: ModelCall, id: string) => LedgerEntry,
  { restId, openId, usd }: { restId: string; openId: (n: number) => string; usd: number },
): SessionReservation {
  let spentUsd = 0;
  let openUsd = 0;
  let openEntries = 0;
  let writing: Promise<void> = Promise.resolve();
  const next = (work: () => Promise<void>): Promise<void> => {
    const written = writing.then(work);
    writing = written.catch(() => undefined);
    return written;
  };
  const writeRest = async (): Promise<void> => {
    const rest = Math.max(0, usd - spentUsd - openUsd);
    await records.reserve(entry(reservedCall('coder', rest), restId));
  };
  // The new one first: between the two writes the ledger says too much rather than too little.
  const writeOpen = async (): Promise<void> => {
    const before = openId(openEntries);
    openEntries += 1;
    if (openUsd > 0)
      await records.reserve(entry(reservedCall('coder', openUsd), openId(openEntries)));
    await records.settleCall(before, []);
  };
  return {
    spent: (call) => {
      void next(async () => {
        spentUsd += call.costUsd ?? 0;
        await records.reserve(call);
        await writeRest();
        // The end of the session writes all calls again.
      }).catch(() => undefined);
    },
    reserved: (open) =>
      next(async () => {
        openUsd = open;
        await writeOpen();
        await writeRest();
      }),
    release: () =>
      next(async () => {
        await records.settleCall(openId(openEntries), []);
        await records.settleCall(restId, []);
      }),
  };
}
