/** A plan's issue as GitHub has it now, and what the team remembers of it. */
import type { Said } from '../task/exchange.ts';
import type { FoundWork } from '../task/found.ts';
import type { TaskNews, TaskOrder } from '../task/task.ts';
import type { Permission, ThreadRef } from '../run/thread-ref.ts';
import type { IssueView } from '../run/view.ts';
import type { Approval, ApprovalDoubt, DeliveredPlan, ShownPlan } from './approval.ts';
import type { LeaseEnd } from './lease.ts';
import type { SessionWanted } from './sessions.ts';
import type { TaskStatus } from './plan.ts';

/** What a decision about a plan rests on. */
export type PlanView = Pick<IssueView, 'repository' | 'config' | 'personas'> & {
  issue: Omit<IssueView['issue'], 'authorPermission'>;
  /** Of the person the look was for; absent where it was for nobody. */
  actorPermission?: Permission;
  /** Who gave the text what its digest is of, when that was looked for and GitHub tells. */
  writer?: { id: number; login: string };
  /** Who gave a thumbs-up to our comment and may approve, when that was looked for. */
  thumbs?: { id: number; login: string }[];
  /** Questions of coders and what was said by people who may answer them, when that was looked for. */
  said?: Said[];
  /** Tasks that their status says somebody works on, and that nobody holds; with what they are since then. */
  unheld?: { task: number; end?: LeaseEnd }[];
  /** Tasks that do not say what was expected because a person changed their words, and what they said before. */
  hands?: PersonsWord[];
  /** Whether another installation of Quorum holds a task of the plan. */
  hasOthers?: true;
  /** Where tasks for missing documents are wanted (TG-3b): which of those documents are there. */
  docs?: string[];
  /** Pull requests of tasks of which nothing was known here, when they were looked for. */
  found?: FoundWork[];
  /** Where the PM would go on by itself: the project was said to be done, and nobody has woken it. */
  isAsleep?: true;
  /** Why no code is written here; absent where it is. */
  whyNoCoder?: string;
  /** Why no task of it can be written here, though code is written: a person should know before the approval. */
  whyUnwritable?: string;
  /** Why Quorum's commits would be refused for want of a signature: no task begins then. */
  whyUnsigned?: string;
};

/** A task's status, and who it should be with where that matters. */
export interface TaskWords {
  task: number;
  status: TaskStatus;
  assignee?: string;
}

/** What somebody wrote into a plan by hand. */
export interface PersonsWord {
  task: number;
  by: { id: number; login: string };
  permission: Permission;
  from?: TaskStatus;
}

/** A word that was taken out of the plan again, for people. */
export interface PutBack {
  by: string;
  word: TaskStatus;
  to: TaskStatus;
  why: string;
}

/** Tasks that a look found ready: each begins as soon as the repository has a place for it. */
export interface ReadyTasks {
  /** In the order in which they begin. */
  orders: TaskOrder[];
  /** When they were found so, ISO 8601. */
  at: string;
  /** As reported in the repository. */
  left: number;
  total: number;
  most: number;
  session?: SessionWanted;
  /** The last word to the repository, and what it was. */
  said: number;
  needs: number;
  /** Why not all of them begin, as the comment says; and until when, ISO 8601, where that is known. */
  waits?: { why: string; until?: string };
}

/** Who put a plan's label on. */
export interface Labeller {
  id: number;
  login: string;
  /** The text that it was put on; absent where no delivery told of it. */
  plan?: DeliveredPlan;
}

/** What the comment that Quorum is writing shows. */
export interface Showing {
  effectId: string;
  digest: string;
  text?: string;
  /** The comment shows this text already: the time of its first showing is kept. */
  isKnown?: true;
  /** Tasks that it tells of that nothing was tested. */
  untested?: number[];
}

/** What is kept of a plan between two looks. */
export interface PlanState {
  /** Of its effects, and in the marker of its one comment. */
  id: string;
  step: number;
  thread: ThreadRef;
  /** The look that is waited for; results of earlier ones are out of date. */
  looking?: string;
  /** Whether one of Quorum's checks fails on a commit for it. */
  hasFailed?: true;
  /** Who put the label on, and on which text, while it is not known whether that is an approval. */
  labelledBy?: Labeller;
  approval?: Approval;
  /** A label that did not count as approval of this text, and why: Quorum's comment explains it. */
  doubted?: { by: string; why: ApprovalDoubt; digest: string };
  /** Somebody turned it down: nothing is asked for until its text changes. */
  rejected?: { by: string; digest: string };
  /** The text that our comment asks approval for, as GitHub has it: what was said before is about another one. */
  shown?: ShownPlan;
  /** What it showed before that, newest first: somebody who approves may have seen that. */
  shownBefore?: ShownPlan[];
  /** The comment that was wanted last: its result tells when GitHub showed it. */
  showing?: Showing;
  /** When our comment first told, by GitHub's clock, that these tasks were not tested; by number. */
  untestedShown?: Record<string, string>;
  /** Whether an approval is waited for. */
  isWaiting?: true;
  /** Our comment, once GitHub has it: a thumbs-up on it approves the plan. */
  commentId?: number;
  /** The latest report of each task, by number. */
  tasks?: Record<string, TaskNews>;
  /** Digest of each task as it was begun, by number. */
  begun?: Record<string, string>;
  /** What each task said when the plan was read last, since it was approved; by number. */
  words?: Record<string, { status: TaskStatus; reason: string; digest: string }>;
  /** By task. */
  putBack?: Record<string, PutBack>;
  /** When another installation of Quorum was last seen to hold a task of the plan, ISO 8601. */
  othersAt?: string;
  /** When our last hold of one of its tasks ended, ISO 8601. */
  endedAt?: string;
  /** Ends the wait for something that no event tells. */
  timer?: string;
  /** How often that wait ended in a row, with nothing said in between. */
  looks?: number;
  /** What could begin, and what was reported of it in the repository. */
  ready?: ReadyTasks;
  isComplete?: true;
  /** Nothing goes on and nothing can begin: a person has to look. */
  isStuck?: true;
  /** The report that told of its completion, for the line that a standup adds to it. */
  summary?: { body: string; report: { fullName: string; host?: string } };
  /** Its thread is closed: what is still said there is written into its journal at once. */
  isShut?: true;
  /** How often its journal was wanted. */
  journals?: number;
  /** Why no task can begin here at all, as the last look found: no Coder, or commits that would be refused. */
  noWork?: string;
  /** The issue or pull request whose request it plans; it hears when the plan is complete. */
  grewFrom?: number;
  /** It grew from a plan that was complete: nothing grows from it by itself. */
  isFollowUp?: true;
  /** How often tasks for missing documents were put in, or that they are not needed. */
  docsTries?: number;
}
