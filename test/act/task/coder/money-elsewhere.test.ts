/** What a session in a workflow may spend: reserved once, kept over crashes, and booked as its workflow says. */
import { expect, onTestFinished, test } from 'vitest';
import type { ActPorts } from '../../../../src/act/ports.ts';
import { withinCaps } from '../../../../src/act/task/coder/coder-money.ts';
import {
  withinCapsElsewhere,
  type DispatchRecord,
} from '../../../../src/act/task/coder/money-elsewhere.ts';
import { openSqliteStore } from '../../../../src/adapters/store/sqlite/open-sqlite.ts';
import { defaultConfig } from '../../../../src/domain/config/config.ts';
import { TransientError } from '../../../../src/domain/event/errors.ts';
import { NO_USAGE, type ModelCall } from '../../../../src/domain/run/ledger.ts';
import { taskKey } from '../../../../src/domain/task/task.ts';
import { createFastClock } from '../../../contract/fast-clock.ts';
import { ORDER } from '../../../helpers/a-task.ts';
import { verifies } from '../../../verifies.ts';

const CONFIG = defaultConfig();
const { coder } = CONFIG.budget;

function aCall(costUsd: number | undefined): ModelCall {
  const call = { provider: 'p', pool: 'sonnet', model: 'm', usage: NO_USAGE, latencyMs: 1 };
  return { ...call, costUsd, outcome: 'ok', retries: 0 };
}

const AT_WORK = new TransientError({ code: 'workflow-running', message: 'It works.' });

async function aLedger(hostCaps = {}) {
  const clock = createFastClock();
  const store = await openSqliteStore({ memory: true, clock });
  onTestFinished(() => store.close());
  const ports = { store, clock, hostCaps } as unknown as ActPorts;
  const { plan } = ORDER.ref;
  const purseOf = (effectId: string, task: number) => ({
    effectId,
    thread: plan,
    task,
    run: 'r1',
    persona: 'dev',
  });
  return {
    ports,
    plan,
    records: store.records,
    spentOn: (task: number) => store.records.spent({ key: taskKey({ plan, task }) }),
    /** One look of a process that may not be the first. */
    look: (
      effectId: string,
      end: (usd: number, record: DispatchRecord) => Promise<ModelCall[]>,
      { task = 2, isUntouched = false } = {},
    ) =>
      withinCapsElsewhere(purseOf(effectId, task), CONFIG, {
        ports,
        isUntouched,
        work: async (usd, record) => ({ calls: await end(usd, record) }),
      }),
    /** Another one, that the App itself works on. */
    here: (effectId: string, calls: ModelCall[], task: number) =>
      withinCaps(purseOf(effectId, task), CONFIG, {
        ports,
        work: (usd) => Promise.resolve({ calls, usd }),
      }),
  };
}

async function sends(_: number, { sending }: DispatchRecord): Promise<never> {
  await sending();
  throw AT_WORK;
}

verifies(
  ['CB-13', 'LIM-08: count survives a crash'],
  'a session that was sent is booked with all that it reports, though a day has no room left for it',
  async () => {
    const { look, here, spentOn } = await aLedger();
    const before = coder.perDayUsd - coder.perThreadUsd;
    for (let task = 11; task < 11 + before / coder.perThreadUsd; task += 1)
      await here(`e${task}`, [aCall(coder.perThreadUsd)], task);
    await expect(look('e1', sends, { isUntouched: true })).rejects.toBe(AT_WORK);
    // Nothing else can take what it may spend.
    await expect(here('e2', [], 3)).rejects.toMatchObject({ code: 'budget-day' });
    await look('e1', (usd, { isSent }) => {
      expect([usd, isSent]).toEqual([coder.perThreadUsd, true]);
      return Promise.resolve([aCall(coder.perThreadUsd), aCall(2)]);
    });
    expect(await spentOn(2)).toEqual({
      usd: coder.perThreadUsd + 2,
      unknownCalls: 0,
      calls: 2,
    });
    // The caps hold for what comes next.
    await expect(here('e3', [], 3)).rejects.toMatchObject({ code: 'budget-day' });
  },
);

verifies(
  'CB-13',
  'what may be spent stays reserved from look to look, and is reserved once',
  async () => {
    const { look, spentOn } = await aLedger();
    await expect(look('e1', sends, { isUntouched: true })).rejects.toBe(AT_WORK);
    for (let n = 0; n < 3; n += 1) {
      const again = look('e1', (_, { isSent }) => Promise.reject(isSent ? AT_WORK : new Error()));
      await expect(again).rejects.toBe(AT_WORK);
      expect(await spentOn(2)).toEqual({ usd: coder.perThreadUsd, unknownCalls: 0, calls: 1 });
    }
  },
);

test('what was booked is booked once, when the process ends before the result is kept', async () => {
  const { look, spentOn } = await aLedger();
  await expect(look('e1', sends, { isUntouched: true })).rejects.toBe(AT_WORK);
  for (let n = 0; n < 2; n += 1)
    await look('e1', (_, { isSent }) =>
      isSent ? Promise.resolve([aCall(1), aCall(undefined)]) : Promise.reject(new Error('again')),
    );
  expect(await spentOn(2)).toEqual({ usd: 1, unknownCalls: 1, calls: 2 });
});

test('a dispatch that GitHub did not take leaves nothing on record, and nothing reserved', async () => {
  const { look, spentOn } = await aLedger();
  const refused = look('e1', async (_, { sending, notSent }) => {
    await sending();
    await notSent();
    throw AT_WORK;
  });
  await expect(refused).rejects.toBe(AT_WORK);
  expect((await spentOn(2)).calls).toBe(0);
  await look('e1', (usd, { isSent }) => {
    expect([usd, isSent]).toEqual([coder.perThreadUsd, false]);
    return Promise.resolve([]);
  });
});

test('another session of the same task does not take it for its own', async () => {
  const { look } = await aLedger();
  await expect(look('r1/3-code', sends, { isUntouched: true })).rejects.toBe(AT_WORK);
  await look('r1/3-code', () => Promise.resolve([aCall(1)]));
  await look('r1/13-code', (usd, { isSent }) => {
    expect([usd, isSent]).toEqual([coder.perThreadUsd - 1, false]);
    return Promise.resolve([]);
  });
});

test('the caps of the host count neither what a workflow may spend nor what it says that it spent', async () => {
  const { look, here, records, plan } = await aLedger({ total: 6, repository: 6 });
  await expect(look('e1', sends, { isUntouched: true })).rejects.toBe(AT_WORK);
  await look('e1', () => Promise.resolve([aCall(4)]));
  expect((await here('e2', [aCall(2)], 3)).usd).toBe(coder.perThreadUsd);
  expect((await here('e3', [], 4)).usd).toBe(4);
  // The repository's own caps count all of it.
  expect((await records.spent({ repositoryId: plan.repositoryId })).usd).toBe(6);
});
