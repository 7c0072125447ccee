/** The words of a pull request's review: what was read, what was found, and what became of it. */
import type { Config } from '../config/config.ts';
import type { Severity } from './signal.ts';
import type { Finding } from './finding.ts';
import type { MarkerData } from '../github/marker.ts';
import type { RunTrace } from '../run/run-trace.ts';
import type { Persona } from '../persona/persona.ts';
import type { Muted } from './precision.ts';
import type { Refuted } from './refutation.ts';
import type { SecretSighting } from '../secrets/secret-text.ts';
import type { Actor, Permission } from '../run/thread-ref.ts';
import type { CommentView, SourceFile } from '../run/view.ts';
import type { FileProblem } from '../config/yaml.ts';

/** A pull request and its change, read in one go at one head. */
export interface PullView {
  repository: {
    fullName: string;
    isPrivate: boolean;
    isArchived: boolean;
    defaultBranch: string;
    /** Tip of the default branch: configuration and personas are of this commit, never of the head. */
    headSha: string;
    /** Host of its GitHub's pages, for links in models' texts; `github.com` when absent. */
    host?: string;
  };
  pull: {
    number: number;
    title: string;
    body: string;
    state: 'open' | 'closed';
    isDraft: boolean;
    isLocked: boolean;
    isFork: boolean;
    author: Actor;
    authorPermission: Permission;
    labels: string[];
    headSha: string;
    baseSha: string;
    /** Name of the base branch; absent where an older worker read it. */
    baseRef?: string;
    url: string;
    createdAt: string;
  };
  /** Its branch merges through a queue, whose events the App does not receive. */
  isQueueUnheard?: true;
  /** The whole change, as `git diff` writes it. */
  diff: string;
  /**
   * What came since the last reviewed head; undefined without a reviewed head, or where it is gone (a rebase, a
   * force-push).
   */
  delta: { since: string; diff: string } | undefined;
  /** Texts at the head, of what the change touches and of what rules look up beside it; what they were before follows from the diff. */
  head: SourceFile[];
  /** What the default branch's `.gitattributes` says. */
  attributes?: string;
  /** Every path of the branch it goes to; undefined when that is not known in full. */
  basePaths: string[] | undefined;
  /** What the detector of credentials found, by path. */
  secrets: Record<string, SecretSighting[]>;
  comments: CommentView[];
  /** What people replied to Quorum's findings. */
  replies: FindingReply[];
  /** GraphQL's ids of our earlier reviews whose text is not folded away. */
  openTexts: string[];
  actorPermission: Permission;
  config: Config;
  problems: FileProblem[];
  personas: Persona[];
  /** Handles: only what rules find for one of these counts. Everything, when absent. */
  concerns?: string[];
  /** Of reviews of this head, by their check runs; absent in what older workers wrote. */
  traces?: RunTrace[];
  notRead: string[];
  /** Whether people's own lines are missing in `diff`: then nobody can say that all is well. */
  isCut: boolean;
  self: Actor;
}

const ONLY_CHANGED = ': only its changed lines were read';

/** The note for a changed file whose whole text could not be read. */
export function onlyChangedLines(path: string): string {
  return `${path}${ONLY_CHANGED}`;
}

/** The paths that {@link onlyChangedLines} told of. */
export function readInPart(notRead: readonly string[]): Set<string> {
  const told = notRead.filter((line) => line.endsWith(ONLY_CHANGED));
  return new Set(told.map((line) => line.slice(0, -ONLY_CHANGED.length)));
}

/** What became of a finding's conversation on GitHub. */
export interface FindingReply {
  /** Key of our comment's marker: the finding's fingerprint. */
  key: string;
  commentId: number;
  threadId: string | undefined;
  marker: MarkerData;
  isResolved: boolean;
  resolvedBy: { by: Actor; permission: Permission } | undefined;
  /** Whether our comment that began it is folded away. */
  isHidden: boolean;
  isOutdated: boolean;
  /** Reactions and replies by people, with what they may do here. */
  reactions: { content: string; by: Actor; permission: Permission }[];
  replies: { by: Actor; permission: Permission; body: string; isOurs: boolean }[];
}

/** `dismissed` by a person, permanently; `refuted` by the team, as long as the code it rests on is there. */
export type FindingStatus = 'open' | 'fixed' | 'dismissed' | 'refuted' | 'outdated';

/** One finding over the life of a pull request. */
export interface LedgerFinding {
  finding: Finding;
  status: FindingStatus;
  /** Head at which it was first reported. */
  firstSha: string;
  /** Head at which it was last seen. */
  lastSha: string;
  /** In the text of the review that told it, when it has no line of its own: people name it so. */
  number?: number;
  /** Who settled it and why, when it is settled. */
  settledBy?: string;
  why?: string;
  /** What the rule itself says, where a voice that reported the same finds it worse. */
  ruleSeverity?: Severity;
  /** The objections of the team that settled it. */
  refuted?: Refuted[];
}

/** Everything ever found in one pull request. */
export interface FindingsLedger {
  /** The head that was reviewed last. */
  reviewedSha: string | undefined;
  findings: LedgerFinding[];
}

export const EMPTY_LEDGER: FindingsLedger = { reviewedSha: undefined, findings: [] };

/** Lines of one hunk on both sides: a comment can stand on any of them. */
export interface HunkLines {
  path: string;
  old: [first: number, last: number];
  new: [first: number, last: number];
}

/** How many characters were left out of what a model reads, and the file with most of them. */
export interface HiddenCharacters {
  count: number;
  most?: { path: string; count: number };
}

/** What a review run keeps besides what every council run keeps. */
export interface ReviewState {
  headSha: string;
  /** The last reviewed head, when the voices were shown only what came since. */
  since: string | undefined;
  /** What code found for the first time, before any persona spoke. */
  fresh: Finding[];
  /** Earlier findings that this head or a person settled. */
  settled: LedgerFinding[];
  hunks: HunkLines[];
  /** What earlier reviews left open to be read: conversations by the finding's fingerprint, and texts. */
  unfolded: { conversations: Record<string, string>; texts: string[] };
  /** What is known of all findings, brought up to date with this head. */
  ledger: FindingsLedger;
  labels: string[];
  settings: {
    maxComments: number;
    minSeverity: Severity;
    event: 'COMMENT' | 'REQUEST_CHANGES';
  };
  /** Voices and rules that people found wrong too often to be read everywhere. */
  muted?: Muted[];
  notRead: string[];
  /** Whether something that people wrote could not be read. */
  isCut: boolean;
  /** Characters that no reader sees, in the words and the change that the team read. Absent: none. */
  hidden?: HiddenCharacters;
  /** Its branch merges through a queue, whose events the App does not receive: the check says so. */
  isQueueUnheard?: true;
  /** What rules alone have read, where a model could have: too much for the voices. Absent: nothing. */
  unseen?: string[];
}
