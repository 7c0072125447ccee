/** Which calls count against which cap, and what the caps leave. */
import { describe, expect, test } from 'vitest';
import {
  readLeft,
  reserveWithin,
  STANDUP_ROLE,
  type Account,
} from '../../../src/act/model/check-caps.ts';
import type { Caps } from '../../../src/domain/run/caps.ts';
import type { LedgerEntry } from '../../../src/domain/run/ledger.ts';
import type { SpendFilter, SpendLimit } from '../../../src/ports/store.ts';
import { TASK_KEYS } from '../../../src/domain/task/task.ts';
import type { HostCaps } from '../../../src/domain/config/host-caps.ts';
import type { HostMoneyPorts } from '../../../src/act/model/host-money.ts';

const NOW = Date.parse('2026-11-27T12:00:00Z');
const SINCE = '2026-11-26T12:00:00.000Z';
const DAY = { repositoryId: 7, since: SINCE };
const ACCOUNT: Account = {
  installationId: 5,
  repositoryId: 7,
  key: 'thread:7/1',
  run: 'r1',
  role: 'pm',
  persona: 'pm',
};
const CAPS: Caps = { threadUsd: 1, dayUsd: 2, repositoryDayUsd: 4 };

interface Ledger {
  /** What each limit has, by its place. */
  sums?: readonly number[];
  spent?: (filter: SpendFilter) => number;
  hostCaps?: HostCaps;
}

function openLedger({ sums = [], spent = () => 0, hostCaps }: Ledger = {}) {
  const asked: SpendLimit[] = [];
  const records = {
    reserve: (_: LedgerEntry, limits: readonly SpendLimit[]) => {
      asked.push(...limits);
      return Promise.resolve(limits.map((_limit, n) => sums[n] ?? 0));
    },
    spent: (filter: SpendFilter) => Promise.resolve({ usd: spent(filter) }),
  };
  const ports = { store: { records }, clock: { now: () => NOW }, hostCaps };
  return { asked, ports: ports as unknown as HostMoneyPorts };
}

async function limitsOf(over: Partial<Account>, caps: Partial<Caps> = {}) {
  const account = { ...ACCOUNT, ...over };
  const { asked, ports } = openLedger();
  const entry = { costUsd: 0 } as LedgerEntry;
  await reserveWithin({ ...CAPS, ...caps }, { account, entry }, ports);
  return asked
    .slice(0, caps.person === undefined ? 3 : 4)
    .map(({ filter, capUsd }) => [filter, capUsd]);
}

const TALKED = { ...DAY, exceptKeyStart: TASK_KEYS };

describe('what counts against the caps of', () => {
  test('a thread: its own calls, those of a day without tasks, and all of the repository', async () => {
    expect(await limitsOf({})).toEqual([
      [{ key: 'thread:7/1' }, 1],
      [TALKED, 2],
      [DAY, 4],
    ]);
  });

  test('a standup: those of its run, and those of all standups of a day', async () => {
    expect(await limitsOf({ role: STANDUP_ROLE })).toEqual([
      [{ run: 'r1' }, 1],
      [{ ...DAY, role: STANDUP_ROLE }, 2],
      [DAY, 4],
    ]);
  });

  test('a run of no thread: its own calls, since all such runs share one stream for good', async () => {
    const [first] = await limitsOf({ key: 'thread:7/0' });
    expect(first).toEqual([{ run: 'r1' }, 1]);
    const [tenth] = await limitsOf({ key: 'thread:7/10' });
    expect(tenth).toEqual([{ key: 'thread:7/10' }, 1]);
  });

  test('a standup without a run: those of its thread', async () => {
    const { run: _, ...account } = ACCOUNT;
    const { asked, ports } = openLedger();
    const payer = { ...account, role: STANDUP_ROLE } as Account;
    await reserveWithin(CAPS, { account: payer, entry: { costUsd: 0 } as LedgerEntry }, ports);
    expect(asked.slice(0, 2).map(({ filter }) => filter)).toEqual([{ key: 'thread:7/1' }, TALKED]);
  });

  test('a person: those that this person asked for in a day', async () => {
    const person = { id: 3, dayUsd: 0.5 };
    expect(await limitsOf({ person: 3 }, { person })).toEqual([
      [{ key: 'thread:7/1' }, 1],
      [TALKED, 2],
      [{ ...DAY, person: 3 }, 0.5],
      [DAY, 4],
    ]);
  });

  test('a person without a cap, or a cap without a person: the others alone', async () => {
    expect(await limitsOf({ person: 3 })).toHaveLength(3);
    const { asked, ports } = openLedger();
    const caps = { ...CAPS, person: { id: 3, dayUsd: 0.5 } };
    await reserveWithin(caps, { account: ACCOUNT, entry: { costUsd: 0 } as LedgerEntry }, ports);
    expect(asked.map(({ filter }) => filter)).not.toContainEqual({ ...DAY, person: 3 });
  });
});

test('the smallest rest of all caps is what is left, also below nothing', async () => {
  const left = (spent: number, day: number) =>
    readLeft(
      ACCOUNT,
      CAPS,
      openLedger({ spent: (filter) => ('key' in filter ? spent : day) }).ports,
    );
  expect(await left(0, 0)).toBe(1);
  expect(await left(0.25, 1.5)).toBe(0.5);
  expect(await left(1.5, 0)).toBe(-0.5);
});

describe('a call that is reserved', () => {
  const reserve = (sums: readonly number[], caps: Partial<Caps> = {}, hostCaps?: HostCaps) =>
    reserveWithin(
      { ...CAPS, ...caps },
      { account: ACCOUNT, entry: { costUsd: 0.1 } as LedgerEntry },
      openLedger({ sums, ...(hostCaps === undefined ? {} : { hostCaps }) }).ports,
    );

  test('may reach a cap, and not pass it', async () => {
    expect(await reserve([1, 0, 0])).toEqual({ budget: { cap: 'thread', share: 1 } });
    await expect(reserve([1.01, 0, 0])).rejects.toMatchObject({ code: 'budget-thread' });
    await expect(reserve([0, 2.01, 0])).rejects.toMatchObject({ code: 'budget-day' });
    await expect(reserve([0, 0, 4.01])).rejects.toMatchObject({ code: 'budget-repository' });
  });

  test('warns from half of a cap on, or from the share that the repository names', async () => {
    expect(await reserve([0.5, 0, 0])).toEqual({ budget: { cap: 'thread', share: 0.5 } });
    expect(await reserve([0.49, 0, 0])).toEqual({});
    expect(await reserve([0.49, 0, 0], { warnAt: 0.4 })).toMatchObject({ budget: { share: 0.49 } });
    expect(await reserve([0.5, 0, 0], { warnAt: 0.8 })).toEqual({});
  });

  test('of a cap of nothing: nothing is left of it, and any cost passes it', async () => {
    expect(await reserve([0, 0, 0], { threadUsd: 0 })).toEqual({});
    await expect(reserve([0.01, 0, 0], { threadUsd: 0 })).rejects.toMatchObject({
      code: 'budget-thread',
    });
    expect(await reserve([0, 1.9, 0], { threadUsd: 0 })).toEqual({
      budget: { cap: 'day', share: 0.95 },
    });
  });

  test('is warned about by the lower cap of the host, for the repository alone', async () => {
    const host = { repository: 1, installation: undefined, total: undefined };
    expect(await reserve([0, 0, 0.8], {}, host)).toEqual({
      budget: { cap: 'repository', share: 0.8 },
    });
    expect(await reserve([0, 0.9, 0], {}, host)).toEqual({});
  });
});
