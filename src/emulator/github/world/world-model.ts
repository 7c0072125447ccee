/** The nouns of the embedded GitHub: what it remembers about accounts, repositories, threads, Apps and hooks. */
import type { Permission } from '../../../domain/run/thread-ref.ts';
import type { BranchRules, MergeWay } from '../checks/branch-rules.ts';
import type { CommitStatus, CheckRun, CheckSuite, WorkflowRun } from './check-model.ts';
import type { Comparison } from '../git/compare-revisions.ts';

/** A user, an organisation or the bot user of an App. */
/** What an account pays for: its private repositories lack some features on `free` (plan.ts). */
export type Plan = 'free' | 'team';

export interface Account {
  id: number;
  login: string;
  type: 'User' | 'Organization' | 'Bot';
  plan: Plan;
  name: string;
  createdAt: string;
  /** Organisations only: member account id to role. */
  members: Map<number, 'admin' | 'member'>;
  /** Organisations only: by slug. Each may write to every repository of its organisation. */
  teams: Map<string, Team>;
}

export interface Team {
  id: number;
  slug: string;
  /** Account ids. */
  members: Set<number>;
}

export interface Label {
  id: number;
  name: string;
  /** Six hex digits without `#`. */
  color: string;
  description: string | null;
  isDefault: boolean;
}

export const REACTIONS = [
  '+1',
  '-1',
  'laugh',
  'confused',
  'heart',
  'hooray',
  'rocket',
  'eyes',
] as const;
export type ReactionContent = (typeof REACTIONS)[number];

export interface Reaction {
  id: number;
  userId: number;
  content: ReactionContent;
  createdAt: string;
}

/** Something with a body that people react to: a comment on a thread or on a diff. */
export interface Comment {
  id: number;
  body: string;
  userId: number;
  /** The App through which it was written, if any. */
  appId: number | undefined;
  createdAt: string;
  updatedAt: string;
  reactions: Reaction[];
  minimizedReason: string | undefined;
  /** Who edited it last; nobody when absent. */
  editedById?: number;
}

export interface ReviewComment extends Comment {
  reviewId: number;
  path: string;
  /** In the current diff; like `position` undefined once that line is not in it any more. */
  line: number | undefined;
  /** As it was written. */
  originalLine: number | undefined;
  startLine: number | undefined;
  side: 'LEFT' | 'RIGHT';
  position: number | undefined;
  diffHunk: string;
  commitId: string;
  originalCommitId: string;
  inReplyToId: number | undefined;
  subjectType: 'line' | 'file';
  /** Set on the first comment of a thread. */
  isResolved: boolean;
  resolvedById: number | undefined;
}

export type ReviewState = 'PENDING' | 'COMMENTED' | 'APPROVED' | 'CHANGES_REQUESTED' | 'DISMISSED';

export interface Review {
  id: number;
  userId: number;
  body: string;
  state: ReviewState;
  commitId: string;
  submittedAt: string | undefined;
  minimizedReason?: string | undefined;
}

export interface TimelineEvent {
  id: number;
  event: string;
  actorId: number;
  appId: number | undefined;
  createdAt: string;
  label?: { name: string; color: string };
  assigneeId?: number;
  commitId?: string;
  rename?: { from: string; to: string };
  reviewerId?: number;
  lockReason?: string;
}

export interface Pull {
  id: number;
  headRepositoryId: number;
  headRef: string;
  headSha: string;
  baseRef: string;
  baseSha: string;
  draft: boolean;
  merged: boolean;
  mergedAt: string | undefined;
  mergedById: number | undefined;
  mergeCommitSha: string | undefined;
  requestedReviewerIds: number[];
  /** Slugs of teams of the base repository's organisation. */
  requestedTeams: Set<string>;
  reviews: Review[];
  reviewComments: ReviewComment[];
  /** Set while auto-merge is on or the pull request is in the merge queue. */
  autoMerge?: { byId: number; way: MergeWay; isQueued?: true; group?: MergeGroup };
  /** What git said of the two sides last, kept until one of them moves. */
  compared?: {
    range: string;
    comparison: Promise<Comparison | undefined>;
    facts?: Promise<SideFacts>;
  };
}

/** What a merge queue would make of the base: the commit that required checks have to report on. */
export interface MergeGroup {
  /** Full name of the queue's own branch. */
  ref: string;
  sha: string;
  /** Tip of the base branch, or of the entry before it. */
  baseSha: string;
}

/** What git says of the two sides of a pull request beside their difference. */
export interface SideFacts {
  isMergeable: boolean;
  isBehind: boolean;
}

/** A thread's text after one edit. */
export interface BodyVersion {
  id: number;
  text: string;
  userId: number;
  at: string;
}

/** An issue, or a pull request when `pull` is set; both share one series of numbers. */
export interface Thread {
  id: number;
  number: number;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  stateReason: 'completed' | 'not_planned' | 'reopened' | 'duplicate' | null;
  locked: boolean;
  lockReason: string | undefined;
  userId: number;
  appId: number | undefined;
  labelIds: number[];
  assigneeIds: number[];
  createdAt: string;
  updatedAt: string;
  closedAt: string | undefined;
  closedById: number | undefined;
  comments: Comment[];
  reactions: Reaction[];
  timeline: TimelineEvent[];
  pull: Pull | undefined;
  /** The texts that it had, oldest first, from its first edit on: that writes down what was there before as well. */
  edits?: BodyVersion[];
}

export interface Repository {
  id: number;
  ownerId: number;
  name: string;
  description: string | null;
  private: boolean;
  defaultBranch: string;
  archived: boolean;
  forkOf: number | undefined;
  /** The bare repository on disk. */
  gitDir: string;
  createdAt: string;
  updatedAt: string;
  pushedAt: string;
  collaborators: Map<number, Permission>;
  labels: Label[];
  threads: Map<number, Thread>;
  /** Open ones by their due date; issues by number. A knob: no route makes one. */
  milestones?: { title: string; issues: number[] }[];
  /** Numbers of its pinned issues, the first one first. */
  pinned?: number[];
  /** Issues are switched off. */
  hasNoIssues?: true;
  lastNumber: number;
  statuses: CommitStatus[];
  checkSuites: CheckSuite[];
  /** Apps that get no check suite with each push. */
  appsWithoutSuites?: Set<number>;
  checkRuns: CheckRun[];
  workflowRuns: WorkflowRun[];
  /** By branch; a knob as well. */
  rules?: Map<string, BranchRules>;
  /** How pull requests may be merged: in every way when it is not set. */
  mergeWays?: Set<MergeWay>;
  /** Moves of refs, oldest first. */
  activity?: RefActivity[];
  /** `repository_dispatch` calls received, newest last. */
  dispatches: { eventType: string; clientPayload: unknown; at: string }[];
}

/** One move of a ref, as GitHub lists it. */
export interface RefActivity {
  id: number;
  ref: string;
  /** 40 zeros for a new ref. */
  before: string;
  /** 40 zeros for a deleted ref. */
  after: string;
  actorId: number;
  kind: 'push' | 'force_push' | 'branch_creation' | 'branch_deletion' | 'pr_merge';
  at: string;
}

export type AccessLevel = 'read' | 'write' | 'admin';
export type AppPermissions = Record<string, AccessLevel>;

export interface App {
  id: number;
  slug: string;
  name: string;
  clientId: string;
  clientSecret: string;
  ownerId: number;
  botId: number;
  description: string;
  externalUrl: string;
  /** SPKI PEM: checks the signatures of the App's JWTs. */
  publicKey: string;
  permissions: AppPermissions;
  events: string[];
  webhookUrl: string | undefined;
  webhookSecret: string | undefined;
  createdAt: string;
}

export interface Installation {
  id: number;
  appId: number;
  accountId: number;
  /** `undefined` means every repository of the account. */
  repositoryIds: Set<number> | undefined;
  permissions: AppPermissions;
  events: string[];
  createdAt: string;
  updatedAt: string;
  suspendedAt: string | undefined;
}

export type Token =
  | { kind: 'user'; userId: number; scopes: string[] }
  | {
      kind: 'installation';
      installationId: number;
      expiresAtMs: number;
      permissions: AppPermissions;
      repositoryIds: Set<number> | undefined;
    };

/** One attempt to deliver a webhook, as the deliveries API shows it. */
export interface Delivery {
  id: number;
  /** The `X-GitHub-Delivery`: a redelivery keeps it. */
  guid: string;
  appId: number;
  event: string;
  action: string | null;
  installationId: number | null;
  repositoryId: number | null;
  deliveredAt: string;
  redelivery: boolean;
  /** Seconds. */
  duration: number;
  status: string;
  statusCode: number;
  url: string;
  requestHeaders: Record<string, string>;
  /** The exact bytes that were signed. */
  payload: string;
  responseHeaders: Record<string, string>;
  responsePayload: string;
}
