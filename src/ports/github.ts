/**
 * What we read from GitHub and what we make true there.
 *
 * Errors: TransientError (limits, 5xx, network: with `retryAfterMs` where GitHub named one), RefusedError
 * (`github-not-found` 404/410, `github-forbidden` 403, `github-invalid` 422, `github-moved` for what was transferred,
 * `github-locked`), ConflictError (`github-conflict` 409), ConfigError (`github-unauthorised` 401).
 * Writes are never repeated blindly: each looks for its own trace first.
 */
import type { CheckWanted, EffectData, IssueWanted } from '../domain/event/effect.ts';
import type { Failure } from '../domain/event/errors.ts';
import type { CallCounts } from '../domain/run/ledger.ts';
import type { MarkerData } from '../domain/github/marker.ts';
import type { IssueOutcome } from '../domain/github/issue-outcome.ts';
import type { CommentPlace } from '../domain/run/talk.ts';
import type { Actor, Permission, RepositoryRef, ThreadRef } from '../domain/run/thread-ref.ts';
import type { IssueView, PastIssue, SourceFile } from '../domain/run/view.ts';

/** What GitHub says of a repository right now. */
export interface RepositoryFacts {
  fullName: string;
  isPrivate: boolean;
  isArchived: boolean;
  defaultBranch: string;
  /** Tip of the default branch; the empty string when the repository has no commit. */
  headSha: string;
  /** Host of its GitHub's pages; `github.com` when absent. */
  host?: string;
}

/** A comment as GitHub has it; whether its marker is ours is judged by the caller of `parseMarker`. */
export interface CommentFacts {
  id: number;
  author: Actor;
  body: string;
  createdAt: string;
  updatedAt: string;
  /** Whether our own App wrote it. */
  isOurs: boolean;
}

/** Reads. All conditional: what has not changed costs nothing of the rate limit. */
export interface GitHubReader {
  repository(ref: RepositoryRef): Promise<RepositoryFacts>;
  /** The issue or pull request; throws RefusedError `github-not-found` when deleted, `github-moved` when transferred. */
  issue(ref: ThreadRef): Promise<IssueView['issue']>;
  /** Oldest first, at most `limit` of the newest. */
  comments(ref: ThreadRef, limit: number): Promise<CommentFacts[]>;
  /** By numeric user id: a login that now belongs to another account has no permission. Unknown is `none`. */
  permission(ref: RepositoryRef, user: { id: number; login: string }): Promise<Permission>;
  /** Every path at a commit, at most `limit`. */
  paths(
    ref: RepositoryRef,
    sha: string,
    limit: number,
  ): Promise<{ paths: string[]; isCut: boolean }>;
  /** File texts at a commit; those that do not exist, are binary or huge are left out, those over `maxBytes` are cut at a line. */
  files(
    ref: RepositoryRef,
    sha: string,
    want: { paths: string[]; maxBytes: number },
  ): Promise<SourceFile[]>;
  /** Issues of the repository, newest activity first; pull requests left out. */
  pastIssues(ref: RepositoryRef, limit: number): Promise<PastIssue[]>;
}

/**
 * The caller's word that nothing can have been written under this marker yet: it is not looked for first. After any
 * failure, or a restart, the caller does not know that any more.
 */
export type IsNew = boolean;

/** What is known of earlier writes under the same marker, from what was recorded of them. */
export interface Trace {
  /** What GitHub calls what was written: the id of a comment, review or check run, the number of an issue. */
  id?: number;
  /**
   * An earlier attempt may have written it without a record. A list that does not show it is then read again later, because
   * a copy of GitHub may lag behind, and what is written twice all the same is folded away.
   */
  isDoubtful?: true;
}

/** Asked only where the adapter itself does not remember what it wrote, as after a restart. */
export type FindTrace = () => Promise<Trace>;

export type LabelChange = Pick<Extract<EffectData, { kind: 'labels' }>, 'add' | 'remove' | 'has'>;
export type ReactionChange = Pick<
  Extract<EffectData, { kind: 'react' }>,
  'commentId' | 'isOnDiff' | 'add' | 'remove'
>;
/** Check runs at one commit; those that are new need not be looked for. */
export interface ChecksChange {
  repository: RepositoryRef;
  headSha: string;
  checks: readonly (CheckWanted & { isNew?: IsNew; trace?: FindTrace })[];
}

/**
 * `at`: when it was decided, ISO 8601. What the same run opened since counts as created, also when the answer to that was
 * lost.
 */
export type EnsuredIssue = IssueWanted & { at?: string; trace?: FindTrace };

/** Writes, each safe to repeat: doing it twice changes nothing. */
export interface GitHubWriter {
  /** One comment for each marker: created, edited when the body differs, left alone, or withdrawn. */
  ensureComment(ref: ThreadRef, comment: EnsuredComment): Promise<WrittenComment>;
  /** Adds and removes labels; a label that does not exist yet is created, one that does is never recoloured. */
  ensureLabels(ref: ThreadRef, change: LabelChange): Promise<void>;
  ensureReaction(ref: ThreadRef, reaction: ReactionChange): Promise<void>;
  /**
   * One issue for each marker: opened with its labels, edited when title or text differ, opened again where we closed
   * it ourselves, left alone where somebody else did.
   */
  ensureIssue(ref: RepositoryRef, issue: EnsuredIssue): Promise<IssueOutcome>;
  ensureClosed(
    ref: ThreadRef,
    reason: 'not_planned' | 'completed' | 'duplicate',
  ): Promise<'closed' | 'was-closed'>;
  /**
   * One check run for each name and commit of ours; several are written in one call where the server can. Returns their
   * ids by name.
   */
  ensureChecks(change: ChecksChange): Promise<Record<string, number>>;
  /** GitHub opens a check suite only with our first check run on a commit, not with each push. */
  ensureNoEmptySuites(ref: RepositoryRef): Promise<void>;
}

export interface EnsuredComment {
  marker: MarkerData;
  /** Without the marker line. */
  body: string;
  isNew?: IsNew;
  trace?: FindTrace;
  /** It is not wanted any more: deleted, where it is there. */
  isWithdrawn?: true;
}

export interface CommentOutcome {
  id: number;
  url: string;
  outcome: 'created' | 'edited' | 'unchanged';
}

export interface WrittenComment extends Omit<CommentOutcome, 'outcome'> {
  outcome: CommentOutcome['outcome'] | 'withdrawn';
  /** GitHub's own time of the text that is there now, ISO 8601. */
  updatedAt: string;
}

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

/** One place to reach GitHub, bound to a repository's installation and counting every call. */
export interface GitHub {
  app: GitHubApp;
  /** Host in the noreply addresses of accounts, such as `github.com`. */
  accountHost: string;
  /** Reader and writer with the installation's token; `counts` grows as calls are made. */
  at(ref: RepositoryRef, signal?: AbortSignal): GitHubSession;
  /** Forgets tokens and cached reads of an installation that was removed or suspended. */
  forget(installationId: number): void;
}

/** Who changed what, and when. */
export interface GitHubHistory {
  /** Commits up to `sha` that touched a path, children before their parents, at most 100; none where `sha` is not there. */
  commits(
    ref: RepositoryRef,
    at: { path: string; sha: string },
  ): Promise<{ commits: CommitFacts[]; isCut: boolean }>;
  /**
   * How a commit of the default branch came in by a pull request; undefined where it was pushed, or the server does not
   * tell.
   */
  broughtIn(ref: RepositoryRef, sha: string): Promise<MergedPull | undefined>;
}

/** A pull request that was merged into the default branch. */
export interface MergedPull {
  number: number;
  /** The head that was merged. */
  headSha: string;
  /** The commit of the base that has it. */
  mergeSha: string;
  mergedBy: Actor;
  /** GitHub or its merge queue merged it later than somebody asked for: nobody named the head that was merged. */
  isAutomatic: boolean;
  /** Whose last review approves, and which head. */
  approvals: { by: Actor; sha: string }[];
}

export interface CommitFacts {
  sha: string;
  /** Whether an App or another automated account authored or committed it, or nobody can tell who did. */
  isByAgent: boolean;
}

/** A repository's code as a whole, and what we have opened issues about. */
export interface GitHubCode {
  /**
   * File texts at a commit as of `GitHubReader.files`, many in few calls, in the order asked for until `totalBytes` are
   * full; what does not fit any more is left out.
   */
  texts(ref: RepositoryRef, sha: string, want: TextsWanted): Promise<SourceFile[]>;
  /** SHA of each plain file's blob at a commit, by path. Costs nothing where the paths were read already. */
  blobs(ref: RepositoryRef, sha: string): Promise<ReadonlyMap<string, string>>;
  /** Issues that we opened ourselves, open and closed, last changed first; at most 1,000. */
  ownIssues(ref: RepositoryRef): Promise<OwnIssue[]>;
  /** Issues and pull requests, last changed first: the newest 100. */
  threads(
    ref: RepositoryRef,
    want: { state: 'open' | 'closed'; label?: string },
  ): Promise<PastIssue[]>;
}

export interface TextsWanted {
  paths: string[];
  /** Of one file: longer ones are cut at a line. */
  maxBytes: number;
  totalBytes: number;
}

/** An issue of ours, by the signed marker in its text. */
export interface OwnIssue {
  number: number;
  url: string;
  title: string;
  state: 'open' | 'closed';
  labels: string[];
  marker: MarkerData;
}

/** What is wanted of a thread's surroundings. */
export interface SurveyAsk {
  /** Whose permission matters. */
  people: readonly { id: number; login: string }[];
  /** Files at the tip of the default branch. */
  files: readonly string[];
  /** Of this folder there every text, and of the folders in it. */
  folder: string;
  /** A file of another repository; a name that is none has no such file. */
  foreign: { owner: string; repo: string; path: string } | undefined;
  /** Longer texts are cut at a line. */
  maxBytes: number;
  /** A branch whose head is told, by its short name. */
  branch?: string;
  /** So many of the newest comments on the thread, at most 100. */
  comments: number;
  /** So many issues of the repository, newest activity first. */
  pastIssues: number;
}

/** A file that is there; without a text it is binary. */
export interface FoundFile {
  path: string;
  file: SourceFile | undefined;
}

/** What a look needs beside the thread itself, all of one moment. */
export interface Surroundings {
  repository: RepositoryFacts;
  /** Of what was asked for: what is there. */
  files: FoundFile[];
  /** Undefined where the server did not say; without `found` there is no such file. */
  foreign: { fullName: string; found: FoundFile | undefined } | undefined;
  /**
   * Of those about whom the server said something; of the others {@link GitHubReader.permission} knows. `none` is who was
   * not let in by name: a public repository they may read all the same.
   */
  permissions: ReadonlyMap<number, Permission>;
  comments: CommentFacts[];
  /** The branch that was asked for; its head is undefined where there is no such branch. */
  branch?: BranchHead;
}

/** A branch by its short name. */
export interface BranchHead {
  name: string;
  head: string | undefined;
}

export interface IssueSurvey extends Surroundings {
  /** Without a permission: it is among the others, or not known. */
  issue: Omit<IssueView['issue'], 'authorPermission'>;
  pastIssues: PastIssue[];
}

/** Everything that a look needs in one call, where the server can; undefined where it has to be read one by one. */
export interface GitHubSurvey {
  /** The issue or pull request. */
  issue(ref: ThreadRef, ask: SurveyAsk): Promise<IssueSurvey | undefined>;
}

/** Teams of the organisation that owns a repository. */
export interface GitHubTeams {
  /**
   * Slugs of those among `slugs` that the account is in, by its numeric id; undefined where the App may not read who is in
   * a team, which takes the optional permission `members: read`, and where a person owns the repository.
   */
  membership(
    ref: RepositoryRef,
    user: { id: number; login: string },
    slugs: readonly string[],
  ): Promise<string[] | undefined>;
}

export interface GitHubSession {
  read: GitHubReader;
  /** Absent where there are no teams, as at a terminal. */
  teams?: GitHubTeams;
  survey: GitHubSurvey;
  history: GitHubHistory;
  code: GitHubCode;
  write: GitHubWriter;
  counts: CallCounts;
}
