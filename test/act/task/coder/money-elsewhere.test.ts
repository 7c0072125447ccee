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
import { untoldCall } from '../../../../src/domain/dispatch/untold-cost.ts';
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
    spentOn: (task: number) => store.records.spent({ keyStart: taskKey({ plan, task }) }),
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

test('a session that was lost leaves its task the whole allowance, and counts for the day', async () => {
  const { look, here, spentOn, records, plan } = await aLedger();
  await expect(look('r1/3-code', sends, { isUntouched: true })).rejects.toBe(AT_WORK);
  // Somebody stopped it: nothing looks at it again. The task begins once more, in a workflow and then here.
  await look(
    'r2/3-code',
    (usd, { isSent }) => {
      expect([usd, isSent]).toEqual([coder.perThreadUsd, false]);
      return Promise.resolve([aCall(1)]);
    },
    { isUntouched: true },
  );
  expect((await here('r3/3-code', [], 2)).usd).toBe(coder.perThreadUsd - 1);
  expect((await spentOn(2)).usd).toBe(coder.perThreadUsd + 1);
  const { repositoryId } = plan;
  expect((await records.spent({ repositoryId, keyStart: 'task:' })).usd).toBe(
    coder.perThreadUsd + 1,
  );
});

test('what nobody can tell is booked as all that the session was allowed, so that a day ends', async () => {
  const { look, records, plan } = await aLedger();
  const most = coder.perDayUsd / coder.perThreadUsd;
  for (let n = 0; n < most; n += 1) {
    const id = `r${n}/3-code`;
    await expect(look(id, sends, { isUntouched: true })).rejects.toBe(AT_WORK);
    // Twice, as by a process that ended before the result was kept.
    for (let again = 0; again < 2; again += 1) await look(id, async () => [untoldCall(1)]);
  }
  const key = `${taskKey({ plan, task: 2 })}/dispatched`;
  const booked = await records.calls({ key, limit: 10 });
  const estimate = { costUsd: coder.perThreadUsd, isEstimate: true, payer: 'repository' };
  expect(booked).toMatchObject(Array.from({ length: most }, () => estimate));
  await expect(look('r9/3-code', sends, { isUntouched: true })).rejects.toMatchObject({
    code: 'budget-day',
  });
});

test('what a crash left reserved may have been sent: its run is looked for first, and no cap refuses it', async () => {
  const { look, here, records, plan, spentOn } = await aLedger();
  const crashed = look('r1/3-code', () => new Promise<never>(() => undefined));
  void crashed;
  await expect.poll(async () => (await spentOn(2)).calls).toBe(1);
  for (let task = 11; task < 11 + coder.perDayUsd / coder.perThreadUsd - 1; task += 1)
    await here(`e${task}`, [aCall(coder.perThreadUsd)], task);
  const seen: unknown[] = [];
  const doubts = look('r1/3-code', (usd, { isSent, isInDoubt }) => {
    seen.push([usd, isSent, isInDoubt]);
    return Promise.reject(AT_WORK);
  });
  await expect(doubts).rejects.toBe(AT_WORK);
  // It is shown: what it may spend stays as it was.
  const found = look('r1/3-code', async (usd, { isSent, isInDoubt, sending }) => {
    seen.push([usd, isSent, isInDoubt]);
    return sends(usd, { sending } as DispatchRecord);
  });
  await expect(found).rejects.toBe(AT_WORK);
  const inDoubt = [coder.perThreadUsd, false, true];
  expect(seen).toEqual([inDoubt, inDoubt]);
  await look('r1/3-code', (usd, { isSent, isInDoubt }) => {
    expect([usd, isSent, isInDoubt]).toEqual([coder.perThreadUsd, true, undefined]);
    return Promise.resolve([aCall(1)]);
  });
  expect(await records.spent({ key: taskKey({ plan, task: 2 }) })).toMatchObject({ usd: 1 });
  expect((await spentOn(2)).usd).toBe(1);
});
