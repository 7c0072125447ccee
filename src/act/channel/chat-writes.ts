/** Answers in a channel: what GitHub says of the repository at this moment decides whether they may be sent. */
import { STALE_MS } from '../../domain/channel/announce/plan-delivery.ts';
import { findVoice, toSpeaker } from '../../domain/channel/announce/speak-announcement.ts';
import { isPublicChannel, type ChatPost, type Speaker } from '../../domain/channel/chat-thread.ts';
import type { ErrorCode } from '../../domain/event/error-codes.ts';
import { QuorumError, RefusedError, TransientError } from '../../domain/event/errors.ts';
import type { RepositoryFacts } from '../../ports/github/github-reader.ts';
import type { DataOf, EffectContext } from '../effect-context.ts';
import type { Performed } from '../ports.ts';
import { readSettingsAt } from '../settings/read-settings.ts';

/** How often a channel that refuses us is tried again: what an owner can undo, such as a revoked token. */
const TRY_AGAIN_MS = 15 * 60_000;
const OWNER_CAN_UNDO: ReadonlySet<ErrorCode> = new Set([
  'channel-unauthorised',
  'channel-forbidden',
  'channel-archived',
  'channel-not-invited',
  'channel-not-found',
  'channel-restricted',
]);

/** What takes the place of a message, and what one person alone sees, is about a moment. All else waits for a day. */
export async function replyInChat(
  data: DataOf<'chat-reply'>,
  context: EffectContext,
): Promise<Performed<'chat-reply'>> {
  if (data.onlyFor !== undefined) return send(data, context).catch(asEphemeral);
  if (data.isInstead === true) return send(data, context);
  const { ports, at } = context;
  if (ports.clock.now() - Date.parse(at) > STALE_MS)
    throw new RefusedError({
      code: 'channel-too-late',
      message: 'The answer waited for 24 hours, so it is not sent to the channel.',
    });
  return send(data, context).catch((error: unknown) => {
    throw error instanceof QuorumError && canBeUndone(error, data.chat) ? later(error) : error;
  });
}

/** On Bluesky there are no channels, so what is not found there is a deleted post. */
function canBeUndone({ code }: QuorumError, { channel }: ChatPost): boolean {
  if (code === 'channel-not-found' && isPublicChannel(channel)) return false;
  return OWNER_CAN_UNDO.has(code);
}

/** A code of its own, because what only one person would have seen is not counted where others read the number. */
function asEphemeral(error: unknown): never {
  const isOfChannel = error instanceof RefusedError && error.code.startsWith('channel-');
  if (!isOfChannel) throw error;
  const { message, details } = error;
  const said = details === undefined ? { message } : { message, details };
  throw new RefusedError({ ...said, code: 'channel-ephemeral-refused', cause: error });
}

function later(error: QuorumError): TransientError {
  const { code, message, details } = error;
  const said = details === undefined ? { code, message } : { code, message, details };
  return new TransientError({ ...said, retryAfterMs: TRY_AGAIN_MS, cause: error });
}

async function send(
  data: DataOf<'chat-reply'>,
  context: EffectContext,
): Promise<Performed<'chat-reply'>> {
  const { repository, chat, markdown, onlyFor, isInstead, asks } = data;
  const { ports, effectId, at, isFirst } = context;
  const session = ports.github.at(repository);
  const channel = await ports.channels?.open(chat.channel, repository);
  const facts = await session.read.repository(repository);
  const { isPrivate } = facts;
  const as = channel === undefined ? undefined : await readVoice(data, facts, context);
  const sent = await channel?.reply(chat, {
    markdown,
    key: effectId,
    at,
    isPrivate,
    ...(onlyFor !== undefined && { onlyFor }),
    ...(isInstead === true && { isInstead }),
    ...(asks !== undefined && { asks }),
    ...(as !== undefined && { as }),
    ...(isFirst && { isNew: true as const }),
  });
  return {
    effectKind: 'chat-reply',
    result: sent === undefined ? {} : { chat: sent },
    githubCalls: session.counts,
  };
}

/** Who speaks, as the team is now. */
async function readVoice(
  { repository, persona }: DataOf<'chat-reply'>,
  facts: RepositoryFacts,
  { ports, readSettings }: EffectContext,
): Promise<Speaker | undefined> {
  if (persona === undefined) return undefined;
  const session = ports.github.at(repository);
  const { personas } = await readSettingsAt(repository, facts, { session, readSettings });
  const voice = findVoice(persona, personas);
  return voice && toSpeaker(voice);
}

export async function reactInChat(
  { repository, chat, reaction }: DataOf<'chat-react'>,
  { ports }: EffectContext,
): Promise<Performed<'chat-react'>> {
  const channel = await ports.channels?.open(chat.channel, repository);
  await channel?.react(chat, reaction);
  return { effectKind: 'chat-react', result: null, githubCalls: {} };
}
