/** Announcements go to several places: what people asked for in a thread of a chat is answered there, and no place holds back another. */
import { describe, expect, test } from 'vitest';
import { announce } from '../../../src/act/channel/announce.ts';
import type { DataOf } from '../../../src/act/effect-context.ts';
import type { Waiting } from '../../../src/domain/channel/announce/plan-delivery.ts';
import type { ErrorCode } from '../../../src/domain/event/error-codes.ts';
import { RefusedError } from '../../../src/domain/event/errors.ts';
import { aChannelWorld, NOW, REPOSITORY, type ChannelWorld } from './a-channel-world.ts';

const ASKED = { channel: 'slack', place: 'C9', thread: '9.0' } as const;
const refusal = (code: ErrorCode): RefusedError => new RefusedError({ code, message: 'no' });

/** About the issues 1 to `count`. Issue 1 was asked for in a thread. */
function burst(count: number): Waiting[] {
  return Array.from({ length: count }, (_, n): Waiting => {
    const number = n + 1;
    const subject = { repositoryId: 7, repository: 'octo/shop', isPrivate: true, url: '', number };
    const announcement = { event: 'merged', task: 'Task 1', subject } as const;
    return { key: `k${number}`, at: NOW + n, announcement };
  });
}

async function send(
  world: ChannelWorld,
  waiting: readonly Waiting[],
  more: Partial<DataOf<'announce'>> = {},
) {
  const threads = { 'thread/7/1': ASKED };
  const base = { repository: REPOSITORY, channel: 'slack', dropped: 0, heads: {} } as const;
  const data: DataOf<'announce'> = { kind: 'announce', ...base, waiting, threads, ...more };
  return (await announce(data, world.context())).result;
}

const keysOf = ({ sent }: ChannelWorld): string[] =>
  sent.map(({ key, isDigest }) => (isDigest === true ? 'digest' : key));

describe('what was asked in a thread of a chat', () => {
  test('goes there, not into the digest of a burst', async () => {
    const world = aChannelWorld();
    await send(world, burst(6));
    expect(keysOf(world)).toEqual(['k1', 'digest']);
    expect(world.sent[0]?.thread).toEqual(ASKED);
    expect(world.sent[1]?.announcements).toHaveLength(5);
  });

  test('makes no burst of the others', async () => {
    const world = aChannelWorld();
    await send(world, burst(5));
    expect(keysOf(world)).toEqual(['k1', 'k2', 'k3', 'k4', 'k5']);
  });

  test('goes there where no channel is named for announcements, and nothing else goes anywhere', async () => {
    const world = aChannelWorld();
    delete world.config.channels.slack.channel;
    const { settled } = await send(world, burst(2));
    expect([keysOf(world), settled]).toEqual([['k1'], ['k1', 'k2']]);
    expect(world.sent[0]?.thread).toEqual(ASKED);
  });

  test('does not go there where its event is not in the list', async () => {
    const world = aChannelWorld();
    world.config.channels.slack.events = ['verdict'];
    await send(world, burst(1));
    expect(world.sent).toEqual([]);
  });
});

test('on Bluesky each message knows the one before it, also within one effect', async () => {
  const world = aChannelWorld();
  const latest = {
    channel: 'bluesky',
    place: 'did:a',
    thread: 'at://1',
    message: 'at://9',
  } as const;
  await send(world, burst(3), { channel: 'bluesky', threads: {}, latest });
  expect(world.sent.map((each) => each.latest?.message)).toEqual(['at://9', 'k1', 'k2']);
});

describe('a thread that refuses', () => {
  test.each<ErrorCode>(['channel-not-found', 'channel-message-gone', 'channel-unreadable'])(
    'with %s holds back no other message, and the next one counts what was not sent',
    async (code) => {
      const world = aChannelWorld();
      world.refuses['k1'] = refusal(code);
      const result = await send(world, burst(3));
      expect(world.sent.map(({ key, dropped }) => [key, dropped])).toEqual([
        ['k2', 1],
        ['k3', 0],
      ]);
      const isGone = code === 'channel-not-found' || code === 'channel-message-gone';
      const gone = isGone ? { gone: { 'thread/7/1': ASKED } } : {};
      expect(result).toMatchObject({ settled: ['k1', 'k2', 'k3'], dropped: 0, ...gone });
      expect('gone' in result).toBe(isGone);
    },
  );

  test.each<ErrorCode>(['channel-archived', 'channel-not-invited', 'channel-restricted'])(
    'with %s, which its owner can undo, has its message wait, and holds back no other',
    async (code) => {
      const world = aChannelWorld();
      world.refuses['k1'] = refusal(code);
      const result = await send(world, burst(3));
      expect(keysOf(world)).toEqual(['k2', 'k3']);
      expect(result).toMatchObject({ settled: ['k2', 'k3'], dropped: 0 });
    },
  );

  test('that refuses for a while is asked once, and nothing of its issue overtakes what waits', async () => {
    const world = aChannelWorld();
    world.refuses['k1'] = refusal('channel-archived');
    const [first, second] = burst(2);
    if (first === undefined || second === undefined) throw new Error('two were made');
    const next = { ...first, key: 'next', at: NOW + 5 };
    const failed = { event: 'failed', reason: 'no' } as const;
    next.announcement = { ...failed, subject: first.announcement.subject };
    first.announcement = { ...failed, subject: first.announcement.subject };
    const result = await send(world, [first, second, next]);
    expect(keysOf(world)).toEqual(['k2']);
    expect(result).toEqual({ settled: ['k2'], dropped: 0, heads: expect.any(Object) as object });
  });

  test.each<ErrorCode>(['channel-unauthorised', 'channel-forbidden'])(
    'with %s, which is not about one place, ends the effect',
    async (code) => {
      const world = aChannelWorld();
      world.refuses['k1'] = refusal(code);
      await expect(send(world, burst(3))).rejects.toBe(world.refuses['k1']);
    },
  );
});

describe('a channel for announcements that refuses', () => {
  const closed = refusal('channel-archived');

  test('holds back nothing that goes to a thread: only the others are tried again', async () => {
    const world = aChannelWorld();
    Object.assign(world.refuses, { k2: closed, k3: closed });
    const [asked, ...others] = burst(3);
    const result = await send(world, [...others, ...(asked === undefined ? [] : [asked])]);
    expect(keysOf(world)).toEqual(['k1']);
    expect(result).toMatchObject({ settled: ['k1'], dropped: 0, isRefused: true });
  });

  test('ends the effect where nothing can be sent, and is tried once', async () => {
    const world = aChannelWorld();
    world.refuses['k1'] = closed;
    await expect(send(world, burst(3), { threads: {} })).rejects.toBe(closed);
    expect(world.sent).toEqual([]);
  });
});
