/** Which cap refuses a call, and which one people are warned about when it is near. */
import { expect, onTestFinished, test } from 'vitest';
import { reserveWithin } from '../../../src/act/model/check-caps.ts';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite.ts';
import type { Caps } from '../../../src/domain/run/caps.ts';
import type { LedgerEntry } from '../../../src/domain/run/ledger.ts';
import { createFastClock } from '../../contract/fast-clock.ts';

const ACCOUNT = {
  installationId: 5,
  repositoryId: 7,
  key: 'thread:7/1',
  run: 'r1',
  role: 'pm',
  persona: 'pm',
};
const CAPS: Caps = { threadUsd: 10, dayUsd: 10, repositoryDayUsd: 10 };

async function reserving(caps: Partial<Caps>, costUsd: number) {
  const clock = createFastClock();
  const store = await openSqliteStore({ memory: true, clock });
  onTestFinished(() => store.close());
  const person = caps.person?.id;
  const account = { ...ACCOUNT, ...(person === undefined ? {} : { person }) };
  const entry = {
    ...account,
    id: 'e1',
    at: new Date(clock.now()).toISOString(),
    costUsd,
  } as unknown as LedgerEntry;
  return reserveWithin({ ...CAPS, ...caps }, { account, entry }, { store, clock });
}

const person = { id: 3, dayUsd: 1 };

test.each<[string, Partial<Caps>, string]>([
  ['thread', { threadUsd: 1 }, 'The budget for this thread is used up.'],
  ['day', { dayUsd: 1 }, 'The budget for this day is used up.'],
  ['person', { person }, 'The person who asked has reached the daily limit'],
  ['repository', { repositoryDayUsd: 1 }, 'The budget for this repository is used up.'],
])('a call beyond the cap of the %s is refused with its name', async (cap, caps, words) => {
  await expect(reserving(caps, 1.5)).rejects.toMatchObject({
    code: `budget-${cap}`,
    message: expect.stringContaining(words) as string,
  });
  expect(await reserving(caps, 0.9)).toEqual({ budget: { cap, share: 0.9 } });
  expect(await reserving(caps, 0.1)).toEqual({});
});

test('of caps that are equally near, the narrower one is named', async () => {
  const near = { person, repositoryDayUsd: 1 };
  expect(await reserving(near, 0.9)).toMatchObject({ budget: { cap: 'person' } });
});
