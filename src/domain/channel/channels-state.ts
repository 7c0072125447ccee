/** What is kept of the channels of one repository. */
import type { RepositoryRef } from '../run/thread-ref.ts';
import type { Waiting } from './announce/plan-delivery.ts';
import type { ChannelName, ChatPost, ChatThread } from './chat-thread.ts';
import type { Approvable, HeadAnswer, PlanAnswer } from './approval-click.ts';

export interface ChannelsState {
  v: number;
  /** Of its effects; empty before the first. */
  id: string;
  step: number;
  repository?: RepositoryRef;
  queues: Partial<Record<ChannelName, ChannelQueue>>;
  /** Threads in which something was asked, by channel and the subject's key: the answers go there. */
  threads?: Partial<Record<ChannelName, Record<string, AskedThread>>>;
  /** Answers that are under way, by their effect, and of how many earlier ones each says that they were left out. */
  replies?: Record<string, { channel: ChannelName; dropped: number }>;
  /** Messages whose buttons wait for somebody to press them, by the subject's key. */
  asked?: Record<string, AskedPost>;
  /** Digest of the text that approval was asked for last, by the subject's key: its buttons may appear after that. */
  shown?: Record<string, string>;
  /** How a plan was answered last, by the subject's key: its buttons may appear after that. */
  answers?: Record<string, PlanAnswer>;
  /** Which announcement asked last for the approval of a head, by the subject's key. */
  requests?: Record<string, HeadRequest>;
  /** Which announcement asked a question of people last, by the subject's key. */
  needs?: Record<string, AskedNeed>;
  /** Which head waits for approval no longer, by the subject's key: its button may appear after that. */
  headAnswers?: Record<string, HeadAnswer>;
}

/** `asked`: the message to answer, where that is not the first one. */
export type AskedThread = ChatThread & { asked?: ChatPost['message'] };

/** A message with the buttons of a plan or a pull request. */
export interface AskedPost extends Pick<Approvable, 'digest' | 'of'> {
  chat: ChatPost;
  /** Somebody rejected that text, so there are no buttons until it changes. */
  isRejected?: true;
}

export interface HeadRequest {
  /** Of the announcement. */
  key: string;
  headSha: string;
}

export interface AskedNeed {
  /** Of the announcement. */
  key: string;
  question: string;
  /** No question of the subject is open any more, but a head waits for approval there. */
  isOver?: true;
}

/** What waits for one channel. */
export interface ChannelQueue {
  /** Oldest first. */
  waiting: Waiting[];
  /** Effect that is under way. */
  sending?: string;
  /** Keys of what was tried at least once. */
  tried?: string[];
  /** Keys of what is being sent, or was when the channel refused: it is sent again by itself, so that it is found. */
  batch?: string[];
  /** When that was first tried, in ms since the epoch; absent in what older versions kept. */
  batchAt?: number;
  /** By key, the thread where it was tried: it is sent again there, not to a newer one of its subject. */
  triedIn?: Record<string, AskedThread>;
  /** Only in what older versions kept: the threads of the batch, by the subject's key. */
  batchThreads?: Record<string, AskedThread>;
  /** Keys of what is being sent to threads while the batch waits for its retry. */
  apart?: string[];
  /** Keys of what was due to be tried again while something else was under way. */
  due?: string[];
  /** How many of `dropped` the effect under way knows of. */
  known?: number;
  /** Nothing is sent before it; `isQuiet`: because of quiet hours. */
  timer?: string;
  isQuiet?: true;
  /** Messages that were never sent and not yet reported as such. */
  dropped: number;
  /** First messages of subjects, by the subject's key. */
  heads: Record<string, ChatPost>;
}

export const EMPTY_CHANNELS: ChannelsState = { v: 1, id: '', step: 0, queues: {} };

/** The stream of a repository's channels. */
export function channelsKey(repositoryId: number): string {
  return `channels:${repositoryId}`;
}
