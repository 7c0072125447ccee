/** What work on a task asks of the outside world, and what each of it brings back. */
import type { GateReceipt } from '../gates/receipt.ts';
import type { Lease, LeaseEnd } from '../plan/lease.ts';
import type { PlanEdit } from '../plan/body/edit-plan.ts';
import type { TaskStatus } from '../plan/plan.ts';
import type { PromptText } from '../prompt/prompt-text.ts';
import type { ThreadRef } from '../run/thread-ref.ts';
import type { MergeGroup } from '../event/trigger.ts';
import type { CoderOutcome } from './coder-task.ts';
import type { Exchange } from './exchange.ts';
import type { MergeView, Receipts } from './merge-view.ts';
import type { ChangedFile } from './patch.ts';
import type { CopyLeftOut, TaskChange, TaskOrder, TaskPull, TaskRef, TaskText } from './task.ts';

/** Where one attempt works on this machine, and what it is based on. */
export interface AttemptPlace {
  /** The plan's. */
  thread: ThreadRef;
  task: number;
  /** Of the task's text, as it was approved. */
  digest: string;
  branch: string;
  lease: Lease;
  /** The namespace of its ref, and how long it lasts. */
  leaseAt: TaskOrder['lease'];
  /** Folder name of the attempt's worktree. */
  name: string;
}

/** A change and how it becomes a commit, the same everywhere: making it again gives the same commit. */
export interface CommitWanted {
  change: TaskChange;
  /** Subject, body and trailers. */
  message: string;
  title: string;
  /** Value of its `Co-authored-by`. */
  coAuthor: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** The receipts that a merge rests on, and whose they are: verified again wherever it counts. */
export interface Proof extends Receipts {
  task: TaskRef;
}

export type TaskEffect =
  | ({
      /** Takes the lease and writes the claim into the plan's body: result is a ClaimResult. */
      kind: 'claim';
      thread: ThreadRef;
      task: number;
      /** Who holds it: an instance's name is put before it. */
      holder: string;
    } & Pick<TaskOrder, 'digest' | 'approvedBy' | 'persona' | 'lease'>)
  | ({
      /** Lets the coder work in a worktree: result is a CodeResult. */
      kind: 'code';
      /** The commit to start from: the base, or the head so far. */
      from: string;
      attempt: number;
      /** Handle of the persona that it is done as. */
      persona: string;
      /** On whose money it is done; older ones do not tell. */
      requester?: TaskOrder['approvedBy'];
      /** The coder's whole prompt. */
      prompt: PromptText;
      /** The change that the task carries itself. */
      diff?: string;
      resume?: { sessionId: string; transcript: string; answer: string };
      /** What the session had changed when it was left; without it, it cannot be taken up. */
      before?: string;
      /** Made again: the coder sees all that this head has beyond `from`, as data within these marks. */
      remade?: { head: string; nonce: string };
    } & AttemptPlace)
  | ({
      /** Makes the commit and lets it through the gates that need no network: result is a VerifyResult. */
      kind: 'verify';
      commit: CommitWanted;
      /** Paths that the task names. */
      scope: string[];
      /** Tip of the default branch when the task was claimed: what tests it is of that. */
      baseSha: string;
      /** Who accepts that there are no tests. */
      acceptsNoTests?: string;
      /** The commit is first made as it was, then brought onto `baseSha`, which moved since. */
      isRebuilt?: true;
    } & AttemptPlace)
  | ({
      /** Pushes, checks what arrived, and opens the pull request: result is a PublishResult. */
      kind: 'publish';
      commit: CommitWanted;
      headSha: string;
      /** Quorum's own heads that the branch may have on GitHub, and that this one may replace. */
      ours: string[];
      base: string;
      /** The base's tip that it rests on; absent in older ones. */
      builtOn?: string;
      title: string;
      body: string;
      /** Digests of texts and titles that it may replace; any where that is not known, and in older ones. */
      from?: string[];
      marker: { run: string; key: string };
      /** Whose yes it rests on; older ones do not tell. */
      requester?: TaskOrder['approvedBy'];
      /** Whom we asked for a review before. */
      asked?: string[];
      isNew?: true;
    } & AttemptPlace)
  | {
      /** Reads all that a merge depends on: result is a MergeView. */
      kind: 'look-merge';
      thread: ThreadRef;
      branch: string;
      /** Whose words count, if they still have the role for it. */
      people: { id: number; login: string }[];
      /** What is known of the gates; older looks have none. */
      proof?: Proof;
      /** The base's tip that the head rests on; absent in older ones. */
      builtOn?: string;
    }
  | ({
      /** Runs the tests on what the merge would give: result is a RetestResult. */
      kind: 'retest';
      headSha: string;
      baseSha: string;
      acceptsNoTests?: string;
    } & AttemptPlace)
  | {
      /** Runs the tests on a head that a person allowed by its commit; a check of it says how they ended. */
      kind: 'test-head';
      thread: ThreadRef;
      headSha: string;
      /** Login of who allowed it. */
      by: string;
    }
  | {
      /** Repeats the App's checks of a pull request on a merge queue's commit, where its tests run again. */
      kind: 'report-group';
      thread: ThreadRef;
      group: MergeGroup;
      /** A pause of Quorum must not stop people's merges. */
      evenPaused: true;
    }
  | {
      /** Merges exactly this head, while the base is the one that it was tested with. */
      kind: 'merge';
      thread: ThreadRef;
      sha: string;
      base: { branch: string; sha: string };
      method: 'squash' | 'merge' | 'rebase';
      title: string;
      message: string;
      /** Deleted afterwards while it points to the head that was merged. */
      deleteBranch?: string;
      /** Without it nothing is merged; older ones have none. */
      proof?: Proof;
      /** Puts it into the base's merge queue instead. */
      isQueued?: true;
      isNew?: true;
    }
  | {
      /** Changes lines of the plan's body that are ours. */
      kind: 'plan-edit';
      thread: ThreadRef;
      edits: PlanEdit[];
      /** Only while the task's text is still this one, or while it is with this assignee. */
      only?: { task: number; digest: string; assignee?: string };
      /** Only while nobody has taken the task over. */
      holds?: { lease: Lease; leaseAt: TaskOrder['lease'] };
      /** Put in the place of a word that may not stand there, and only while it does. */
      insteadOf?: TaskStatus;
    }
  | {
      /** Gives a lease back and throws the worktrees of the task away. */
      kind: 'release';
      thread: ThreadRef;
      task: number;
      lease: Lease;
      leaseAt: TaskOrder['lease'];
      names: string[];
      /** Merged by others: deleted while it points there. */
      branch?: { name: string; sha: string };
      /** What the task is from now on. */
      end?: LeaseEnd;
    }
  | {
      /** Writes the text of a pull request as it is at the end, in the place of a text that Quorum wrote. */
      kind: 'describe';
      thread: ThreadRef;
      /** Digests of what it may replace, in older ones the texts. A person's own text stays. */
      from: string[];
      /** Without the marker line. */
      to: string;
    }
  | {
      /** Deletes a branch that nobody needs any more. */
      kind: 'drop-branch';
      thread: ThreadRef;
      branch: string;
      /** It points to one of these, or somebody else pushed to it. */
      heads: string[];
    };

export type ClaimResult =
  | {
      outcome: 'claimed';
      lease: Lease;
      base: { branch: string; sha: string };
      /** Host in accounts' noreply addresses; github.com when absent. */
      accountHost?: string;
      text: TaskText;
      /** Unguessable, for the delimiters around other people's words. */
      nonce: string;
    }
  /** `held` by somebody else; `edited` since the yes; `not-ready`: it waits, or is done already; `not-allowed`. */
  | {
      outcome: 'held' | 'edited' | 'not-ready' | 'not-allowed';
      reason: string;
      /** Another installation of Quorum holds it. */
      isElsewhere?: true;
    };

export interface CodeResult {
  coder: string;
  report: CoderOutcome;
  /** Empty when nothing changed. */
  patch: string;
  isTooLarge: boolean;
  files: ChangedFile[];
  /** Path of the copy of the journal in `patch`, which is not among `files`. */
  journal?: string;
  /** Why there is no such copy, where one was wanted. */
  copyLeftOut?: CopyLeftOut;
  /**
   * What a session had changed when its time was up, or it failed, as a patch. Absent when that is nothing, or too much
   * to keep.
   */
  partial?: string;
  /** What the PM answered on the way. */
  exchanges?: Exchange[];
}

export interface VerifyResult {
  headSha: string;
  receipts: GateReceipt[];
  /** What the change became on the base as it is now. */
  rebuilt?: Pick<TaskChange, 'from' | 'patch' | 'paths' | 'journal'>;
  /** It could not be brought onto the base as it is now: these paths conflict, and nothing was proved. */
  conflict?: string[];
  /** The settings of this moment switch the journal off. */
  isJournalOff?: true;
}

export interface PublishResult {
  receipts: GateReceipt[];
  /** Nothing was pushed: the base has other workflow files since, which GitHub would refuse. */
  outdated?: { baseSha: string };
  /** Absent when a gate stopped it. */
  pull?: TaskPull;
  /** GitHub's own time of the pull request's text that names the head, ISO 8601; absent in what older workers wrote. */
  shownAt?: string;
  reviewers: string[];
  /** Slugs of code-owning teams that GitHub does not let the App ask. */
  refusedTeams?: string[];
}

export type RetestResult =
  | { outcome: 'tested'; baseSha: string; receipt: GateReceipt }
  | { outcome: 'conflict'; baseSha: string; paths: string[] };

export type MergeResult =
  | { outcome: 'merged'; sha: string }
  /** Nothing was merged: it has to be tested on the new base first. With `reason` where GitHub said so and not git. */
  | { outcome: 'base-moved'; reason?: string }
  /** Nothing was merged: what it rested on is older than it may be, or is not proved. */
  | { outcome: 'stale' }
  /** It is in the base's merge queue. */
  | { outcome: 'queued' }
  | { outcome: 'refused'; reason: string; isHeadMoved: boolean };

export interface TaskEffectResults {
  claim: ClaimResult;
  code: CodeResult;
  verify: VerifyResult;
  publish: PublishResult;
  'look-merge': MergeView;
  retest: RetestResult;
  'test-head': { outcome: 'told' | 'moved' };
  /** How many checks were reported. */
  'report-group': { reported: number };
  merge: MergeResult;
  'plan-edit': { outcome: 'edited' | 'unchanged' | 'refused' };
  release: null;
  describe: { outcome: 'edited' | 'unchanged' | 'refused' };
  'drop-branch': { outcome: 'deleted' | 'was-gone' | 'moved' | 'in-use' };
}
