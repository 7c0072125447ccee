/** What a conversation with a model may spend: every call counted before it is made, none beyond a cap. */
import { expect, onTestFinished } from 'vitest';
import { withinBudget } from '../../../src/act/model/check-caps.ts';
import type { ActPorts } from '../../../src/act/ports.ts';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite.ts';
import { pmCaps } from '../../../src/domain/run/caps.ts';
import { defaultConfig } from '../../../src/domain/config/config.ts';
import { NO_USAGE } from '../../../src/domain/run/ledger.ts';
import { withCalls, type ModelRequest } from '../../../src/ports/model.ts';
import { createFastClock } from '../../contract/fast-clock.ts';
import { verifies } from '../../verifies.ts';

const ACCOUNT = {
  installationId: 5,
  repositoryId: 7,
  key: 'thread:7/1',
  run: 'r1',
  role: 'pm',
  persona: 'pm',
};
const REQUEST: ModelRequest = {
  model: 'cheap',
  system: [],
  messages: [],
  maxOutputTokens: 10,
  timeoutMs: 1000,
};

/** Each call is estimated at `estimate` dollars and costs `cost`. */
async function aPurse({
  estimate,
  cost,
  fails = false,
}: {
  estimate: number;
  cost: number;
  fails?: boolean;
}) {
  const clock = createFastClock();
  const store = await openSqliteStore({ memory: true, clock });
  onTestFinished(() => store.close());
  let ids = 0;
  let asked = 0;
  const reserved: number[] = [];
  const ports = {
    store,
    clock,
    random: { id: () => `attempt-${(ids += 1)}` },
    // As if nothing were cached: a cap must hold for the dearest outcome.
    estimateUsd: (_: unknown, { isCached }: { isCached: boolean }) => (isCached ? 0 : estimate),
    model: {
      name: 'given',
      generate: async () => {
        asked += 1;
        reserved.push((await store.records.spent({ key: ACCOUNT.key })).usd);
        const call = { provider: 'p', pool: 'p', model: 'm', usage: NO_USAGE, costUsd: cost };
        const calls = [{ ...call, latencyMs: 1, outcome: 'ok' as const, retries: 0 }];
        if (fails) throw withCalls(new Error('broken'), calls);
        return { text: 'said', toolCalls: [], finishReason: 'stop' as const, calls };
      },
    },
  } as unknown as ActPorts;
  return {
    clock,
    reserved,
    asked: () => asked,
    spent: async () => (await store.records.spent({ key: ACCOUNT.key })).usd,
    open: (id = 'e1') =>
      withinBudget({ id, account: ACCOUNT, caps: pmCaps(defaultConfig()) }, ports),
    /** Its calls may cost more than a thread may spend. */
    dearer: (id: string) =>
      withinBudget(
        { id, account: ACCOUNT, caps: pmCaps(defaultConfig()) },
        { ...ports, estimateUsd: () => 0.6 },
      ),
    /** For somebody who may spend half a dollar a day. */
    openFor: (asker: { id: number; isBot?: boolean }, id: string) => {
      const { budget, access } = defaultConfig();
      const caps = pmCaps({ budget, access: { ...access, dailyBudgetUsd: 0.5 } }, asker);
      // Each in a thread of their own.
      return withinBudget({ id, account: { ...ACCOUNT, key: id }, caps }, ports);
    },
  };
}

verifies(
  ['CB-13', 'CB-14b', 'LIM-08: counted before the call'],
  'each call of a conversation is reserved before it and settled by what it cost',
  async () => {
    const { open, reserved, spent } = await aPurse({ estimate: 0.1, cost: 0.02 });
    const model = open();
    await model.generate(REQUEST);
    await model.generate(REQUEST);
    expect(reserved).toEqual([0.1, expect.closeTo(0.12)]);
    expect(await spent()).toBeCloseTo(0.04);
    // Carried out again after a crash: what was spent before still counts.
    await open().generate(REQUEST);
    expect(await spent()).toBeCloseTo(0.06);
  },
);

verifies(
  ['CB-14b', 'LIM-08: call that would go beyond a cap'],
  'a conversation ends with the call that would go beyond a cap',
  async () => {
    const { open, asked, spent } = await aPurse({ estimate: 0.2, cost: 0.2 });
    const model = open();
    await model.generate(REQUEST);
    await model.generate(REQUEST);
    await expect(model.generate(REQUEST)).rejects.toMatchObject({ code: 'budget-thread' });
    expect(asked()).toBe(2);
    expect(await spent()).toBeCloseTo(0.4);
  },
);

verifies('CB-14b', 'one person spends no more in a day than a person may', async () => {
  const { openFor, clock } = await aPurse({ estimate: 0.2, cost: 0.2 });
  const ask = (asker: { id: number; isBot?: boolean }, id: string): Promise<unknown> =>
    openFor(asker, id).generate(REQUEST);
  await ask({ id: 1 }, 'e1');
  await ask({ id: 1 }, 'e2');
  await expect(ask({ id: 1 }, 'e3')).rejects.toMatchObject({
    code: 'budget-person',
    message:
      'The person who asked has reached the daily limit for one person (`access.dailyBudgetUsd`). Ask again tomorrow, or let somebody else ask.',
  });
  await ask({ id: 2 }, 'e4');
  await ask({ id: 3, isBot: true }, 'e5');
  clock.advance(25 * 3_600_000);
  await ask({ id: 1 }, 'e6');
});

verifies(
  'CB-14b',
  'of calls at the same time the first ones that fit are made, and none beyond the cap',
  async () => {
    const { open, asked, spent } = await aPurse({ estimate: 0.2, cost: 0.2 });
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const all = await Promise.allSettled(ids.map((id) => open(id).generate(REQUEST)));
    // The cap of a thread is half a dollar.
    expect(all.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
    ]);
    expect(asked()).toBe(2);
    expect(await spent()).toBeCloseTo(0.4);
  },
);

verifies('CB-14b', 'a call that is too dear does not keep a later one from its place', async () => {
  const { open, asked, spent, dearer } = await aPurse({ estimate: 0.2, cost: 0.2 });
  const calls = [open('a'), dearer('b'), open('c')].map((model) => model.generate(REQUEST));
  const all = await Promise.allSettled(calls);
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(asked()).toBe(2);
  expect(await spent()).toBeCloseTo(0.4);
});

verifies(
  'CB-14b',
  'a call that fails is counted with what it cost, not with its estimate',
  async () => {
    const { open, spent } = await aPurse({ estimate: 0.4, cost: 0.1, fails: true });
    await expect(open().generate(REQUEST)).rejects.toThrow('broken');
    expect(await spent()).toBeCloseTo(0.1);
  },
);
