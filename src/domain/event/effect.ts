/** What the team wants done in the outside world: values that a worker carries out, each safe to repeat. */
import type { BuildPlace } from '../build/build.ts';
import type { Caps } from '../run/caps.ts';
import type { ModelAlias } from '../config/config-limits.ts';
import type { ErasureTarget } from '../tenant/erasure-target.ts';
import type { OfflineBrief } from '../run/evidence.ts';
import type { TeamTrigger } from '../run/state/kind-state.ts';
import type { MemoryChange } from '../memory/file/memory-change.ts';
import type { RoleOperation } from '../memory/role/role-memory.ts';
import type { RoleSource } from '../memory/role/role-run.ts';
import type { Purpose } from '../run/council.ts';
import type { CommentAddress, CommentRef } from '../run/talk.ts';
import type { Actor, Permission, RepositoryRef, ThreadRef } from '../run/thread-ref.ts';
import type { MarkerData, MarkerKind } from '../github/marker.ts';
import type { DeliveredPlan } from '../plan/approval.ts';
import type { InstallationPart } from '../tenant/recovery.ts';
import type { PromptText } from '../prompt/prompt-text.ts';
import type { TaskWords } from '../plan/plan-view.ts';
import type { TaskEffect } from '../task/task-effects.ts';
import type { ReviewCheckWanted, ReviewWanted } from '../review/review-wanted.ts';

/** A prompt as data, in the order that is sent: what everyone shares first. */
export interface Prompt {
  /** Rules, then repository and thread context: byte-identical for all personas of a round. */
  shared: PromptText[];
  /** The persona's own soul. */
  own: PromptText[];
  /** What to do now. */
  task: PromptText;
}

/** Whose thread it is, as an earlier look told: how far their words are trusted is found out in passing. */
export type KnownAuthor = { id: number; login: string };

/** Somebody's word that an effect rests on. */
export interface Authority {
  user: { id: number; login: string };
  needed: Permission;
}

/** One issue of ours in a repository, and no second one: ensured in the lane `issues:<repositoryId>`, one after the other. */
export interface IssueWanted {
  /** `kind` and `key` say which issue it is; `run` says who wrote it last. */
  marker: { kind: MarkerKind; run: string; key: string };
  title: string;
  /** Without the marker line. */
  body: string;
  /** Put on when it is opened or opened again; later they are people's business. */
  labels: LabelWanted[];
  /** Opens none while so many open issues of ours carry this label. */
  maxOpen?: { label: string; count: number };
  /** ISO 8601: an issue that somebody closed before that is about an earlier matter, and a new one may be opened. */
  since?: string;
}

/** A label, and how it looks where it has to be created. */
export interface LabelWanted {
  name: string;
  color: string;
  description: string;
}

export interface CheckWanted {
  name: string;
  conclusion: 'success' | 'failure' | 'neutral' | 'action_required';
  /** Shown as it is: without Markdown. */
  title: string;
  summary: string;
}

/**
 * `evenPaused`: what answers people is done in a paused repository too; all else waits there. `isNew`: no effect before
 * this one writes under its marker, so that whoever carries it out for the first time need not look for one.
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
      /** Reads how a build stands, and, for the thread that tells of it, why: result is a BuildView. */
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
      /** Nothing was heard of any of its tasks: pull requests of ours are looked for. */
      isUnknown?: true;
      /** Tasks that are worked on here: of others it is asked who holds them. */
      held?: number[];
      /** What each task should say: who changed another one is found out. */
      expected?: TaskWords[];
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
  | {
      /** Reads what a reflection needs: result is a MemoryLook. */
      kind: 'look-memory';
      thread: ThreadRef;
      /** Personas that will be asked. */
      handles: string[];
    }
  | {
      /** Changes what is remembered, on the memory branch: result is a MemoryChanged. */
      kind: 'remember';
      thread: ThreadRef;
      change: MemoryChange;
      /** By whose command: the permission is read once more before it is done (CMD-02). */
      authority?: Authority;
    }
  | {
      /** Writes the journal of a thread onto the memory branch, as the store tells it now: result is a JournalWritten. */
      kind: 'write-journal';
      thread: ThreadRef;
    }
  | {
      /** Reads the work that is over, and the files of roles: result is a RoleLook. */
      kind: 'look-roles';
      thread: ThreadRef;
      source: RoleSource;
    }
  | {
      /** Opens a pull request that makes approved operations in the files of roles: result is a RolePull. */
      kind: 'open-roles';
      thread: ThreadRef;
      operations: RoleOperation[];
      /** Id of the run that proposed them. */
      proposedBy: string;
      /** Who approved them: the permission is read once more before it is done (CMD-02). */
      authority: Authority;
    }
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
      /** Finds out whether a label that is none of the defaults was given a meaning by the repository. */
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
      /** The commit; the empty string where there is none. */
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
export type Reaction = '+1' | '-1' | 'laugh' | 'confused' | 'heart' | 'hooray' | 'rocket' | 'eyes';

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
