/**
 * What a session in a workflow may spend, and what it has spent. The repository's own key pays, so that the caps of the
 * repository hold, and not those of the host.
 *
 * The session outlives the process that sent it, and so does its reservation. The reservation is the record that a dispatch was
 * sent. While it is in the ledger, or the calls that took its place, no other dispatch is sent.
 *
 * That record is kept apart from the calls of the task: it counts for a day, and not for the task. A session that was
 * lost is never heard of again, and leaves the task its allowance. What a session cost that nobody can tell is booked there
 * too, as an estimate: all that it was allowed.
 */
import { TransientError } from '../../../domain/event/errors.ts';
import { personCap } from '../../../domain/run/caps.ts';
import { isUntold } from '../../../domain/dispatch/untold-cost.ts';
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
export type DispatchRecord = Pick<CoderErrand, 'isSent' | 'isInDoubt' | 'sending' | 'notSent'>;

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
  const entry = entriesOf(purse, config, ports);
  const apart = (one: LedgerEntry): LedgerEntry => ({ ...one, key: keyApart(purse) });
  const toReserve = (usd: number): LedgerEntry => entry(reservedCall('coder', usd), restId);
  const sent = isUntouched ? undefined : await findSent(purse, records);
  const isNew = isUntouched || sent !== undefined;
  const left = isNew ? undefined : await findLeft(purse, { records, restId, toReserve });
  const usd =
    sent?.usd ??
    left ??
    (await reserveLeft(ownLimits(purse, config, ports), { records, toReserve }));
  let isInDoubt = left !== undefined;
  const record: DispatchRecord = {
    isSent: sent !== undefined,
    ...(isInDoubt && { isInDoubt }),
    sending: async () => {
      // Found again by the effect's id. The new one first: the ledger says too much rather than too little.
      const sending = apart(entry(reservedCall('coder', usd), sentId));
      await records.reserve({ ...sending, run: effectId });
      isInDoubt = false;
      await records.settleCall(restId, []);
    },
    notSent: () => records.settleCall(sentId, []),
  };
  const booked = (call: ModelCall, n: number): LedgerEntry => {
    const one = entry(call, `${sentId}-${n}`);
    return isUntold(call) ? apart({ ...one, costUsd: usd, isEstimate: true }) : one;
  };
  try {
    const done = await work(usd, record);
    isInDoubt = false;
    await records.settleCall(sentId, done.calls.map(booked));
    return done;
  } catch (error) {
    isInDoubt &&= error instanceof TransientError;
    throw error;
  } finally {
    if (!isInDoubt) await records.settleCall(restId, []);
  }
}

function entriesOf(
  purse: Purse,
  config: MoneyConfig,
  { clock }: ActPorts,
): (call: ModelCall, id: string) => LedgerEntry {
  const person = personCap(config, purse.requester)?.id;
  return (call, id) => ({
    ...sessionEntry(purse, call, { id, at: clock.now(), person }),
    payer: 'repository',
  });
}

interface Left {
  records: Ledger;
  restId: string;
  toReserve: (usd: number) => LedgerEntry;
}

/**
 * Dollars that an attempt has reserved which a crash ended. An older version sent dispatches without another record, so that
 * this one may have been sent. It stays reserved until that is known: a session at work is not refused for a cap.
 */
async function findLeft(
  { thread, task }: Purse,
  { records, restId, toReserve }: Left,
): Promise<number | undefined> {
  const key = taskKey({ plan: thread, task });
  const before = await records.spent({ key });
  await records.settleCall(restId, []);
  const after = await records.spent({ key });
  if (before.calls === after.calls) return undefined;
  const usd = before.usd - after.usd;
  await records.reserve(toReserve(usd));
  return usd;
}

/** Dollars that are reserved for a session that was sent; undefined for one that was not, as far as is on record. */
export async function findSent(
  { effectId, thread, task }: Pick<Purse, 'effectId' | 'thread' | 'task'>,
  records: Pick<Ledger, 'spent' | 'calls'>,
): Promise<{ usd: number } | undefined> {
  const key = keyApart({ thread, task });
  const open = await records.spent({ key, run: effectId });
  if (open.calls > 0) return { usd: open.usd };
  // It was booked, and the process ended before its result was kept.
  const keys = [key, taskKey({ plan: thread, task })];
  const booked = await Promise.all(keys.map((of) => records.calls({ key: of, limit: MOST_CALLS })));
  const isOwn = ({ id }: LedgerEntry): boolean => id.startsWith(`${sentIdOf(effectId)}-`);
  return booked.flat().some(isOwn) ? { usd: 0 } : undefined;
}

/** Of what counts for a day and for the plan, and not for the task. */
function keyApart({ thread, task }: Pick<Purse, 'thread' | 'task'>): string {
  return `${taskKey({ plan: thread, task })}/dispatched`;
}

/** Of one task; three attempts of a thousand calls are rare. */
const MOST_CALLS = 10_000;

function sentIdOf(effectId: string): string {
  return `${effectId}/dispatched`;
}
