/**
 * What a session in a workflow may spend, and what it has spent. The repository's own key pays, so that the caps of the
 * repository hold, and not those of the host.
 *
 * The session outlives the process that sent it, and so does its reservation. The reservation is the record that a dispatch was
 * sent. While it is in the ledger, or the calls that took its place, no other dispatch is sent.
 */
import { personCap } from '../../../domain/run/caps.ts';
import { reservedCall, type LedgerEntry, type ModelCall } from '../../../domain/run/ledger.ts';
import { taskKey } from '../../../domain/task/task.ts';
import type { CoderErrand } from '../../../ports/coder.ts';
import type { Ledger } from '../../../ports/store.ts';
import type { ActPorts } from '../../ports.ts';
import {
  ownLimits,
  reserveLeft,
  sessionEntry,
  type MoneyConfig,
  type Purse,
} from './coder-money.ts';

/** Whether it was sent, and how that is put on record. */
export type DispatchRecord = Pick<CoderErrand, 'isSent' | 'sending' | 'notSent'>;

interface Work<T> {
  ports: ActPorts;
  /** No earlier attempt can have begun it. */
  isUntouched: boolean;
  work: (usd: number, record: DispatchRecord) => Promise<T>;
}

/**
 * Reserves what is left, once. A session that was sent is never refused for a cap: its money is spent. Each call that it
 * reports is booked with its whole cost, also beyond what was reserved; the caps hold for what comes next.
 *
 * @throws RefusedError `budget-thread`, `budget-day`, `budget-person` or `budget-repository` before anything is sent
 */
export async function withinCapsElsewhere<T extends { calls: readonly ModelCall[] }>(
  purse: Purse,
  config: MoneyConfig,
  { ports, isUntouched, work }: Work<T>,
): Promise<T> {
  const { records } = ports.store;
  const { effectId } = purse;
  const restId = `${effectId}/reserved`;
  const sentId = sentIdOf(effectId);
  const person = personCap(config, purse.requester)?.id;
  const entry = (call: ModelCall, id: string): LedgerEntry => ({
    ...sessionEntry(purse, call, { id, at: ports.clock.now(), person }),
    payer: 'repository',
  });
  const sent = isUntouched ? undefined : await findSent(purse, records);
  // An attempt that ended before it sent anything has left its reservation: this one takes its place.
  await records.settleCall(restId, []);
  const toReserve = (usd: number): LedgerEntry => entry(reservedCall('coder', usd), restId);
  const usd =
    sent?.usd ?? (await reserveLeft(ownLimits(purse, config, ports), { records, toReserve }));
  const record: DispatchRecord = {
    isSent: sent !== undefined,
    sending: async () => {
      // Found again by the effect's id. The new one first: the ledger says too much rather than too little.
      await records.reserve({ ...entry(reservedCall('coder', usd), sentId), run: effectId });
      await records.settleCall(restId, []);
    },
    notSent: () => records.settleCall(sentId, []),
  };
  try {
    const done = await work(usd, record);
    await records.settleCall(
      sentId,
      done.calls.map((call, n) => entry(call, `${sentId}-${n}`)),
    );
    return done;
  } finally {
    await records.settleCall(restId, []);
  }
}

/** Dollars that are reserved for a session that was sent; undefined for one that was not, as far as is on record. */
export async function findSent(
  { effectId, thread, task }: Pick<Purse, 'effectId' | 'thread' | 'task'>,
  records: Pick<Ledger, 'spent' | 'calls'>,
): Promise<{ usd: number } | undefined> {
  const key = taskKey({ plan: thread, task });
  const open = await records.spent({ key, run: effectId });
  if (open.calls > 0) return { usd: open.usd };
  // It was booked, and the process ended before its result was kept.
  const booked = await records.calls({ key, limit: MOST_CALLS });
  return booked.some(({ id }) => id.startsWith(`${sentIdOf(effectId)}-`)) ? { usd: 0 } : undefined;
}

/** Of one task; three attempts of a thousand calls are rare. */
const MOST_CALLS = 10_000;

function sentIdOf(effectId: string): string {
  return `${effectId}/dispatched`;
}
