/** What is said in a thread of a channel below a message, or shown at it. */
import {
  isPublicChannel,
  type ChatMessage,
  type ChatPerson,
  type ChatPost,
  type ChatReaction,
} from '../../../domain/channel/chat-thread.ts';
import { MOST_REQUESTS_AN_HOUR } from '../../../domain/channel/identities.ts';
import { NOT_SEEN } from '../../../domain/channel/images.ts';
import type { EffectResults } from '../../../domain/event/result.ts';
import { LONGEST_PAUSE_HOURS } from '../../../domain/repository/repository-state.ts';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import { emitEffect, type Step } from '../../run/decision.ts';
import { asCode } from '../../run/command-context.ts';
import { repliesLane, toChatPost, type ChatState } from './chat-state.ts';
import { MOST_SAID, aboutNumber, type Chatting } from './to-github.ts';

/** Below what was said. Who pressed a button reads it alone. */
export function answer(
  { step, said }: Pick<Chatting, 'step' | 'said'>,
  repository: RepositoryRef,
  words: string | { markdown: string; isUrgent: true },
): void {
  const { click, author } = said.message;
  const chat = toChatPost(said.message);
  const onlyFor = click === undefined ? {} : { onlyFor: author.id };
  const text = typeof words === 'string' ? { markdown: words } : words;
  sayAt({ step, repository }, chat, { ...text, ...onlyFor });
}

/**
 * Says it below the message, in order with the answers of its thread. The channel's next message counts it if it cannot be
 * sent within a day. What one person alone reads is about a moment, so it waits for nothing and is not counted. What is
 * urgent waits for nothing either.
 */
export function sayAt(
  { step, repository }: { step: Step; repository: RepositoryRef },
  chat: ChatPost,
  { isUrgent, ...words }: { markdown: string; onlyFor?: ChatPerson['id']; isUrgent?: true },
): void {
  const isApart = words.onlyFor !== undefined || isUrgent === true;
  const lane = isApart ? {} : { lane: repliesLane(chat) };
  const reply = { kind: 'chat-reply', repository, chat, ...words } as const;
  emitEffect(step, reply, { ...lane, isUnheard: true });
}

/** Where its author finds on GitHub what was asked here. */
export function tellOpened(chatting: Chatting, result: EffectResults['issue']): void {
  const { repository } = chatting.state;
  if (repository === undefined || !('number' in result)) return;
  const name = `${repository.owner}/${repository.repo}#${result.number}`;
  answer(chatting, repository, `Your request is [${name}](${result.url}).`);
}

/** A request waits for the end of a pause, which its author would take for silence. In public nobody reads of it. */
export function tellPause({ state, step, said, look }: Chatting, repository: RepositoryRef): void {
  const by = look?.pausedBy;
  if (by === undefined) delete state.isToldOfPause;
  if (by === undefined || state.isToldOfPause === true) return;
  const isRequest = aboutNumber({ state, said }) === undefined;
  if (!isRequest || isPublicChannel(said.message.channel)) return;
  state.isToldOfPause = true;
  const name = `${repository.owner}/${repository.repo}`;
  const markdown = `${asCode(by)} paused the work in \`${name}\`. Your request is kept for up to ${LONGEST_PAUSE_HOURS} hours: work on it begins after somebody comments \`/pm resume\` on an issue there.`;
  answer({ step, said }, repository, markdown);
}

/** What of a message does not reach GitHub, or is not seen. */
export function tellCut({ step, said, look }: Chatting, repository: RepositoryRef): void {
  const { channel, text } = said.message;
  if (isPublicChannel(channel)) return;
  const cut = text.length > MOST_SAID ? [TOO_LONG] : [];
  const unseen = look?.images === undefined ? [] : [NOT_SEEN];
  const all = [...cut, ...unseen, ...(look?.unread ?? [])];
  if (all.length > 0) answer({ step, said }, repository, all.join('\n\n'));
}

const TOO_LONG =
  'Your message has more than 20,000 characters. I read the first 20,000, and GitHub shows those.';

export const TOO_MUCH = `You asked for ${MOST_REQUESTS_AN_HOUR} things within an hour, which is the most that become issues. Ask again later, or open an issue on GitHub.`;

/** Too many messages wait. Returns why this one is left alone. */
export function leaveOut(state: ChatState, message: ChatMessage): string {
  const { count, chat } = state.leftOut ?? { count: 0, chat: toChatPost(message) };
  state.leftOut = { count: count + 1, chat };
  return 'too much at once';
}

/** Once the others were read. In public nobody reads of it. */
export function tellCrowd({ state, step }: Pick<Chatting, 'state' | 'step'>): void {
  const { leftOut, repository } = state;
  delete state.leftOut;
  if (leftOut === undefined || repository === undefined) return;
  const { count, chat } = leftOut;
  if (isPublicChannel(chat.channel)) return;
  const what = count === 1 ? '1 message' : `${count} messages`;
  const markdown = `Too many messages came at once, so I left out ${what} of this thread. Say it again where it is still needed.`;
  sayAt({ step, repository }, chat, { markdown });
}

export function reactTo(
  { step, said }: Pick<Chatting, 'step' | 'said'>,
  repository: RepositoryRef,
  reaction: ChatReaction,
): void {
  const chat = toChatPost(said.message);
  emitEffect(step, { kind: 'chat-react', repository, chat, reaction });
}
