/** What every store promises of the session of Bluesky: kept over a restart, and of no use to who reads the store alone. */
import { afterAll, beforeAll, beforeEach, afterEach, expect, test } from 'vitest';
import { createBluesky } from '../../src/adapters/bluesky/create-bluesky.ts';
import type { SessionStore } from '../../src/adapters/bluesky/bluesky-session.ts';
import type { BlueskySettings } from '../../src/adapters/bluesky/bluesky-settings.ts';
import { decide } from '../../src/decide/route.ts';
import { keepSession } from '../../src/hosts/channels/keep-session.ts';
import type { Store, Worker } from '../../src/ports/store.ts';
import { aBlueskyWorld, type BlueskyTestWorld } from '../adapters/bluesky/bluesky-world.ts';
import { waitUntil } from '../helpers/wait-until.ts';
import { verifies } from '../verifies.ts';
import type { MemoryPlace } from './memory-index.ts';

export function keptSessionContract(newPlace: () => Promise<MemoryPlace>): void {
  let place: MemoryPlace;
  let store: Store;
  let worker: Worker;
  let bluesky: BlueskyTestWorld;
  beforeAll(async () => {
    place = await newPlace();
  });
  afterAll(() => place.remove());
  beforeEach(async () => {
    bluesky = await aBlueskyWorld();
    await start();
  });
  afterEach(async () => {
    await stop();
    await bluesky.close();
  });

  const start = async (): Promise<void> => {
    store = await place.open();
    worker = await store.work({ concurrency: 1, consume: (work) => reduce(store, work) });
  };
  const stop = async (): Promise<void> => {
    await worker.stop(5_000);
    await store.close();
  };
  /** The channel after a start of the App. */
  const look = async (more: Partial<BlueskySettings> = {}): Promise<void> => {
    const settings = { ...bluesky.parts.settings, ...more };
    const { clock } = bluesky;
    const kept = keepSession({ store, settings, clock });
    const saved: Promise<void>[] = [];
    const sessions: SessionStore = {
      load: () => kept.load(),
      save: (session) => {
        const saving = kept.save(session);
        saved.push(saving);
        return saving;
      },
    };
    await createBluesky({ settings, clock, sessions }).catchUp(undefined);
    await Promise.all(saved);
    await waitUntil(async () => (await store.records.counts()).events.pending === 0);
  };
  const restart = async (): Promise<void> => {
    await stop();
    await start();
  };
  const logins = (): number => count(bluesky, 'createSession');

  verifies('OUT-05: session over a restart', 'a restart signs in no second time', async () => {
    for (let time = 0; time < 3; time += 1) {
      await look();
      await restart();
    }
    expect([logins(), count(bluesky, 'refreshSession')]).toEqual([1, 2]);
  });

  test('a refresh that is refused signs in once, and that session is kept', async () => {
    await look();
    await restart();
    bluesky.clock.advance(91 * 24 * 3_600_000);
    await look();
    await restart();
    await look();
    expect(logins()).toBe(2);
  });

  test('no token is in the store as it is', async () => {
    await look();
    const tokens = bluesky.emulator.world.issued;
    expect(tokens.length).toBeGreaterThan(1);
    await stop();
    const dump = await place.dump();
    for (const token of tokens) {
      expect(dump).not.toContain(token);
      expect(dump).not.toContain(Buffer.from(token).toString('base64url'));
    }
    await start();
  });

  test('another password, account or service does not open it', async () => {
    await look();
    const clock = bluesky.clock;
    const { settings } = bluesky.parts;
    expect(await keepSession({ store, settings, clock }).load()).toMatchObject({
      handle: 'team.test',
    });
    for (const other of [
      { password: 'another' },
      { identifier: 'bob.test' },
      { service: 'https://other.example' },
    ])
      expect(
        await keepSession({ store, settings: { ...settings, ...other }, clock }).load(),
      ).toBeUndefined();
  });

  test('what somebody changed in the store is as if nothing was kept', async () => {
    await look();
    const { state } = (await store.load('session:bluesky')) ?? {};
    const { sealed } = state as { sealed: string };
    const forged = [
      `${sealed.slice(0, -2)}AA`,
      sealed.replace('v1.', 'v2.'),
      sealed.slice(0, 20),
      `${sealed}.x`,
      '',
    ];
    for (const text of forged) {
      const changed = { ...store, load: async () => ({ version: 1, state: { sealed: text } }) };
      const { settings } = bluesky.parts;
      expect(
        await keepSession({ store: changed, settings, clock: bluesky.clock }).load(),
      ).toBeUndefined();
    }
  });

  test('a store that is away leaves the password', async () => {
    const away = {
      load: () => Promise.reject(new Error('away')),
      append: () => Promise.reject(new Error('away')),
    };
    const { settings } = bluesky.parts;
    const { clock } = bluesky;
    const sessions = keepSession({ store: away, settings, clock });
    await createBluesky({ settings, clock, sessions }).catchUp(undefined);
    expect(logins()).toBe(1);
  });
}

function count({ emulator }: BlueskyTestWorld, method: string): number {
  return emulator.calls.filter((each) => each.method.endsWith(method)).length;
}

async function reduce(store: Store, work: Parameters<Parameters<Store['work']>[0]['consume']>[0]) {
  if (work.kind !== 'event') return;
  const { key } = work.event;
  const before = await store.load(key);
  const { state, ignored } = decide(before?.state, work.event, { now: Date.now() });
  const saved = { key, expected: before?.version ?? 0, value: state };
  await store.settle(work, {
    kind: 'finish',
    status: ignored === undefined ? 'done' : 'ignored',
    ...(ignored === undefined ? { state: saved } : { reason: ignored }),
  });
}
