/** What only Bluesky has: a session that is kept, posts that cannot be edited, and records with keys of their own. */
import type { AtpSessionData } from '@atproto/api';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkBluesky } from '../../../src/adapters/bluesky/check-bluesky.ts';
import { createBluesky } from '../../../src/adapters/bluesky/create-bluesky.ts';
import { readBlueskySettings } from '../../../src/adapters/bluesky/bluesky-settings.ts';
import { recordKey } from '../../../src/adapters/bluesky/record-key.ts';
import { asObject } from '../../../src/emulator/chat/bluesky/bluesky-records.ts';
import { about, post, says } from '../../contract/channel.ts';
import { aBlueskyWorld, type BlueskyTestWorld } from './bluesky-world.ts';
import { verifies } from '../../verifies.ts';

const MERGED = about({ event: 'merged', by: 'ann' });
const HOUR_MS = 3_600_000;

let world: BlueskyTestWorld;
beforeEach(async () => {
  world = await aBlueskyWorld();
});
afterEach(() => world.close());

const methods = (): string[] =>
  world.emulator.calls.map(({ method }) => method.split('.').at(-1) ?? '');
const count = (method: string): number => methods().filter((each) => each === method).length;

describe('what is private', () => {
  const PRIVATE = about({ event: 'merged' }, { isPrivate: true });

  test.each([
    [
      'an announcement of a repository that is private now',
      () => world.open().announce(post('a', MERGED, { isPrivate: true })),
    ],
    [
      'an announcement that was decided when it was',
      () => world.open().announce(post('a', PRIVATE)),
    ],
    [
      'a digest with one',
      () => world.open().announce(post('a', MERGED, { announcements: [MERGED, PRIVATE] })),
    ],
  ])('is never sent: %s', async (_, act) => {
    await expect(act()).rejects.toMatchObject({ code: 'channel-private', retryable: false });
    expect(world.requests()).toBe(0);
  });

  verifies('OUT-04: reply', 'is never sent: a reply', async () => {
    const channel = world.open();
    const thread = await channel.announce(post('a', MERGED));
    const before = world.requests();
    await expect(channel.reply(thread, says('r', 'x', { isPrivate: true }))).rejects.toMatchObject({
      code: 'channel-private',
    });
    expect(world.requests()).toBe(before);
  });
});

describe('a session', () => {
  verifies('OUT-05: session used again', 'is opened once and used for many calls', async () => {
    const channel = world.open();
    await channel.announce(post('a', MERGED));
    await channel.catchUp(undefined);
    expect(count('createSession')).toBe(1);
  });

  verifies('TG-15', 'is renewed by polling before it ends, with its refresh token', async () => {
    const channel = world.open();
    let { cursor } = await channel.catchUp(undefined);
    for (let hours = 0; hours < 100; hours += 1) {
      world.clock.advance(HOUR_MS);
      ({ cursor } = await channel.catchUp(cursor));
    }
    expect([count('createSession'), count('refreshSession')]).toEqual([1, 100]);
    expect(world.emulator.calls.filter(({ status }) => status !== 200)).toEqual([]);
  });

  test('that ended while nobody asked is opened again with the password', async () => {
    const channel = world.open();
    await channel.announce(post('a', MERGED));
    world.clock.advance(91 * 24 * HOUR_MS);
    await channel.announce(post('b', MERGED));
    expect(world.posts()).toHaveLength(2);
    expect(count('createSession')).toBe(2);
  });

  test('of many calls at once is renewed once', async () => {
    const channel = world.open();
    await channel.catchUp(undefined);
    world.clock.advance(3 * HOUR_MS);
    await Promise.all([1, 2, 3].map(() => channel.catchUp(undefined)));
    expect(count('refreshSession')).toBe(1);
  });

  test('is kept over a restart, so that a restart needs no login', async () => {
    let kept: AtpSessionData | undefined;
    const sessions = {
      load: () => Promise.resolve(kept),
      save: (session: AtpSessionData | undefined) => {
        kept = session;
        return Promise.resolve();
      },
    };
    for (const key of ['a', 'b', 'c'])
      await createBluesky({ ...world.parts, sessions }).announce(post(key, MERGED));
    expect(count('createSession')).toBe(1);
    expect(world.posts()).toHaveLength(3);
  });

  test('that is refused is not asked for again within five minutes', async () => {
    const channel = createBluesky({
      ...world.parts,
      settings: { ...world.parts.settings, password: 'wrong' },
    });
    const refused = { code: 'channel-unauthorised', retryable: false };
    for (let tries = 0; tries < 5; tries += 1)
      await expect(channel.catchUp(undefined)).rejects.toMatchObject(refused);
    expect(count('createSession')).toBe(1);
    world.clock.advance(HOUR_MS);
    await expect(channel.catchUp(undefined)).rejects.toMatchObject(refused);
    expect(count('createSession')).toBe(2);
  });

  test('of an account that was taken down is for the owner, and nothing is signed in again', async () => {
    const channel = world.open();
    const thread = await channel.announce(post('a', MERGED));
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({
      error: 'AccountTakedown',
      message: 'Account has been taken down',
    });
    const answer = { status: 401, headers, body };
    // The SDK asks for a new token once, as after every 401.
    for (let time = 0; time < 2; time += 1)
      world.emulator.faults.push({ method: 'com.atproto.repo.putRecord', kind: 'answer', answer });
    await expect(channel.reply(thread, says('r', 'x'))).rejects.toMatchObject({
      code: 'channel-unauthorised',
      message: expect.stringContaining('taken down') as string,
      retryable: false,
    });
    expect(count('createSession')).toBe(1);
  });

  verifies(
    'OUT-05: limit of logins',
    'over the limit of logins says when to try again',
    async () => {
      for (let logins = 0; logins < 30; logins += 1) await world.open().catchUp(undefined);
      await expect(world.open().catchUp(undefined)).rejects.toMatchObject({
        code: 'channel-rate-limited',
        retryAfterMs: 300_000,
      });
    },
  );
});

describe('a post', () => {
  verifies(
    'TG-15',
    'about a repository begins a thread, and the next one follows in it with its card',
    async () => {
      const first = await world.open().announce(post('a', MERGED));
      const second = await world
        .open()
        .announce(post('b', about({ event: 'plan-complete', tasks: 2 }, { number: 13 })));
      expect(second.thread).toBe(first.message);
      const [, below] = world.posts();
      expect(below?.value).toMatchObject({
        reply: { root: { uri: first.message }, parent: { uri: first.message } },
        embed: {
          external: { uri: 'https://github.com/octo/shop/issues/12', title: 'Orders are lost' },
        },
      });
    },
  );

  const parentAt = (place: number): unknown =>
    asObject(asObject(world.posts()[place]?.value['reply'])['parent'])['uri'];

  test('answers the one before it, so that a thread is read in order', async () => {
    const first = await world.open().announce(post('a', MERGED));
    const second = await world.open().announce(post('b', MERGED, { latest: first }));
    const third = await world.open().announce(post('c', MERGED, { latest: second }));
    expect([parentAt(1), parentAt(2)]).toEqual([first.message, second.message]);
    expect(third.thread).toBe(first.thread);
    expect(await world.open().announce(post('c', MERGED, { latest: third }))).toEqual(third);
  });

  test('answers the first one where the one before it was deleted, or is in another thread', async () => {
    const first = await world.open().announce(post('a', MERGED));
    const second = await world.open().announce(post('b', MERGED, { latest: first }));
    const { records } = world.emulator.world;
    world.emulator.world.records = records.filter(({ uri }) => uri !== second.message);
    await world.open().announce(post('c', MERGED, { latest: second }));
    const elsewhere = { ...second, thread: 'at://did:plc:bob/app.bsky.feed.post/1' };
    await world.open().announce(post('d', MERGED, { latest: elsewhere }));
    expect([parentAt(1), parentAt(2)]).toEqual([first.message, first.message]);
  });

  test('is the first also where an older server answers only `InvalidRequest`', async () => {
    const message = 'Could not locate record';
    const answer = {
      status: 400,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ error: 'InvalidRequest', message }),
    };
    world.emulator.faults.push({ method: 'com.atproto.repo.getRecord', kind: 'answer', answer });
    await world.open().announce(post('a', MERGED));
    expect(world.posts()).toHaveLength(1);
  });

  test('with several announcements is looked for only where its key is taken', async () => {
    await world.open().announce(post('a', MERGED, { isDigest: true }));
    expect(count('getRecord')).toBe(0);
    await world.open().announce(post('a', MERGED, { isDigest: true }));
    expect([count('getRecord'), world.posts().length]).toEqual([1, 1]);
  });

  test('has the time of its decision, whenever it is sent', async () => {
    world.clock.advance(20 * HOUR_MS);
    await world.open().announce(post('a', MERGED));
    expect(world.posts()[0]?.value['createdAt']).toBe('2026-06-01T09:00:00.000Z');
  });

  test('takes a reply at once, also where readers do not see it yet', async () => {
    const channel = world.open();
    const thread = await channel.announce(post('a', MERGED));
    const headers = { 'content-type': 'application/json' };
    world.emulator.faults.push({
      method: 'app.bsky.feed.getPosts',
      kind: 'answer',
      answer: { status: 200, headers, body: JSON.stringify({ posts: [] }) },
    });
    await channel.reply(thread, says('r', 'x'));
    expect(world.posts()).toHaveLength(2);
  });

  test('that was deleted takes no reply', async () => {
    const channel = world.open();
    const thread = await channel.announce(post('a', MERGED));
    world.emulator.world.records = [];
    await expect(channel.reply(thread, says('r', 'x'))).rejects.toMatchObject({
      code: 'channel-not-found',
    });
  });

  test('whose every key is taken is refused with the reason', async () => {
    const channel = world.open();
    const thread = await channel.announce(post('a', MERGED));
    for (const key of ['r/1', 'r/1#2', 'r/1#3', 'r/1#4']) world.takeKey?.(key);
    await expect(channel.reply(thread, says('r', 'x'))).rejects.toMatchObject({
      code: 'channel-key-taken',
      retryable: false,
    });
  });

  test('is not liked where the answer is no', async () => {
    const channel = world.open();
    const thread = await channel.announce(post('a', MERGED));
    await channel.react(thread, 'refused');
    expect(world.seen()[0]?.reactions).toEqual([]);
  });
});

test('keys are well formed, the same for the same message, and others for others', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(recordKey(a)).toMatch(/^[234567abcdefghij][2-7a-z]{12}$/);
      expect(recordKey(a) === recordKey(b)).toBe(a === b);
    }),
  );
});

describe('a look', () => {
  test('without news is one request', async () => {
    const channel = world.open();
    await world.say('hello');
    const { cursor } = await channel.catchUp(undefined);
    const before = world.requests();
    expect((await channel.catchUp(cursor)).messages).toEqual([]);
    expect(world.requests() - before).toBe(1);
  });

  test('of more than a page loses nothing', async () => {
    const channel = world.open();
    const { cursor } = await channel.catchUp(undefined);
    for (let said = 0; said < 120; said += 1) await world.say(`number ${said}`);
    const { messages } = await channel.catchUp(cursor);
    expect(messages.map(({ text }) => text)).toEqual(
      Array.from({ length: 120 }, (_, said) => `number ${said}`),
    );
  });

  test('finds two of the same moment, also when the second comes later', async () => {
    const channel = world.open();
    const { cursor } = await channel.catchUp(undefined);
    await world.say('first');
    const heard = await channel.catchUp(cursor);
    await world.say('second');
    const [first, second] = world.posts();
    if (first === undefined || second === undefined) return expect.fail();
    second.indexedAt = first.indexedAt;
    const later = await channel.catchUp(heard.cursor);
    expect(later.messages.map(({ text }) => text)).toEqual(['second']);
    expect((await channel.catchUp(later.cursor)).messages).toEqual([]);
  });
});

describe('settings', () => {
  const ACCOUNT = { BLUESKY_IDENTIFIER: 'team.test', BLUESKY_PASSWORD: 'x' };

  test('without an account the channel is off', () => {
    expect(readBlueskySettings({ BLUESKY_IDENTIFIER: 'team.test' })).toBeUndefined();
    expect(readBlueskySettings({ BLUESKY_PASSWORD: 'x' })).toBeUndefined();
    expect(readBlueskySettings(ACCOUNT)?.service).toBe('https://bsky.social');
  });

  test.each(['http://pds.example', 'nonsense', 'ftp://127.0.0.1'])(
    'the password does not go to %s',
    (service) => {
      expect(() => readBlueskySettings({ ...ACCOUNT, BLUESKY_SERVICE: service })).toThrow(
        'is not an `https://` address',
      );
    },
  );
});

const LIMITED = { kind: 'answer', answer: { status: 429, headers: {}, body: '{}' } } as const;
test.each([
  ['warns where Bluesky is not reached, as its address may be wrong', { kind: 'cut' }, 'warn'],
  ['skips what a rate limit does not let it check, and names nothing to fix', LIMITED, 'skip'],
] as const)('the doctor %s', async (_, fault, level) => {
  world.emulator.faults.push({
    method: 'com.atproto.server.createSession',
    ...fault,
    times: Infinity,
  });
  const fix = expect.stringContaining('BLUESKY_SERVICE') as string;
  const unchecked = expect.stringMatching(/^not checked: /) as string;
  expect(await checkBluesky(world.parts)).toEqual([
    { level, about: 'Bluesky', says: unchecked, ...(level === 'warn' && { fix }) },
  ]);
});

test('the doctor tells whether the account lets us in', async () => {
  expect(await checkBluesky(world.parts)).toMatchObject([{ level: 'ok', says: '@team.test' }]);
  world.revoke();
  expect(await checkBluesky(world.parts)).toMatchObject([
    { level: 'fail', fix: expect.stringContaining('BLUESKY_PASSWORD') as string },
  ]);
});
