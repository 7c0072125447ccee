/** What a coder's session may spend, and what it has spent: every call of it is in the ledger. */
import type { Config } from '../../../domain/config/config.ts';
import { RefusedError } from '../../../domain/event/errors.ts';
import { leftOnHost, NO_HOST_CAPS } from '../../../domain/config/host-caps.ts';
import { personCap, type Cap } from '../../../domain/run/caps.ts';
import { reservedCall, type LedgerEntry, type ModelCall } from '../../../domain/run/ledger.ts';
import { TASK_KEYS, taskKey } from '../../../domain/task/task.ts';
import type { ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { CoderPlace } from '../../../ports/coder.ts';
import { DAY_MS, hostRefusal, readHostSpent } from '../../model/host-money.ts';
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
 * Reserves what is left, lets the session spend it, and puts down each call as it ends: a crash loses none of them.
 *
 * @throws RefusedError `budget-thread`, `budget-day`, `budget-person` or `budget-repository` before anything begins; `budget-host-…` for a
 *   cap of the host
 */
export async function withinCaps<T extends { calls: readonly ModelCall[] }>(
  purse: Purse,
  config: Pick<Config, 'budget' | 'access'>,
  { ports, work }: { ports: ActPorts; work: Work<T> },
): Promise<T> {
  const { records } = ports.store;
  const id = `${purse.effectId}/reserved`;
  const person = personCap(config, purse.requester);
  const entry = (call: ModelCall, entryId: string): LedgerEntry =>
    toEntry(purse, call, { id: entryId, at: ports.clock.now(), person: person?.id });
  // An attempt that a crash ended has left its reservation: this one takes its place.
  await records.settleCall(id, []);
  const reserve = (usd: number): Promise<void> =>
    records.reserve(entry(reservedCall('coder', usd), id));
  const usd = await reserveLeft(() => readLeft(purse, config, ports), reserve).catch(
    async (error: unknown) => {
      await records.settleCall(id, []);
      throw error;
    },
  );
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

/** What the tightest cap leaves, less than nothing when it is passed; `refusal` says which one it is. */
interface Left {
  usd: number;
  refusal: () => Promise<RefusedError>;
}

/** Below that, sums of dollars differ by how they were rounded. */
const ROUNDING_USD = 1e-9;

/**
 * Reserves what is left, and looks again: what another session reserved at the same moment is taken off, so that two of
 * them cannot have the same money.
 */
async function reserveLeft(
  readNow: () => Promise<Left>,
  reserve: (usd: number) => Promise<void>,
): Promise<number> {
  const { usd, refusal } = await readNow();
  if (usd < LEAST_USD) throw await refusal();
  await reserve(usd);
  const after = await readNow();
  if (after.usd > -ROUNDING_USD) return usd;
  const rest = usd + after.usd;
  if (rest < LEAST_USD) throw await after.refusal();
  await reserve(rest);
  return rest;
}

type MoneyConfig = Pick<Config, 'budget' | 'access'>;

async function readLeft(purse: Purse, config: MoneyConfig, ports: ActPorts): Promise<Left> {
  const [own, spent] = await Promise.all([
    readOwnLeft(purse, config, ports),
    readHostSpent(purse.thread, ports),
  ]);
  const host = leftOnHost(spent, ports.hostCaps ?? NO_HOST_CAPS);
  if (host === undefined || own.usd <= host.usd) return own;
  const call = { usd: LEAST_USD, isReserved: false };
  return {
    usd: host.usd,
    refusal: () => hostRefusal(host.scope, { tenant: purse.thread, call }, ports),
  };
}

async function readOwnLeft(
  { thread, task, requester }: Purse,
  { budget: { coder, perDayUsd }, access }: MoneyConfig,
  { store: { records }, clock }: ActPorts,
): Promise<Left> {
  const { repositoryId } = thread;
  const since = new Date(clock.now() - DAY_MS).toISOString();
  const person = personCap({ access }, requester);
  const [own, coded, all, personal] = await Promise.all([
    records.spent({ key: taskKey({ plan: thread, task }) }),
    records.spent({ repositoryId, since, keyStart: TASK_KEYS }),
    records.spent({ repositoryId, since }),
    person === undefined ? undefined : records.spent({ repositoryId, since, person: person.id }),
  ]);
  const caps: { cap: Cap; name: string; of: number; spent: number }[] = [
    {
      cap: 'thread',
      name: 'of this task (`budget.coder.perThreadUsd`)',
      of: coder.perThreadUsd,
      spent: own.usd,
    },
    {
      cap: 'day',
      name: 'of a day for code (`budget.coder.perDayUsd`)',
      of: coder.perDayUsd,
      spent: coded.usd,
    },
    {
      cap: 'repository',
      name: 'of a day for the repository (`budget.perDayUsd`)',
      of: perDayUsd,
      spent: all.usd,
    },
    {
      cap: 'person',
      name: 'of a day for the person who approved it (`access.dailyBudgetUsd`)',
      of: person?.dayUsd ?? Infinity,
      spent: personal?.usd ?? 0,
    },
  ];
  const tightest = caps.reduce((a, b) => (b.of - b.spent < a.of - a.spent ? b : a));
  const refusal = new RefusedError({
    code: `budget-${tightest.cap}`,
    message: `The budget ${tightest.name} is used up: $${tightest.spent.toFixed(2)} of $${tightest.of.toFixed(2)}.`,
  });
  return { usd: tightest.of - tightest.spent, refusal: () => Promise.resolve(refusal) };
}

function toEntry(
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
