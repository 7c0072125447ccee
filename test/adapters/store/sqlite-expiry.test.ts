/** A state expires by when it was last saved, as far as that is kept: to the hour. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite.ts';
import type { Store } from '../../../src/ports/store.ts';
import { realClock } from '../../contract/real-clock.ts';
import { startLog, timer } from '../../contract/store-words.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

const HOUR_MS = 3_600_000;
const KEY = 'thread:7/1';

let dir = '';
let store: Store;
let ahead = 0;

beforeEach(async () => {
  ahead = 0;
  dir = await mkdtemp(path.join(tmpdir(), 'quorum-expiry-'));
  const clock = { ...realClock, now: () => Date.now() + ahead };
  const retention = {
    settledMs: HOUR_MS,
    deadMs: HOUR_MS,
    statesMs: 3 * HOUR_MS,
    ledgerMs: HOUR_MS,
  };
  store = await openSqliteStore({ dir, clock, retention });
});

afterEach(async () => {
  await store.close();
  await rm(dir, { recursive: true });
});

/** Saves the thread's state some hours from now. */
async function saveAt(hours: number): Promise<void> {
  ahead = hours * HOUR_MS;
  const expected = (await store.load(KEY))?.version ?? 0;
  await store.append([timer(`at-${hours}`, KEY)]);
  const state = { key: KEY, expected, value: { v: 1, hours } };
  const log = await startLog(store, () => ({ kind: 'finish', status: 'done', state }));
  await waitUntil(async () => ((await store.load(KEY))?.version ?? 0) > expected);
  await log.stop();
}

async function isThereAfter(hours: number): Promise<boolean> {
  ahead = hours * HOUR_MS;
  await store.erasure.expire();
  return (await store.load(KEY)) !== undefined;
}

test('a state that is never saved again goes after its time', async () => {
  await saveAt(0);
  expect(await isThereAfter(2.9)).toBe(true);
  expect(await isThereAfter(3.1)).toBe(false);
});

test('one that is saved again later stays its time from then on', async () => {
  await saveAt(0);
  await saveAt(2);
  expect(await isThereAfter(4.9)).toBe(true);
  expect(await isThereAfter(5.1)).toBe(false);
});

test('saving again within the hour keeps the time of the first, and the new value', async () => {
  await saveAt(0);
  await saveAt(0.9);
  expect(await store.load(KEY)).toMatchObject({ version: 2, state: { hours: 0.9 } });
  expect(await isThereAfter(3.1)).toBe(false);
});
