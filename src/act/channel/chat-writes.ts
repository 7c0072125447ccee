/** Answers in a channel: what GitHub says of the repository at this moment decides whether they may be sent. */
import { STALE_MS } from '../../domain/channel/announce/plan-delivery.ts';
import type { ErrorCode } from '../../domain/event/error-codes.ts';
import { QuorumError, RefusedError, TransientError } from '../../domain/event/errors.ts';
import type { DataOf, EffectContext } from '../effect-context.ts';
import type { Performed } from '../ports.ts';

/** How often a channel that refuses us is tried again: what an owner can undo, such as a revoked token. */
const TRY_AGAIN_MS = 15 * 60_000;
const OWNER_CAN_UNDO: ReadonlySet<ErrorCode> = new Set([
  'channel-unauthorised',
  'channel-forbidden',
  'channel-archived',
  'channel-not-invited',
  'channel-not-found',
]);

/** What takes the place of a message, and what one person alone sees, is about a moment. All else waits for a day. */
export async function replyInChat(
  data: DataOf<'chat-reply'>,
  context: EffectContext,
): Promise<Performed<'chat-reply'>> {
  if (data.isInstead === true || data.onlyFor !== undefined) return send(data, context);
  const { ports, at } = context;
  if (ports.clock.now() - Date.parse(at) > STALE_MS)
    throw new RefusedError({
      code: 'channel-too-late',
      message: 'The answer waited for 24 hours, so it is not sent to the channel.',
    });
  return send(data, context).catch((error: unknown) => {
    throw error instanceof QuorumError && OWNER_CAN_UNDO.has(error.code) ? later(error) : error;
  });
}

function later(error: QuorumError): TransientError {
  const { code, message, details } = error;
  const said = details === undefined ? { code, message } : { code, message, details };
  return new TransientError({ ...said, retryAfterMs: TRY_AGAIN_MS, cause: error });
}

async function send(
  { repository, chat, markdown, onlyFor, isInstead, asks }: DataOf<'chat-reply'>,
  { ports, effectId, at, isFirst }: EffectContext,
): Promise<Performed<'chat-reply'>> {
  const session = ports.github.at(repository);
  const channel = await ports.channels?.open(chat.channel, repository);
  const { isPrivate } = await session.read.repository(repository);
  const sent = await channel?.reply(chat, {
    markdown,
    key: effectId,
    at,
    isPrivate,
    ...(onlyFor !== undefined && { onlyFor }),
    ...(isInstead === true && { isInstead }),
    ...(asks !== undefined && { asks }),
    ...(isFirst && { isNew: true as const }),
  });
  return {
    effectKind: 'chat-reply',
    result: sent === undefined ? {} : { chat: sent },
    githubCalls: session.counts,
  };
}

export async function reactInChat(
  { repository, chat, reaction }: DataOf<'chat-react'>,
  { ports }: EffectContext,
): Promise<Performed<'chat-react'>> {
  const channel = await ports.channels?.open(chat.channel, repository);
  await channel?.react(chat, reaction);
  return { effectKind: 'chat-react', result: null, githubCalls: {} };
}
