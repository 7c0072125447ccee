/** Posts of the owner that link to GitHub and mention nobody: which of them the team gets, and what a look costs. */
import type { Channel } from '../../../src/ports/channel.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkBluesky } from '../../../src/adapters/bluesky/check-bluesky.ts';
import { createBluesky } from '../../../src/adapters/bluesky/create-bluesky.ts';
import { readBlueskySettings } from '../../../src/adapters/bluesky/bluesky-settings.ts';
import { recordKey } from '../../../src/adapters/bluesky/record-key.ts';
import { writeRecord } from '../../../src/emulator/chat/bluesky/bluesky-world.ts';
import { aBlueskyWorld, TEAM, type BlueskyTestWorld } from './bluesky-world.ts';
import { verifies } from '../../verifies.ts';

const OWNER = { did: 'did:plc:bob', handle: 'bob.test' };
const PULL = 'https://github.com/octo/shop/pull/3';
const POST = 'app.bsky.feed.post';
const NOTIFICATIONS = 'app.bsky.notification.listNotifications';

let world: BlueskyTestWorld;
let count = 0;
beforeEach(async () => {
  world = await aBlueskyWorld();
});
afterEach(() => world.close());

function open(owner = OWNER.did): Channel {
  return createBluesky({ ...world.parts, settings: { ...world.parts.settings, owner } });
}

function write(value: object, { did = OWNER.did, collection = POST } = {}) {
  count += 1;
  const at = { did, collection, rkey: recordKey(`shared ${count}`) };
  const createdAt = new Date(world.clock.now()).toISOString();
  return writeRecord(world.emulator.world, at, { $type: collection, createdAt, ...value });
}

function marked(uri: string): object {
  const index = { byteStart: 0, byteEnd: 4 };
  return { facets: [{ index, features: [{ $type: 'app.bsky.richtext.facet#link', uri }] }] };
}

function card(uri: string): object {
  return { $type: 'app.bsky.embed.external', external: { uri, title: 'A', description: 'B' } };
}

/** Both are looked at once, so that everything later is new. */
async function ready(channel: Channel): Promise<string> {
  return (await channel.catchUp((await channel.catchUp(undefined)).cursor)).cursor;
}

async function heardFrom(channel: Channel, cursor: string) {
  const first = await channel.catchUp(cursor);
  const second = await channel.catchUp(first.cursor);
  return {
    messages: [...first.messages, ...second.messages],
    cursor: second.cursor,
  };
}

test('a post of the owner with a link arrives once, with its thread, as one that speaks to nobody', async () => {
  const channel = open();
  const cursor = await ready(channel);
  const post = write({ text: `Look what we merged: ${PULL}` });
  const heard = await heardFrom(channel, cursor);
  expect(heard.messages).toMatchObject([
    {
      id: `bluesky/${post.uri}`,
      thread: post.uri,
      author: { id: OWNER.did, isBot: false },
      why: 'shared',
      links: [PULL],
    },
  ]);
  expect((await heardFrom(channel, heard.cursor)).messages).toEqual([]);
});

verifies(
  'TG-15',
  'links that are marked come first, then those of cards, then those in the text',
  async () => {
    const channel = open();
    const cursor = await ready(channel);
    const [a, b, c] = [1, 2, 3].map((number) => `https://github.com/octo/shop/issues/${number}`);
    write({ text: `text ${c}`, embed: card(b ?? ''), ...marked(a ?? '') });
    write({
      text: 'a quoted post with a card',
      embed: { $type: 'app.bsky.embed.recordWithMedia', media: card(b ?? ''), record: {} },
    });
    const { messages } = await heardFrom(channel, cursor);
    expect(messages.map(({ links }) => links)).toEqual([[a, b, c], [b]]);
  },
);

describe('is left alone:', () => {
  test.each<[string, () => void]>([
    ['a post without a link', () => write({ text: 'A fine day' })],
    ['a link to another place', () => write({ text: 'See https://example.com/octo/shop/pull/3' })],
    [
      'a reply in a conversation',
      () => {
        const { uri, cid } = write({ text: 'news' }, { did: TEAM.did });
        write({ text: PULL, reply: { root: { uri, cid }, parent: { uri, cid } } });
      },
    ],
    [
      'a repost of what somebody else said',
      () => {
        const { uri, cid } = write({ text: PULL }, { did: 'did:plc:eve' });
        write({ subject: { uri, cid } }, { collection: 'app.bsky.feed.repost' });
      },
    ],
    ['a post of anybody else', () => write({ text: PULL }, { did: TEAM.did })],
  ])('%s', async (_, act) => {
    const channel = open();
    const cursor = await ready(channel);
    act();
    const { messages } = await heardFrom(channel, cursor);
    expect(messages.filter(({ why }) => why === 'shared')).toEqual([]);
  });

  test('our own announcements, where the account is the owner', async () => {
    const channel = open(TEAM.did);
    const cursor = await ready(channel);
    write({ text: PULL }, { did: TEAM.did });
    expect((await heardFrom(channel, cursor)).messages).toEqual([]);
  });

  test('what was posted before the first look', async () => {
    write({ text: PULL });
    const channel = open();
    expect((await heardFrom(channel, await ready(channel))).messages).toEqual([]);
  });

  test('what was posted before somebody became the owner', async () => {
    const { cursor } = await world.open().catchUp(undefined);
    write({ text: PULL });
    expect((await heardFrom(open(), cursor)).messages).toEqual([]);
  });
});

test('a post that mentions the team arrives once, as a mention', async () => {
  const channel = open();
  const cursor = await ready(channel);
  await world.say(`what of ${PULL}?`);
  const { messages } = await heardFrom(channel, cursor);
  expect(messages.map(({ why }) => why)).toEqual(['mention']);
});

test('of many posts at once the newest three arrive, and the others never', async () => {
  const channel = open();
  const cursor = await ready(channel);
  for (let number = 1; number <= 5; number += 1)
    write({ text: `https://github.com/octo/shop/issues/${number}` });
  const heard = await heardFrom(channel, cursor);
  expect(heard.messages.map(({ links }) => links[0]?.at(-1))).toEqual(['3', '4', '5']);
  expect((await heardFrom(channel, heard.cursor)).messages).toEqual([]);
});

describe('a look', () => {
  verifies(
    'TG-15',
    'is one request, and mentions and posts take turns within 45 seconds',
    async () => {
      const channel = open();
      let cursor = await ready(channel);
      const before = world.requests();
      for (let looks = 1; looks <= 6; looks += 1) {
        ({ cursor } = await channel.catchUp(cursor));
        expect(world.requests() - before).toBe(looks);
      }
      const asked = world.emulator.calls
        .slice(before)
        .map(({ method }) => method.split('.').at(-1));
      const both = ['getAuthorFeed', 'listNotifications'];
      expect(asked).toEqual([...both, ...both, ...both]);
      expect((channel.pollMs ?? Infinity) * 2).toBeLessThanOrEqual(45_000);
    },
  );

  test('without news changes no cursor, so that nothing is stored', async () => {
    const channel = open();
    const cursor = await ready(channel);
    expect((await heardFrom(channel, cursor)).cursor).toBe(cursor);
  });

  test('at the posts that fails is a look at the mentions at once, and says what failed', async () => {
    const cursor = await ready(open());
    await world.say('hello');
    const channel = open('nobody.test');
    const heard = await channel.catchUp(cursor);
    expect(heard.messages.map(({ why }) => why)).toEqual(['mention']);
    expect(heard.unread).toMatchObject({ code: 'channel-invalid' });
    expect((await channel.catchUp(heard.cursor)).messages).toEqual([]);
  });

  test('at the mentions that fails is a look at the posts at once, and the mention is read later', async () => {
    const cursor = await ready(open());
    await world.say('hello');
    write({ text: PULL });
    const channel = open();
    const first = await channel.catchUp(cursor);
    expect(first.messages.map(({ why }) => why)).toEqual(['shared']);
    world.emulator.faults.push({ method: NOTIFICATIONS, kind: 'cut' });
    write({ text: PULL });
    const second = await channel.catchUp(first.cursor);
    expect(second.messages.map(({ why }) => why)).toEqual(['shared']);
    expect(second.unread).toMatchObject({ code: 'channel-unavailable' });
    await channel.catchUp(second.cursor);
    const last = await channel.catchUp(second.cursor);
    expect(last.messages.map(({ why }) => why)).toEqual(['mention']);
  });

  test('that fails for both is a failure', async () => {
    const channel = open();
    const cursor = await ready(channel);
    world.emulator.faults.push({ method: '*', kind: 'cut', times: 2 });
    await expect(channel.catchUp(cursor)).rejects.toMatchObject({ code: 'channel-unavailable' });
    expect((await channel.catchUp(cursor)).messages).toEqual([]);
  });

  test('without an owner asks for no posts', async () => {
    const channel = world.open();
    const { cursor } = await channel.catchUp(undefined);
    await channel.catchUp(cursor);
    const methods = world.emulator.calls.map(({ method }) => method);
    expect(methods.filter((each) => each.endsWith('getAuthorFeed'))).toEqual([]);
    expect(channel.pollMs).toBe(45_000);
  });
});

test('the owner is a DID or a handle, with or without the sign before it', () => {
  const env = { BLUESKY_IDENTIFIER: 'team.test', BLUESKY_PASSWORD: 'x' };
  expect(readBlueskySettings(env)).not.toHaveProperty('owner');
  expect(readBlueskySettings({ ...env, BLUESKY_OWNER: ' @bob.test ' })?.owner).toBe('bob.test');
});

test('the doctor says whose posts are looked at, and when there is no such account', async () => {
  const check = (owner: string) =>
    checkBluesky({ ...world.parts, settings: { ...world.parts.settings, owner } });
  expect((await check('bob.test'))[1]).toMatchObject({
    level: 'ok',
    says: expect.stringContaining('access.identities') as string,
  });
  expect((await check('nobody.test'))[1]).toMatchObject({
    level: 'fail',
    fix: expect.stringContaining('BLUESKY_OWNER') as string,
  });
});
