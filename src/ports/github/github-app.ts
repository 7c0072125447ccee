/** What only the App itself can do. Errors are those of `github.ts`. */
import type { Failure } from '../../domain/event/errors.ts';
import type { CommentPlace } from '../../domain/run/talk.ts';
import type { Actor, RepositoryRef, ThreadRef } from '../../domain/run/thread-ref.ts';

/** What only the App itself may do: find its installations and what was not delivered. */
export interface GitHubApp {
  /** Who we are: the bot account that our comments carry. */
  self(): Promise<Actor>;
  installations(): Promise<{ installationId: number; account: string; isSuspended: boolean }[]>;
  repositories(installationId: number): Promise<RepositoryRef[]>;
  /** The events that the owner lets the App receive from this repository; undefined where GitHub does not say. */
  events(ref: RepositoryRef): Promise<readonly string[] | undefined>;
  /** Open threads that carry one of these labels. */
  labelled(ref: RepositoryRef, labels: string[]): Promise<LabelledThread[]>;
  /** What others opened, changed or said there since then, ISO 8601. Costs nothing while nothing is new. */
  recent(ref: RepositoryRef, since: string): Promise<RecentActivity>;
  /** Asks GitHub to deliver again what failed since then; returns how many. */
  redeliverFailed(since: string): Promise<number>;
}

/** What happened lately in a repository, as far as lists tell it; without what we did ourselves. */
export interface RecentActivity {
  /** Open ones that were changed. */
  pulls: RecentPull[];
  /** New ones. */
  comments: RecentComment[];
  /** Why a list could not be read, where GitHub refused one; what the others tell is there. */
  unread?: Failure;
}

/** Times are ISO 8601; the author is undefined when that account is gone. */
export interface RecentPull {
  id: number;
  number: number;
  author: Actor | undefined;
  headSha: string;
  isDraft: boolean;
  createdAt: string;
  updatedAt: string;
}

export interface RecentComment {
  id: number;
  place: CommentPlace;
  /** Of the issue or pull request. */
  number: number;
  author: Actor | undefined;
  /** The App that wrote it, by itself or for somebody. */
  appId?: number;
  body: string;
  createdAt: string;
  updatedAt: string;
}

export interface LabelledThread {
  thread: ThreadRef;
  labels: string[];
  updatedAt: string;
  /** Who put the label on last, when GitHub tells. */
  labelledBy: Actor | undefined;
}
