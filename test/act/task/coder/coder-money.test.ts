/** What a coder's session may spend: reserved before, settled after, never begun beyond a cap. */
import { expect, onTestFinished } from 'vitest';
import { withinCaps, type SpendReports } from '../../../../src/act/task/coder/coder-money.ts';
import type { ActPorts } from '../../../../src/act/ports.ts';
import { openSqliteStore } from '../../../../src/adapters/store/sqlite/open-sqlite.ts';
import { defaultConfig } from '../../../../src/domain/config/config.ts';
import { NO_USAGE, type ModelCall } from '../../../../src/domain/run/ledger.ts';
import { taskKey } from '../../../../src/domain/task/task.ts';
import { createFastClock } from '../../../contract/fast-clock.ts';
import { ORDER } from '../../../helpers/a-task.ts';
import { verifies } from '../../../verifies.ts';

const { budget, access } = defaultConfig();
const HOUR_MS = 3_600_000;

function aCall(costUsd: number | undefined): ModelCall {
  const call = { provider: 'p', pool: 'sonnet', model: 'm', usage: NO_USAGE, latencyMs: 1 };
  return { ...call, costUsd, outcome: 'ok', retries: 0 };
}

async function aPurse() {
  const clock = createFastClock();
  const store = await openSqliteStore({ memory: true, clock });
  onTestFinished(() => store.close());
  const ports = { store, clock } as unknown as ActPorts;
  const { plan } = ORDER.ref;
  return {
    clock,
    records: store.records,
    /** One session of a task; gives what it was allowed to spend. */
    session: (
      effectId: string,
      calls: ModelCall[],
      {
        task = 2,
        meanwhile,
        dailyBudgetUsd,
        requester,
      }: {
        task?: number;
        meanwhile?: (reports: SpendReports) => Promise<void>;
        dailyBudgetUsd?: number;
        requester?: { id: number };
      } = {},
    ) => {
      const purse = {
        effectId,
        thread: plan,
        task,
        run: 'r1',
        persona: 'dev',
        ...(requester && { requester }),
      };
      return withinCaps(
        purse,
        { budget, access: { ...access, ...(dailyBudgetUsd && { dailyBudgetUsd }) } },
        {
          ports,
          work: async (usd, reports) => {
            await meanwhile?.(reports);
            return { calls, usd };
          },
        },
      );
    },
    spentOn: (task: number) => store.records.spent({ key: taskKey({ plan, task }) }),
  };
}

verifies(
  ['CB-13', 'CB-14b'],
  'a session is counted before it begins, and by what it really cost after',
  async () => {
    const { session, spentOn } = await aPurse();
    const done = await session('e1', [aCall(0.5), aCall(undefined)], {
      meanwhile: async () => expect((await spentOn(2)).usd).toBe(budget.coder.perThreadUsd),
    });
    expect(done.usd).toBe(budget.coder.perThreadUsd);
    expect(await spentOn(2)).toEqual({ usd: 0.5, unknownCalls: 1, calls: 2 });
    expect((await session('e2', [])).usd).toBe(budget.coder.perThreadUsd - 0.5);
  },
);

verifies(
  ['CB-14b', 'LIM-08: task'],
  'a session is not begun when a task has spent its share',
  async () => {
    const { session, spentOn } = await aPurse();
    await session('e1', [aCall(budget.coder.perThreadUsd)]);
    await expect(session('e2', [aCall(1)])).rejects.toMatchObject({
      code: 'budget-thread',
      message: 'The budget of this task (`budget.coder.perThreadUsd`) is used up: $5.00 of $5.00.',
    });
    expect((await spentOn(2)).calls).toBe(1);
    await session('e3', [aCall(1)], { task: 3 });
  },
);

verifies('CB-14b', 'a person who approved has a day’s share of their own', async () => {
  const { session, clock } = await aPurse();
  const ana = { requester: { id: 7 }, dailyBudgetUsd: 3 };
  expect((await session('e1', [aCall(2)], ana)).usd).toBe(3);
  expect((await session('e2', [aCall(1)], { ...ana, task: 3 })).usd).toBe(1);
  await expect(session('e3', [], { ...ana, task: 4 })).rejects.toMatchObject({
    code: 'budget-person',
  });
  expect((await session('e4', [], { ...ana, task: 5, requester: { id: 8 } })).usd).toBe(3);
  clock.advance(25 * HOUR_MS);
  expect((await session('e5', [], { ...ana, task: 6 })).usd).toBe(3);
});

verifies(
  ['CB-14b', 'LIM-08: repository and day'],
  'a session is not begun when a day has had its share of code',
  async () => {
    const { session, clock } = await aPurse();
    for (let task = 1; task <= 5; task += 1) await session(`e${task}`, [aCall(5)], { task });
    await expect(session('e6', [], { task: 6 })).rejects.toMatchObject({ code: 'budget-day' });
    clock.advance(25 * HOUR_MS);
    expect((await session('e7', [], { task: 6 })).usd).toBe(5);
  },
);

verifies(
  'CB-13',
  'a session that is carried out again takes its own reservation over',
  async () => {
    const { session, spentOn } = await aPurse();
    const died = session('e1', [], { meanwhile: () => Promise.reject(new Error('it died')) });
    await expect(died).rejects.toThrow('it died');
    expect((await spentOn(2)).calls).toBe(0);
    expect((await session('e1', [aCall(0.2)])).usd).toBe(budget.coder.perThreadUsd);
  },
);

verifies(
  ['CB-13', 'LIM-08: count survives a crash'],
  'calls are put down as they end: what a session dies of loses none',
  async () => {
    const { session, spentOn } = await aPurse();
    const most = budget.coder.perThreadUsd;
    const died = session('e1', [], {
      meanwhile: async ({ spent }) => {
        spent(aCall(0.5));
        spent(aCall(0.25));
        // What is left stays reserved.
        await expect
          .poll(() => spentOn(2), { timeout: 60_000 })
          .toMatchObject({ calls: 3, usd: most });
        throw new Error('it died');
      },
    });
    await expect(died).rejects.toThrow('it died');
    expect(await spentOn(2)).toEqual({ usd: 0.75, unknownCalls: 0, calls: 2 });
    const again = await session('e1', [aCall(0.5)], {
      meanwhile: ({ spent }) => Promise.resolve(spent(aCall(undefined))),
    });
    expect(again.usd).toBe(most - 0.75);
    expect(await spentOn(2)).toEqual({ usd: 1.25, unknownCalls: 0, calls: 3 });
  },
);

verifies(
  ['CB-13', 'CB-14b', 'LIM-08: count survives a crash'],
  'a call that was under way at a crash stays counted as it was reserved',
  async () => {
    const { session, spentOn } = await aPurse();
    const most = budget.coder.perThreadUsd;
    // The process ends here: nothing that comes after is carried out.
    const crash = new Promise<never>(() => undefined);
    const begun = Promise.withResolvers<void>();
    void session('e1', [], {
      meanwhile: async ({ spent, reserved }) => {
        await reserved(1.5);
        spent(aCall(0.5));
        await reserved(1);
        expect((await spentOn(2)).usd).toBe(most);
        begun.resolve();
        await crash;
      },
    }).catch(begun.reject);
    await begun.promise;
    expect((await session('e1', [aCall(0.25)])).usd).toBe(most - 1.5);
    expect((await spentOn(2)).usd).toBe(1.75);
  },
);

verifies('CB-13', 'a session that ends leaves nothing reserved', async () => {
  const { session, spentOn } = await aPurse();
  await session('e1', [aCall(0.25)], { meanwhile: ({ reserved }) => reserved(2) });
  expect(await spentOn(2)).toEqual({ usd: 0.25, unknownCalls: 0, calls: 1 });
});
