/** The picture of a card: uploaded with its post, described in words, and never a reason to hold the post back. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBluesky } from '../../../src/adapters/bluesky/create-bluesky.ts';
import { drawPicture } from '../../../src/adapters/bluesky/draw-picture.ts';
import type { Announced } from '../../../src/domain/channel/announce/announcement.ts';
import { PICTURE_TEXTS } from '../../../src/domain/channel/bluesky/card-picture.ts';
import { asObject } from '../../../src/emulator/chat/bluesky/bluesky-records.ts';
import type { ChatFault } from '../../../src/emulator/chat/serve.ts';
import { about, post, says } from '../../contract/channel.ts';
import { verifies } from '../../verifies.ts';
import { aBlueskyWorld, type BlueskyTestWorld } from './bluesky-world.ts';

const MERGED = about({ event: 'merged', by: 'ann' });
const UPLOAD = 'com.atproto.repo.uploadBlob';

let world: BlueskyTestWorld;
beforeEach(async () => {
  world = await aBlueskyWorld();
});
afterEach(() => world.close());

const cards = (): Record<string, unknown>[] =>
  world.posts().map(({ value }) => asObject(asObject(value['embed'])['external']));
const uploads = (): number => world.emulator.calls.filter(({ method }) => method === UPLOAD).length;

verifies('TG-15', 'a card has a picture, and its description says what it shows', async () => {
  await world.open().announce(post('a', MERGED));
  const [blob] = world.emulator.world.blobs.values();
  expect(blob).toEqual({ bytes: Buffer.from(drawPicture('done')), type: 'image/png' });
  const [cid] = world.emulator.world.blobs.keys();
  expect(cards()).toMatchObject([
    {
      thumb: { $type: 'blob', ref: { $link: cid }, mimeType: 'image/png' },
      description:
        'octo/shop#12 Orders are lost: merged by ann (Picture: a white check mark on green.)',
    },
  ]);
});

test.each([
  [{ event: 'failed', reason: 'no disk' }, 'failed'],
  [{ event: 'needs-human', question: 'Which one?' }, 'waiting'],
  [{ event: 'run-started', run: 'review', personas: [] }, 'news'],
] as const satisfies readonly (readonly [Announced, string])[])(
  'the picture follows from what happened: %j is %s',
  async (announced, picture) => {
    await world.open().announce(post('a', about(announced)));
    expect([...world.emulator.world.blobs.values()]).toMatchObject([
      { bytes: Buffer.from(drawPicture(picture)) },
    ]);
    expect(cards()[0]?.['description']).toContain(PICTURE_TEXTS[picture]);
  },
);

test('a reply has no card, and uploads nothing', async () => {
  const channel = world.open();
  const thread = await channel.announce(post('a', MERGED));
  await channel.reply(thread, says('r', 'It is done.'));
  expect(uploads()).toBe(1);
});

const refusal = (status: number, error: string): ChatFault => ({
  method: UPLOAD,
  kind: 'answer',
  times: Infinity,
  answer: {
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ error, message: error }),
  },
});

test.each([
  ['is too large', refusal(413, 'PayloadTooLarge')],
  ['is of a kind that Bluesky does not take', refusal(400, 'InvalidMimeType')],
  ['comes over the limit', refusal(429, 'RateLimitExceeded')],
  ['fails', refusal(500, 'InternalServerError')],
  ['is cut off', { method: UPLOAD, kind: 'cut', times: Infinity }],
] satisfies [string, ChatFault][])(
  'a post goes without a picture whose upload %s, and the log says so once',
  async (_, fault) => {
    const logged: string[] = [];
    const log = { warn: (__: object, message: string) => void logged.push(message) };
    const channel = createBluesky({ ...world.parts, log });
    world.emulator.faults.push(fault);
    await channel.announce(post('a', MERGED));
    await channel.announce(post('b', MERGED));
    const description = 'octo/shop#12 Orders are lost: merged by ann';
    const uri = 'https://github.com/octo/shop/issues/12';
    const card = { uri, title: 'Orders are lost', description };
    expect(cards()).toEqual([card, card]);
    expect(logged).toEqual(['card picture refused; posts go without it']);
  },
);

test('a picture that no session may upload costs one login in ten minutes', async () => {
  const logins = (): number =>
    world.emulator.calls.filter(({ method }) => method.endsWith('createSession')).length;
  const channel = world.open();
  world.emulator.faults.push(refusal(400, 'InvalidToken'));
  await channel.announce(post('a', MERGED));
  const first = logins();
  await channel.announce(post('b', MERGED));
  await channel.announce(post('c', MERGED));
  expect([logins(), cards().length, uploads()]).toEqual([first, 3, 2]);
  world.clock.advance(600_000);
  await channel.announce(post('d', MERGED));
  expect([uploads(), cards().length]).toEqual([4, 4]);
});

test.each([
  ['over 1,000,000 bytes, which only the post refuses', 1_000_001],
  ['over 5 MB, which the upload refuses', 5 * 1024 * 1024 + 1],
])('a post goes without a picture of %s', async (_, size) => {
  const logged: string[] = [];
  const log = { warn: (__: object, message: string) => void logged.push(message) };
  const channel = createBluesky({ ...world.parts, log, draw: () => new Uint8Array(size) });
  await channel.announce(post('a', MERGED));
  expect(cards()).toMatchObject([{ title: 'Orders are lost' }]);
  expect(cards()[0]).not.toHaveProperty('thumb');
  expect(logged).toHaveLength(1);
});

test('a post that the server fails to write with its picture goes without it, and only then is the picture blamed', async () => {
  const logged: string[] = [];
  const log = { warn: (__: object, message: string) => void logged.push(message) };
  const channel = createBluesky({ ...world.parts, log });
  const method = 'com.atproto.repo.putRecord';
  world.emulator.faults.push({ ...refusal(500, 'InternalServerError'), method, times: 2 });
  await expect(channel.announce(post('a', MERGED))).rejects.toMatchObject({ retryable: true });
  expect(logged).toEqual([]);
  world.emulator.faults.push({ ...refusal(500, 'InternalServerError'), method, times: 1 });
  await channel.announce(post('a', MERGED));
  expect(cards()).toMatchObject([{ title: 'Orders are lost' }]);
  expect(cards()[0]).not.toHaveProperty('thumb');
  expect(logged).toHaveLength(1);
});

test('an upload with a session that ended opens another, and the post has its picture', async () => {
  const channel = world.open();
  await channel.announce(post('a', MERGED));
  world.emulator.faults.push({ ...refusal(400, 'InvalidToken'), times: 1 });
  await channel.announce(post('b', about({ event: 'merged' }, { repositoryId: 8 })));
  expect(cards().map((card) => 'thumb' in card)).toEqual([true, true]);
});

test('an upload that accepts no session holds back no post', async () => {
  world.emulator.faults.push(refusal(400, 'InvalidToken'));
  await world.open().announce(post('a', MERGED));
  expect(cards()).toMatchObject([{ title: 'Orders are lost' }]);
  expect(cards()[0]).not.toHaveProperty('thumb');
});

test('the picture of a post below the first one is uploaded once', async () => {
  await world.open().announce(post('a', MERGED));
  await world.open().announce(post('b', MERGED));
  expect([uploads(), cards().length]).toEqual([2, 2]);
});

test('a post whose answer was lost keeps its picture when it is sent again', async () => {
  world.loseAnswer();
  await expect(world.open().announce(post('a', MERGED))).rejects.toMatchObject({
    retryable: true,
  });
  await world.open().announce(post('a', MERGED));
  expect(cards()).toMatchObject([{ thumb: { $type: 'blob' } }]);
});

test('every picture is a PNG that Bluesky takes, and differs from the others', () => {
  const all = (['done', 'failed', 'waiting', 'news'] as const).map(drawPicture);
  for (const png of all) {
    expect(Buffer.from(png.subarray(1, 4)).toString()).toBe('PNG');
    expect(png.length).toBeLessThan(50_000);
  }
  expect(new Set(all.map((png) => Buffer.from(png).toString('base64'))).size).toBe(4);
});

test('the page shows the picture of a card', async () => {
  await world.open().announce(post('a', MERGED));
  const html = await (await fetch(world.emulator.url)).text();
  const src = /<img src="([^"]+)" alt="">/.exec(html)?.[1] ?? '';
  const picture = await fetch(new URL(src, world.emulator.url));
  expect(Buffer.from(await picture.arrayBuffer())).toEqual(Buffer.from(drawPicture('done')));
});
