/** Slack is limited, away, closed to us, or has another time, for hours and days: what people read afterwards. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createBluesky } from '../../src/adapters/bluesky/create-bluesky.ts';
import { createSlack } from '../../src/adapters/slack/create-slack.ts';
import { addChannel, sayInSlack } from '../../src/emulator/chat/slack/slack-world.ts';
import { says } from '../contract/channel.ts';
import { aBlueskyWorld, TEAM } from '../adapters/bluesky/bluesky-world.ts';
import { aSlackWorld, type SlackTestWorld } from '../adapters/slack/slack-world.ts';
import { aChannelLife, type ChannelLife } from '../helpers/a-channel-life.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let world: SlackTestWorld;
let life: ChannelLife;
beforeEach(async () => {
  world = await aSlackWorld();
  life = aChannelLife(world.clock, () => world.open());
  life.config.quietHours.enabled = false;
});
afterEach(() => world.close());

const texts = (): string[] => world.room.messages.map(({ text }) => text);
const posts = (): number =>
  world.emulator.calls.filter(({ method }) => method === 'chat.postMessage').length;

/** Every message, or every call of the named method, is answered like this until the time is over. */
async function failing(fault: object, forMs: number): Promise<void> {
  const { faults } = world.emulator;
  faults.push({ method: 'chat.postMessage', times: Infinity, ...fault } as never);
  await life.pass(forMs);
  faults.length = 0;
}

const LIMITED = {
  kind: 'answer',
  answer: { status: 429, headers: { 'retry-after': '60' }, body: '' },
};

test('limited for an hour, it is asked at the pace that it named, and then each message arrives once', async () => {
  life.happens(0, 1);
  life.happens(10 * MINUTE_MS, 2);
  life.happens(20 * MINUTE_MS, 3);
  await failing(LIMITED, HOUR_MS);
  expect(texts()).toEqual([]);
  // The wait that was named, and a fifth more at random.
  expect(posts()).toBeGreaterThan(40);
  expect(posts()).toBeLessThanOrEqual(61);
  expect(new Set(life.failures)).toEqual(new Set(['channel-rate-limited']));
  await life.pass(HOUR_MS);
  expect(texts()).toHaveLength(3);
  for (const number of [1, 2, 3])
    expect(texts().filter((text) => text.includes(`shop/issues/${number}|`))).toHaveLength(1);
});

test('Bluesky, limited for an hour, is asked at the pace that it named, and then each post arrives once', async () => {
  const bluesky = await aBlueskyWorld();
  const { faults, calls } = bluesky.emulator;
  life = aChannelLife(bluesky.clock, () => bluesky.open(), 'bluesky');
  life.config.quietHours.enabled = false;
  life.happens(0, 1);
  life.happens(10 * MINUTE_MS, 2);
  const answer = {
    status: 429,
    headers: { 'content-type': 'application/json', 'retry-after': '60' },
    body: '{"error":"RateLimitExceeded","message":"Rate Limit Exceeded"}',
  };
  const method = 'com.atproto.repo.putRecord';
  faults.push({ method, kind: 'answer', answer, times: Infinity });
  await life.pass(HOUR_MS);
  expect(bluesky.posts()).toEqual([]);
  const tries = calls.filter((call) => call.method === method).length;
  expect(tries).toBeGreaterThan(40);
  expect(tries).toBeLessThanOrEqual(61);
  faults.length = 0;
  await life.pass(HOUR_MS);
  const written = bluesky.posts().map(({ value }) => String(value['text']));
  await bluesky.close();
  expect(written).toHaveLength(2);
  for (const number of [1, 2]) expect(written.join('\n')).toContain(`Issue ${number}`);
});

test('three days without network end in the news of the last day, and in the number of what was left out', async () => {
  for (let day = 0; day < 3; day += 1)
    for (let each = 0; each < 2; each += 1)
      life.happens(day * DAY_MS + (each + 1) * 6 * HOUR_MS, 10 * day + each);
  await failing({ kind: 'cut', method: '*' }, 3 * DAY_MS);
  expect(texts()).toEqual([]);
  await life.pass(HOUR_MS);
  const told = texts().join('\n');
  for (const number of [20, 21]) expect(told).toContain(`issues/${number}|`);
  for (const number of [0, 1, 10, 11]) expect(told).not.toContain(`issues/${number}|`);
  expect(told).toContain('4 older messages were dropped');
  const before = texts();
  await life.pass(DAY_MS);
  expect(texts()).toEqual(before);
});

test('Bluesky, three days without network, has the news of the last day, and the number of what was left out', async () => {
  const bluesky = await aBlueskyWorld();
  const channel = bluesky.open();
  life = aChannelLife(bluesky.clock, () => channel, 'bluesky');
  life.config.quietHours.enabled = false;
  const written = (): string =>
    bluesky
      .posts()
      .map(({ value }) => JSON.stringify(value))
      .join('\n');
  for (const [number, hours] of [1, 20, 30, 68].entries()) life.happens(hours * HOUR_MS, number);
  bluesky.emulator.faults.push({ method: '*', kind: 'cut', times: Infinity });
  await life.pass(3 * DAY_MS);
  expect(written()).toBe('');
  bluesky.emulator.faults.length = 0;
  await life.pass(HOUR_MS);
  expect(written()).toContain('Issue 3');
  expect(written()).toContain('3 older messages were dropped');
  for (const number of [0, 1, 2]) expect(written()).not.toContain(`Issue ${number}`);
  const before = written();
  await life.pass(DAY_MS);
  expect(written()).toBe(before);
  await bluesky.close();
});

describe('what people say in three days without network', () => {
  test('in Slack is read afterwards in the channel of the App, and in no other one', async () => {
    const { emulator, room, clock } = world;
    const channel = world.open();
    const say = (text: string, place = room, below: { thread_ts?: string } = {}): string =>
      sayInSlack(emulator.world, place, { user: 'U0HUMAN001', text, ...below }).ts;
    const other = addChannel(emulator.world, 'shop');
    const thread = say('Before');
    clock.advance(DAY_MS);
    const { cursor } = await channel.catchUp(undefined);
    emulator.faults.push({ method: '*', kind: 'cut', times: Infinity });
    for (const day of [1, 2, 3]) {
      clock.advance(DAY_MS);
      say(`Of day ${day}`);
      say(`Below, of day ${day}`, room, { thread_ts: thread });
      say(`Elsewhere, of day ${day}`, other);
      await expect(channel.catchUp(cursor)).rejects.toMatchObject({ retryable: true });
    }
    emulator.faults.length = 0;
    const heard = await world.open().catchUp(cursor);
    expect(heard.messages.map(({ text }) => text)).toEqual(
      [1, 2, 3].flatMap((day) => [`Of day ${day}`, `Below, of day ${day}`]),
    );
    expect((await channel.catchUp(heard.cursor)).messages).toEqual([]);
  });

  test('on Bluesky is read afterwards, each post once', async () => {
    const bluesky = await aBlueskyWorld();
    const channel = bluesky.open();
    const { cursor } = await channel.catchUp(undefined);
    bluesky.emulator.faults.push({ method: '*', kind: 'cut', times: Infinity });
    for (const day of [1, 2, 3]) {
      bluesky.clock.advance(DAY_MS);
      await bluesky.say(`Of day ${day}`);
      await expect(channel.catchUp(cursor)).rejects.toMatchObject({ retryable: true });
    }
    bluesky.emulator.faults.length = 0;
    const heard = await channel.catchUp(cursor);
    const later = await channel.catchUp(heard.cursor);
    await bluesky.close();
    expect(heard.messages.map(({ text }) => text)).toEqual(['Of day 1', 'Of day 2', 'Of day 3']);
    expect(later.messages).toEqual([]);
  });
});

test('a digest whose answer was lost is there once, though all but one of it became a day old meanwhile', async () => {
  life.happens(0, 9);
  for (const number of [1, 2, 3, 4]) life.happens(2 * HOUR_MS, number);
  life.happens(20 * HOUR_MS, 5);
  const revokedFor = async (ms: number): Promise<void> => {
    world.emulator.world.isRevoked = true;
    await life.pass(ms);
    world.emulator.world.isRevoked = false;
  };
  // While the first one is tried again, the others come together.
  await revokedFor(DAY_MS);
  world.loseAnswer();
  while (texts().length === 0) await life.pass(1_000);
  await revokedFor(3 * HOUR_MS);
  expect(texts()).toEqual([expect.stringContaining('5 updates')]);
  expect(life.failures).toContain('channel-unavailable');
  await life.pass(HOUR_MS);
  expect(texts()).toHaveLength(1);
});

test('a digest whose answer was lost is there once, though somebody asked about one of its issues in a thread meanwhile', async () => {
  const { emulator, room } = world;
  life.happens(0, 9);
  for (const number of [1, 2, 3, 4, 5]) life.happens(2 * HOUR_MS, number);
  const { ts } = sayInSlack(emulator.world, room, { user: 'U0HUMAN001', text: 'Hi' });
  emulator.world.isRevoked = true;
  await life.pass(DAY_MS);
  emulator.world.isRevoked = false;
  world.loseAnswer();
  while (texts().length < 2) await life.pass(1_000);
  emulator.world.isRevoked = true;
  await life.pass(HOUR_MS);
  life.joins({ channel: 'slack', place: room.id, thread: ts }, 1);
  emulator.world.isRevoked = false;
  await life.pass(HOUR_MS);
  expect(texts().slice(1)).toEqual([expect.stringContaining('5 updates')]);
});

test.each(['is_archived', 'isReadOnly'] as const)(
  'a thread in a channel that refuses (%s) holds back no announcement elsewhere, and has its own once that is over',
  async (fault) => {
    const other = addChannel(world.emulator.world, 'shop');
    const { ts } = sayInSlack(world.emulator.world, other, { user: 'U0HUMAN001', text: 'Hi' });
    life.joins({ channel: 'slack', place: other.id, thread: ts }, 2);
    other[fault] = true;
    life.happens(0, 2);
    life.happens(MINUTE_MS, 1);
    await life.pass(HOUR_MS);
    expect(texts()).toEqual([expect.stringContaining('shop/issues/1|')]);
    other[fault] = false;
    await life.pass(HOUR_MS);
    expect(life.failures).toEqual([]);
    expect(other.messages.slice(1).map(({ text }) => text)).toEqual([
      expect.stringContaining('shop/issues/2|'),
    ]);
  },
);

test('after a day, what a thread in an archived channel waits for is dropped, and the next message says so', async () => {
  const other = addChannel(world.emulator.world, 'shop');
  const { ts } = sayInSlack(world.emulator.world, other, { user: 'U0HUMAN001', text: 'Hi' });
  life.joins({ channel: 'slack', place: other.id, thread: ts }, 2);
  other.is_archived = true;
  life.happens(0, 2);
  await life.pass(DAY_MS + HOUR_MS);
  life.happens(0, 1);
  await life.pass(HOUR_MS);
  expect(texts()).toEqual([
    expect.stringContaining('shop/issues/1|'),
    expect.stringContaining('1 older message was dropped'),
  ]);
});

test('while the channel for announcements is archived, what a thread elsewhere waits for arrives within a minute', async () => {
  const other = addChannel(world.emulator.world, 'shop');
  const { ts } = sayInSlack(world.emulator.world, other, { user: 'U0HUMAN001', text: 'Hi' });
  life.joins({ channel: 'slack', place: other.id, thread: ts }, 2);
  world.room.is_archived = true;
  life.happens(0, 1);
  await life.pass(HOUR_MS);
  life.happens(0, 2);
  await life.pass(MINUTE_MS);
  expect(other.messages.slice(1).map(({ text }) => text)).toEqual([
    expect.stringContaining('shop/issues/2|'),
  ]);
  world.room.is_archived = false;
  await life.pass(HOUR_MS);
  expect(texts()).toEqual([expect.stringContaining('shop/issues/1|')]);
  expect(other.messages).toHaveLength(2);
});

test.each<[string, () => void, () => void]>([
  [
    'its token is revoked',
    () => (world.emulator.world.isRevoked = true),
    () => (world.emulator.world.isRevoked = false),
  ],
  [
    'the channel is archived',
    () => (world.room.is_archived = true),
    () => (world.room.is_archived = false),
  ],
  [
    'the App is taken out of it',
    () => (world.room.isMember = false),
    () => (world.room.isMember = true),
  ],
  [
    'the channel is made private without it',
    () => void Object.assign(world.room, { is_private: true, isMember: false }),
    () => void Object.assign(world.room, { is_private: false, isMember: true }),
  ],
  ['the channel is renamed', () => (world.room.name = 'crew'), () => (world.room.name = 'team')],
])(
  'nothing is lost or told twice where %s between two messages, and that is undone',
  async (_, undo, redo) => {
    life.happens(0, 1);
    await life.pass(MINUTE_MS);
    undo();
    life.happens(0, 2);
    await life.pass(3 * HOUR_MS);
    expect(texts()).toHaveLength(1);
    // Four tries an hour: it is for the owner, and no retry helps.
    expect(life.failures.length).toBeLessThanOrEqual(13);
    redo();
    await life.pass(HOUR_MS);
    expect(texts()).toHaveLength(2);
  },
);

test('a channel that is deleted holds nothing for ever: a new one of its name gets the news of the last day', async () => {
  const { channels } = world.emulator.world;
  channels.splice(0);
  life.happens(0, 1);
  life.happens(2 * DAY_MS, 2);
  await life.pass(2 * DAY_MS + HOUR_MS);
  expect(new Set(life.failures)).toEqual(new Set(['channel-not-found']));
  const room = addChannel(world.emulator.world, 'team');
  await life.pass(HOUR_MS);
  const told = room.messages.map(({ text }) => text).join('\n');
  expect(told).toContain('issues/2|');
  expect(told).toContain('1 older message was dropped');
  expect(told).not.toContain('issues/1|');
});

describe('a clock that is off', () => {
  test.each([9, -9])('by %i minutes sends nothing twice after a lost answer', async (minutes) => {
    const { clock } = world;
    const shifted = {
      ...clock,
      now: () => clock.now() + minutes * MINUTE_MS,
    };
    const open = () => {
      clock.advance(1_000);
      return createSlack({ settings: world.settings, clock: shifted, place: '#team' });
    };
    life = aChannelLife(shifted, open);
    life.config.quietHours.enabled = false;
    world.loseAnswer();
    life.happens(0, 1);
    await life.pass(HOUR_MS);
    expect(life.failures).toEqual(['channel-unavailable']);
    expect(texts()).toHaveLength(1);
    const [head] = world.room.messages;
    const thread = { channel: 'slack', place: world.room.id, thread: head?.ts ?? '' } as const;
    const reply = says('r', 'It is done.', { at: new Date(shifted.now()).toISOString() });
    world.loseAnswer();
    const send = () => open().reply({ ...thread, message: thread.thread }, reply);
    await expect(send()).rejects.toMatchObject({ retryable: true });
    await send();
    expect(texts()).toHaveLength(2);
  });

  test.each([9, -9])(
    'by %i minutes posts nothing twice on Bluesky after a lost answer, and hears each post once',
    async (minutes) => {
      const bluesky = await aBlueskyWorld();
      const { clock, parts } = bluesky;
      const shifted = { ...clock, now: () => clock.now() + minutes * MINUTE_MS };
      const open = () => createBluesky({ ...parts, clock: shifted });
      const { cursor } = await open().catchUp(undefined);
      clock.advance(1_000);
      await bluesky.say('Hi');
      life = aChannelLife(shifted, open, 'bluesky');
      life.config.quietHours.enabled = false;
      bluesky.loseAnswer();
      life.happens(0, 1);
      await life.pass(HOUR_MS);
      const [asked] = bluesky.posts();
      if (asked === undefined) return expect.fail();
      const thread = { channel: 'bluesky', place: TEAM.did, thread: asked.uri } as const;
      life.joins(thread, 2);
      bluesky.loseAnswer();
      life.answers(0, 2, 'It is done.');
      await life.pass(HOUR_MS);
      const written = bluesky.posts().filter(({ did }) => did === TEAM.did);
      const heard = await open().catchUp(cursor);
      const later = await open().catchUp(heard.cursor);
      await bluesky.close();
      expect(life.failures).toEqual(['channel-unavailable', 'channel-unavailable']);
      expect(written.map(({ value }) => value['text'])).toEqual([
        'It is done.',
        expect.stringContaining('Issue 1'),
      ]);
      expect([heard, later].flatMap(({ messages }) => messages.map(({ text }) => text))).toEqual([
        'Hi',
      ]);
    },
  );
});
