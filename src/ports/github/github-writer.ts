/** Writes to threads and commits, each safe to repeat. Errors are those of `github.ts`. */
import type { EffectData } from '../../domain/event/effect.ts';
import type { CheckWanted, IssueWanted } from '../../domain/event/effect-values.ts';
import type { MarkerData } from '../../domain/github/marker.ts';
import type { IssueOutcome } from '../../domain/github/issue-outcome.ts';
import type { RepositoryRef, ThreadRef } from '../../domain/run/thread-ref.ts';

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
   * An earlier attempt may have written it without a record. A list that does not show it is read again later, because
   * a replica at GitHub may lag behind. If it is written twice all the same, the duplicate is folded away.
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
   * One issue for each marker: opened with its labels, edited when title or text differ. It is reopened where Quorum
   * closed it, and left alone where somebody else did.
   */
  ensureIssue(ref: RepositoryRef, issue: EnsuredIssue): Promise<IssueOutcome>;
  ensureClosed(
    ref: ThreadRef,
    reason: 'not_planned' | 'completed' | 'duplicate',
  ): Promise<'closed' | 'was-closed'>;
  /**
   * One of Quorum's check runs for each name and commit; several are written in one call where the server can. Returns
   * their ids by name.
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
