/** What is said in a thread of a channel below a message, or shown at it. */
import type { ChatMessage, ChatPost, ChatReaction } from '../../../domain/channel/chat-thread.ts';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import { emitEffect } from '../../run/decision.ts';
import type { Chatting } from './to-github.ts';

/** Below what was said. Who pressed a button reads it alone. */
export function answer(
  { step, said }: Pick<Chatting, 'step' | 'said'>,
  repository: RepositoryRef,
  markdown: string,
): void {
  const { click, author } = said.message;
  const chat = toChatPost(said.message);
  const onlyFor = click === undefined ? {} : { onlyFor: author.id };
  emitEffect(step, { kind: 'chat-reply', repository, chat, markdown, ...onlyFor });
}

export function reactTo(
  { step, said }: Pick<Chatting, 'step' | 'said'>,
  repository: RepositoryRef,
  reaction: ChatReaction,
): void {
  const chat = toChatPost(said.message);
  emitEffect(step, { kind: 'chat-react', repository, chat, reaction });
}

export function toChatPost({ channel, place, thread, message }: ChatMessage): ChatPost {
  return { channel, place, thread, message };
}
