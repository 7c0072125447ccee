/** What a run of each kind keeps beside `RunBase`. A trigger without an entry does not compile. */
import type { BuildState } from '../../build/build-view.ts';
import type { WatchState } from '../../repository/watched-code.ts';
import type { ReviewState } from '../../review/review.ts';
import type { DiscussionState } from './discussion-state.ts';
import type { RunPhase } from './run-base.ts';
import type { CouncilTrigger } from '../run-trigger.ts';
import type { ConsolidationRunState } from '../../memory/consolidation/consolidation.ts';
import type { ReflectionRunState } from '../../memory/reflection.ts';
import type { RoleRunState } from '../../memory/role/role-run.ts';
import type { StandupRunState } from '../../standup/standup-run.ts';
import type { TeamState } from './team-state.ts';

/** A review on its way to GitHub, and how to take back what is remembered of it. */
export interface Posting {
  effectId: string;
  /** The head that was reviewed before. */
  reviewedSha: string | undefined;
  /** Fingerprints of the findings that it tells for the first time. */
  untold: string[];
}

/** What only a review of a pull request keeps. */
export interface ReviewRunState {
  /** The pull request got another base: what was said of its head before was about another change. */
  isRetargeted?: true;
  /** What the check of a review was last to say: of which head, and whether it has ended. */
  checkStage?: string;
  /** Digest of the head and the words of the last review that was wanted: they are not posted twice. */
  said?: string;
  /** How many model calls were about heads that a push replaced. */
  callsBefore?: number;
  /** The head that was reviewed before this run, for a review of what came since. */
  reviewedSha: string | undefined;
  /** The head that is reviewed, and its findings. */
  review?: ReviewState;
  /** A head that came while the run was going on, in case it is not the one that was read. */
  pushedSha?: string;
  /** The review that is being written: its new findings are reported only once GitHub has it. */
  posting?: Posting;
  /** Pushes are left to settle before they are read; this says that it was waited. */
  hasSettled: boolean;
}

/** What only a look into a failed build keeps. */
export interface BuildRunState {
  build?: BuildState;
}

/** What only the code watch keeps. */
export interface WatchRunState {
  /** Candidates are judged, or issues about them opened. */
  phase: RunPhase | { kind: 'judging' | 'opening' };
  /** The file or folder that it is about; everything when absent. */
  path?: string;
  watch?: WatchState;
}

/** What only a deliberation on an issue keeps. */
export interface IssueRunState {
  /** What the issue had at the last look. */
  labels?: string[];
}

type Discussing = TeamState & DiscussionState;

/** What each kind keeps. */
export interface KindState {
  pr_review: Discussing & ReviewRunState;
  build_failure: Discussing & BuildRunState;
  prd_kickoff: Discussing & IssueRunState;
  code_watch: TeamState & WatchRunState;
  issue_review: Discussing & IssueRunState;
  chat_message: Discussing & IssueRunState;
  reflection: TeamState & ReflectionRunState;
  role_memory: TeamState & RoleRunState;
  consolidation: TeamState & ConsolidationRunState;
  standup: TeamState & StandupRunState;
}

type KindsWith<State> = {
  [K in CouncilTrigger]: KindState[K] extends State ? K : never;
}[CouncilTrigger];

/** Kinds in which the team discusses. */
export type DiscussionTrigger = KindsWith<DiscussionState>;
/** Kinds that ask personas. */
export type TeamTrigger = KindsWith<TeamState>;
