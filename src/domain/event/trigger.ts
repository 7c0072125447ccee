/** A reason to look at something: each delivery, command or tick becomes one of these, or is refused with a reason. */
import type { ChatMessage } from '../channel/chat-thread.ts';
import type { BuildPlace } from '../build/build.ts';
import type { DeliveredPlan } from '../plan/approval.ts';
import type { RunAuthority } from '../run/permit/run-authority.ts';
import type { CommentAddress } from '../run/talk.ts';
import type { Actor, RepositoryRef, ThreadRef } from '../run/thread-ref.ts';

/** What a merge queue would make of its base. */
export interface MergeGroup {
  /** The commit that required checks have to report on. */
  sha: string;
  /** What it is made on: the base branch, or the queue's entry before it. */
  baseSha: string;
}

interface ThreadTrigger {
  thread: ThreadRef;
  actor: Actor;
  /**
   * Its webhook was lost, and the reconcile pass read it from a list. It may be hours old, and does not count as
   * approval of the present text.
   */
  foundBy?: 'reconcile';
}

export type Trigger =
  | (ThreadTrigger & { kind: 'opened'; labels: string[]; plan?: DeliveredPlan })
  | (ThreadTrigger & {
      kind: 'labeled';
      label: string;
      /** Where the text in this delivery is a sound plan. */
      plan?: DeliveredPlan;
    })
  | (ThreadTrigger & { kind: 'unlabeled'; label: string })
  | (ThreadTrigger & {
      /** A pull request that may want a review. */
      kind: 'pull';
      /** `retargeted`: the head is the same, but what it changes is not. */
      action: 'opened' | 'reopened' | 'ready' | 'pushed' | 'retargeted';
      headSha: string;
      /** A role when absent: no delivery has one. */
      authority?: RunAuthority;
    })
  | (ThreadTrigger & {
      /** Something that a merge rests on came or went: a review, a label, the checks of others. */
      kind: 'pull-changed';
    })
  | (ThreadTrigger & {
      /** A merge queue wants to know whether this pull request may be merged as the group's commit. */
      kind: 'queued';
      group: MergeGroup;
    })
  | (ThreadTrigger & { kind: 'edited' })
  | (ThreadTrigger & {
      kind: 'commented';
      commentId: number;
      /** Whether the comment's author is an automated account. */
      isByBot: boolean;
      /** Present when it may be for us, or is on the diff. */
      address?: CommentAddress;
    })
  | (ThreadTrigger & { kind: 'comment-deleted'; commentId: number })
  | (ThreadTrigger & {
      /** A person edited one of Quorum's comments: a box of a standup may be ticked. */
      kind: 'own-comment-edited';
      commentId: number;
    })
  | (ThreadTrigger & {
      kind: 'ended';
      how: 'closed' | 'deleted' | 'transferred' | 'locked';
    })
  | (ThreadTrigger & { kind: 'reopened' })
  | (ThreadTrigger & {
      /** A person at a terminal or by a command, or the reconcile pass that found lost work. */
      kind: 'requested';
      label: string;
      /** The default label that it stands for, where the repository renamed it. */
      meaning?: 'deliberate' | 'prd' | 'code-watch' | 'plan' | 'plan-me';
      /** Of the code watch: the file or folder to search. */
      path?: string;
      by: 'cli' | 'command' | 'reconcile';
      /** A role when absent: only a terminal sets another one. */
      authority?: RunAuthority;
    })
  | (ThreadTrigger & {
      /** A build that this thread tells of may have failed, or be well again. */
      kind: 'built';
      where: BuildPlace;
      isRed: boolean;
      /** An open issue of Quorum's that was found on GitHub and not in the store. */
      isOrphan?: true;
    })
  | {
      /** A workflow's run, or the checks of another service, came to their end. */
      kind: 'build';
      repository: RepositoryRef;
      actor: Actor;
      where: BuildPlace;
      isRed: boolean;
    }
  | {
      /** Somebody said something where people talk outside GitHub. Foreign text; a name in it grants nothing. */
      kind: 'said';
      message: ChatMessage;
      /** Where it may be for the team, as a comment of these words would be. */
      address?: CommentAddress;
    }
  | {
      kind: 'installation';
      action: 'added' | 'removed' | 'suspended' | 'unsuspended' | 'renamed';
      installationId: number;
      /** What the account that it is on is called now; with `renamed` alone. */
      account?: string;
      /** Empty means the whole installation. */
      repositories: RepositoryRef[];
    }
  | {
      kind: 'repository';
      /** `present`: an installation reports it, which tells of no change. */
      action:
        | 'renamed'
        | 'transferred'
        | 'deleted'
        | 'archived'
        | 'visibility'
        | 'moved-branch'
        | 'present';
      repository: RepositoryRef;
    }
  | {
      kind: 'tick';
      /** `purge`: once a day. */
      loop: 'reconcile' | 'purge';
      /** Of one installation's part of a pass. */
      installationId?: number;
      /** Since when the pass looks for what was lost, ISO 8601. */
      since?: string;
    };
