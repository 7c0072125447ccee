/** What is said in Slack arrives: signed deliveries, sockets that break, and what was missed in between. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSlack } from '../../../src/adapters/slack/create-slack.ts';
import { isSignedBySlack } from '../../../src/adapters/slack/hear/verify-event.ts';
import type { ChatMessage } from '../../../src/domain/channel/chat-thread.ts';
import { signEvent, toSlackEvent } from '../../../src/emulator/chat/slack/slack-events.ts';
import { sayInSlack, type SlackMessage } from '../../../src/emulator/chat/slack/slack-world.ts';
import { waitUntil } from '../../helpers/wait-until.ts';
import { about, post, says } from '../../contract/channel.ts';
import { aSlackWorld, type SlackTestWorld } from './slack-world.ts';
import { verifies } from '../../verifies.ts';

let world: SlackTestWorld;
let heard: ChatMessage[];
beforeEach(async () => {
  world = await aSlackWorld();
  heard = [];
});
afterEach(() => world.close());

const hear = (message: ChatMessage): Promise<void> => {
  heard.push(message);
  return Promise.resolve();
};
const speak = (text: string, more: Partial<SlackMessage> = {}): SlackMessage =>
  sayInSlack(world.emulator.world, world.room, { user: 'U0HUMAN001', text, ...more });

test('the signature of Slack’s own example is accepted', () => {
  // From Slack's documentation; the secret is that of the example.
  const secret = ['8f742231b10e8888', 'abcd99yyyzzz85a5'].join('');
  const body =
    'token=xyzz0WbapA4vBCDEFx0cx6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
  const headers = {
    'x-slack-request-timestamp': '1531420618',
    'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
  };
  const request = {
    headers,
    body: Buffer.from(body.replace('xyzz0WbapA4vBCDEFx0cx6G', 'xyzz0WbapA4vBCDEFasx0q6G')),
  };
  expect(isSignedBySlack(request, secret, 1_531_420_618_000)).toBe(true);
  expect(
    isSignedBySlack({ ...request, body: Buffer.from(`${body} `) }, secret, 1_531_420_618_000),
  ).toBe(false);
});

test('an App without a channel of its own goes on hearing after it was started again', async () => {
  const channel = createSlack({ settings: world.settings, clock: world.clock, place: '' });
  const cursor = '1700000000.000001';
  expect(await channel.catchUp(cursor)).toEqual({ messages: [], cursor });
});

describe('a delivery', () => {
  const deliver = async (
    message: SlackMessage,
    more: { secret?: string; lateBy?: number; change?: (body: string) => string } = {},
  ) => {
    const channel = world.open();
    const { body } = world.emulator.delivery(world.room, message);
    const seconds = Math.floor(world.clock.now() / 1000) - (more.lateBy ?? 0);
    const headers = signEvent(more.secret ?? world.settings.signingSecret ?? '', body, seconds);
    const sent = Buffer.from(more.change?.(body) ?? body);
    return {
      channel,
      request: { headers, body: sent },
      answer: await channel.answerEvent?.({ headers, body: sent }, hear),
    };
  };

  test('that is signed is read', async () => {
    const { answer } = await deliver(
      speak('<@U0BOT00001> look at <https://github.com/o/r/issues/1|it>'),
    );
    expect(answer).toEqual({ status: 200, body: '' });
    expect(heard).toMatchObject([
      {
        channel: 'slack',
        place: world.room.id,
        author: { id: 'T000000001/U0HUMAN001', name: 'bob', isBot: false },
        text: 'look at it (https://github.com/o/r/issues/1)',
        why: 'mention',
        links: ['https://github.com/o/r/issues/1'],
      },
    ]);
  });

  test.each([
    ['with another secret', { secret: 'other' }],
    ['six minutes late', { lateBy: 360 }],
    ['from six minutes in the future', { lateBy: -360 }],
    ['that was changed', { change: (body: string) => body.replace('look', 'loop') }],
  ])('%s is refused', async (_, more) => {
    const { answer } = await deliver(speak('look'), more);
    expect([answer?.status, heard]).toEqual([401, []]);
  });

  test('without headers, or with an empty secret, is refused', async () => {
    const answer = await world.open().answerEvent?.({ headers: {}, body: Buffer.from('{}') }, hear);
    expect(answer?.status).toBe(401);
    const headers = signEvent('', '{}', Math.floor(world.clock.now() / 1000));
    expect(isSignedBySlack({ headers, body: Buffer.from('{}') }, '', world.clock.now())).toBe(
      false,
    );
  });

  verifies('OUT-08: delivery that comes again', 'that arrives again is read once', async () => {
    const { channel, request } = await deliver(speak('hello'));
    await channel.answerEvent?.(request, hear);
    expect(heard).toHaveLength(1);
  });

  test('that cannot be stored is asked for again', async () => {
    const message = speak('hello');
    const { body, headers } = world.emulator.delivery(world.room, message);
    const channel = world.open();
    const request = { headers, body: Buffer.from(body) };
    const failed = await channel.answerEvent?.(request, () =>
      Promise.reject(new Error('store is down')),
    );
    expect(failed?.status).toBe(500);
    await channel.answerEvent?.(request, hear);
    expect(heard).toHaveLength(1);
  });

  test('that asks for the address is answered with its challenge', async () => {
    const body = JSON.stringify({ type: 'url_verification', challenge: 'abc' });
    const headers = signEvent(
      world.settings.signingSecret ?? '',
      body,
      Math.floor(world.clock.now() / 1000),
    );
    expect(await world.open().answerEvent?.({ headers, body: Buffer.from(body) }, hear)).toEqual({
      status: 200,
      body: 'abc',
    });
  });

  test.each([
    '',
    'not json',
    '[]',
    '{"type":"event_callback"}',
    '{"type":"event_callback","event_id":"E","team_id":"T","event":{"type":"message"}}',
  ])('of %j is no message and does not throw', async (body) => {
    const headers = signEvent(
      world.settings.signingSecret ?? '',
      body,
      Math.floor(world.clock.now() / 1000),
    );
    const answer = await world.open().answerEvent?.({ headers, body: Buffer.from(body) }, hear);
    expect([200, 400]).toContain(answer?.status);
    expect(heard).toEqual([]);
  });
});

describe('what is read', () => {
  const listenTo = async (message: SlackMessage): Promise<ChatMessage | undefined> => {
    const { body, headers } = world.emulator.delivery(world.room, message);
    await world.open().answerEvent?.({ headers, body: Buffer.from(body) }, hear);
    return heard.at(-1);
  };

  test('is nothing that we wrote', async () => {
    await world.open().announce(post('a', about({ event: 'merged' })));
    const [own] = world.room.messages;
    if (own === undefined) return expect.fail();
    expect(await listenTo(own)).toBeUndefined();
  });

  test('of another bot is marked as such', async () => {
    const message = speak('beep', { user: 'U0OTHER', bot_id: 'B0OTHER' });
    expect(await listenTo(message)).toMatchObject({ author: { isBot: true, name: 'U0OTHER' } });
  });

  test('below our message is a reply', async () => {
    const thread = await world.open().announce(post('a', about({ event: 'merged' })));
    expect(await listenTo(speak('thanks', { thread_ts: thread.thread }))).toMatchObject({
      why: 'reply',
      thread: thread.thread,
    });
  });

  test('with a recording names the file, its kind and its length', async () => {
    const recording = {
      id: 'F9',
      name: 'voice.m4a',
      title: '',
      size: 9,
      mimetype: 'audio/mp4',
      bytes: undefined,
    };
    const message = speak('', { files: [{ ...recording, duration_ms: 3_600_000 }] });
    expect(await listenTo(message)).toMatchObject({
      files: [{ id: 'F9', kind: 'audio', seconds: 3_600, bytes: 9 }],
    });
  });

  test('has a name of its author also without the scope for names', async () => {
    world.emulator.world.scopes.delete('users:read');
    expect(await listenTo(speak('hi'))).toMatchObject({ author: { name: 'U0HUMAN001' } });
  });
});

describe('a socket', () => {
  let ear: AbortController;
  beforeEach(() => {
    ear = new AbortController();
  });
  const listen = (take = hear): Promise<void> => world.open().listen(take, ear.signal);
  const connected = (count = 1): Promise<void> =>
    waitUntil(() => world.emulator.socket.connections() === count);
  const send = (message: SlackMessage): void => {
    world.emulator.socket.send(toSlackEvent(world.emulator.world, world.room, message));
  };

  test('acknowledges what is stored, and not what could not be', async () => {
    let isDown = true;
    let refused = 0;
    const listening = listen((message) => {
      if (!isDown) return hear(message);
      refused += 1;
      return Promise.reject(new Error('down'));
    });
    await connected();
    send(speak('first'));
    await waitUntil(() => refused === 1);
    isDown = false;
    send(speak('second'));
    await waitUntil(() => world.emulator.socket.acknowledged.length === 1);
    expect(heard.map(({ text }) => text)).toEqual(['second']);
    ear.abort();
    await listening;
  });

  test.each([
    ['Slack asks for it', () => world.emulator.socket.refresh()],
    ['the connection broke', () => world.emulator.socket.drop()],
    [
      'the connection broke and Slack was away',
      () => {
        world.emulator.faults.push({ method: 'apps.connections.open', kind: 'cut', times: 3 });
        world.emulator.socket.drop();
      },
    ],
  ])('is opened again when %s', async (_, breaks) => {
    const listening = listen();
    await connected();
    const opened = (): number =>
      world.emulator.calls.filter(({ method }) => method === 'apps.connections.open').length;
    breaks();
    await waitUntil(() => opened() >= 2 && world.emulator.socket.connections() === 1);
    send(speak('after'));
    await waitUntil(() => heard.length > 0);
    ear.abort();
    await listening;
    // The look after the new connection may find it too, under the same id.
    expect(new Set(heard.map(({ id }) => id)).size).toBe(1);
  });

  test('with a wrong token is a matter for the owner', async () => {
    world.emulator.world.appToken = 'another';
    await expect(listen()).rejects.toMatchObject({ code: 'channel-unauthorised' });
  });

  test('begins with what was said since the last look', async () => {
    const channel = world.open();
    await channel.catchUp(undefined);
    world.clock.advance(1);
    speak('in between');
    const listening = channel.listen(hear, ear.signal);
    await waitUntil(() => heard.length > 0);
    expect(heard[0]?.text).toBe('in between');
    ear.abort();
    await listening;
  });

  test('is not opened without a token for it', async () => {
    const { appToken: _, ...settings } = world.settings;
    const listening = createSlack({ settings, clock: world.clock, place: '#team' }).listen(
      hear,
      ear.signal,
    );
    ear.abort();
    await listening;
    expect(world.requests()).toBe(0);
  });
});

test('a look finds what was said in threads that are older than the last look', async () => {
  const channel = world.open();
  const thread = await channel.announce(post('a', about({ event: 'merged' })));
  world.clock.advance(3_600_000);
  const { cursor } = await channel.catchUp(undefined);
  world.clock.advance(1_000);
  speak('late answer', { thread_ts: thread.thread });
  await channel.reply(thread, says('r', 'our own'));
  const { messages } = await channel.catchUp(cursor);
  expect(messages.map(({ text, why }) => [text, why])).toEqual([['late answer', 'reply']]);
});

test('refuses an invalid cursor', async () => {
  await expect(world.open().catchUp('yesterday')).rejects.toMatchObject({
    code: 'channel-cursor-invalid',
  });
});
