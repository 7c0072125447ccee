/** What a coder's session may spend, and what it has spent: every call of it is in the ledger. */
import type { Config } from '../../../domain/config/config.ts';
import { RefusedError } from '../../../domain/event/errors.ts';
import { personCap, type Cap } from '../../../domain/run/caps.ts';
import { reservedCall, type LedgerEntry, type ModelCall } from '../../../domain/run/ledger.ts';
import { TASK_KEYS, taskKey } from '../../../domain/task/task.ts';
import type { ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { CoderPlace } from '../../../ports/coder.ts';
import type { Ledger, SpendLimit } from '../../../ports/store.ts';
import { DAY_MS, hostLimits, hostRefusal } from '../../model/host-money.ts';
import type { ActPorts } from '../../ports.ts';
import { createReservation } from './session-reservation.ts';

/** A session, as its calls stand in the ledger. */
export interface Purse {
  /** Of the effect that it is part of: the same when that is carried out again. */
  effectId: string;
  thread: ThreadRef;
  task: number;
  run: string;
  persona: string;
  /** Who approved it. */
  requester?: { id: number };
}

/** Less is not enough for one answer of a model that can write code. */
const LEAST_USD = 0.01;
const ROLE = 'coder';

/** A session at work: dollars that it may spend, and where it reports its calls. */
type Work<T> = (usd: number, reports: SpendReports) => Promise<T>;

/** `spent` takes each call as it ends, `reserved` what the calls under way can cost together. */
export type SpendReports = Required<Pick<CoderPlace, 'spent' | 'reserved'>>;

/**
 * Reserves what is left, lets the session spend it, and records each call as it ends. A crash loses none of them.
 *
 * @throws RefusedError `budget-thread`, `budget-day`, `budget-person` or `budget-repository` before anything begins.
 * Throws `budget-host-…` for a cap of the host.
 */
export async function withinCaps<T extends { calls: readonly ModelCall[] }>(
  purse: Purse,
  config: MoneyConfig,
  { ports, work }: { ports: ActPorts; work: Work<T> },
): Promise<T> {
  const { records } = ports.store;
  const id = `${purse.effectId}/reserved`;
  const person = personCap(config, purse.requester);
  const entry = (call: ModelCall, entryId: string): LedgerEntry =>
    sessionEntry(purse, call, { id: entryId, at: ports.clock.now(), person: person?.id });
  // An attempt that a crash ended has left its reservation: this one takes its place.
  await records.settleCall(id, []);
  const toReserve = (usd: number): LedgerEntry => entry(reservedCall('coder', usd), id);
  const usd = await reserveLeft(limitsOf(purse, config, ports), { records, toReserve });
  // Those of an attempt that a crash ended keep their own.
  const begun = ports.clock.now();
  const callId = (n: number): string => `${id}/${begun}-${n}`;
  const told: ModelCall[] = [];
  const openId = (n: number): string => `${id}/${begun}-open-${n}`;
  const reservation = createReservation(records, entry, { restId: id, openId, usd });
  const spent = (call: ModelCall): void => {
    const n = told.push(call) - 1;
    reservation.spent(entry(call, callId(n)));
  };
  let calls: readonly ModelCall[] = told;
  try {
    const done = await work(usd, { spent, reserved: reservation.reserved });
    calls = done.calls;
    return done;
  } finally {
    await reservation.release();
    for (const [n, call] of calls.entries())
      await records.settleCall(callId(n), [entry(call, callId(n))]);
  }
}

/** A cap on what the session may spend, and the error that says that it is used up. */
export interface Limit extends SpendLimit {
  refuse: (spentUsd: number) => Promise<RefusedError>;
}

/** Sums of dollars differ by how they were rounded: so much beyond a cap is not beyond it. */
const ROUNDING_USD = 1e-9;

/**
 * Reserves what the tightest cap leaves. The store compares and reserves in one step: what another session reserved since
 * the sums were read is taken off, and the rest is tried. Of sessions that begin at once one is always first, so that they
 * cannot refuse each other.
 */
export async function reserveLeft(
  limits: readonly Limit[],
  { records, toReserve }: { records: Ledger; toReserve: (usd: number) => LedgerEntry },
): Promise<number> {
  let sums = await Promise.all(limits.map(async ({ filter }) => (await records.spent(filter)).usd));
  const rounded = limits.map(({ filter, capUsd }) => ({ filter, capUsd: capUsd + ROUNDING_USD }));
  for (;;) {
    const { usd, limit, spent } = tightestOf(limits, sums);
    if (usd < LEAST_USD) throw await limit.refuse(spent);
    const after = await records.reserve(toReserve(usd), rounded);
    if (rounded.every(({ capUsd }, n) => (after[n] ?? 0) <= capUsd)) return usd;
    sums = after.map((sum) => sum - usd);
  }
}

/** Of caps that leave the same the first is named. */
function tightestOf(limits: readonly Limit[], sums: readonly number[]) {
  return limits
    .map((limit, n) => {
      const spent = sums[n] ?? 0;
      return { limit, spent, usd: limit.capUsd - spent };
    })
    .reduce((a, b) => (b.usd < a.usd ? b : a));
}

export type MoneyConfig = Pick<Config, 'budget' | 'access'>;

function limitsOf(purse: Purse, config: MoneyConfig, ports: ActPorts): Limit[] {
  const { thread } = purse;
  const host = hostLimits(thread, ports).map(({ scope, ...limit }): Limit => ({
    ...limit,
    refuse: () => hostRefusal(scope, { tenant: thread, usd: LEAST_USD }, ports),
  }));
  return [...ownLimits(purse, config, ports), ...host];
}

/** The repository's own caps. */
export function ownLimits(
  { thread, task, requester }: Purse,
  { budget: { coder, perDayUsd }, access }: MoneyConfig,
  { clock }: ActPorts,
): Limit[] {
  const { repositoryId } = thread;
  const day = { repositoryId, since: new Date(clock.now() - DAY_MS).toISOString() };
  const person = personCap({ access }, requester);
  const caps: (SpendLimit & { cap: Cap; name: string })[] = [
    {
      cap: 'thread',
      name: 'of this task (`budget.coder.perThreadUsd`)',
      capUsd: coder.perThreadUsd,
      filter: { key: taskKey({ plan: thread, task }) },
    },
    {
      cap: 'day',
      name: 'of a day for code (`budget.coder.perDayUsd`)',
      capUsd: coder.perDayUsd,
      filter: { ...day, keyStart: TASK_KEYS },
    },
    {
      cap: 'repository',
      name: 'of a day for the repository (`budget.perDayUsd`)',
      capUsd: perDayUsd,
      filter: day,
    },
  ];
  if (person !== undefined)
    caps.push({
      cap: 'person',
      name: 'of a day for the person who approved it (`access.dailyBudgetUsd`)',
      capUsd: person.dayUsd,
      filter: { ...day, person: person.id },
    });
  return caps.map(({ cap, name, ...limit }) => ({
    ...limit,
    refuse: (spentUsd) =>
      Promise.resolve(
        new RefusedError({
          code: `budget-${cap}`,
          message: `The budget ${name} is used up: $${spentUsd.toFixed(2)} of $${limit.capUsd.toFixed(2)}.`,
        }),
      ),
  }));
}

export function sessionEntry(
  { thread, task, run, persona }: Purse,
  call: ModelCall,
  { id, at, person }: { id: string; at: number; person: number | undefined },
): LedgerEntry {
  return {
    ...call,
    id,
    at: new Date(at).toISOString(),
    installationId: thread.installationId,
    repositoryId: thread.repositoryId,
    key: taskKey({ plan: thread, task }),
    run,
    role: ROLE,
    persona,
    ...(person !== undefined && { person }),
  };
}
