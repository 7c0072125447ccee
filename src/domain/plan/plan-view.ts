/** A plan's issue as GitHub has it now, and what the team remembers of it. */
import type { ThreadRef } from '../thread.ts';
import type { IssueView } from '../view.ts';

/** What a decision about a plan rests on. */
export type PlanView = Pick<IssueView, 'repository' | 'issue' | 'config'>;

/** What is kept of a plan between two looks. */
export interface PlanState {
  /** Of its effects, and in the marker of its one comment. */
  id: string;
  step: number;
  thread: ThreadRef;
  /** The look that is waited for; results of earlier ones are out of date. */
  looking?: string;
  /** Whether a failing check of ours stands on a commit for it. */
  hasFailed?: true;
}
