/** What a merge of a task's pull request depends on, and what can be done about it. */
import type { Config } from '../config/config.ts';
import type { GateReceipt } from '../gates/receipt.ts';
import type { Actor, Permission } from '../run/thread-ref.ts';

/** The state of one required check at the head. */
export interface RequiredCheck {
  name: string;
  state: 'success' | 'failure' | 'pending' | 'missing' | 'unreadable';
}

/** A person's latest review. */
export interface PersonReview {
  by: Actor;
  permission: Permission;
  state: 'approved' | 'changes-requested' | 'commented' | 'dismissed';
  commitSha?: string;
}

/** Of the gates, as they are stored. */
export interface Receipts {
  /** Of all gates, oldest first. */
  receipts: readonly GateReceipt[];
  /** Of the tests on what a merge into a later base would give. */
  retest?: GateReceipt;
}

/** What the stored receipts of the gates prove. */
export interface Proved {
  /** What is not proved of the head, for people. */
  unproved: string[];
  /** Whether it was tested as a change of this very base. */
  isOfBase: boolean;
  /** Whether the tests pass on what a merge into this base gives. */
  isRetested: boolean;
}

/** All that a merge depends on, as GitHub has it now. */
export interface MergeView {
  pull: {
    state: 'open' | 'closed';
    isDraft: boolean;
    isMerged: boolean;
    mergeSha?: string;
    headSha: string;
    /** Branch that it would merge into. */
    baseRef: string;
    labels: string[];
    authorId: number;
    /** Undefined while GitHub is still finding out. */
    isMergeable?: boolean;
    requestedReviewers: string[];
    /** Conversations that the base branch wants resolved; absent where GitHub did not tell all of them. */
    unresolved?: number;
    /** A person told GitHub to merge it by itself. */
    isAutoMerge: boolean;
    isInQueue: boolean;
  };
  /** Tip of the base branch. */
  baseSha: string;
  /** Whether the head has the base's tip in it. */
  isUpToDate: boolean;
  /** The base has other workflow files than those that the head was made on, so GitHub does not let the App merge it. */
  areWorkflowsOld?: true;
  /** What the stored receipts prove of this head and base; nothing without. */
  proved?: Proved;
  reviews: PersonReview[];
  required: RequiredCheck[];
  /** Permission now of the people who were asked about, by id. */
  permissions: Record<string, Permission>;
  hasMergeQueue: boolean;
  /** The owner has not accepted the events of the merge queue: the App cannot report on its commits. */
  isQueueUnheard?: true;
  methods: readonly Config['merge']['method'][];
  config: Config;
}

/** The state of a pull request on GitHub, Quorum's or not. */
export type MergeStanding = Pick<MergeView, 'pull' | 'reviews' | 'required'>;

/** What a merge still lacks, for people; `retest` and `merge` are what can be done about it now. */
export type MergeMove =
  | { kind: 'merge'; method: Config['merge']['method']; approvedBy: string; isQueued?: true }
  /** GitHub does the rest. */
  | { kind: 'leave'; says: string }
  /** The merge queue threw it out: a person says whether it goes in again. */
  | { kind: 'given-back' }
  | { kind: 'retest'; baseSha: string }
  /** `isSoon`: GitHub is working something out that takes seconds. */
  | { kind: 'wait'; missing: string[]; isSoon?: true }
  /** It is over: somebody merged or closed it. */
  | { kind: 'over'; how: 'merged' | 'closed'; mergeSha?: string }
  /** The base has moved and conflicts with the change, which has to be made again on it. */
  | { kind: 'conflict'; baseSha: string }
  /** The base has other workflow files: the change has to be brought onto it. */
  | { kind: 'rebuild'; baseSha: string }
  /** The head is not the one that went through the gates. */
  | { kind: 'foreign-head'; headSha: string }
  /** It would merge into a branch that nobody said yes to (GIT-05). */
  | { kind: 'foreign-base'; baseRef: string };
