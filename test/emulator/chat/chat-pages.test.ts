/** The emulated services refuse what the real ones refuse, and their pages show what people would see. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toHtml } from '../../../src/emulator/chat/slack/slack-page.ts';
import { aBlueskyWorld, type BlueskyTestWorld } from '../../adapters/bluesky/bluesky-world.ts';
import { aSlackWorld, type SlackTestWorld } from '../../adapters/slack/slack-world.ts';
import { about, post, says } from '../../contract/channel.ts';

const HOSTILE = about({ event: 'failed', reason: '<script>alert(1)</script> "quoted"' });

describe('Slack', () => {
  let world: SlackTestWorld;
  beforeEach(async () => {
    world = await aSlackWorld();
  });
  afterEach(() => world.close());

  const call = async (
    method: string,
    args: Record<string, string>,
    token = world.settings.token,
  ): Promise<unknown> => {
    const headers = token === '' ? {} : { authorization: `Bearer ${token}` };
    const body = new URLSearchParams(args);
    const response = await fetch(`${world.emulator.apiUrl}${method}`, {
      method: 'POST',
      headers,
      body,
    });
    return response.status === 200
      ? ((await response.json()) as { error?: string }).error
      : response.status;
  };
  const room = (): string => world.room.id;

  test.each([
    ['no token', () => call('auth.test', {}, ''), 'not_authed'],
    ['a wrong token', () => call('auth.test', {}, 'x'), 'invalid_auth'],
    ['a bot’s token for a socket', () => call('apps.connections.open', {}), 'invalid_auth'],
    ['a method that is none', () => call('chat.explode', {}), 'unknown_method'],
    ['an empty text', () => call('chat.postMessage', { channel: room(), text: ' ' }), 'no_text'],
    [
      '41,000 characters',
      () => call('chat.postMessage', { channel: room(), text: 'x'.repeat(41_000) }),
      'msg_too_long',
    ],
    [
      'a thread that is none',
      () => call('chat.postMessage', { channel: room(), text: 'x', thread_ts: '1.000000' }),
      'thread_not_found',
    ],
    [
      'broken metadata',
      () => call('chat.postMessage', { channel: room(), text: 'x', metadata: '{"a":1}' }),
      'invalid_metadata_format',
    ],
    [
      'an upload that never came',
      async () => {
        await call('files.getUploadURLExternal', { filename: 'a', length: '3' });
        const files = JSON.stringify([{ id: 'F000000001' }]);
        return call('files.completeUploadExternal', { files, channel_id: room() });
      },
      'file_update_failed',
    ],
    [
      'two posts in a second',
      async () => {
        await call('chat.postMessage', { channel: room(), text: 'x' });
        return call('chat.postMessage', { channel: room(), text: 'y' });
      },
      429,
    ],
  ])('refuses %s', async (_, act, expected) => {
    expect(await act()).toBe(expected);
  });

  test('refuses a socket with an address that was used or never given out', async () => {
    const { WebSocket } = await import('ws');
    const address = world.emulator.url.replace('http', 'ws');
    const outcome = await new Promise((resolve) => {
      const socket = new WebSocket(`${address}/link/?ticket=none`);
      socket.on('open', () => resolve('open'));
      socket.on('error', () => resolve('refused'));
    });
    expect(outcome).toBe('refused');
  });

  test('shows a channel with threads, names and files, and nothing in a text is markup', async () => {
    const channel = world.open();
    const as = { name: 'Maya', role: 'Architect' };
    const thread = await channel.announce(post('a', HOSTILE, { as }));
    await channel.reply(
      thread,
      says('r', `See:\n\n\`\`\`ts\n${'let a;\n'.repeat(30)}\`\`\``, { as }),
    );
    await channel.react(thread, 'done');
    const html = await (await fetch(`${world.emulator.url}/channel/team`)).text();
    expect(html).toContain('Maya (Architect)');
    expect(html).toContain('class="below"');
    expect(html).toContain('📄 snippet-1.ts');
    expect(html).toContain('✅ 1');
    expect(html).toContain(
      '<a href="https://github.com/octo/shop/issues/12">octo/shop#12 Orders are lost</a>',
    );
    expect(html).not.toContain('<script>');
    expect(html).toContain('&lt;script&gt;');
  });

  test('renders a broadcast as people would see it, and no address but those of the web', () => {
    expect(toHtml('<!here> <javascript:alert(1)|x> *b* `c`')).toBe(
      '<strong>!here</strong> <strong>javascript:alert(1)|x</strong> <strong>b</strong> <code>c</code>',
    );
  });
});

describe('Bluesky', () => {
  let world: BlueskyTestWorld;
  beforeEach(async () => {
    world = await aBlueskyWorld();
  });
  afterEach(() => world.close());

  const put = async (
    record: Record<string, unknown>,
    more: Record<string, unknown> = {},
  ): Promise<unknown> => {
    const { identifier, password } = world.parts.settings;
    const login = await send('com.atproto.server.createSession', { identifier, password });
    const { accessJwt } = (await login.json()) as { accessJwt: string };
    const body = {
      repo: identifier,
      collection: 'app.bsky.feed.post',
      rkey: '3kaaaaaaaaaa2',
      record,
      ...more,
    };
    const response = await send('com.atproto.repo.putRecord', body, accessJwt);
    const answer = (await response.json()) as { error?: string };
    return answer.error ?? response.status;
  };
  const send = (method: string, body: unknown, token?: string): Promise<Response> =>
    fetch(`${world.emulator.url}/xrpc/${method}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
  const POST = { $type: 'app.bsky.feed.post', text: 'x', createdAt: '2026-06-01T09:00:00Z' };

  test.each([
    ['a post', POST, {}, 200],
    ['301 graphemes', { ...POST, text: 'x'.repeat(301) }, {}, 'InvalidRequest'],
    ['too many bytes', { ...POST, text: '👨‍👩‍👧‍👦'.repeat(200) }, {}, 'InvalidRequest'],
    ['no time', { $type: 'app.bsky.feed.post', text: 'x' }, {}, 'InvalidRequest'],
    ['a key that is no TID', POST, { rkey: 'mine' }, 'InvalidRequest'],
    ['another account', POST, { repo: 'bob.test' }, 'AuthenticationRequired'],
    ['another record than was read', POST, { swapRecord: 'bafy' }, 'InvalidSwap'],
  ])('takes %s as a real server does', async (...[, record, more, expected]) => {
    expect(await put(record, more)).toBe(expected);
  });

  test('shows threads with cards and links, and nothing in a text is markup', async () => {
    const channel = world.open();
    const thread = await channel.announce(post('a', HOSTILE));
    await channel.reply(thread, says('r', 'Read [the docs](https://example.com/).'));
    const html = await (await fetch(world.emulator.url)).text();
    expect(html).toContain('@team.test');
    expect(html).toContain('<a href="https://example.com/">the docs</a>');
    expect(html).toContain('class="card"');
    expect(html).not.toContain('<script>');
    expect(html).toContain('&lt;script&gt;');
  });
});

test('a page of another site cannot reach the emulated services', async () => {
  const world = await aSlackWorld();
  const { port } = new URL(world.emulator.url);
  const { request } = await import('node:http');
  const status = await new Promise((resolve) => {
    request({ host: '127.0.0.1', port, headers: { host: 'evil.example' } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).end();
  });
  expect(status).toBe(403);
  await world.close();
});
