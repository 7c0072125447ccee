/** One call that costs money and is no question to a persona: within the caps, and in the ledger. */
import type { Caps } from '../../domain/run/caps.ts';
import { reservedCall, type LedgerEntry, type ModelCall } from '../../domain/run/ledger.ts';
import { callsOf } from '../../ports/model.ts';
import type { ActPorts } from '../ports.ts';
import { personOf, reserveWithin, type Account } from './check-caps.ts';

export interface Payment {
  /** The same when the effect is repeated: what a crash left reserved is taken over. */
  id: string;
  account: Account;
  caps: Caps;
  /** The provider's name of the model, and the most that the call may cost; undefined when the price is unknown. */
  model: string;
  estimateUsd: number | undefined;
}

/** Throws RefusedError `budget-…` when a cap would be exceeded. */
export async function payForCall<T extends { call: ModelCall }>(
  { id, account, caps, model, estimateUsd }: Payment,
  ports: Pick<ActPorts, 'store' | 'clock' | 'random' | 'hostCaps'>,
  ask: () => Promise<T>,
): Promise<T> {
  const owner = { ...account, ...personOf(caps) };
  const toEntry = (call: ModelCall, entryId: string): LedgerEntry => ({
    ...call,
    ...owner,
    // Unknown is not free: it counts as much as was reserved for it.
    costUsd: call.costUsd ?? estimateUsd,
    id: entryId,
    at: new Date(ports.clock.now()).toISOString(),
  });
  // What an earlier attempt settled stays beside what this one does.
  const settled = `${id}/${ports.random.id()}`;
  const settle = (calls: readonly ModelCall[]): Promise<void> =>
    ports.store.records.settleCall(
      id,
      calls.map((call, at) => toEntry(call, `${settled}/${at}`)),
    );
  const entry = toEntry(reservedCall(model, estimateUsd), id);
  await reserveWithin(caps, { account: owner, entry }, ports);
  const answer = await ask().catch(async (error: unknown) => {
    await settle(callsOf(error));
    throw error;
  });
  await settle([answer.call]);
  return answer;
}
