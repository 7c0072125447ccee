/**
 * Reading and reviewing pull requests.
 *
 * Errors and the rule for writes are those of ports/github/github.ts. In addition, RefusedError `head-moved` when the
 * head is another commit than the one that was read, and `no-pull` when the number is an issue's.
 */
import type { Reaction } from '../../domain/event/effect-values.ts';
import type { MarkerData, MarkerKind } from '../../domain/github/marker.ts';
import type { Actor, RepositoryRef, ThreadRef } from '../../domain/run/thread-ref.ts';
import type { CommentOutcome, FindTrace, IsNew } from './github-writer.ts';
import type { GitHub, GitHubSession } from './github.ts';
import type { SurveyAsk, Surroundings } from './github-survey.ts';

/** A pull request as GitHub has it right now. */
export interface PullFacts {
  number: number;
  title: string;
  body: string;
  state: 'open' | 'closed';
  isDraft: boolean;
  isMerged: boolean;
  isLocked: boolean;
  /** Whether its base branch merges through a queue; absent where that was not told. */
  hasQueue?: boolean;
  /** Whose permission is not told here: ask `GitHubReader.permission`. */
  author: Actor;
  labels: string[];
  headSha: string;
  /** Tip of the base branch when GitHub last looked; the diff is against the point where the head left it. */
  baseSha: string;
  headRef: string;
  baseRef: string;
  /** Whether the head is in another repository than the base; a deleted fork counts as one. */
  isFork: boolean;
  /** Undefined when the fork was deleted. */
  headRepositoryId: number | undefined;
  url: string;
  changedFiles: number;
  additions: number;
  deletions: number;
  createdAt: string;
  updatedAt: string;
}

export interface PullRange {
  /** The base branch's tip, or the last reviewed head for what came since. */
  baseSha: string;
  headSha: string;
  /** How many files the pull request has, when the range is all of it: many are listed without asking for a diff first. */
  filesOfPull?: number;
}

export interface PullChanges {
  /** Text as `git diff` writes it, from the merge base of the two to the head; empty when nothing differs. */
  diff: string;
  /** Whether anything of the range is missing in `diff`. */
  isCut: boolean;
  /** Paths that GitHub names without their changed lines because there are too many. */
  leftOut: string[];
  /** Files that are not even named, at least: GitHub lists 3,000, and 300 of a range that is not the whole pull request. */
  unnamedFiles: number;
}

/** A reaction and who left it; their permission is not told. */
export interface ReactionFacts {
  content: Reaction;
  by: Actor;
}

/** A submitted review, ours or another's. */
export interface ReviewFacts {
  id: number;
  /** GraphQL's id, for `fold`. */
  nodeId: string | undefined;
  url: string;
  author: Actor;
  body: string;
  state: 'commented' | 'approved' | 'changes-requested' | 'dismissed';
  /** The head it was written for; undefined when that commit is gone. */
  commitSha: string | undefined;
  submittedAt: string;
  isOurs: boolean;
  /** Present when the review is ours and its marker's signature is right. */
  marker?: MarkerData;
  /** Whether it is folded away; undefined where the server does not tell. */
  isHidden: boolean | undefined;
  reactions: ReactionFacts[];
}

/** One comment on the diff. */
export interface ReviewCommentFacts {
  id: number;
  /** GraphQL's id, for `fold`; undefined where the server tells none. */
  nodeId: string | undefined;
  url: string;
  author: Actor;
  body: string;
  createdAt: string;
  updatedAt: string;
  isOurs: boolean;
  /** Present when the comment is ours and its marker's signature is right: its key is the finding's. */
  marker?: MarkerData;
  /** The review that it came with. */
  reviewId: number | undefined;
  /** Whether it is folded away; undefined where the server does not tell. */
  isHidden: boolean | undefined;
  reactions: ReactionFacts[];
}

/** A conversation on a line: the comment that began it, then the replies, oldest first. */
export interface ReviewThreadFacts {
  /** GraphQL's id, for `fold`; undefined where the server tells none. */
  id: string | undefined;
  path: string;
  side: 'LEFT' | 'RIGHT';
  /** Where it is in the current diff; undefined when the line vanished. */
  line: number | undefined;
  /** Where it was when it was written; undefined for a comment on a whole file. */
  originalLine: number | undefined;
  isOutdated: boolean;
  /** Undefined where the server does not tell (no GraphQL). */
  isResolved: boolean | undefined;
  /** Undefined when it is not resolved, not told, or that account is gone. */
  resolvedBy: Actor | undefined;
  comments: ReviewCommentFacts[];
}

/** What became of earlier reviews. */
export interface PullFeedback {
  /** Oldest first, pending ones left out. */
  reviews: ReviewFacts[];
  threads: ReviewThreadFacts[];
  /** Whether there is more than was read (the newest reviews, 500 threads, 50 comments in each, 20 reactions on each). */
  isCut: boolean;
}

export interface PullSurvey extends Surroundings {
  pull: PullFacts;
  feedback: PullFeedback;
  /** Of reviews on the head. */
  checks: OwnCheck[];
}

export interface PullReader {
  /** Everything that a look needs but the change itself, in one call; undefined where it has to be read one by one. */
  survey(ref: ThreadRef, ask: SurveyAsk): Promise<PullSurvey | undefined>;
  /** @throws RefusedError `no-pull` | `github-not-found`; `github-moved` when the name is another repository's now */
  pull(ref: ThreadRef): Promise<PullFacts>;
  /**
   * The text of a range. When GitHub finds the diff too large (300 files or 20,000 lines), the pull request's own range
   * takes one call for every 100 files. Any other takes one call.
   *
   * @throws RefusedError `head-moved` when the head moved while it was read in pages
   */
  changes(ref: ThreadRef, range: PullRange): Promise<PullChanges>;
  /** One call for every 50 threads; without GraphQL three and one for every comment with reactions. */
  feedback(ref: ThreadRef): Promise<PullFeedback>;
  /** Check runs of our own App on a commit that reviews began: every one, oldest first. */
  reviewChecks(ref: RepositoryRef, at: { name: string; headSha: string }): Promise<OwnCheck[]>;
}

/** A check run of a review, ours. */
export interface OwnCheck {
  id: number;
  /** The run that began it. */
  run: string;
  isEnded: boolean;
  /** ISO 8601; absent where the server does not tell. */
  startedAt?: string;
}

/** A comment on a line of the diff, or on several. */
export interface PlacedComment {
  /** Unique in the review: the key of the comment's own marker, such as a finding's fingerprint. */
  key: string;
  path: string;
  /** The last line it is about, counted in the file of its side. */
  line: number;
  side: 'LEFT' | 'RIGHT';
  startLine?: number;
  startSide?: 'LEFT' | 'RIGHT';
  /** Without the marker line. */
  body: string;
}

export interface EnsuredReview {
  /** One review for each: kind, run and key. */
  marker: { kind: MarkerKind; run: string; key: string };
  /** The head that was reviewed. */
  headSha: string;
  /** On a pull request of our own a request for changes becomes a comment: GitHub takes nothing else. */
  event: 'COMMENT' | 'REQUEST_CHANGES';
  /** Without the marker line. */
  body: string;
  comments: PlacedComment[];
  /** With it, a head that was seen just now is believed as well. */
  isNew?: IsNew;
  trace?: FindTrace;
}

export interface ReviewOutcome {
  id: number;
  url: string;
  outcome: 'created' | 'unchanged';
  /** Indexes of the comments that GitHub took on no line; they stand at the end of the review's body. */
  unplaced: number[];
}

/** Something on a line, shown in the check and on the diff. */
export interface CheckAnnotation {
  path: string;
  startLine: number;
  endLine: number;
  level: 'notice' | 'warning' | 'failure';
  title: string;
  message: string;
}

export interface ReviewCheck {
  /** `quorum / review`, or with a persona's handle behind it. */
  name: string;
  headSha: string;
  /** One check run for each name, head and run: annotations can be added to one but never taken away. */
  run: string;
  /** Undefined while the review is going on. */
  conclusion: 'success' | 'failure' | 'neutral' | 'action_required' | undefined;
  title: string;
  summary: string;
  /** Sent 50 at a time. While the review is going on: none. */
  annotations: CheckAnnotation[];
  /** Of a check that ends: nothing but its beginning was written, so one that is remembered is not looked at again. */
  isNew?: IsNew;
  trace?: FindTrace;
  /** Another run may have begun one of this name on this head: it is ended when it is still in progress. */
  hasOlder?: true;
}

export interface CheckOutcome {
  id: number;
  outcome: 'created' | 'edited' | 'unchanged';
}

export interface EnsuredReply {
  marker: { kind: MarkerKind; run: string; key: string };
  /** Without the marker line. */
  body: string;
  trace?: FindTrace;
}

/** What is settled and need not be read any more; ids are GraphQL's. */
export interface Settled {
  /** Conversations on the diff. */
  conversations: string[];
  /** Comments and reviews' texts that something newer replaces. */
  texts: string[];
}

/**
 * `hidden`: we may not resolve it, so our comment that began it is folded away instead. `gone`: not there any more, or
 * not of this pull request. `unavailable`: this server or our permission allows neither.
 */
export type FoldOutcome = 'done' | 'was-done' | 'hidden' | 'gone' | 'unavailable';

/** Writes, each safe to repeat: doing it twice changes nothing. */
export interface PullWriter {
  /** @throws RefusedError `head-moved` before anything is written (not looked for with `isNew`), `github-locked` */
  ensureReview(ref: ThreadRef, review: EnsuredReview): Promise<ReviewOutcome>;
  ensureReviewCheck(ref: RepositoryRef, check: ReviewCheck): Promise<CheckOutcome>;
  /** One reply for each marker, in the thread that this comment is of. */
  ensureReply(
    ref: ThreadRef,
    to: { commentId: number },
    reply: EnsuredReply,
  ): Promise<CommentOutcome>;
  /**
   * Marks conversations resolved and folds texts away as outdated; one outcome for each, in order, conversations first.
   * What another has resolved is left as it is. GitHub lets an App resolve only with write access to `contents`.
   */
  fold(ref: ThreadRef, settled: Settled): Promise<FoldOutcome[]>;
}

/** A session that can review as well; its calls are counted together with the others. */
export interface PullSession extends GitHubSession {
  pulls: PullReader;
  reviews: PullWriter;
}

/** A GitHub with pull requests. */
export interface GitHubPulls extends GitHub {
  at(ref: RepositoryRef, signal?: AbortSignal): PullSession;
}
