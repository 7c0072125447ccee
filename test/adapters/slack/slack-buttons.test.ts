/** Buttons below a plan in Slack: where they are, and which presses count. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSlack } from '../../../src/adapters/slack/create-slack.ts';
import type { ChatMessage } from '../../../src/domain/channel/chat-thread.ts';
import { pressButton } from '../../../src/emulator/chat/slack/slack-blocks.ts';
import { sayInSlack, type SlackMessage } from '../../../src/emulator/chat/slack/slack-world.ts';
import type { AnnouncedAt, AnnouncedPost } from '../../../src/ports/channel.ts';
import { about, post, says } from '../../contract/channel.ts';
import { waitUntil } from '../../helpers/wait-until.ts';
import { verifies } from '../../verifies.ts';
import { aSlackWorld, type SlackTestWorld } from './slack-world.ts';

const BOB = 'U0HUMAN001';
const SHOWN = { repositoryId: 7, number: 12, digest: 'ab12'.repeat(10) };
const PROPOSED = about({ event: 'plan-proposed', tasks: 1, details: '1. Do it' });

let world: SlackTestWorld;
let heard: ChatMessage[];
let wish: string;
beforeEach(async () => {
  world = await aSlackWorld();
  heard = [];
  wish = sayInSlack(world.emulator.world, world.room, { user: BOB, text: 'please' }).ts;
});
afterEach(() => world.close());

const hear = (message: ChatMessage): Promise<void> => {
  heard.push(message);
  return Promise.resolve();
};
const asks = () => ({ ...SHOWN, places: [world.room.id] });
const propose = (more: Partial<AnnouncedPost> = {}): Promise<AnnouncedAt> => {
  const thread = { channel: 'slack', place: world.room.id, thread: wish } as const;
  return world.open().announce(post('a', PROPOSED, { thread, asks: asks(), ...more }));
};
const buttons = (): SlackMessage[] =>
  world.room.messages.filter(({ blocks }) => blocks?.some(({ type }) => type === 'actions'));

type Payload = Record<string, unknown>;
function payloadOf(label: string): Payload {
  const [message] = buttons();
  if (message === undefined) throw new Error('no buttons');
  const { emulator, room } = world;
  return pressButton(emulator.world, { channel: room, message, user: BOB }, label);
}
async function deliver(payload: Payload, take = hear): Promise<number | undefined> {
  const { headers, body } = world.emulator.press(payload);
  const request = { headers, body: Buffer.from(body) };
  return (await world.open().answerClick?.(request, take))?.status;
}

describe('a plan that is proposed in a thread', () => {
  test('has buttons in a message of its own', async () => {
    const { asked, message, thread } = await propose();
    const [shown] = buttons();
    expect(buttons()).toHaveLength(1);
    expect([shown?.ts, shown?.thread_ts, thread]).toEqual([asked, wish, wish]);
    expect(asked).not.toBe(message);
    expect(shown?.text).toContain('Plan `ab12ab12ab12` waits for approval.');
  });

  test('has them once, though the answer was lost', async () => {
    for (let lost = 0; buttons().length === 0; lost += 1) {
      expect(lost).toBeLessThan(5);
      world.loseAnswer();
      await expect(propose()).rejects.toMatchObject({ retryable: true });
    }
    const first = await propose();
    expect(await propose()).toEqual(first);
    expect([buttons().length, first.asked]).toEqual([1, buttons()[0]?.ts]);
  });

  test('has none where nobody would hear of a press', async () => {
    const { appToken: _, signingSecret: __, ...settings } = world.settings;
    const thread = { channel: 'slack', place: world.room.id, thread: wish } as const;
    const mute = createSlack({ settings, clock: world.clock, place: '#team' });
    const { asked } = await mute.announce(post('a', PROPOSED, { thread, asks: asks() }));
    expect([asked, buttons(), mute.answerClick]).toEqual([undefined, [], undefined]);
  });

  test('has them below its message in the channel', async () => {
    const { asked, thread } = await world.open().announce(post('a', PROPOSED, { asks: asks() }));
    expect(buttons().map(({ ts, thread_ts }) => [ts, thread_ts])).toEqual([[asked, thread]]);
  });

  test('has none in a channel that is for another repository', async () => {
    for (const thread of [
      undefined,
      { channel: 'slack', place: world.room.id, thread: wish } as const,
    ]) {
      const more = { asks: { ...SHOWN, places: ['C000000009'] }, ...(thread && { thread }) };
      const { asked } = await world.open().announce(post('a', PROPOSED, more));
      expect([asked, buttons()]).toEqual([undefined, []]);
    }
  });
});

describe('a head that waits for approval', () => {
  const HEAD = { repositoryId: 7, number: 12, digest: 'cd34'.repeat(10), of: 'head' } as const;
  const WAITS = about({ event: 'needs-human', question: 'it waits', headSha: HEAD.digest });
  const labels = (): (string | undefined)[] =>
    buttons().flatMap(({ blocks = [] }) =>
      blocks.flatMap((block) =>
        block.type === 'actions' ? block.elements.map(({ text }) => text.text) : [],
      ),
    );
  beforeEach(async () => {
    const asked = { asks: { ...HEAD, places: [world.room.id] } };
    await world.open().announce(post('a', WAITS, asked));
  });

  test('has one button, which approves exactly that commit', async () => {
    expect(labels()).toEqual(['Approve']);
    expect(buttons()[0]?.text).toContain('Head `cd34cd34cd34` waits for approval.');
    await deliver(payloadOf('Approve'));
    expect(heard).toMatchObject([
      { text: `/pm approve ${HEAD.digest}`, click: { ...HEAD, verb: 'approve' } },
    ]);
  });

  verifies('OUT-08: forged press', 'is not the plan of the same number', async () => {
    const plan = withAction(payloadOf('Approve'), (value) => {
      const [text = '', seal] = value.split('.');
      const { of: _, ...shown } = JSON.parse(
        Buffer.from(text, 'base64url').toString(),
      ) as HeadValue;
      return { value: `${Buffer.from(JSON.stringify(shown)).toString('base64url')}.${seal}` };
    });
    await deliver(plan);
    expect(heard).toEqual([]);
  });
});

type HeadValue = Record<string, unknown> & { of?: string };

describe('a press', () => {
  beforeEach(async () => void (await propose()));

  test.each([
    ['Approve', 'approve', `/pm approve ${SHOWN.digest}`],
    ['Reject', 'reject', '/pm reject'],
  ])('of %s becomes the message that its author could have written', async (label, verb, text) => {
    expect(await deliver(payloadOf(label))).toBe(200);
    expect(heard).toMatchObject([
      {
        channel: 'slack',
        place: world.room.id,
        thread: wish,
        message: buttons()[0]?.ts,
        author: { id: `T000000001/${BOB}`, isBot: false },
        text,
        click: { ...SHOWN, verb },
      },
    ]);
  });

  test('has the same id each time that it is delivered, and a second press has another', async () => {
    const press = payloadOf('Approve');
    for (const each of [press, press, payloadOf('Approve')]) await deliver(each);
    const [first, again, second] = heard.map(({ id }) => id);
    expect(again).toBe(first);
    expect(second).not.toBe(first);
  });

  test('that cannot be stored is an error that its author sees', async () => {
    const down = (): Promise<void> => Promise.reject(new Error('store is down'));
    expect(await deliver(payloadOf('Approve'), down)).toBe(500);
  });

  test('comes over the socket as well, and is acknowledged in time once it is stored', async () => {
    const ear = new AbortController();
    const listening = world.open().listen(hear, ear.signal);
    const { socket } = world.emulator;
    await waitUntil(() => socket.connections() === 1);
    socket.send(withChange(payloadOf('Approve'), 'team', { id: 'T0OTHER' }));
    socket.send(payloadOf('Approve'));
    await waitUntil(() => socket.acknowledged.length === 2);
    expect(heard.map(({ text }) => text)).toEqual([`/pm approve ${SHOWN.digest}`]);
    expect(Math.max(...socket.tookMs)).toBeLessThan(3_000);
    ear.abort();
    await listening;
  });

  test('that is not stored is not acknowledged', async () => {
    const ear = new AbortController();
    let refused = 0;
    const listening = world.open().listen(() => {
      refused += 1;
      return Promise.reject(new Error('store is down'));
    }, ear.signal);
    const { socket } = world.emulator;
    await waitUntil(() => socket.connections() === 1);
    socket.send(payloadOf('Approve'));
    await waitUntil(() => refused === 1);
    expect(socket.acknowledged).toEqual([]);
    ear.abort();
    await listening;
  });

  const FORGED: [string, (payload: Payload) => Payload][] = [
    ['with another value', (each) => withAction(each, (value) => ({ value: change(value) }))],
    ['with another seal', (each) => withAction(each, (v) => ({ value: `${v.slice(0, -4)}AAAA` }))],
    [
      'of the other button',
      (each) => withAction(each, () => ({ action_id: 'quorum-plan-reject' })),
    ],
    [
      'of a button that Quorum did not make',
      (each) => withAction(each, () => ({ action_id: 'approve' })),
    ],
    ['without a value', (each) => withAction(each, () => ({ value: '' }))],
    ['in another block', (each) => withAction(each, () => ({ block_id: 'other' }))],
    ['of another element', (each) => withAction(each, () => ({ type: 'static_select' }))],
    ['in another workspace', (each) => withChange(each, 'team', { id: 'T0OTHER' })],
    ['by a guest of another one', (each) => withChange(each, 'user', { team_id: 'T0OTHER' })],
    ['by ourselves', (each) => withChange(each, 'user', { id: 'U0BOT00001' })],
    [
      'in another channel',
      (each) =>
        withChange(withChange(each, 'channel', { id: 'C0OTHER' }), 'container', {
          channel_id: 'C0OTHER',
        }),
    ],
    ['that names two channels', (each) => withChange(each, 'channel', { id: 'C0OTHER' })],
    [
      'that names a third channel',
      (each) => withChange(each, 'container', { channel_id: 'C0OTHER' }),
    ],
    [
      'that names two messages',
      (each) => withChange(each, 'container', { message_ts: '1.000001' }),
    ],
    ['in another thread', (each) => withChange(each, 'message', { thread_ts: '1.000001' })],
    ['outside a thread', (each) => withChange(each, 'message', { thread_ts: undefined })],
    [
      'below a message of another App',
      (each) => withChange(each, 'message', { bot_id: 'B0OTHER' }),
    ],
    [
      'below a message of a person',
      (each) => withChange(each, 'message', { bot_id: undefined, user: BOB }),
    ],
    ['in a whisper', (each) => withChange(each, 'container', { is_ephemeral: true })],
    ['of two buttons at once', (each) => ({ ...each, actions: [...list(each), ...list(each)] })],
    ['of another kind', (each) => ({ ...each, type: 'view_submission' })],
  ];
  for (const [name, forge] of FORGED)
    verifies('OUT-08: forged press', `${name} is dropped`, async () => {
      expect(await deliver(forge(payloadOf('Approve')))).toBe(200);
      expect(heard).toEqual([]);
    });

  test.each(['', 'payload=', 'payload=no', 'payload=%7B%7D&payload=%7B%7D', '{"payload":1}'])(
    'without a payload is refused: %j',
    async (body) => {
      const { headers } = world.emulator.press({});
      const { signEvent } = await import('../../../src/emulator/chat/slack/slack-events.ts');
      const seconds = Math.floor(world.clock.now() / 1000);
      const signed = signEvent(world.settings.signingSecret ?? '', body, seconds);
      const request = { headers: { ...headers, ...signed }, body: Buffer.from(body) };
      expect((await world.open().answerClick?.(request, hear))?.status).toBe(400);
    },
  );

  test('that Slack did not sign is refused', async () => {
    const { headers, body } = world.emulator.press(payloadOf('Approve'));
    const request = { headers, body: Buffer.from(`${body}&x=1`) };
    expect((await world.open().answerClick?.(request, hear))?.status).toBe(401);
    expect(heard).toEqual([]);
  });
});

describe('an answer', () => {
  test('takes the place of the buttons', async () => {
    const { asked = '', ...thread } = await propose();
    const to = { ...thread, message: asked };
    await world.open().reply(to, says('r', '`ana` approved it.', { isInstead: true }));
    await world.open().reply(to, says('r', '`ana` approved it.', { isInstead: true }));
    expect(buttons()).toEqual([]);
    expect(world.room.messages.find(({ ts }) => ts === asked)?.text).toBe('`ana` approved it.');
  });

  test('that asks about another text has buttons for that text', async () => {
    const { asked = '', ...thread } = await propose();
    const to = { ...thread, message: asked };
    const renewed = { repositoryId: 7, number: 12, digest: 'cd34'.repeat(10) };
    const before = payloadOf('Approve');
    await world
      .open()
      .reply(to, says('r', 'The plan was edited.', { isInstead: true, asks: renewed }));
    expect(payloadOf('Approve')).not.toEqual(before);
    await deliver(payloadOf('Approve'));
    expect(heard).toMatchObject([{ click: { verb: 'approve', ...renewed } }]);
  });

  test('takes the place of nothing that others wrote', async () => {
    const to = { channel: 'slack', place: world.room.id, thread: wish, message: wish } as const;
    await expect(
      world.open().reply(to, says('r', 'no', { isInstead: true })),
    ).rejects.toMatchObject({ code: 'channel-invalid' });
    expect(world.room.messages[0]?.text).toBe('please');
  });

  test('for one person is seen by that person alone', async () => {
    const to = { channel: 'slack', place: world.room.id, thread: wish, message: wish } as const;
    await world.open().reply(to, says('r', 'Link first.', { onlyFor: `T000000001/${BOB}` }));
    expect(world.room.whispers).toMatchObject([
      { user: BOB, text: 'Link first.', thread_ts: wish },
    ]);
    expect(world.room.messages).toHaveLength(1);
    await expect(
      world.open().reply(to, says('r', 'Link first.', { onlyFor: `T0OTHER/${BOB}` })),
    ).rejects.toMatchObject({ code: 'channel-invalid' });
    world.emulator.world.scopes.delete('chat:write');
    await expect(
      world.open().reply(to, says('r', 'Link first.', { onlyFor: `T000000001/${BOB}` })),
    ).rejects.toMatchObject({ code: 'channel-forbidden' });
  });
});

function list(payload: Payload): object[] {
  return payload['actions'] as object[];
}

function withChange(payload: Payload, part: string, fields: object): Payload {
  return { ...payload, [part]: { ...(payload[part] as object), ...fields } };
}

function withAction(payload: Payload, changes: (value: string) => object): Payload {
  const [action] = list(payload) as { value: string }[];
  if (action === undefined) throw new Error('nothing was pressed');
  return { ...payload, actions: [{ ...action, ...changes(action.value) }] };
}

/** Another plan, under the seal of this one. */
function change(value: string): string {
  const [text = '', seal] = value.split('.');
  const shown = JSON.parse(Buffer.from(text, 'base64url').toString()) as object;
  const other = JSON.stringify({ ...shown, number: 13 });
  return `${Buffer.from(other).toString('base64url')}.${seal}`;
}
