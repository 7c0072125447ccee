/**
 * What work on the tasks of a plan needs of GitHub: the plan's body, pull requests, merges.
 *
 * Errors and the rule for writes are those of ports/github/github.ts and ports/github/pulls.ts.
 */
import type { CheckWanted } from '../../domain/event/effect-values.ts';
import type { MarkerKind } from '../../domain/github/marker.ts';
import type { BodyVersion } from '../../domain/plan/body/body-versions.ts';
import type { Actor, Permission, RepositoryRef, ThreadRef } from '../../domain/run/thread-ref.ts';
import type { IsNew } from './github-writer.ts';
import type { SurveyAsk, Surroundings } from './github-survey.ts';
import type { Dispatches } from './dispatches.ts';
import type { Leases } from './leases.ts';
import type { GitHubPulls, PullSession, ReactionFacts } from './pulls.ts';

export interface PlanWriter {
  /**
   * Changes an issue's body by a pure function of its present text: reads it past every cache, edits, writes and reads
   * it back. It repeats this at most 3 times, when the new text is missing or others edited in between. `edit` then
   * gets all of their edits, those that a write has covered included. Where the server has no history of edits, one
   * between Quorum's last read and its write goes unseen. The outcome is `unchanged` when the edit changes nothing.
   * Undefined from `edit` refuses.
   *
   * @throws ConflictError `github-conflict` when others edited in between each time; RefusedError `github-invalid` when
   *   the text is longer than GitHub accepts
   */
  editBody(ref: ThreadRef, edit: BodyEdit): Promise<BodyOutcome>;
  /**
   * The last edits, oldest first, including the present text; empty where there were no edits or the server has no
   * history.
   */
  history(ref: ThreadRef): Promise<BodyVersion[]>;
  /** Adds or removes assignees and keeps the others; a login that cannot be assigned is left out. */
  assign(ref: ThreadRef, change: { add: string[]; remove: string[] }): Promise<void>;
}

/**
 * Called once for each text that it finds. It may be called for its own result.
 *
 * @param versions - the last edits, oldest first, including the present text; empty without a history
 */
export type BodyEdit = (body: string, versions: readonly BodyVersion[]) => string | undefined;

export interface BodyOutcome {
  outcome: 'edited' | 'unchanged' | 'refused';
  /** The text on GitHub now. */
  body: string;
}

export interface PullWanted {
  /** One pull request for each head, kind and key; the run is not compared. */
  marker: { kind: MarkerKind; run: string; key: string };
  /** A branch of this repository. */
  head: string;
  /** What the branch points to: one that was closed or merged counts only where it ended with this. */
  headSha: string;
  base: string;
  title: string;
  /** Without the marker line. */
  body: string;
  /** Digests of texts and titles that may be replaced. A person's text or title then stays. Without it, none stays. */
  from?: string[];
  /** Of a new one: one that is there is made ready by `ensureReady` and never a draft again. */
  isDraft: boolean;
  /** Quorum cannot have opened one yet, so it does not look for one first. GitHub opens no second one for a branch. */
  isNew?: IsNew;
}

export interface PullOutcome {
  number: number;
  url: string;
  headSha: string;
  state: 'open' | 'closed';
  isMerged: boolean;
  outcome: 'created' | 'edited' | 'unchanged';
  /** GitHub's own time of what it says now, ISO 8601. */
  updatedAt: string;
  /** Of an open one that is a draft, for `ensureReady`. */
  draftId?: string;
}

export const MERGE_METHODS = ['squash', 'merge', 'rebase'] as const;
export type MergeMethod = (typeof MERGE_METHODS)[number];

/** One report at the head under a name: a check run's latest, or a commit status. */
export interface CheckReport {
  name: string;
  kind: 'check' | 'status';
  /** Undefined for a status: GitHub does not tell which App wrote one. */
  appId: number | undefined;
  /** Who wrote a status; undefined for a check. */
  by: Actor | undefined;
  /** GitHub's word: a conclusion such as `success`, `skipped` or `neutral`; `pending` until there is one. */
  state: string;
  /** What the App knows it by; empty without. */
  externalId: string;
  url: string;
}

/** A check run of our own App, as it may be written again. */
export type OwnCheck = Pick<CheckWanted, 'name' | 'conclusion' | 'title'>;

/** A name that the base branch requires. */
export interface RequiredCheck {
  name: string;
  /** The only App whose report counts; undefined when any does. */
  appId: number | undefined;
  /** Those at the head that may count; none when nothing was reported. */
  reports: CheckReport[];
  /** `reports` is empty because the App may not read statuses. */
  isHidden?: true;
}

/** The latest review of a person or App that says yes or no, or else their latest comment. */
export interface PersonReview {
  by: Actor;
  /** `none` for Apps: what they may do is not told by GitHub. */
  permission: Permission;
  state: 'commented' | 'approved' | 'changes-requested' | 'dismissed';
  /** The head it was written for; undefined when that commit is gone. */
  commitSha: string | undefined;
  submittedAt: string;
}

export interface MergeFacts {
  author: Actor;
  state: 'open' | 'closed';
  isDraft: boolean;
  isMerged: boolean;
  /** Undefined until it is merged. */
  mergeSha: string | undefined;
  headSha: string;
  baseRef: string;
  /** Of the base branch, read now; the empty string when it is gone. */
  baseTip: string;
  /** Whether the head descends from that tip. */
  isUpToDate: boolean;
  /** Undefined while GitHub is still working it out, which takes some seconds: ask again. */
  isMergeable: boolean | undefined;
  labels: string[];
  /** People who were asked and have not answered. */
  requestedReviewers: Actor[];
  /** Slugs of teams who were asked and have not answered. */
  requestedTeams: string[];
  reviews: PersonReview[];
  required: RequiredCheck[];
  /**
   * Conversations on the diff that have to be resolved first: 0 where the base branch does not require it, undefined
   * where not all are known.
   */
  unresolved: number | undefined;
  /** Whether GitHub merges it by itself once its own rules allow. */
  isAutoMerge: boolean;
  /** Whether the base branch is merged into through a queue only. */
  hasQueue: boolean;
  /** Whether it is in that queue. */
  isInQueue: boolean;
  /** Those that the repository and the branch's rules allow; all where GitHub does not tell. */
  methods: MergeMethod[];
}

/** The facts, and their surroundings where the same call returned them. */
export interface MergeSurvey extends MergeFacts {
  around?: Omit<Surroundings, 'comments'>;
}

export interface MergeWanted {
  /** The head that was tested and approved. */
  sha: string;
  method: MergeMethod;
  /** Of the commit; without, GitHub's. A rebase has neither. */
  title?: string;
  message?: string;
  /** Quorum cannot have merged it yet, so it does not look first. GitHub compares the head itself. */
  isNew?: IsNew;
}

/** `refused`: GitHub's words, or why nothing was sent. */
export type MergeOutcome =
  | { outcome: 'merged' | 'was-merged'; sha: string }
  /** The base changed at the same moment; the same request may pass a moment later. */
  | { outcome: 'base-moved'; reason: string }
  | { outcome: 'refused'; reason: string; isHeadMoved: boolean };

export type QueueOutcome =
  | { outcome: 'queued' }
  | { outcome: 'was-merged'; sha: string }
  | { outcome: 'refused'; reason: string; isHeadMoved: boolean };

export interface TaskPulls {
  /**
   * One pull request for each of Quorum's head branches. It is found again by its head (open or closed) and the signed
   * marker in its text. An open one that lost its marker is found by its author. Title and text are edited when they
   * differ; its base never changes. It is never reopened.
   *
   * @throws RefusedError `github-invalid` when there is nothing between head and base, or when somebody else opened one
   *   for this head
   */
  ensurePull(ref: RepositoryRef, wanted: PullWanted): Promise<PullOutcome>;
  /**
   * Draft to ready; one that is closed is left as it is. With `draftId` of {@link PullOutcome} it is not read first.
   *
   * @throws RefusedError `github-forbidden`
   */
  ensureReady(ref: ThreadRef, draftId?: string): Promise<void>;
  /**
   * Asks those who were not asked yet and have not reviewed the present head. `refused` lists who may not be asked: the
   * author, somebody who is no collaborator, an unknown login. `refusedTeams` lists teams without access to the
   * repository, and all teams when the App lacks `members: read`. `isNew`: Quorum opened it just now, so nobody was
   * asked yet.
   */
  requestReviewers(
    ref: ThreadRef,
    wanted: { logins: readonly string[]; teams?: readonly string[]; isNew?: IsNew },
  ): Promise<{ asked: string[]; refused: string[]; refusedTeams: string[] }>;
  /**
   * Everything that a merge depends on, read now. It takes one call where the server can and requires no checks, with
   * what `ask` wants of its surroundings. Statuses are left out where the App may not read them.
   *
   * @throws RefusedError `head-moved`, ConflictError `github-conflict` when head or base moved while it was read
   */
  mergeFacts(ref: ThreadRef, ask?: SurveyAsk): Promise<MergeSurvey>;
  /**
   * Merges this head and no other. One that was merged at this head is found again, also when the answer was lost;
   * what GitHub refuses is an outcome. After a lost answer without effect: TransientError.
   */
  merge(ref: ThreadRef, wanted: MergeWanted): Promise<MergeOutcome>;
  /**
   * Puts this head and no other into the base's merge queue. A head that is already queued, or was merged, is found
   * again. GitHub reads and writes the queue through GraphQL only.
   */
  enqueue(ref: ThreadRef, sha: string): Promise<QueueOutcome>;
  /** Only while it points to `sha`. GitHub is asked right before: its REST deletes without comparing. */
  deleteBranch(
    ref: RepositoryRef,
    branch: string,
    sha: string,
  ): Promise<'deleted' | 'was-gone' | 'moved'>;
}

/** A reaction, and when it was left: one that is older than the text it is on says nothing about that text. */
export interface DatedReaction extends ReactionFacts {
  createdAt: string;
}

/** A pull request that Quorum opened, as far as it says what was proposed before. */
export interface PullInto {
  number: number;
  /** Name of its branch. */
  head: string;
  isOpen: boolean;
  /** ISO 8601. */
  openedAt: string;
}

export interface WorkReader {
  /** Of a comment on a thread, oldest first. GitHub sends no webhook for them. */
  reactions(ref: RepositoryRef, commentId: number): Promise<DatedReaction[]>;
  /** Undefined when there is no such branch. */
  branchTip(ref: RepositoryRef, branch: string): Promise<string | undefined>;
  /** Whether an open pull request comes from the branch, or goes into it. */
  isInUse(ref: RepositoryRef, branch: string): Promise<boolean>;
  /** Pull requests of Quorum's own into a branch, open and closed, newest first, at most 100. */
  pullsInto(ref: RepositoryRef, base: string): Promise<PullInto[]>;
  /** Latest check runs by our own App at the commit that have a conclusion, one for each name; none with a token. */
  ownChecks(ref: RepositoryRef, sha: string): Promise<OwnCheck[]>;
  /** Whether the branch, there or not, takes commits with verified signatures only; false where that is not told. */
  mustSign(ref: RepositoryRef, branch: string): Promise<boolean>;
  /** People with the write role, Apps left out: of more than a hundred collaborators some. None where it may not be asked. */
  writers(ref: RepositoryRef): Promise<Actor[]>;
}

/** A session that can work on tasks as well; its calls are counted together with the others. */
export interface WorkSession extends PullSession {
  leases: Leases;
  plans: PlanWriter;
  tasks: TaskPulls;
  work: WorkReader;
  dispatches: Dispatches;
}

export interface GitRemote {
  /** Without credentials in it. */
  url: string;
  /** Value of the Authorization header. */
  authorization: string;
  /** The remote does not know it: the next one is another. */
  forget: () => void;
}

/** A GitHub on which work is shared out and done. */
export interface GitHubWork extends GitHubPulls {
  /** Where git reaches a repository, with a short-lived right to its contents and to nothing else. */
  remote(ref: RepositoryRef): Promise<GitRemote>;
  at(ref: RepositoryRef, signal?: AbortSignal): WorkSession;
}
