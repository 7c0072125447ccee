/** The record of a run. Its fields are stored flat, under these names. */
import type { Verdict } from '../council.ts';
import type { DiscussionState } from './discussion-state.ts';
import type { DiscussionTrigger, KindState, TeamTrigger } from './kind-state.ts';
import type { ModelCall } from '../ledger.ts';
import type { RunBase } from './run-base.ts';
import type { CouncilTrigger } from '../run-trigger.ts';

/** A run of one kind, or of any: `trigger` tells them apart, so that no kind reads what another one keeps. */
export type Run<K extends CouncilTrigger = CouncilTrigger> = {
  [Kind in K]: RunBase & { trigger: Kind } & KindState[Kind];
}[K];

export type DiscussionRun = Run<DiscussionTrigger>;
export type TeamRun = Run<TeamTrigger>;

/** Under what a thread keeps a run: its trigger, and what it is about where several of a kind may go on at once. */
export function runKey(trigger: CouncilTrigger, about?: string): string {
  return about === undefined ? trigger : `${trigger}:${about}`;
}

/** The run if it is of this kind. */
export function ofKind<K extends CouncilTrigger>(
  run: Run | undefined,
  kind: K,
): Run<K> | undefined {
  return run !== undefined && isOfKind(run, kind) ? run : undefined;
}

function isOfKind<K extends CouncilTrigger>(run: Run, kind: K): run is Extract<Run, Run<K>> {
  return run.trigger === kind;
}

const DISCUSSIONS: Readonly<Record<DiscussionTrigger, true>> = {
  issue_review: true,
  prd_kickoff: true,
  chat_message: true,
  pr_review: true,
  build_failure: true,
};

/** People's words on the thread, and what becomes of the thread, move a discussion; any other run only answers there. */
export function isDiscussionRun(run: Run): run is DiscussionRun {
  return run.trigger in DISCUSSIONS;
}

type DeliberationTrigger = 'issue_review' | 'prd_kickoff' | 'chat_message';

const DELIBERATIONS: Readonly<Record<DeliberationTrigger, true>> = {
  issue_review: true,
  prd_kickoff: true,
  chat_message: true,
};

/** Whether it deliberates on an issue. */
export function isDeliberation(run: Run): run is Run<DeliberationTrigger> {
  return run.trigger in DELIBERATIONS;
}

/** Kinds that nobody asked for and nobody waits for: neither answers nor terminals speak of them. */
const BACKGROUND: Readonly<Partial<Record<CouncilTrigger, true>>> = {
  reflection: true,
  role_memory: true,
  consolidation: true,
  standup: true,
};

/** The runs of a thread that people see. */
export function shownRuns({ runs }: { runs: Readonly<Record<string, Run>> }): Run[] {
  return Object.values(runs).filter(({ trigger }) => BACKGROUND[trigger] !== true);
}

export function verdictOf(run: Run): Verdict | undefined {
  return isDiscussionRun(run) ? run.verdict : undefined;
}

/** Whether its review is on its way to GitHub. */
export function isPosting(run: Run): boolean {
  return run.trigger === 'pr_review' && run.posting !== undefined;
}

/** What a person was asked and has not answered. */
export function questionOf(run: Run): DiscussionState['needsYou'] {
  return isDiscussionRun(run) ? run.needsYou : undefined;
}

export function modelCallsOf(run: Run): readonly ModelCall[] {
  return 'calls' in run ? run.calls : [];
}
