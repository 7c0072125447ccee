/** What is kept of one thread of a channel. */
import type { ChatMessage, ChatPost, ChatThread } from '../../../domain/channel/chat-thread.ts';
import type { ChatLook } from '../../../domain/event/result.ts';
import type { CommentAddress } from '../../../domain/run/talk.ts';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';

/** A message, and what the look told of it. */
export interface SaidInChat {
  message: ChatMessage;
  address?: CommentAddress;
  /** Its text is what a recording says. */
  isSpoken?: true;
}

export interface ChatState {
  v: number;
  /** Of its effects; empty before the first. */
  id: string;
  step: number;
  repository?: RepositoryRef;
  /** The issue that the thread is about now: first what was asked, then its plan. */
  number?: number;
  /** The thread began with an announcement: only what is said to the team is for GitHub. */
  isAnnounced?: true;
  /** Reports about the issue come here: somebody has spoken to the team below its announcement. */
  isJoined?: true;
  /** Oldest first; the first one is being worked on while `phase` is there. */
  heard: SaidInChat[];
  phase?: {
    /** `asking`: whether its author may ask for one thing more. */
    kind: 'looking' | 'asking' | 'opening' | 'relaying';
    /** Empty while an event is waited for. */
    effectId: string;
    look?: ChatLook;
  };
  /** A recording that is being turned into text; its author is looked up again before its words go anywhere. */
  listening?: { effectId: string; said: SaidInChat; repository: RepositoryRef };
  /** A post that speaks to nobody waits for the end of the quiet hours. */
  resting?: { said: SaidInChat; timer: string };
  /** Ids of people who received the hint how to link, so that each receives it once. */
  told: string[];
  /** The team said once in the thread that it does not read files alone. */
  isToldOfFiles?: true;
  /** The team said that it is paused; absent again once it is not. */
  isToldOfPause?: true;
  /** How many messages were left out since the last that was read, because too many waited; and the first of them. */
  leftOut?: { count: number; chat: ChatPost };
  /** Presses of buttons that reached GitHub, so that each does so once; newest last. */
  clicked?: string[];
}

export const EMPTY_CHAT: ChatState = { v: 1, id: '', step: 0, heard: [], told: [] };

export function toChatPost({ channel, place, thread, message }: ChatPost): ChatPost {
  return { channel, place, thread, message };
}

/** Of everything that is said in one thread: what is wanted first is sent first. */
export function repliesLane({ channel, place, thread }: ChatThread): string {
  return `replies:${channel}/${place}/${thread}`;
}

/** The stream of one thread of a channel. */
export function chatKey({ channel, place, thread }: ChatThread): string {
  return `chat:${channel}/${place}/${thread}`;
}
