/** Somebody whom the settings name asks on Bluesky: the link says what about, and the answer is a reply there. */
import { describe, expect, test } from 'vitest';
import { recordKey } from '../../src/adapters/bluesky/record-key.ts';
import { parentOf, rootOf } from '../../src/emulator/chat/bluesky/bluesky-views.ts';
import { writeRecord, type BlueskyRecord } from '../../src/emulator/chat/bluesky/bluesky-world.ts';
import { aChatWorld, CHAT_SETTINGS, type ChatWorld } from '../helpers/a-chat-world.ts';
import { REPO } from '../helpers/a-world.ts';
import { waitUntil } from '../helpers/wait-until.ts';
import { anIssue } from '../helpers/talking.ts';
import { verifies } from '../verifies.ts';

const BEN = { did: 'did:plc:ben', handle: 'ben.test', password: '' };
const MENTION = { $type: 'app.bsky.richtext.facet#mention', did: 'did:plc:quorum' };
const SETTINGS = `${CHAT_SETTINGS}access:\n  identities:\n    - github: ana\n      bluesky: ${BEN.did}\n`;

async function aWorldWith(settings: string, env: Record<string, string> = {}): Promise<ChatWorld> {
  const chats = await aChatWorld({ files: { '.github/quorum.yml': settings }, env }, [BEN]);
  await anIssue(chats.world);
  await chats.world.idle();
  // The first look after the very first start hears nothing old.
  await waitUntil(async () => (await chats.world.store.load('cursor:bluesky')) !== undefined);
  return chats;
}

/** Posts with a link, with a mention of the account or without, then lets the App look at its notifications. */
async function post(
  chats: ChatWorld,
  {
    said = 'where is the entry point?',
    by = BEN.did,
    isMention = true,
    reply = undefined as { root: BlueskyRecord; parent: BlueskyRecord } | undefined,
  } = {},
): Promise<BlueskyRecord> {
  const { bluesky, world } = chats;
  const link = `http://${world.emulator.host}/${REPO}/issues/1`;
  const mention = '@quorum.test';
  const text = `${isMention ? `${mention} ` : ''}${said} ${link}`;
  const bytes = (part: string): number => Buffer.byteLength(part);
  const start = bytes(text) - bytes(link);
  const facet = (feature: object, byteStart: number, byteEnd: number): object => ({
    index: { byteStart, byteEnd },
    features: [feature],
  });
  const rkey = recordKey(`${said} ${bluesky.world.records.length}`);
  const written = writeRecord(
    bluesky.world,
    { did: by, collection: 'app.bsky.feed.post', rkey },
    {
      $type: 'app.bsky.feed.post',
      text,
      createdAt: new Date().toISOString(),
      ...(reply !== undefined && {
        reply: { root: refOf(reply.root), parent: refOf(reply.parent) },
      }),
      facets: [
        ...(isMention ? [facet(MENTION, 0, bytes(mention))] : []),
        facet({ $type: 'app.bsky.richtext.facet#link', uri: link }, start, bytes(text)),
      ],
    },
  );
  const looks = (): number =>
    bluesky.calls.filter(({ method }) => method.endsWith(isMention ? 'listNotifications' : 'Feed'))
      .length;
  // The App looks at once after its start, and then every 45 seconds.
  const before = looks();
  await world.stopApp();
  await world.startApp();
  await waitUntil(() => looks() > before);
  await waitUntil(async () => (await world.store.records.counts()).events.pending === 0);
  await world.idle();
  return written;
}

function refOf({ uri, cid }: BlueskyRecord): { uri: string; cid: string } {
  return { uri, cid };
}

function repliesTo({ bluesky }: ChatWorld, { uri }: BlueskyRecord): string[] {
  return bluesky.world.records
    .filter((each) => each.did === 'did:plc:quorum' && parentOf(each) === uri)
    .map(({ value }) => String(value['text']));
}

test('a question with a link to an issue is asked there, and answered in the thread', async () => {
  const chats = await aWorldWith(SETTINGS);
  const asked = await post(chats);
  const { all } = await chats.world.tell(1);
  expect(all.map(({ body }) => body).join('\n')).toContain(
    '`ana` in Bluesky:\n\n> /pm ask where is the entry point?',
  );
  const answers = repliesTo(chats, asked);
  expect(answers).toHaveLength(1);
  expect(answers[0]).toContain('src/cli.ts');
});

test('a question deep in a thread is answered below itself, with the first post of the thread as its root', async () => {
  const chats = await aWorldWith(SETTINGS);
  chats.bluesky.world.accounts.push({ ...BEN, did: 'did:plc:eve', handle: 'eve.test' });
  const root = await post(chats, { said: 'look at this', by: 'did:plc:eve' });
  const asked = await post(chats, { reply: { root, parent: root } });
  const again = await post(chats, { said: 'and who owns it?', reply: { root, parent: asked } });
  expect(repliesTo(chats, root)).toEqual([]);
  for (const each of [asked, again]) expect(repliesTo(chats, each)).toHaveLength(1);
  const answers = chats.bluesky.world.records.filter(
    (each) => each.did === 'did:plc:quorum' && each.value['reply'] !== undefined,
  );
  expect(answers.length).toBeGreaterThan(1);
  for (const each of answers) expect(rootOf(each)).toBe(root.uri);
});

test('a question that is deleted before its answer is answered on GitHub alone, and holds up no later one', async () => {
  const chats = await aWorldWith(SETTINGS);
  const { bluesky, world } = chats;
  bluesky.faults.push({
    method: 'app.bsky.feed.getPosts',
    kind: 'answer',
    times: Infinity,
    answer: { status: 503, headers: {}, body: '{"error":"Unavailable","message":"later"}' },
  });
  const asking = post(chats);
  await waitUntil(async () => (await world.tell(1)).comments.length > 1);
  bluesky.world.records = bluesky.world.records.filter(({ did }) => did !== BEN.did);
  bluesky.faults.length = 0;
  const asked = await asking;
  expect((await world.tell(1)).comments.at(-1)).toContain('src/cli.ts');
  expect(repliesTo(chats, asked)).toEqual([]);
  const ended = await world.store.records.effects({ status: 'refused', limit: 20 });
  expect(ended.map(({ data }) => data.kind)).toContain('chat-reply');
  const again = await post(chats, { said: 'where does it start?' });
  const answers = repliesTo(chats, again);
  expect(answers).toHaveLength(1);
  expect(answers[0]).toContain('1 older message was dropped');
});

verifies(
  'OUT-08: strangers on Bluesky',
  'people whom the settings do not name ask nothing, and no post answers them',
  async () => {
    const chats = await aWorldWith(SETTINGS);
    chats.bluesky.world.accounts.push({ ...BEN, did: 'did:plc:eve', handle: 'ana.test' });
    const asked = await post(chats, { by: 'did:plc:eve', said: '/pm hold' });
    expect((await chats.world.tell(1)).all).toEqual([]);
    expect(repliesTo(chats, asked)).toEqual([]);
    expect(chats.bluesky.world.records.filter(({ did }) => did === 'did:plc:quorum')).toEqual([]);
  },
);

test('looks at what is new call no model before somebody asks who may', async () => {
  const chats = await aWorldWith(SETTINGS);
  const calls = async (): Promise<number> =>
    (await chats.world.store.records.spent({ since: new Date(0).toISOString() })).calls;
  const before = await calls();
  chats.bluesky.world.accounts.push({ ...BEN, did: 'did:plc:eve', handle: 'eve.test' });
  await post(chats, { by: 'did:plc:eve' });
  expect(await calls()).toBe(before);
  await post(chats);
  expect(await calls()).toBeGreaterThan(before);
});

describe('a post of the owner that mentions nobody', () => {
  const OWNED = { BLUESKY_OWNER: BEN.handle };
  const asOwner = { isMention: false, said: 'here we look for the entry point' };

  test('is a question on what it links to, and is answered in its thread once', async () => {
    const chats = await aWorldWith(SETTINGS, OWNED);
    const shared = await post(chats, asOwner);
    expect((await chats.world.tell(1)).all.map(({ body }) => body).join('\n')).toContain(
      '`ana` in Bluesky:\n\n> /pm ask here we look for the entry point',
    );
    const answers = repliesTo(chats, shared);
    expect(answers).toHaveLength(1);
    expect(answers[0]).toContain('src/cli.ts');
    await chats.world.stopApp();
    await chats.world.startApp();
    await chats.world.idle();
    expect(repliesTo(chats, shared)).toHaveLength(1);
  });

  test('approves nothing and waits for no code, where the settings do not name the account', async () => {
    const chats = await aWorldWith(CHAT_SETTINGS, OWNED);
    await post(chats, { ...asOwner, said: '/pm hold' });
    expect((await chats.world.tell(1)).all).toEqual([]);
    expect(chats.bluesky.world.records.filter(({ did }) => did === 'did:plc:quorum')).toEqual([]);
  });

  test('is not even read without the setting', async () => {
    const chats = await aWorldWith(SETTINGS);
    expect(chats.bluesky.calls.filter(({ method }) => method.endsWith('Feed'))).toEqual([]);
  });
});
