/** How long an answer is tried, and what an owner can undo meanwhile. */
import { describe, expect, test } from 'vitest';
import { replyInChat } from '../../../src/act/channel/chat-writes.ts';
import type { ErrorCode } from '../../../src/domain/event/error-codes.ts';
import { ConfigError, RefusedError } from '../../../src/domain/event/errors.ts';
import { aPersona } from '../../helpers/a-persona.ts';
import { aChannelWorld, NOW, REPOSITORY } from './a-channel-world.ts';

const CHAT = { channel: 'slack', place: 'C123', thread: '1.1', message: '1.2' } as const;
const REPLY = { kind: 'chat-reply', repository: REPOSITORY, chat: CHAT, markdown: 'Yes.' } as const;
const DAY_MS = 24 * 3_600_000;

const lateBy = async (ms: number, more: object = {}) => {
  const world = aChannelWorld();
  world.now = NOW + ms;
  await replyInChat({ ...REPLY, ...more }, world.context());
  return world.replies.length;
};

test('an answer is sent until it is a day old, and then no more', async () => {
  expect(await lateBy(DAY_MS)).toBe(1);
  await expect(lateBy(DAY_MS + 1)).rejects.toMatchObject({
    code: 'channel-too-late',
    retryable: false,
  });
});

test('what takes the place of a message is sent however late', async () => {
  expect(await lateBy(2 * DAY_MS, { isInstead: true })).toBe(1);
});

test.each([
  ['the product manager', 'product manager', 'Sasha'],
  ['a persona', 'maya', 'Maya'],
])('what %s says has its name', async (_, persona, name) => {
  const world = aChannelWorld();
  world.personas = [
    aPersona({ handle: 'maya', name: 'Maya' }),
    aPersona({ handle: 'sasha', name: 'Sasha', role: 'Product Manager' }),
  ];
  await replyInChat({ ...REPLY, persona }, world.context());
  expect(world.replies).toMatchObject([{ reply: { as: { name } } }]);
});

describe('a refusal', () => {
  const refusedWith = (error: Error, more: object = {}) => {
    const world = aChannelWorld();
    world.refuses = { reply: error };
    return replyInChat({ ...REPLY, ...more }, world.context());
  };
  const revoked = new ConfigError({ code: 'channel-unauthorised', message: 'no', details: 'fix' });

  test.each<ErrorCode>([
    'channel-archived',
    'channel-not-invited',
    'channel-not-found',
    'channel-restricted',
  ])('of the kind %s is tried again after 15 minutes: its owner can undo it', async (code) => {
    const failed = refusedWith(new RefusedError({ code, message: 'no' }));
    await expect(failed).rejects.toMatchObject({ code, retryable: true, retryAfterMs: 900_000 });
  });

  test('of the token is tried again, and still says what to do', async () => {
    const wanted = { code: 'channel-unauthorised', retryable: true, details: 'fix' };
    await expect(refusedWith(revoked)).rejects.toMatchObject(wanted);
  });

  test('of the kind channel-not-found is final on Bluesky, where the post was deleted for good', async () => {
    const error = new RefusedError({ code: 'channel-not-found', message: 'gone' });
    const post = { channel: 'bluesky', place: 'did:x', thread: 'at://a', message: 'at://b' };
    await expect(refusedWith(error, { chat: post })).rejects.toBe(error);
  });

  test.each<ErrorCode>([
    'channel-invalid',
    'channel-private',
    'channel-message-gone',
    'channel-unreadable',
  ])('of the kind %s is final', (code) =>
    expect(refusedWith(new RefusedError({ code, message: 'no' }))).rejects.toMatchObject({
      code,
      retryable: false,
    }),
  );

  test.each<ErrorCode>(['channel-invalid', 'channel-message-gone', 'channel-not-found'])(
    'of the kind %s, of what one person alone would see, has a code that nobody counts',
    async (code) => {
      const failed = refusedWith(new RefusedError({ code, message: 'no' }), { onlyFor: 'T1/U1' });
      const wanted = { code: 'channel-ephemeral-refused', message: 'no', retryable: false };
      await expect(failed).rejects.toMatchObject(wanted);
    },
  );

  test('of what one person alone would see is final', async () => {
    const failed = refusedWith(revoked, { onlyFor: 'T1/U1' });
    await expect(failed).rejects.toMatchObject({ retryable: false });
  });
});
