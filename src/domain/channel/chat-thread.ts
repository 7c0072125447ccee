/** Where people talk outside GitHub: channels, their threads, and what people say there. */
import type { ApprovalClick } from './approval-click.ts';

/** The services that Quorum can speak on. */
export const CHANNELS = ['slack', 'bluesky'] as const;
export type ChannelName = (typeof CHANNELS)[number];

/** Services whose messages anybody can read: nothing of a private repository is ever sent there. */
const PUBLIC_CHANNELS: ReadonlySet<ChannelName> = new Set(['bluesky']);

export function isPublicChannel(channel: ChannelName): boolean {
  return PUBLIC_CHANNELS.has(channel);
}

/** Services that show which message an answer is to; in others a thread is one list. */
const NESTED_CHANNELS: ReadonlySet<ChannelName> = new Set(['bluesky']);

export function isNestedChannel(channel: ChannelName): boolean {
  return NESTED_CHANNELS.has(channel);
}

/** One thread of a channel. */
export interface ChatThread {
  channel: ChannelName;
  /** Slack: the id of the channel. Bluesky: the DID of our account. */
  place: string;
  /** Slack: the timestamp of the first message. Bluesky: the `at://` address of the root post. */
  thread: string;
}

/** One message in a thread; the first one has the thread's own id. */
export interface ChatPost extends ChatThread {
  message: string;
}

/** Who wrote a message. A name never grants a right. */
export interface ChatPerson {
  /** Slack: the user id with its workspace, `T1/U1`. Bluesky: the DID. */
  id: string;
  /** For people only: anybody may choose it. */
  name: string;
  isBot: boolean;
}

/** A file that came with a message. It is fetched only when somebody needs it. */
export interface ChatFile {
  id: string;
  name: string;
  kind: 'text' | 'audio' | 'image' | 'other';
  bytes: number;
  url: string;
  /** Length of a recording, where the service tells. */
  seconds?: number;
}

/** Something that was said in a channel. */
export interface ChatMessage extends ChatPost {
  /** The same for each delivery of the same message. */
  id: string;
  author: ChatPerson;
  /** As people read it, without the service's markup. Foreign text. */
  text: string;
  /** Whether it names us, answers us, was only seen, or is a post of the owner with a link to GitHub that names nobody. */
  why: 'mention' | 'reply' | 'seen' | 'shared';
  /** Addresses of issues, pull requests and repositories on GitHub, first those that were marked as links. */
  links: readonly string[];
  files: readonly ChatFile[];
  /** Nobody wrote it: its author pressed this button, and the text is the command that the button stands for. */
  click?: ApprovalClick;
  /** ISO 8601. */
  at: string;
}

/** How a message is received: seen, done, or refused. */
export const CHAT_REACTIONS = ['seen', 'done', 'refused'] as const;
export type ChatReaction = (typeof CHAT_REACTIONS)[number];

/** The persona in whose name a message is posted. */
export interface Speaker {
  name: string;
  role: string;
  avatarUrl?: string;
}
