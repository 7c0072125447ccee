/** What only Slack has: personas, files, places that go away, and the checks of the doctor. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkSlack } from '../../../src/adapters/slack/check-slack.ts';
import { readSlackSettings } from '../../../src/adapters/slack/slack-settings.ts';
import type { ChatFile, ChatPost } from '../../../src/domain/channel/chat-thread.ts';
import { addChannel, sayInSlack } from '../../../src/emulator/chat/slack/slack-world.ts';
import type { ChatAnswer } from '../../../src/emulator/chat/serve.ts';
import { about, post, says } from '../../contract/channel.ts';
import { aSlackWorld, type SlackTestWorld } from './slack-world.ts';
import { verifies } from '../../verifies.ts';

const MERGED = about({ event: 'merged', by: 'ann' });
const MAYA = { name: 'Maya', role: 'Architect', avatarUrl: 'https://example.com/maya.png' };

let world: SlackTestWorld;
beforeEach(async () => {
  world = await aSlackWorld();
});
afterEach(() => world.close());

const start = (): Promise<ChatPost> => world.open().announce(post('a', MERGED));

describe('a persona', () => {
  verifies('NW-17', 'has its own name and picture', async () => {
    await world.open().announce(post('a', MERGED, { as: MAYA }));
    expect(world.room.messages).toMatchObject([
      { username: 'Maya (Architect)', icons: { image_48: MAYA.avatarUrl } },
    ]);
  });

  test('that changes the message of another one is named in the text, as Slack keeps the first name', async () => {
    const channel = world.open();
    const VERDICT = about({ event: 'verdict', verdict: 'ready', details: '' });
    await channel.announce(post('a', MERGED, { as: { name: 'Dev', role: 'Implementer' } }));
    await channel.announce(post('b', VERDICT, { as: MAYA, at: '2026-06-01T09:01:00Z' }));
    expect(world.room.messages).toMatchObject([
      { username: 'Dev (Implementer)', text: expect.stringMatching(/^\*Maya \(Architect\)\*\n/) },
    ]);
    await channel.announce(
      post('c', MERGED, { as: { name: 'Dev', role: 'Implementer' }, at: '2026-06-01T09:02:00Z' }),
    );
    expect(world.room.messages[0]?.text).not.toMatch(/Maya|Dev/);
  });

  test('does not stay the author where nobody of the team changed the message', async () => {
    const channel = world.open();
    await channel.announce(post('a', MERGED, { as: MAYA }));
    await channel.announce(post('b', MERGED, { at: '2026-06-01T09:01:00Z' }));
    expect(world.room.messages).toMatchObject([
      { username: 'Maya (Architect)', text: expect.stringMatching(/^\*Quorum\*\n/) },
    ]);
  });

  test('without that scope is named in the text, and Slack is asked once only', async () => {
    world.emulator.world.scopes.delete('chat:write.customize');
    const channel = world.open();
    const thread = await channel.announce(post('a', MERGED, { as: MAYA }));
    await channel.reply(thread, says('r', 'Done.', { as: MAYA }));
    expect(world.room.messages.map(({ text }) => text.split('\n')[0])).toEqual([
      '*Maya (Architect)*',
      '*Maya (Architect)*',
    ]);
    const posts = world.emulator.calls.filter(({ method }) => method === 'chat.postMessage');
    expect(posts).toHaveLength(3);
  });
});

test('while Slack limits a channel, nothing else is posted there before the time that it named', async () => {
  const thread = await start();
  const posts = (): number =>
    world.emulator.calls.filter(({ method }) => method === 'chat.postMessage').length;
  const before = posts();
  const channel = world.open();
  world.limitNext(30);
  await expect(channel.reply(thread, says('a', 'one'))).rejects.toMatchObject({
    retryAfterMs: 30_000,
  });
  world.clock.advance(10_000);
  await expect(channel.reply(thread, says('b', 'two'))).rejects.toMatchObject({
    code: 'channel-rate-limited',
    retryAfterMs: 20_000,
  });
  expect(posts()).toBe(before + 1);
  world.clock.advance(20_000);
  await channel.reply(thread, says('b', 'two'));
  expect(posts()).toBe(before + 2);
});

describe('a file', () => {
  const CODE = `Look:\n\n\`\`\`ts src/orders.ts\n${'let a = 1;\n'.repeat(30)}\`\`\``;

  test('with long code is there once though the answer was lost', async () => {
    const thread = await start();
    world.emulator.faults.push({ method: 'files.completeUploadExternal', kind: 'lost' });
    await expect(world.open().reply(thread, says('r', CODE))).rejects.toMatchObject({
      retryable: true,
    });
    await world.open().reply(thread, says('r', CODE));
    const files = world.room.messages.flatMap((message) => message.files);
    expect(files.map(({ name }) => name)).toEqual(['orders.ts']);
    expect(files[0]?.bytes?.toString()).toBe('let a = 1;\n'.repeat(30).trimEnd());
  });

  const LONG = `The result.\n\n${Array.from({ length: 1_500 }, (_, at) => `word${at}`).join(' ')}`;

  test('with the whole of a long answer follows its first words, once though the answer was lost', async () => {
    const thread = await start();
    world.emulator.faults.push({ method: 'files.completeUploadExternal', kind: 'lost' });
    await expect(world.open().reply(thread, says('r', LONG))).rejects.toMatchObject({
      retryable: true,
    });
    await world.open().reply(thread, says('r', LONG));
    const [, summary, file, ...others] = world.room.messages;
    expect(summary?.text).toMatch(
      /^The result\.\n\nword0 word1 .*…\n\n_The whole text is below\._$/,
    );
    expect(file?.files.map(({ name, bytes }) => [name, bytes?.toString()])).toEqual([
      ['answer.md', LONG],
    ]);
    expect(others).toEqual([]);
  });

  test('that the App may not send is messages with the same words, each once', async () => {
    world.emulator.world.scopes.delete('files:write');
    const thread = await start();
    await world.open().reply(thread, says('r', LONG));
    await world.open().reply(thread, says('r', LONG));
    const [summary = '', ...full] = world.room.messages.slice(1).map(({ text }) => text);
    expect(summary).toContain('The whole text is below.');
    expect(full.join(' ').replaceAll(/\s+/g, ' ')).toBe(LONG.replaceAll(/\s+/g, ' '));
    expect(Math.max(...full.map(({ length }) => length))).toBeLessThanOrEqual(4_000);
  });

  test('that comes with others is in one message with them, also after a lost answer', async () => {
    const block = (name: string): string =>
      `\`\`\`ts src/${name}.ts\n${'let a = 1;\n'.repeat(30)}\`\`\``;
    const reply = says('r', ['a', 'b', 'c'].map(block).join('\n\n'));
    const thread = await start();
    world.emulator.faults.push({ method: 'files.completeUploadExternal', kind: 'lost' });
    await expect(world.open().reply(thread, reply)).rejects.toMatchObject({ retryable: true });
    await world.open().reply(thread, reply);
    const below = world.room.messages.slice(1).map(({ files }) => files.map(({ name }) => name));
    expect(below).toEqual([[], ['a.ts', 'b.ts', 'c.ts']]);
  });

  test.each([
    ['upload', { status: 413, headers: {}, body: 'too large' }],
    [
      'files.completeUploadExternal',
      {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: '{"ok":false,"error":"file_upload_size_restricted"}',
      },
    ],
    ...['restricted_action', 'file_uploads_disabled'].map((error) => [
      'files.getUploadURLExternal',
      {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ok: false, error }),
      },
    ]),
  ] as [string, ChatAnswer][])(
    'that Slack refuses for good (%s: %o) is a message with the same words',
    async (method, answer) => {
      const thread = await start();
      world.emulator.faults.push({ method, kind: 'answer', answer });
      await world.open().reply(thread, says('r', CODE));
      const [, below, full, ...others] = world.room.messages.map(({ text }) => text);
      expect(below).toContain('is below');
      expect(full?.match(/let a = 1;/g)).toHaveLength(30);
      expect(others).toEqual([]);
    },
  );

  const aFile = (more: Partial<ChatFile> = {}): ChatFile => ({
    id: 'F1',
    name: 'note.txt',
    kind: 'text',
    bytes: 5,
    url: '/files/F1',
    ...more,
  });
  const give = (size: number): void => {
    const stored = { id: 'F1', name: 'note.txt', title: '', size, mimetype: 'text/plain' };
    sayInSlack(world.emulator.world, world.room, {
      user: 'U0HUMAN001',
      text: '',
      files: [{ ...stored, bytes: Buffer.from('x'.repeat(size)) }],
    });
  };

  test('that came with a message is read with the token', async () => {
    give(5);
    expect(Buffer.from(await world.open().readFile(aFile(), 10)).toString()).toBe('xxxxx');
  });

  test.each([
    ['from another host', { url: 'https://evil.example/files/F1' }],
    ['from a host that ends alike', { url: 'https://evilslack.com/files/F1' }],
    ['over plain http', { url: 'http://files.slack.com/F1' }],
    ['that says it is too large', { bytes: 11 }],
    ['that is larger than it says', { bytes: 5 }],
  ])('%s is refused', async (_, more) => {
    give(50);
    await expect(world.open().readFile(aFile(more), 10)).rejects.toMatchObject({
      code: 'channel-file-refused',
    });
  });
});

describe('a place', () => {
  test.each([
    ['archived', 'channel-archived', () => void (world.room.is_archived = true)],
    [
      'one that the App was taken out of',
      'channel-not-invited',
      () => void (world.room.isMember = false),
    ],
    [
      'made private without us',
      'channel-not-found',
      () => void Object.assign(world.room, { is_private: true, isMember: false }),
    ],
    ['read-only for the App', 'channel-restricted', () => void (world.room.isReadOnly = true)],
    ['deleted', 'channel-not-found', () => void world.emulator.world.channels.splice(0)],
  ])('that is %s: the code is %s, and no retry helps', async (_, code, change) => {
    const thread = await start();
    const channel = world.open();
    await channel.announce(post('b', MERGED));
    change();
    const refused = { code, retryable: false };
    await expect(channel.reply(thread, says('r', 'x'))).rejects.toMatchObject(refused);
    await expect(
      channel.announce(post('c', about({ event: 'merged' }, { number: 9 }))),
    ).rejects.toMatchObject(refused);
  });

  test('whose thread was deleted: the code is channel-message-gone, and no retry helps', async () => {
    const thread = await start();
    world.room.messages = [];
    await expect(world.open().reply(thread, says('r', 'x'))).rejects.toMatchObject({
      code: 'channel-message-gone',
      retryable: false,
    });
  });

  test('that the App may not read: a first attempt is posted, and a retry is refused and posts nothing', async () => {
    const thread = await start();
    const body = JSON.stringify({ ok: false, error: 'missing_scope', needed: 'groups:history' });
    const headers = { 'content-type': 'application/json' };
    const answer = { status: 200, headers, body };
    world.emulator.faults.push({ method: 'conversations.replies', kind: 'answer', answer });
    const before = world.room.messages.length;
    await expect(world.open().reply(thread, says('r', 'x'))).rejects.toMatchObject({
      code: 'channel-unreadable',
      retryable: false,
      details: expect.stringContaining('`groups:history`') as string,
    });
    expect(world.room.messages).toHaveLength(before);
    await world.open().reply(thread, { ...says('s', 'x'), isNew: true });
    expect(world.room.messages).toHaveLength(before + 1);
  });

  test('that was renamed is still found by its id', async () => {
    const channel = world.open();
    const thread = await channel.announce(post('a', MERGED));
    world.room.name = 'crew';
    await channel.reply(thread, says('r', 'x'));
    expect(world.room.messages).toHaveLength(2);
  });

  test('may be another one for one announcement', async () => {
    const other = addChannel(world.emulator.world, 'other');
    await world.open().announce(post('a', MERGED, { place: '#other' }));
    expect([world.room.messages.length, other.messages.length]).toEqual([0, 1]);
  });
});

describe('the page of a message', () => {
  test('is at Slack, also of one in a thread', async () => {
    const channel = world.open();
    const to = await channel.announce(post('a', MERGED));
    const { message } = await channel.reply(to, says('r', 'Done.'));
    const page = `https://emulated.slack.com/archives/${to.place}/p`;
    expect(await channel.linkTo?.(to)).toBe(page + to.message.replace('.', ''));
    expect(await channel.linkTo?.({ ...to, message })).toBe(
      `${page}${message.replace('.', '')}?thread_ts=${to.thread}&cid=${to.place}`,
    );
  });

  test.each([
    'http://acme.slack.com/archives/C1/p1',
    'https://acme.slack.com/x) [y](z/archives/C1/p1',
  ])('is not used where Slack names %s', async (permalink) => {
    const channel = world.open();
    const to = await channel.announce(post('a', MERGED));
    const body = JSON.stringify({ ok: true, permalink });
    const headers = { 'content-type': 'application/json' };
    const answer = { status: 200, headers, body };
    world.emulator.faults.push({ method: 'chat.getPermalink', kind: 'answer', answer });
    expect(await channel.linkTo?.(to)).toBeUndefined();
  });
});

describe('a message of a subject that the caller has', () => {
  const LATER = { at: '2026-06-01T10:00:00Z' };
  const fill = (count: number): void => {
    for (let said = 0; said < count; said += 1)
      sayInSlack(world.emulator.world, world.room, { user: 'U0HUMAN001', text: 'chatter' });
  };

  test('is found however far up it is, with one request', async () => {
    const head = await start();
    fill(1_100);
    const channel = world.open();
    const before = world.emulator.calls.length;
    const told = await channel.announce(post('b', MERGED, { ...LATER, head }));
    expect(told.thread).toBe(head.thread);
    expect(world.emulator.calls.slice(before).map(({ method }) => method)).toEqual([
      'conversations.list',
      'auth.test',
      'conversations.history',
      'chat.update',
    ]);
  });

  test('is not found by the search where it is too far up: a new one begins', async () => {
    const head = await start();
    fill(1_100);
    const told = await world.open().announce(post('b', MERGED, LATER));
    expect(told.thread).not.toBe(head.thread);
  });

  test('is not overwritten by an earlier state', async () => {
    const head = await world.open().announce(post('b', MERGED, LATER));
    const proposed = about({ event: 'plan-proposed', tasks: 1, details: '' });
    await world.open().announce(post('a', proposed, { head }));
    expect(world.room.messages[0]?.text).toContain('merged by ann');
  });
});

test('a message of a subject that people deleted is posted again', async () => {
  const first = await start();
  world.room.messages = [];
  const second = await world.open().announce(post('b', MERGED, { at: '2026-06-01T10:00:00Z' }));
  expect(second.thread).not.toBe(first.thread);
  expect(world.room.messages).toHaveLength(1);
});

test('a message that somebody else posted with our key is not ours', async () => {
  const message = sayInSlack(world.emulator.world, world.room, {
    user: 'U0HUMAN001',
    text: 'forged',
  });
  message.metadata = {
    event_type: 'quorum_message',
    event_payload: { key: 'a/head', subject: 'thread/7/12' },
  };
  await start();
  expect(world.room.messages.map(({ text }) => text.includes('merged'))).toEqual([false, true]);
});

test('of two messages that were posted at the same moment the older one stays', async () => {
  const first = await start();
  const channel = world.open();
  // This instance looked before the other one's message was there.
  const nothing = JSON.stringify({ ok: true, messages: [] });
  const headers = { 'content-type': 'application/json' };
  world.emulator.faults.push({
    method: 'conversations.history',
    kind: 'answer',
    answer: { status: 200, headers, body: nothing },
  });
  const second = await channel.announce(post('a', MERGED));
  expect(second).toEqual(first);
  expect(world.room.messages).toHaveLength(1);
});

describe('the doctor', () => {
  const check = (place: string | undefined = '#team') =>
    checkSlack({ settings: world.settings, clock: world.clock }, place);

  test('is content with a token, all scopes and a channel that the App is in', async () => {
    expect((await check()).map(({ level, says: text }) => [level, text])).toEqual([
      ['ok', 'quorum in Emulator'],
      ['ok', 'all granted'],
      ['ok', '#team'],
      ['ok', 'Socket Mode is on'],
      ['skip', expect.stringMatching(/^not checked: .*Interactivity & Shortcuts\.$/)],
    ]);
  });

  test('finds a public channel by its name without the scopes of private ones, and names these', async () => {
    world.emulator.world.scopes.delete('groups:read');
    const findings = await check();
    expect(findings).toContainEqual({ level: 'ok', about: 'Slack channel', says: '#team' });
    expect(findings[1]?.says).toContain('groups:read');
  });

  const headers = { 'retry-after': '5' };
  const LIMITED = { kind: 'answer', answer: { status: 429, headers, body: '' } } as const;
  const unchecked = expect.stringMatching(/^not checked: /) as string;

  test('warns where Slack is not reached, as its address may be wrong', async () => {
    world.emulator.faults.push({ method: 'auth.test', kind: 'cut', times: Infinity });
    const fix = expect.stringContaining('SLACK_API_URL') as string;
    expect(await check()).toEqual([{ level: 'warn', about: 'Slack', says: unchecked, fix }]);
  });

  test('skips what a rate limit does not let it check, and names nothing to fix', async () => {
    world.emulator.faults.push({ method: 'apps.connections.open', ...LIMITED });
    expect((await check()).at(-1)).toEqual({
      level: 'skip',
      about: 'Slack messages',
      says: unchecked,
    });
  });

  test('of a connection that fails it names the network, not Socket Mode', async () => {
    world.emulator.faults.push({ method: 'apps.connections.open', kind: 'cut', times: 1 });
    const fix = expect.stringContaining('network') as string;
    expect((await check()).at(-1)).toMatchObject({ level: 'warn', about: 'Slack messages', fix });
  });

  test('says what no token shows, where Slack delivers to an address', async () => {
    const { appToken: _, ...settings } = world.settings;
    const found = await checkSlack({ settings, clock: world.clock }, '#team');
    expect(found.slice(-2)).toMatchObject([
      {
        level: 'skip',
        about: 'Slack messages',
        says: expect.stringContaining('not checked') as string,
      },
      {
        level: 'skip',
        about: 'Slack buttons',
        says: expect.stringContaining('/api/slack/interactivity') as string,
      },
    ]);
    expect(world.emulator.calls.map(({ method }) => method)).not.toContain('apps.connections.open');
  });

  test('warns where no messages can arrive', async () => {
    const { appToken: _, signingSecret: __, ...settings } = world.settings;
    const found = await checkSlack({ settings, clock: world.clock }, '#team');
    expect(found.at(-1)).toMatchObject({
      level: 'warn',
      fix: expect.stringContaining('SLACK_APP_TOKEN') as string,
    });
  });

  test('finds an app-level token that opens no connection', async () => {
    const settings = { ...world.settings, appToken: world.settings.token };
    const found = await checkSlack({ settings, clock: world.clock }, '#team');
    expect(found.at(-1)).toMatchObject({
      level: 'fail',
      about: 'Slack messages',
      fix: expect.stringContaining('connections:write') as string,
    });
  });

  test.each([
    [
      'a scope that is needed',
      'fail',
      'missing: chat:write',
      () => world.emulator.world.scopes.delete('chat:write'),
    ],
    [
      'a scope that is useful',
      'warn',
      'missing: files:write',
      () => world.emulator.world.scopes.delete('files:write'),
    ],
    [
      'the scope for the names of personas',
      'warn',
      'missing: chat:write.customize',
      () => world.emulator.world.scopes.delete('chat:write.customize'),
    ],
    ['an archived channel', 'fail', '#team is archived', () => (world.room.is_archived = true)],
    [
      'a channel without the App',
      'fail',
      'the App is not in #team',
      () => (world.room.isMember = false),
    ],
    [
      'a channel that is not there',
      'fail',
      'Slack has no channel #team',
      () => (world.room.name = 'x'),
    ],
    [
      'a token that was revoked',
      'fail',
      'Slack does not accept the token',
      () => (world.emulator.world.isRevoked = true),
    ],
  ])('tells of %s: %s, %s', async (...[, level, text, change]) => {
    change();
    const found = (await check()).find((each) => each.level !== 'ok');
    expect(found).toMatchObject({
      level,
      says: expect.stringContaining(text) as string,
      fix: expect.any(String) as string,
    });
  });

  test('looks at each channel that is mapped', async () => {
    const other = addChannel(world.emulator.world, 'other');
    other.isMember = false;
    const archived = addChannel(world.emulator.world, 'old');
    archived.is_archived = true;
    const parts = { settings: world.settings, clock: world.clock };
    const mapped = [world.room.id, other.id, archived.id, 'C0NOTTHERE'];
    const found = await checkSlack(parts, '#team', mapped);
    expect(found.filter(({ about: what }) => /^Slack channel ./.test(what))).toMatchObject([
      { level: 'ok', about: `Slack channel ${world.room.id}`, says: '#team' },
      { level: 'fail', says: 'the App is not in #other', fix: expect.any(String) as string },
      { level: 'fail', says: '#old is archived' },
      { level: 'fail', fix: expect.stringContaining('channels.slack.map') as string },
    ]);
  });

  test('asks for 20 mapped channels, and says how many it left out', async () => {
    const parts = { settings: world.settings, clock: world.clock };
    const mapped = Array.from({ length: 23 }, () => world.room.id);
    const found = await checkSlack(parts, '#team', mapped);
    const skipped = { level: 'skip', about: 'Slack channels' };
    expect(found).toContainEqual({
      ...skipped,
      says: 'not checked: 3 more of `channels.slack.map`',
    });
    const asked = world.emulator.calls.filter(({ method }) => method === 'conversations.info');
    expect(asked).toHaveLength(21);
  });

  test('tells that no channel is set', async () => {
    const found = await checkSlack({ settings: world.settings, clock: world.clock }, undefined);
    expect(found).toContainEqual(expect.objectContaining({ level: 'warn', says: 'none is set' }));
  });
});

describe('settings', () => {
  const token = 'token';
  test('without a token the channel is off', () => {
    expect(readSlackSettings({ SLACK_APP_TOKEN: token, SLACK_BOT_TOKEN: ' ' })).toBeUndefined();
  });

  test.each([
    ['https://slack.example/api/', true],
    ['http://127.0.0.1:4000/api/', true],
    ['http://slack.example/api/', false],
    ['http://127.0.0.1.example/api/', false],
    ['nonsense', false],
  ])('the token may go to %s: %s', (address, isFine) => {
    const read = () => readSlackSettings({ SLACK_BOT_TOKEN: token, SLACK_API_URL: address });
    if (isFine) expect(read()).toMatchObject({ token, apiUrl: address });
    else expect(read).toThrow('is not an `https://` address');
  });
});
