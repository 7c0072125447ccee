/** What channels are asked to do. */
import type { RepositoryRef, ThreadRef } from '../run/thread-ref.ts';
import type { Waiting } from './announce/plan-delivery.ts';
import type { Approvable } from './approval-click.ts';
import type {
  ChannelName,
  ChatFile,
  ChatPerson,
  ChatPost,
  ChatReaction,
  ChatThread,
} from './chat-thread.ts';

export type ChannelEffect =
  | {
      /**
       * Tells one channel what waits for it: result is an AnnouncedDelivery. Settings and visibility are read at that moment.
       */
      kind: 'announce';
      repository: RepositoryRef;
      channel: ChannelName;
      waiting: readonly Waiting[];
      /** Messages that were never sent and not yet reported as such. */
      dropped: number;
      /** First messages of subjects in this channel, and threads in which something was asked; by the subject's key. */
      heads: Readonly<Record<string, ChatPost>>;
      threads: Readonly<Record<string, ChatThread>>;
      /** In a channel where nothing can be edited, what was announced last. */
      latest?: ChatPost;
      /** None of these was tried before. */
      isNew?: true;
      /** When these were first tried together, in ms since the epoch; absent in what older versions wanted. */
      firstAt?: number;
    }
  | {
      /** Finds out which repository a message in a channel is for, and who its author is on GitHub: result is a ChatLook. */
      kind: 'look-chat';
      chat: ChatPost;
      person: ChatPerson;
      /** Addresses on GitHub that the message names, where the channel itself is for no repository. */
      links?: readonly string[];
      /** Files to be read with it, where its author may ask for work. */
      files?: readonly ChatFile[];
      /** Where the thread is about an issue already. */
      at?: ThreadRef;
      /** `at` is a pull request, and its head decides. */
      of?: 'head';
      /** Nobody spoke to the team: in quiet hours it says nothing. */
      isUnprompted?: true;
    }
  | {
      /** Says something below a message in a channel. */
      kind: 'chat-reply';
      repository: RepositoryRef;
      chat: ChatPost;
      markdown: string;
      /** Who says it: the handle of a persona, or `product manager`. Quorum itself where the team has none. */
      persona?: string;
      /** Only this person sees it. */
      onlyFor?: ChatPerson['id'];
      /** It takes the place of the message, which is ours, and of its buttons. */
      isInstead?: true;
      /** Buttons below it, for what they are about now. */
      asks?: Approvable;
    }
  | {
      /** Turns a recording that somebody sent into text: result is what was said, which is foreign text. */
      kind: 'transcribe';
      repository: RepositoryRef;
      chat: ChatPost;
      file: ChatFile;
      /** Who sent it, on GitHub: what one person may spend in a day holds for it. */
      asker: { id: number };
    }
  | { kind: 'chat-react'; repository: RepositoryRef; chat: ChatPost; reaction: ChatReaction };

/** What is asked before a message is taken up. */
export type DataOfLook = Extract<ChannelEffect, { kind: 'look-chat' }>;
