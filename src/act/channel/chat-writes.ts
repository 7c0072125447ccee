/** Answers in a channel: what GitHub says of the repository at this moment decides whether they may be sent. */
import type { DataOf, EffectContext } from '../effect-context.ts';
import type { Performed } from '../ports.ts';

export async function replyInChat(
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
