/** Slack is away, limited or closed to us while somebody waits for an answer: what that person reads afterwards. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ChatThread } from '../../src/domain/channel/chat-thread.ts';
import { sayInSlack } from '../../src/emulator/chat/slack/slack-world.ts';
import { aBlueskyWorld, TEAM } from '../adapters/bluesky/bluesky-world.ts';
import { aSlackWorld, type SlackTestWorld } from '../adapters/slack/slack-world.ts';
import { aChannelLife, type ChannelLife } from '../helpers/a-channel-life.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const ISSUE = 5;

let world: SlackTestWorld;
let life: ChannelLife;
let thread: ChatThread;
beforeEach(async () => {
  world = await aSlackWorld();
  life = aChannelLife(world.clock, () => world.open());
  life.config.quietHours.enabled = false;
  const { ts } = sayInSlack(world.emulator.world, world.room, { user: 'U0HUMAN001', text: 'Hi' });
  thread = { channel: 'slack', place: world.room.id, thread: ts };
  life.joins(thread, ISSUE);
});
afterEach(() => world.close());

/** What the team said. */
const texts = (): string[] => world.room.messages.slice(1).map(({ text }) => text);
const posts = (): number =>
  world.emulator.calls.filter(({ method }) => method === 'chat.postMessage').length;

/** Every message, or every call of the named method, is answered like this until the time is over. */
async function failing(fault: object, forMs: number): Promise<void> {
  const { faults } = world.emulator;
  faults.push({ method: 'chat.postMessage', times: Infinity, ...fault } as never);
  await life.pass(forMs);
  faults.length = 0;
}

test('limited for an hour, answers are sent at the pace that Slack named, each once', async () => {
  const headers = { 'retry-after': '60' };
  life.answers(0, ISSUE, 'The first.');
  life.answers(MINUTE_MS, ISSUE, 'The second.');
  await failing({ kind: 'answer', answer: { status: 429, headers, body: '' } }, HOUR_MS);
  expect(texts()).toEqual([]);
  expect(posts()).toBeGreaterThan(40);
  expect(posts()).toBeLessThanOrEqual(2 * 61);
  expect(new Set(life.failures)).toEqual(new Set(['channel-rate-limited']));
  await life.pass(HOUR_MS);
  expect(texts().toSorted()).toEqual(['The first.', 'The second.']);
});

describe('an answer is sent once where this is undone within a day', () => {
  test.each<[string, () => void, () => void]>([
    [
      'the token was revoked',
      () => (world.emulator.world.isRevoked = true),
      () => (world.emulator.world.isRevoked = false),
    ],
    [
      'the channel was archived',
      () => (world.room.is_archived = true),
      () => (world.room.is_archived = false),
    ],
    [
      'the App was taken out of it',
      () => (world.room.isMember = false),
      () => (world.room.isMember = true),
    ],
    [
      'the channel was made read-only',
      () => (world.room.isReadOnly = true),
      () => (world.room.isReadOnly = false),
    ],
    [
      'the channel was made private without it',
      () => void Object.assign(world.room, { is_private: true, isMember: false }),
      () => void Object.assign(world.room, { is_private: false, isMember: true }),
    ],
  ])('%s', async (_, undo, redo) => {
    undo();
    life.answers(0, ISSUE, 'It is done.');
    await life.pass(3 * HOUR_MS);
    expect(texts()).toEqual([]);
    // About four tries an hour: it is for the owner, and no retry helps.
    expect(life.failures.length).toBeGreaterThan(8);
    expect(life.failures.length).toBeLessThanOrEqual(13);
    redo();
    await life.pass(HOUR_MS);
    expect(texts()).toEqual(['It is done.']);
  });
});

test('an answer to a thread that was deleted is dropped at the first attempt, and the next message counts it', async () => {
  const { ts } = sayInSlack(world.emulator.world, world.room, { user: 'U0HUMAN001', text: 'Yo' });
  const other: ChatThread = { ...thread, thread: ts };
  life.joins(other, 6);
  world.room.messages = world.room.messages.filter((each) => each.ts !== other.thread);
  life.answers(0, 6, 'Nobody reads this.');
  await life.pass(HOUR_MS);
  expect(life.failures).toEqual(['channel-message-gone']);
  life.answers(0, ISSUE, 'It is done.');
  await life.pass(HOUR_MS);
  expect(texts()).toHaveLength(1);
  expect(texts()[0]).toContain('It is done.');
  expect(texts()[0]).toContain('1 older message was dropped');
});

test('after three days without network the last day is answered, and the next message says once what is missing', async () => {
  life.answers(0, ISSUE, 'Of the first day.');
  life.answers(DAY_MS, ISSUE, 'Of the second day.');
  life.answers(3 * DAY_MS - HOUR_MS, ISSUE, 'Of the last hour.');
  await failing({ kind: 'cut', method: '*' }, 3 * DAY_MS);
  expect(texts()).toEqual([]);
  await life.pass(HOUR_MS);
  expect(life.failures.filter((code) => code === 'channel-too-late')).toHaveLength(2);
  life.answers(0, ISSUE, 'And later.');
  await life.pass(HOUR_MS);
  expect(texts()).toEqual([
    expect.stringMatching(/^2 older messages were dropped[^]*Of the last hour/),
    'And later.',
  ]);
});

test('on Bluesky, after three days without network the last day is answered, and the next post says once what is missing', async () => {
  const bluesky = await aBlueskyWorld();
  const channel = bluesky.open();
  life = aChannelLife(bluesky.clock, () => channel, 'bluesky');
  life.config.quietHours.enabled = false;
  await bluesky.say('Hi');
  const uri = bluesky.posts()[0]?.uri ?? '';
  life.joins({ channel: 'bluesky', place: TEAM.did, thread: uri }, ISSUE);
  const answers = (): string[] =>
    bluesky
      .posts()
      .filter(({ did }) => did === TEAM.did)
      .map(({ value }) => String(value['text']));
  life.answers(0, ISSUE, 'Of the first day.');
  life.answers(DAY_MS, ISSUE, 'Of the second day.');
  life.answers(3 * DAY_MS - HOUR_MS, ISSUE, 'Of the last hour.');
  bluesky.emulator.faults.push({ method: '*', kind: 'cut', times: Infinity });
  await life.pass(3 * DAY_MS);
  const meanwhile = answers();
  bluesky.emulator.faults.length = 0;
  await life.pass(HOUR_MS);
  life.answers(0, ISSUE, 'And later.');
  await life.pass(HOUR_MS);
  await bluesky.close();
  expect(meanwhile).toEqual([]);
  expect(answers()).toEqual([
    expect.stringMatching(/^2 older messages were dropped[^]*Of the last hour/),
    'And later.',
  ]);
});

describe('after a day with a token that was revoked', () => {
  beforeEach(() => losing('Nobody reads this.'));

  /** Said while the token is revoked, for longer than anybody waits. */
  async function losing(markdown: string): Promise<void> {
    world.emulator.world.isRevoked = true;
    life.answers(0, ISSUE, markdown);
    await life.pass(25 * HOUR_MS);
    world.emulator.world.isRevoked = false;
  }

  test('the next announcement says once that an answer is missing', async () => {
    life.happens(0, 9);
    life.happens(HOUR_MS, 10);
    await life.pass(DAY_MS);
    const told = world.room.messages.map(({ text }) => text).join('\n');
    expect(told.match(/1 older message was dropped/g)).toHaveLength(1);
    expect(told).not.toContain('Nobody reads this.');
  });

  test('a long answer says that in the message that people see, with the beginning of the answer, not in its file', async () => {
    life.answers(0, ISSUE, `It is done.\n\n${'Some words.\n\n'.repeat(800)}`);
    await life.pass(HOUR_MS);
    expect(texts()[0]).toMatch(/^1 older message was dropped[^]*It is done\.[^]*Some words/);
    expect(world.room.messages.at(-1)?.files.map(({ name }) => name)).toEqual(['answer.md']);
  });

  test('a number that was not sent either is kept for the message after it', async () => {
    await losing('Nor this.');
    life.answers(0, ISSUE, 'At last.');
    await life.pass(HOUR_MS);
    expect(texts()).toEqual([expect.stringMatching(/^2 older messages were dropped[^]*At last/)]);
  });
});
