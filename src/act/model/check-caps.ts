/** What talking to models may cost: each call is written down before it is made, held to the caps, and settled after. */
import type { Caps, BudgetUsed, Cap } from '../../domain/run/caps.ts';
import { RefusedError } from '../../domain/event/errors.ts';
import { lowerCap, NO_HOST_CAPS } from '../../domain/config/host-caps.ts';
import { reservedCall, type LedgerEntry, type ModelCall } from '../../domain/run/ledger.ts';
import { TASK_KEYS } from '../../domain/task/task.ts';
import { callsOf, type Model, type ModelRequest } from '../../ports/model.ts';
import { checkHostCaps, DAY_MS, type HostMoneyPorts, type Tenant } from './host-money.ts';
import type { ActPorts } from '../ports.ts';

/** Whose calls they are, as the ledger keeps them. */
export type Account = Tenant & Pick<LedgerEntry, 'key' | 'run' | 'role' | 'persona' | 'person'>;

/** A share of a cap that people are told of unless the asker names another. */
const TOLD_FROM = 0.5;

/** Dollars: of the thread ever, of all others in the last day. */
interface Spent {
  threadUsd: number;
  talkedUsd: number;
  personUsd: number;
  repositoryUsd: number;
}

/** What may still be spent, reservations of calls under way counted as spent. */
export async function readSpent(
  { key, repositoryId, person }: Pick<Account, 'key' | 'repositoryId' | 'person'>,
  { store: { records }, clock }: Pick<ActPorts, 'store' | 'clock'>,
): Promise<Spent> {
  const since = new Date(clock.now() - DAY_MS).toISOString();
  const [thread, day, coded, personal] = await Promise.all([
    records.spent({ key }),
    records.spent({ repositoryId, since }),
    // Writing code has caps of its own.
    records.spent({ repositoryId, since, keyStart: TASK_KEYS }),
    person === undefined ? { usd: 0 } : records.spent({ repositoryId, since, person }),
  ]);
  return {
    threadUsd: thread.usd,
    talkedUsd: day.usd - coded.usd,
    personUsd: personal.usd,
    repositoryUsd: day.usd,
  };
}

/**
 * Compares what is spent and reserved, the call in question included, with each cap; tells the tightest of the repository's
 * when it is near.
 *
 * @param limits - `callUsd` is what was reserved for the call
 * @throws RefusedError `budget-thread`, `budget-day`, `budget-person` or `budget-repository`; `budget-host-…` for a cap of
 *   the host
 */
export async function checkCaps(
  account: Tenant & Pick<Account, 'key' | 'person'>,
  { caps, callUsd = 0 }: { caps: Caps; callUsd?: number | undefined },
  ports: HostMoneyPorts,
): Promise<{ budget?: BudgetUsed }> {
  const spent = await readSpent(account, ports);
  const own = tightestOf(spent, caps);
  if (own.share > 1)
    throw new RefusedError({
      code: `budget-${own.cap}`,
      message: SPENT_WORDS[own.cap],
    });
  await checkHostCaps(account, { usd: callUsd, isReserved: true }, ports);
  const repositoryDayUsd = lowerCap(caps.repositoryDayUsd, ports.hostCaps ?? NO_HOST_CAPS);
  const tightest = tightestOf(spent, { ...caps, repositoryDayUsd });
  return tightest.share >= (caps.warnAt ?? TOLD_FROM) ? { budget: tightest } : {};
}

const SPENT_WORDS: Readonly<Record<Cap, string>> = {
  thread: 'The budget for this thread is used up.',
  day: 'The budget for this day is used up.',
  person:
    'Whoever asked has spent what one person may spend in a day here (`access.dailyBudgetUsd`).',
  repository: 'The budget for this repository is used up.',
};

function tightestOf(
  { threadUsd, talkedUsd, personUsd, repositoryUsd }: Spent,
  caps: Caps,
): BudgetUsed {
  const shares: BudgetUsed[] = [
    { cap: 'thread', share: shareOf(threadUsd, caps.threadUsd) },
    { cap: 'day', share: shareOf(talkedUsd, caps.dayUsd) },
    { cap: 'person', share: shareOf(personUsd, caps.person?.dayUsd ?? Infinity) },
    { cap: 'repository', share: shareOf(repositoryUsd, caps.repositoryDayUsd) },
  ];
  return shares.reduce((a, b) => (b.share > a.share ? b : a));
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
 * The model, with every single call within the caps: a conversation of many rounds can go beyond one by no more than a
 * call, whatever runs beside it.
 *
 * @param purse - `id` is the same when the effect is carried out again; what a crash left reserved is taken over
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
    await store.records.reserve(entry(reservedCall(request.model, estimate), reservation));
    try {
      await checkCaps(account, { caps, callUsd: estimate }, ports);
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
