/** What the team wants done in the outside world: values that a worker carries out, each safe to repeat. */
import type { ChannelEffect } from '../channel/channel-effects.ts';
import type { MemoryEffect } from '../memory/memory-effects.ts';
import type { BuildPlace } from '../build/build.ts';
import type { Caps } from '../run/caps.ts';
import type { ModelAlias } from '../config/config-limits.ts';
import type { ErasureTarget } from '../tenant/erasure-target.ts';
import type { OfflineBrief } from '../run/evidence.ts';
import type { TeamTrigger } from '../run/state/kind-state.ts';
import type { WeekEffect } from '../digest/week-view.ts';
import type { StandupEffect } from '../standup/standup-effects.ts';
import type { Purpose } from '../run/council.ts';
import type { CommentAddress, CommentRef } from '../run/talk.ts';
import type { Actor, RepositoryRef, ThreadRef } from '../run/thread-ref.ts';
import type { MarkerData, MarkerKind } from '../github/marker.ts';
import type { DeliveredPlan } from '../plan/approval.ts';
import type { InstallationPart } from '../tenant/recovery.ts';
import type { TaskWords } from '../plan/plan-view.ts';
import type { TaskEffect } from '../task/task-effects.ts';
import type { ReviewCheckWanted, ReviewWanted } from '../review/review-wanted.ts';
import type {
  Prompt,
  KnownAuthor,
  Authority,
  IssueWanted,
  LabelWanted,
  CheckWanted,
  Reaction,
} from './effect-values.ts';

/**
 * `evenPaused`: effects that answer people run in a paused repository too; all others wait there. `isNew`: no effect
 * before this one writes under its marker, so its first attempt need not look for an earlier write.
 */
export type EffectData =
  | {
      /** Reads what a decision needs, once: result is an IssueView. */
      kind: 'look';
      thread: ThreadRef;
      /** Whose permission must be known. */
      actor: { id: number; login: string };
      author?: KnownAuthor;
      /** A question: files are chosen by its words too, and of a pull request the change is read as well. */
      about?: string;
      /** The PM plans: what it plans by is read as well. */
      isForPlan?: true;
    }
  | {
      /** Reads a comment that may be for us, and all that deciding about it needs: result is a CommentLook. */
      kind: 'look-comment';
      thread: ThreadRef;
      comment: CommentRef;
      address: CommentAddress;
      actor: Actor;
    }
  | {
      /** Reads a pull request and its change, once: result is a PullView. */
      kind: 'look-pull';
      thread: ThreadRef;
      actor: { id: number; login: string };
      /** Whether the actor asked by a command: then their role decides. */
      isAsked: boolean;
      author?: KnownAuthor;
      /** The last reviewed head: only what came since is read. */
      since: string | undefined;
      /** Whether a person has spoken: then the conversation is read too. */
      withComments: boolean;
    }
  | {
      /** Reads the state of a build, and, for the thread that reports it, the cause: result is a BuildView. */
      kind: 'look-build';
      repository: RepositoryRef;
      where: BuildPlace;
      /** Without one only what says whether there is anything to tell is read. */
      thread?: ThreadRef;
      /** The key of the reading that is at hand: it is not read again. */
      known?: string;
      /** Of a green build: the issue that may be open for it, looked for by what its marker says. */
      seek?: { kind: MarkerKind; key: string };
    }
  | {
      /** Reads a plan's issue and the settings that hold for it: result is a PlanView. */
      kind: 'look-plan';
      thread: ThreadRef;
      /** Whose permission must be known: who made it a plan. */
      actor?: { id: number; login: string };
      /** Our comment, when a thumbs-up on it after that second (ISO 8601) would approve the plan. */
      thumbs?: { commentId: number; since: string };
      /** A task waits for an answer: what people say is read as well. */
      hasQuestions?: true;
      /** Nothing is known of any of its tasks: look for Quorum's pull requests. */
      isUnknown?: true;
      /** Tasks that are worked on here: of others it is asked who holds them. */
      held?: number[];
      /** What each task should say: who changed another one is found out. */
      expected?: TaskWords[];
      /** One task alone is to be begun: nobody asks who wrote the text, and who holds or changed the others. */
      isForOneTask?: true;
    }
  | {
      /** Reads what people said to the findings of a pull request that is over: result is a FeedbackLook. */
      kind: 'look-feedback';
      thread: ThreadRef;
    }
  | {
      /** Reads whether nothing is left to do in a workspace, and whether it is well: result is a RestView. */
      kind: 'look-rest';
      repository: RepositoryRef;
      /** The status issue, which is always open and no work. */
      status?: number;
    }
  | {
      /** Reads the repository's code and searches it: result is a CodeLookResult. */
      kind: 'look-code';
      thread: ThreadRef;
      actor: { id: number; login: string };
      /** File or folder that was asked about; everything when empty. */
      path: string;
      /** Candidates at most. */
      limit: number;
    }
  | MemoryEffect
  | StandupEffect
  | WeekEffect
  | {
      /** Ensures one review on the pull request. */
      kind: 'review';
      thread: ThreadRef;
      review: ReviewWanted;
      isNew?: true;
    }
  | {
      /** Folds away what earlier reviews said and this head settled. */
      kind: 'fold';
      thread: ThreadRef;
      /** Conversations to be marked resolved, and reviews whose text holds no more; GraphQL's ids. */
      conversations: string[];
      texts: string[];
    }
  | {
      /** Ensures the review's check run. */
      kind: 'review-check';
      repository: RepositoryRef;
      check: ReviewCheckWanted;
      isNew?: true;
    }
  | {
      /** Finds out whether the repository gave a meaning to a label that is not a default one. */
      kind: 'name-label';
      thread: ThreadRef;
      label: string;
      actor: Actor;
      /** The text that it was put on, as its delivery carries it. */
      plan?: DeliveredPlan;
    }
  | {
      /** One structured answer of one persona. */
      kind: 'ask';
      thread: ThreadRef;
      persona: string;
      trigger: TeamTrigger;
      /** `answer` is to a question that a person asked. */
      purpose: Purpose | 'answer';
      round: number;
      /** A name or alias of the pool, as the repository's aliases resolve it. */
      model: string;
      /** The alias that answers where the pool has no such model; `standard` when absent. */
      tier?: ModelAlias;
      temperature?: number;
      prompt: Prompt;
      /** The prompt's shared part is worth a cache: the first one writes it, the others find it there. */
      cache?: 'write' | 'read';
      /**
       * Of what is too large for one prompt: which part is asked about, from 0, and of how many. The answer tells what the
       * caps leave then, and what this model would take for a verdict on as much.
       */
      part?: { at: number; of: number; verdict?: { model: string; tier?: ModelAlias } };
      /** Positions and verdict are asked of one model: in one form, because another form of answer is another prefix. */
      hasOneForm?: true;
      brief: OfflineBrief;
      caps: Caps;
    }
  | {
      /** The PM looks at a commit with tools that only read, and proposes a plan: result is a ProposeResult. */
      kind: 'propose';
      thread: ThreadRef;
      /** The commit; the empty string without one. */
      sha: string;
      model: string;
      tier?: ModelAlias;
      prompt: Prompt;
      /** Around what its tools read, as the prompt says. An effect of an older worker has none. */
      nonce?: string;
      brief: OfflineBrief;
      caps: Caps;
    }
  | {
      /** Ensures one comment with this marker key on the thread. */
      kind: 'comment';
      thread: ThreadRef;
      marker: MarkerData;
      body: string;
      /** Of what repository, by its name and host, the thread's report follows, folded: it is made when this is written. */
      report?: { fullName: string; host?: string };
      isNew?: true;
      /** It is deleted, where it is there. */
      isWithdrawn?: true;
      /** Nothing is written where the thread wears this label by then. */
      unlessLabelled?: string;
      evenPaused?: true;
    }
  | {
      /** Ensures one reply with this marker key in the conversation on the diff that a comment is in. */
      kind: 'reply';
      thread: ThreadRef;
      commentId: number;
      marker: { kind: MarkerKind; run: string; key: string };
      body: string;
      evenPaused?: true;
    }
  | {
      kind: 'labels';
      thread: ThreadRef;
      add: LabelWanted[];
      remove: string[];
      /** What the thread had when it was looked at just now: then that is not asked for again. */
      has?: string[];
      /** By whose command: the permission is read once more before it is done (CMD-02). */
      authority?: Authority;
      evenPaused?: true;
    }
  | {
      kind: 'react';
      thread: ThreadRef;
      /** The issue itself when absent. */
      commentId?: number;
      /** Whether the comment is one on the diff. */
      isOnDiff?: true;
      add: Reaction;
      remove?: Reaction;
      evenPaused?: true;
    }
  | ChannelEffect
  | TaskEffect
  | ({ kind: 'issue'; repository: RepositoryRef } & IssueWanted)
  | { kind: 'close'; thread: ThreadRef; reason: 'not_planned' | 'completed' | 'duplicate' }
  | {
      /** Ensures check runs at one commit. */
      kind: 'check';
      repository: RepositoryRef;
      headSha: string;
      checks: (CheckWanted & { isNew?: true })[];
    }
  | {
      /** Erases what the store keeps of something that was deleted; of `past`, of all whose time is over. */
      kind: 'erase';
      target: ErasureTarget | { kind: 'past' };
    }
  | {
      /** Keeps GitHub from opening an empty check suite for each push. */
      kind: 'suite-preferences';
      installationId: number;
      /** All of the installation's when empty. */
      repositories: RepositoryRef[];
    }
  | {
      /** Asks GitHub again for what failed since then, and finds labelled threads that nobody works on. */
      kind: 'reconcile';
      since: string;
      /** Pull requests, pushes and comments are looked for since then, ISO 8601; not at all when absent. */
      foundSince?: string;
      /** Of a pass; all of it, as older versions wanted it, when absent. */
      part?: 'deliveries' | 'installations' | InstallationPart;
    };

export type EffectKind = EffectData['kind'];

export interface Effect {
  /** Unique for ever, and derived from the run: the same decision made twice is the same effect. */
  id: string;
  /** The stream its result goes back to. */
  key: string;
  run: string;
  /** When it was decided, ISO 8601: what cannot be done for days is given up. */
  at: string;
  /** Effects of one lane are carried out one at a time, in order; without a lane, in parallel. */
  lane?: string;
  /** A newer effect with the same slot makes a waiting older one superfluous. */
  slot?: string;
  /** No reducer waits for its result: that is kept, for traces, and never reduced. A failure is. */
  isUnheard?: true;
  data: EffectData;
}
