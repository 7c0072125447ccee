/** How soon messages of people are stored from a channel that is asked at intervals, while a part of it fails. */
import { expect, test } from 'vitest';
import { createBluesky } from '../../../src/adapters/bluesky/create-bluesky.ts';
import { recordKey } from '../../../src/adapters/bluesky/record-key.ts';
import { chatKey } from '../../../src/decide/channel/chat/chat-state.ts';
import type { NewEvent } from '../../../src/domain/event/event.ts';
import { writeRecord } from '../../../src/emulator/chat/bluesky/bluesky-world.ts';
import { listenToChannel } from '../../../src/hosts/channels/listen-to-channels.ts';
import { aBlueskyWorld, type BlueskyTestWorld } from '../../adapters/bluesky/bluesky-world.ts';

const OWNER = 'did:plc:bob';
const FEED = 'app.bsky.feed.getAuthorFeed';
const NOTIFICATIONS = 'app.bsky.notification.listNotifications';
const MINUTE_MS = 60_000;

/** Listens for `forMs`; `each` is called before each wait. Returns when each message was stored, and the log's codes. */
async function listen(world: BlueskyTestWorld, forMs: number, each: () => void) {
  const stop = new AbortController();
  const end = world.clock.now() + forMs;
  const stored: { at: number; why: string }[] = [];
  const warned: unknown[] = [];
  let cursor: string | undefined;
  const append = (events: readonly NewEvent[]): Promise<never> => {
    for (const { key, data } of events) {
      if (data.kind === 'heard-until') ({ cursor } = data);
      if (data.kind !== 'trigger' || data.trigger.kind !== 'said') continue;
      expect(key).toBe(chatKey(data.trigger.message));
      stored.push({ at: world.clock.now(), why: data.trigger.message.why });
    }
    return Promise.resolve() as Promise<never>;
  };
  const channel = createBluesky({
    ...world.parts,
    settings: { ...world.parts.settings, owner: OWNER },
  });
  await listenToChannel(channel, {
    store: { append, load: () => Promise.resolve({ state: { cursor }, version: 1 } as never) },
    log: { warn: (fields) => void warned.push(fields) },
    signal: stop.signal,
    clock: {
      ...world.clock,
      sleep: async (ms, signal) => {
        each();
        if (world.clock.now() >= end) stop.abort();
        await world.clock.sleep(ms, signal);
      },
    },
  });
  return { stored, warned };
}

test.each([
  [FEED, 'mention'],
  [NOTIFICATIONS, 'shared'],
])('while %s fails, each %s is stored within 45 seconds', async (method, why) => {
  const world = await aBlueskyWorld();
  let last = -Infinity;
  let count = 0;
  const said: number[] = [];
  const { stored, warned } = await listen(world, 10 * MINUTE_MS, () => {
    // The first looks of all note the present moment.
    if (world.emulator.faults.length === 0 && count === 0) count = 1;
    else if (count === 1) {
      world.emulator.faults.push({ method, kind: 'cut', times: Infinity });
      count = 2;
    }
    if (count < 2 || world.clock.now() - last < MINUTE_MS) return;
    last = world.clock.now();
    said.push(last);
    if (why === 'mention') void world.say(`hello ${said.length}`);
    else share(world, said.length);
  });
  await world.close();
  expect(said.length).toBeGreaterThan(4);
  const late = said.map((at, n) => (stored[n]?.at ?? Infinity) - at);
  expect(Math.max(...late.slice(0, -1))).toBeLessThanOrEqual(45_000);
  expect(new Set(stored.map((each) => each.why))).toEqual(new Set([why]));
  expect(warned.length).toBeGreaterThan(4);
  expect(warned[0]).toEqual({ channel: 'bluesky', code: 'channel-unavailable' });
});

function share({ emulator, clock }: BlueskyTestWorld, count: number): void {
  const at = { did: OWNER, collection: 'app.bsky.feed.post', rkey: recordKey(`shared ${count}`) };
  writeRecord(emulator.world, at, {
    $type: 'app.bsky.feed.post',
    createdAt: new Date(clock.now()).toISOString(),
    text: `https://github.com/octo/shop/pull/${count}`,
  });
}
