/**
 * Speaking and listening where people talk outside GitHub.
 *
 * Errors: ConfigError (`channel-unauthorised`, `channel-forbidden`), RefusedError (`channel-not-found`,
 * `channel-message-gone`, `channel-archived`, `channel-not-invited`, `channel-restricted`, `channel-invalid`,
 * `channel-private`, `channel-key-taken`, `channel-unreadable`), TransientError (`channel-rate-limited`, with `retryAfterMs` where the service named one, and `channel-unavailable`).
 * Each call is made once: retries happen in the queue. Every message has a key, and one that was sent although its answer
 * was lost is found again by that key.
 */
import type { Announcement } from '../domain/channel/announce/announcement.ts';
import type {
  ChannelName,
  ChatFile,
  ChatMessage,
  ChatPerson,
  ChatPost,
  ChatReaction,
  ChatThread,
  Speaker,
} from '../domain/channel/chat-thread.ts';
import type { ApprovalAsks, Approvable } from '../domain/channel/approval-click.ts';

/** What every message has. */
interface Outgoing {
  /** The same for each attempt to send it, and for no other message. */
  key: string;
  /** When it was decided, ISO 8601; the same for each attempt. Nothing under this key was sent earlier. */
  at: string;
  /** What GitHub says of the repository at this moment: a public channel refuses what is private. */
  isPrivate: boolean;
  /** Where attempts may carry different times: nothing under this key was sent earlier. ISO 8601. */
  since?: string;
  /** Nothing can have been sent under this key yet, so it is not looked for. */
  isNew?: true;
  as?: Speaker;
}

export interface AnnouncedPost extends Outgoing {
  /**
   * One announcement, or those of a digest. A single announcement belongs to its subject's thread. Where a channel
   * can edit messages, the thread's first message always shows the newest state, and details are replies below it.
   */
  announcements: readonly [Announcement, ...Announcement[]];
  /** Also where one of several is left: the digest is found under its key, and belongs to no thread. */
  isDigest?: true;
  /** Messages that were never sent; the next message says how many. */
  dropped: number;
  /** Slack: the id of the channel, or its name with `#`. */
  place?: string;
  /** The subject's first message where the caller has it: it need not be searched for in a busy channel. */
  head?: ChatPost;
  /** The message that was announced last, where the caller has it: where nothing can be edited, this one answers it. */
  latest?: ChatPost;
  /** The subject's thread where the caller knows it: the announcement of something asked in a chat goes there. */
  thread?: ChatThread;
  /** The plan or the head that is announced, where people may answer it with a button. */
  asks?: ApprovalAsks;
}

/** Where an announcement is. */
export interface AnnouncedAt extends ChatPost {
  /** Id of the message with the buttons; absent without buttons. */
  asked?: string;
}

/** RefusedError `channel-invalid` where a channel cannot say it that way. */
export interface ChatReply extends Outgoing {
  markdown: string;
  /** Only this person sees it, and it may be gone later. */
  onlyFor?: ChatPerson['id'];
  /** It takes the place of the message that it answers, which must be ours. Buttons there disappear. */
  isInstead?: true;
  /** Only with `isInstead`, of a message with buttons: those for this take their place. */
  asks?: Approvable;
}

/** What was said since a cursor. */
export interface Heard {
  /** Oldest first. */
  messages: ChatMessage[];
  /** To go on from; stored once the messages are. */
  cursor: string;
  /** Why a part of it could not be read. The rest was, and the cursor leaves that part where it was. */
  unread?: unknown;
}

/** Called for each message; the next one waits until it is stored. A message may come twice, with the same id. */
export type Hear = (message: ChatMessage) => Promise<void>;

/** One service with one account. Nothing is loaded or connected before the first call. */
export interface Channel {
  readonly name: ChannelName;
  /** How often `catchUp` is due; absent where `listen` hears at once. */
  readonly pollMs?: number;
  /** Returns the message of the thread; those about the same subject share it. */
  announce(post: AnnouncedPost): Promise<AnnouncedAt>;
  /** Returns the first message of the reply; long texts are several, or a file. */
  reply(to: ChatPost, reply: ChatReply): Promise<ChatPost>;
  /** The page of a message, for those who may read the channel; undefined where the service names none. Absent without one. */
  linkTo?(post: ChatPost): Promise<string | undefined>;
  /** Repeating it changes nothing. */
  react(to: ChatPost, reaction: ChatReaction): Promise<void>;
  /**
   * Hears what is said until the signal is aborted, from where the last `catchUp` of this instance ended; reconnects by
   * itself.
   */
  listen(hear: Hear, signal: AbortSignal): Promise<void>;
  /**
   * A file that came with a message. RefusedError `channel-file-refused` where it is larger than `maxBytes`. Absent where
   * messages have none.
   */
  readFile?(file: ChatFile, maxBytes: number): Promise<Uint8Array>;
  /** Reads once what was said since the cursor; without one it hears nothing old and returns the cursor of now. */
  catchUp(cursor: string | undefined): Promise<Heard>;
}
