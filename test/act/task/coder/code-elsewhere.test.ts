/** A task that was lost while a workflow wrote its code: what is said, and what stays on record. */
import { expect, onTestFinished, test } from 'vitest';
import type { ActPorts } from '../../../../src/act/ports.ts';
import { refuseLostDispatch } from '../../../../src/act/task/coder/code-elsewhere.ts';
import { leaseLost } from '../../../../src/act/task/coder/coding-runtime.ts';
import { withinCapsElsewhere } from '../../../../src/act/task/coder/money-elsewhere.ts';
import { openSqliteStore } from '../../../../src/adapters/store/sqlite/open-sqlite.ts';
import { defaultConfig } from '../../../../src/domain/config/config.ts';
import type { CodeData } from '../../../../src/domain/dispatch/code-order.ts';
import { TransientError } from '../../../../src/domain/event/errors.ts';
import { taskKey } from '../../../../src/domain/task/task.ts';
import { createFastClock } from '../../../contract/fast-clock.ts';
import { ORDER } from '../../../helpers/a-task.ts';

const { plan } = ORDER.ref;
const PURSE = { effectId: 'r1/3-code', thread: plan, task: 2, run: 'r1', persona: 'dev' };
const DATA = { kind: 'code', thread: plan, task: 2 } as CodeData;
const AT_WORK = new TransientError({ code: 'workflow-running', message: 'It works.' });

async function aLostTask({ isSent }: { isSent: boolean }) {
  const clock = createFastClock();
  const store = await openSqliteStore({ memory: true, clock });
  onTestFinished(() => store.close());
  const ports = { store, clock } as unknown as ActPorts;
  const looked = withinCapsElsewhere(PURSE, defaultConfig(), {
    ports,
    isUntouched: true,
    work: async (_, { sending }) => {
      if (isSent) await sending();
      throw AT_WORK;
    },
  });
  await expect(looked).rejects.toBe(AT_WORK);
  const context = { ports, effectId: PURSE.effectId, isUntouched: false };
  return { store, refuse: (error: Error) => refuseLostDispatch(DATA, error, context) };
}

test('says that what the workflow wrote is thrown away, and what it may have cost counts for the day alone', async () => {
  const { store, refuse } = await aLostTask({ isSent: true });
  await expect(refuse(leaseLost(2))).rejects.toMatchObject({
    code: 'lease-lost',
    isEventuallyConsistent: true,
    message: expect.stringMatching(
      /^Task 2 is not held by this attempt any more\. Somebody released it or took it .* is thrown away\.$/,
    ),
  });
  const key = taskKey({ plan, task: 2 });
  expect(await store.records.spent({ key })).toMatchObject({ usd: 0, calls: 0 });
  const { usd } = await store.records.spent({ keyStart: key });
  expect(usd).toBe(defaultConfig().budget.coder.perThreadUsd);
});

test('says nothing of a workflow where none was started, or something else failed', async () => {
  const { refuse } = await aLostTask({ isSent: false });
  const lost = leaseLost(2);
  await expect(refuse(lost)).rejects.toBe(lost);
  const sent = await aLostTask({ isSent: true });
  await expect(sent.refuse(AT_WORK)).rejects.toBe(AT_WORK);
});
