/** The adapter against the real server of Bluesky's accounts: what it accepts and refuses is not ours to decide. */
import type { Channel } from '../../../src/ports/channel.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkBluesky } from '../../../src/adapters/bluesky/check-bluesky.ts';
import { createBluesky } from '../../../src/adapters/bluesky/create-bluesky.ts';
import type { BlueskyParts } from '../../../src/adapters/bluesky/bluesky-session.ts';
import { drawPicture } from '../../../src/adapters/bluesky/draw-picture.ts';
import { recordKey } from '../../../src/adapters/bluesky/record-key.ts';
import { systemClock } from '../../../src/adapters/system/system-clock.ts';
import { parentOf } from '../../../src/emulator/chat/bluesky/bluesky-views.ts';
import { asObject } from '../../../src/emulator/chat/bluesky/bluesky-records.ts';
import { about, post, says } from '../../contract/channel.ts';
import { HAS_PDS, startRealPds, type RealPds } from './a-real-pds.ts';

const MERGED = about({ event: 'merged', by: 'ann' });
const PULL = 'https://github.com/octo/shop/pull/3';
/** Accounts are new for each test, so that no message is older than it. */
const at = new Date().toISOString();

describe.skipIf(!HAS_PDS)('on a real PDS', () => {
  let pds: RealPds;
  let team: Awaited<ReturnType<RealPds['signUp']>>;
  let count = 0;
  beforeAll(async () => {
    pds = await startRealPds();
  }, 60_000);
  afterAll(() => pds.close());
  beforeEach(async () => {
    count += 1;
    team = await pds.signUp(`team${count}`);
  });

  const parts = (over: Partial<BlueskyParts['settings']> = {}): BlueskyParts => ({
    settings: { service: pds.url, identifier: team.handle, password: team.password, ...over },
    clock: systemClock,
  });
  const open = (over: Partial<BlueskyParts['settings']> = {}): Channel =>
    createBluesky(parts(over));
  const records = async (collection = 'app.bsky.feed.post') =>
    (await pds.read()).records.filter(
      (each) => each.did === team.did && each.collection === collection,
    );
  const texts = async (): Promise<string[]> =>
    (await records()).map(({ value }) => String(value['text']));

  test('an announcement is one post with a link and a card, however often it is sent', async () => {
    const first = await open().announce(post('a', MERGED, { at }));
    expect(await open().announce(post('a', MERGED, { at }))).toEqual(first);
    const all = await Promise.allSettled(
      [open(), open()].map((channel) => channel.announce(post('b', MERGED, { at }))),
    );
    expect(all.some(({ status }) => status === 'fulfilled')).toBe(true);
    await open().announce(post('b', MERGED, { at }));
    const [head, ...below] = await records();
    const posts = [head, ...below].filter((each) => each !== undefined);
    expect(posts).toHaveLength(2);
    const root = posts.find((each) => parentOf(each) === undefined);
    expect(root?.uri).toBe(first.message);
    expect(root?.value).toMatchObject({
      embed: { external: { uri: 'https://github.com/octo/shop/issues/12' } },
    });
    expect(posts.find((each) => each !== root)?.value).toMatchObject({
      reply: { root: { uri: first.message }, parent: { uri: first.message } },
    });
  });

  test.each([
    ['40,000 characters', 'All is well here. '.repeat(2_223)],
    ['300 emoji with joiners, which are 7,500 bytes', '👨‍👩‍👧‍👦'.repeat(300)],
    ['right-to-left text', 'שלום עולם. '.repeat(200)],
    ['code and a table', '```ts\nconst a = 1;\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n'.repeat(9)],
    ['a storm of mentions', '@bob.test @channel <!here> '.repeat(200)],
  ])('a reply of %s is accepted', async (_, text) => {
    const thread = await open().announce(post('a', MERGED, { at }));
    await open().reply(thread, says('r', text, { at }));
    const before = await texts();
    expect(before.length).toBeGreaterThan(1);
    await open().reply(thread, says('r', text, { at }));
    expect((await texts()).toSorted()).toEqual(before.toSorted());
    expect(JSON.stringify(await records())).not.toContain('facet#mention');
  });

  test('the picture of a card is kept while its post is there', async () => {
    for (let time = 0; time < 2; time += 1) await open().announce(post('a', MERGED, { at }));
    const { did, agent } = team;
    const { data } = await agent.com.atproto.sync.listBlobs({ did });
    const [cid = ''] = data.cids;
    expect(data.cids).toHaveLength(1);
    const blob = await agent.com.atproto.sync.getBlob({ did, cid });
    expect(Buffer.from(blob.data)).toEqual(Buffer.from(drawPicture('done')));
    expect(JSON.stringify(await records())).toContain(cid);
  });

  test.each([
    ['over 1,000,000 bytes', 1_000_001],
    ['over 5 MB', 5 * 1024 * 1024 + 1],
  ])('a post goes without a picture of %s, and the log says so', async (_, size) => {
    const logged: string[] = [];
    const log = { warn: (__: object, message: string) => void logged.push(message) };
    const bytes = Buffer.concat([drawPicture('done'), Buffer.alloc(size)]);
    const draw = (): Uint8Array => bytes;
    await createBluesky({ ...parts(), log, draw }).announce(post('a', MERGED, { at }));
    const [sent, ...others] = await records();
    expect(others).toEqual([]);
    expect(sent?.value).toMatchObject({ embed: { external: { title: 'Orders are lost' } } });
    expect(JSON.stringify(sent?.value)).not.toContain('thumb');
    expect(logged).toEqual(['card picture refused; posts go without it']);
  });

  test('a key that somebody took loses no reply', async () => {
    const thread = await open().announce(post('a', MERGED, { at }));
    const record = { $type: 'app.bsky.feed.post', text: 'somebody else', createdAt: at };
    await team.agent.com.atproto.repo.putRecord({
      repo: team.did,
      collection: 'app.bsky.feed.post',
      rkey: recordKey('r/1'),
      record,
    });
    for (let time = 0; time < 2; time += 1)
      await open().reply(thread, says('r', 'It is done.', { at }));
    expect((await texts()).filter((text) => text.includes('It is done.'))).toHaveLength(1);
    expect(await texts()).toContain('somebody else');
  });

  test('a like is there once', async () => {
    const thread = await open().announce(post('a', MERGED, { at }));
    for (let time = 0; time < 2; time += 1) await open().react(thread, 'seen');
    const likes = await records('app.bsky.feed.like');
    expect(likes.map(({ value }) => asObject(value['subject'])['uri'])).toEqual([thread.message]);
  });

  test('mentions and posts of the owner arrive once, with one request a look', async () => {
    const bob = await pds.signUp(`bob${count}`);
    const channel = open({ owner: bob.did });
    let { cursor } = await channel.catchUp((await channel.catchUp(undefined)).cursor);
    const link = { $type: 'app.bsky.richtext.facet#link', uri: PULL };
    const mention = { $type: 'app.bsky.richtext.facet#mention', did: team.did };
    const facet = (feature: object) => [
      { index: { byteStart: 0, byteEnd: 4 }, features: [feature] },
    ];
    await bob.agent.post({ text: 'look here', facets: facet(link) as never });
    await bob.agent.post({ text: '@you look', facets: facet(mention) as never });
    const before = pds.viewed.length;
    const heard: string[] = [];
    for (let looks = 1; looks <= 4; looks += 1) {
      const found = await channel.catchUp(cursor);
      ({ cursor } = found);
      heard.push(...found.messages.map(({ why, author }) => `${why} of ${author.name}`));
      expect(pds.viewed.length - before).toBe(looks);
    }
    expect(heard.toSorted()).toEqual([`mention of ${bob.handle}`, `shared of ${bob.handle}`]);
  });

  test('a wrong password is for the owner, and the doctor says what to set', async () => {
    await expect(
      open({ password: 'wrong' }).announce(post('a', MERGED, { at })),
    ).rejects.toMatchObject({ code: 'channel-unauthorised', retryable: false });
    expect(await checkBluesky(parts())).toMatchObject([{ level: 'ok', says: `@${team.handle}` }]);
    expect(await checkBluesky(parts({ password: 'wrong' }))).toMatchObject([
      { level: 'fail', fix: expect.stringContaining('BLUESKY_PASSWORD') as string },
    ]);
  });

  test('a session that is renewed goes on, and an account that is gone stops it', async () => {
    let aheadMs = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
    const tokens: unknown[] = [];
    const save = async (session: { accessJwt: string } | undefined): Promise<void> =>
      void tokens.push(session?.accessJwt);
    const sessions = { load: () => Promise.resolve(undefined), save };
    const channel = createBluesky({ ...parts(), clock, sessions });
    await channel.announce(post('a', MERGED, { at }));
    aheadMs = 16 * 60_000;
    await channel.announce(post('b', MERGED, { at }));
    expect(await records()).toHaveLength(2);
    expect(tokens).toHaveLength(2);
    await team.agent.com.atproto.server.deactivateAccount({});
    await expect(channel.announce(post('c', MERGED, { at }))).rejects.toMatchObject({
      code: 'channel-unauthorised',
      message: expect.stringContaining('deactivated') as string,
    });
  });
});
