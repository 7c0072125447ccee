/** What is kept of a plan while the PM makes it, or makes it again. */
import type { ShownNote } from '../memory/recall/recalled.ts';
import type { Cost, Missed } from '../run/ledger.ts';
import type { CommentRef } from '../run/talk.ts';
import type { Actor, ThreadRef } from '../run/thread-ref.ts';
import type { PmProposal } from './draft.ts';

export interface Planning {
  /** Of its effects, and in the markers of what it opens and says. */
  id: string;
  step: number;
  thread: ThreadRef;
  /** Host of GitHub's pages, as the thread was read last; `github.com` when absent. */
  host?: string;
  /** Who asked: their role is read again before anything is opened. */
  actor: Actor;
  /** What they asked for besides the thread, as it was written; may be empty. */
  wish: string;
  /** The comment that asked, or the label, which comes off at the end. */
  askedIn?: CommentRef;
  label?: string;
  /** What the repository calls plans. */
  planLabel?: string;
  /** A plan that is there is made again: what it said, and which of its tasks were done, when it was read. */
  revises?: { digest: string; completed: number[] };
  /** Nobody asked: the plan of this thread is complete, and what it was to do is held against the code. */
  followsUp?: true;
  phase:
    /** `checking`: whether the plan that grew from here before is open still. */
    | { kind: 'checking' | 'looking' | 'thinking' | 'opening' | 'rewriting'; effectId: string }
    /** For what people answer. */
    | { kind: 'waiting' };
  /** How often people were asked, and our last comment with questions, once GitHub has it. */
  rounds: number;
  questionsId?: number;
  /** What the PM may have been shown of memory. */
  notes?: ShownNote[];
  /** What came of the thinking, while it is being opened or written. */
  made?: Made;
  startedAt: string;
}

export interface Made {
  word: Pick<PmProposal, 'risks' | 'questions'>;
  /** Notes of memory that it rests on. */
  used?: ShownNote[];
  title: string;
  tasks: number;
  /** Tools that were used, in the order of their use. */
  looked: string[];
  model: string;
  isOffline: boolean;
  /** The model that was meant to think about it and did not. */
  missed?: Missed;
  cost: Cost;
}

/** A plan that grew from a thread. */
export interface Proposed {
  number: number;
  title: string;
}
