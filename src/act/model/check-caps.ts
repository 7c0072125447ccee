/** What talking to models may cost: each call is written down before it is made, held to the caps, and settled after. */
import type { Caps, BudgetUsed, Cap } from '../../domain/run/caps.ts';
import { RefusedError } from '../../domain/event/errors.ts';
import {
  lowerCap,
  NO_HOST_CAPS,
  passedScope,
  type HostSpent,
} from '../../domain/config/host-caps.ts';
import { reservedCall, type LedgerEntry, type ModelCall } from '../../domain/run/ledger.ts';
import { isRepositoryThreadKey } from '../../domain/run/thread-ref.ts';
import { TASK_KEYS } from '../../domain/task/task.ts';
import { callsOf, type Model, type ModelRequest } from '../../ports/model.ts';
import type { SpendLimit } from '../../ports/store.ts';
import { DAY_MS, hostLimits, hostRefusal, type HostMoneyPorts, type Tenant } from './host-money.ts';
import type { ActPorts } from '../ports.ts';

/** Whose calls they are, as the ledger keeps them. */
export type Account = Tenant & Pick<LedgerEntry, 'key' | 'run' | 'role' | 'persona' | 'person'>;

/** The share of a cap at which people are warned, unless the asker names another. */
const TOLD_FROM = 0.5;

const NOTHING_SPENT: HostSpent = { repository: 0, installation: 0, total: 0 };

/** Standups have caps of their own: of one of them, and of all in a day (`budget.standup`). */
export const STANDUP_ROLE = 'standup';

type Payer = Pick<Account, 'key' | 'repositoryId' | 'person'> &
  Partial<Pick<Account, 'run' | 'role'>>;

/** Which calls count against each cap: of the thread all that were ever made, of the others those of the last day. */
function limitsOf(
  { key, repositoryId, person, role, run }: Payer,
  caps: Caps,
  { clock }: Pick<ActPorts, 'clock'>,
): (SpendLimit & { cap: Cap })[] {
  const day = { repositoryId, since: new Date(clock.now() - DAY_MS).toISOString() };
  const isStandup = role === STANDUP_ROLE && run !== undefined;
  // All runs that belong to no thread share one stream, so each has the cap of a thread.
  const isOwn = isStandup || (isRepositoryThreadKey(key) && run !== undefined);
  // Writing code has caps of its own.
  const talked = isStandup ? { ...day, role } : { ...day, exceptKeyStart: TASK_KEYS };
  const limits: (SpendLimit & { cap: Cap })[] = [
    { cap: 'thread', filter: isOwn ? { run } : { key }, capUsd: caps.threadUsd },
    { cap: 'day', filter: talked, capUsd: caps.dayUsd },
    { cap: 'repository', filter: day, capUsd: caps.repositoryDayUsd },
  ];
  if (person === undefined || caps.person === undefined) return limits;
  // Before the repository's: of caps that are equally near, the narrower one is named.
  return limits.toSpliced(2, 0, {
    cap: 'person',
    filter: { ...day, person },
    capUsd: caps.person.dayUsd,
  });
}

/** What the caps of a repository leave, in dollars; reservations of calls under way count as spent. */
export async function readLeft(
  payer: Payer,
  caps: Caps,
  ports: Pick<ActPorts, 'store' | 'clock'>,
): Promise<number> {
  const left = limitsOf(payer, caps, ports).map(async ({ filter, capUsd }) => {
    const { usd } = await ports.store.records.spent(filter);
    return capUsd - usd;
  });
  return Math.min(...(await Promise.all(left)));
}

/**
 * Reserves what a call may cost, unless it would go beyond a cap with what was spent and reserved before it. Tells the
 * tightest cap of the repository when it is near.
 *
 * @throws RefusedError `budget-thread`, `budget-day`, `budget-person` or `budget-repository`; `budget-host-…` for a cap of
 *   the host. Nothing is reserved then.
 */
export async function reserveWithin(
  caps: Caps,
  { account, entry }: { account: Account; entry: LedgerEntry },
  ports: HostMoneyPorts,
): Promise<{ budget?: BudgetUsed }> {
  const own = limitsOf(account, caps, ports);
  const host = hostLimits(account, ports);
  const sums = await ports.store.records.reserve(entry, [...own, ...host]);
  const used = own.map(({ cap, capUsd }, n) => ({ cap, capUsd, usd: sums[n] ?? 0 }));
  const tightest = tightestOf(used);
  // As the store compares: a share may be rounded down to 1.
  if (used.some(({ usd, capUsd }) => usd > capUsd))
    throw new RefusedError({
      code: `budget-${tightest.cap}`,
      message: SPENT_WORDS[tightest.cap],
    });
  const onHost = host.map(({ scope }, n) => [scope, sums[own.length + n] ?? 0] as const);
  const hostCaps = ports.hostCaps ?? NO_HOST_CAPS;
  const scope = passedScope({ ...NOTHING_SPENT, ...Object.fromEntries(onHost) }, hostCaps);
  if (scope !== undefined)
    throw await hostRefusal(scope, { tenant: account, usd: entry.costUsd ?? 0 }, ports);
  const near = tightestOf(
    used.map((each) =>
      each.cap === 'repository' ? { ...each, capUsd: lowerCap(each.capUsd, hostCaps) } : each,
    ),
  );
  return near.share >= (caps.warnAt ?? TOLD_FROM) ? { budget: near } : {};
}

const SPENT_WORDS: Readonly<Record<Cap, string>> = {
  thread: 'The budget for this thread is used up.',
  day: 'The budget for this day is used up.',
  person:
    'The person who asked has reached the daily limit for one person (`access.dailyBudgetUsd`). Ask again tomorrow, or let somebody else ask.',
  repository: 'The budget for this repository is used up.',
};

function tightestOf(used: readonly { cap: Cap; capUsd: number; usd: number }[]): BudgetUsed {
  return used
    .map(({ cap, capUsd, usd }): BudgetUsed => ({ cap, share: shareOf(usd, capUsd) }))
    .reduce((a, b) => (b.share > a.share ? b : a));
}

function shareOf(spent: number, cap: number): number {
  if (cap > 0) return spent / cap;
  return spent > 0 ? Number.POSITIVE_INFINITY : 0;
}

/** Who asked, as the ledger keeps it. */
export function personOf({ person }: Pick<Caps, 'person'>): Pick<LedgerEntry, 'person'> {
  return person === undefined ? {} : { person: person.id };
}

/**
 * The model, with every single call within the caps. A conversation of many rounds can exceed a cap by at most one
 * call. That holds whatever runs in parallel.
 *
 * @param purse - `id` is the same when the effect is repeated. What a crash left reserved is taken over.
 */
export function withinBudget(
  purse: { id: string; account: Account; caps: Caps },
  ports: HostMoneyPorts & Pick<ActPorts, 'random' | 'model' | 'estimateUsd'>,
): Model {
  const { id, caps } = purse;
  const account = { ...purse.account, ...personOf(caps) };
  const { model, clock, random, store } = ports;
  // What an earlier attempt settled stays beside what this one does.
  const attempt = random.id();
  let count = 0;
  const entry = (call: ModelCall, entryId: string): LedgerEntry => {
    const at = new Date(clock.now()).toISOString();
    return { ...call, ...account, id: entryId, at };
  };
  const generate = async (request: ModelRequest) => {
    count += 1;
    const reservation = `${id}/${count}`;
    const settle = (calls: readonly ModelCall[]): Promise<void> =>
      store.records.settleCall(
        reservation,
        calls.map((call, n) => entry(call, `${reservation}/${attempt}/${n}`)),
      );
    const estimate = ports.estimateUsd(request, { isCached: false });
    const reserved = entry(reservedCall(request.model, estimate), reservation);
    await reserveWithin(caps, { account, entry: reserved }, ports);
    try {
      const answer = await model.generate(request);
      await settle(answer.calls);
      return answer;
    } catch (error) {
      await settle(callsOf(error));
      throw error;
    }
  };
  return { name: model.name, generate };
}
