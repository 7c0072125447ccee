/** The host's own caps on real ledgers: two installations, calls and sessions at once, and the day that passes. */
import { expect, onTestFinished } from 'vitest';
import { withinBudget } from '../../../src/act/model/check-caps.ts';
import type { ActPorts } from '../../../src/act/ports.ts';
import { withinCaps } from '../../../src/act/task/coder/coder-money.ts';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite.ts';
import { pmCaps } from '../../../src/domain/run/caps.ts';
import { defaultConfig } from '../../../src/domain/config/config.ts';
import { NO_HOST_CAPS, type HostCaps } from '../../../src/domain/config/host-caps.ts';
import { NO_USAGE, type ModelCall } from '../../../src/domain/run/ledger.ts';
import { createFastClock } from '../../contract/fast-clock.ts';
import { call } from '../../contract/store-words.ts';
import { ORDER } from '../../helpers/a-task.ts';
import { verifies } from '../../verifies.ts';

const HOUR_MS = 3_600_000;
const REQUEST = { model: 'm', system: [], messages: [], maxOutputTokens: 10, timeoutMs: 1000 };

/** Two tenants; each repository sets what the floors allow at most. */
const A = { installationId: 1, repositoryId: 11 };
const B = { installationId: 2, repositoryId: 21 };
const { budget, access } = defaultConfig();
const GENEROUS = {
  ...budget,
  pm: { perThreadUsd: 100, perDayUsd: 1000 },
  coder: { perThreadUsd: 500, perDayUsd: 5000 },
  perDayUsd: 5000,
};

function aCall(costUsd: number): ModelCall {
  const about = { provider: 'p', pool: 'p', model: 'm', usage: NO_USAGE, latencyMs: 1 };
  return { ...about, costUsd, outcome: 'ok', retries: 0 };
}

async function aHost(caps: Partial<HostCaps>, { costUsd = 1 } = {}) {
  const clock = createFastClock();
  const store = await openSqliteStore({ memory: true, clock });
  onTestFinished(() => store.close());
  let ids = 0;
  const ports = {
    store,
    clock,
    hostCaps: { ...NO_HOST_CAPS, ...caps },
    random: { id: () => `id-${(ids += 1)}` },
    estimateUsd: () => costUsd,
    model: {
      name: 'given',
      generate: () =>
        Promise.resolve({
          text: 'said',
          toolCalls: [],
          finishReason: 'stop' as const,
          calls: [aCall(costUsd)],
        }),
    },
  } as unknown as ActPorts;
  const ask = (tenant: typeof A): Promise<unknown> => {
    const key = `thread:${tenant.repositoryId}/${(ids += 1)}`;
    const account = { ...tenant, key, run: 'r', role: 'pm', persona: 'pm' };
    const purse = { id: `e-${ids}`, account, caps: pmCaps({ budget: GENEROUS, access }) };
    return withinBudget(purse, ports).generate(REQUEST);
  };
  /** A session of a coder; gives what it was allowed to spend. */
  const code = async (tenant: typeof A, during: Promise<void> = Promise.resolve()) => {
    const thread = { ...ORDER.ref.plan, ...tenant };
    const purse = { effectId: `e-${(ids += 1)}`, thread, task: ids, run: 'r', persona: 'dev' };
    const work = async (usd: number) => {
      await during;
      return { usd, calls: [aCall(0.5)] };
    };
    return (await withinCaps(purse, { budget: GENEROUS, access }, { ports, work })).usd;
  };
  return {
    clock,
    records: store.records,
    ask,
    code,
    usd: async () => (await store.records.spent({})).usd,
  };
}

verifies(
  ['CB-14b', 'LIM-08: installation'],
  'an installation at its cap is refused until the day has passed, and another one goes on',
  async () => {
    const { ask, clock } = await aHost({ installation: 2 });
    clock.advance(HOUR_MS - (clock.now() % HOUR_MS));
    const begun = clock.now();
    await ask(A);
    await ask({ ...A, repositoryId: 12 });
    clock.advance(90 * 60_000);
    const until = new Date(begun + 25 * HOUR_MS).toISOString().slice(0, 13).replace('T', ' ');
    await expect(ask(A)).rejects.toMatchObject({
      code: 'budget-host-installation',
      message: `The operator's limit of $2.00 in 24 hours for this installation is reached. Quorum can spend again from ${until}:00 UTC.`,
    });
    await ask(B);
    clock.advance(begun + 25 * HOUR_MS - clock.now());
    await ask(A);
  },
);

verifies(
  ['CB-14b', 'LIM-08: whole host'],
  'the total is one for all: everybody is refused, and nobody reads what others spent',
  async () => {
    const { ask, records, clock } = await aHost({ total: 3 });
    await records.settleCall('none', [
      call('old', { costUsd: 1, at: new Date(clock.now()).toISOString() }),
    ]);
    await ask(A);
    await ask(A);
    for (const tenant of [A, B])
      await expect(ask(tenant)).rejects.toMatchObject({
        code: 'budget-host-total',
        message: expect.not.stringMatching(/\$|\b3\b/) as string,
      });
    clock.advance(25 * HOUR_MS);
    await ask(B);
  },
);

verifies(
  'CB-14b',
  'a repository that allows itself $5,000 a day has what its host allows',
  async () => {
    const { ask, code, usd } = await aHost({ repository: 4 }, { costUsd: 1.5 });
    await ask(A);
    await ask(A);
    await expect(ask(A)).rejects.toMatchObject({ code: 'budget-host-repository' });
    expect(await usd()).toBe(3);
    expect(await code(A)).toBe(1);
    expect(await code({ ...A, repositoryId: 12 })).toBe(4);
  },
);

verifies(
  'CB-14b',
  'a call that costs more than the limit gets that reason, and no advice to wait',
  async () => {
    const { ask } = await aHost({ repository: 1 }, { costUsd: 2 });
    await expect(ask(A)).rejects.toThrow('ask the operator to raise it');
  },
);

verifies(
  ['CB-14b', 'LIM-08: whole host'],
  'sessions of two tenants that begin at the same moment cannot both have the rest of the total',
  async () => {
    const { code, usd } = await aHost({ total: 6 });
    const during = Promise.withResolvers<void>();
    const sessions = [code(A, during.promise), code(B, during.promise)];
    const both = Promise.allSettled(sessions);
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    expect(await usd()).toBeLessThanOrEqual(6);
    during.resolve();
    const given = (await both).map((each) => (each.status === 'fulfilled' ? each.value : 0));
    expect(given.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(6);
  },
);

verifies(
  'CB-14b',
  'a session is not begun at a cap of the host, and is begun when the day has passed',
  async () => {
    const { code, ask, clock } = await aHost({ installation: 1 });
    await ask(A);
    await expect(code(A)).rejects.toMatchObject({
      code: 'budget-host-installation',
      message: expect.stringContaining('Quorum can spend again from') as string,
    });
    expect(await code(B)).toBe(1);
    clock.advance(25 * HOUR_MS);
    expect(await code(A)).toBe(1);
  },
);
