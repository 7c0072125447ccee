/** Which strategy serves which kind of run, and the scene that its reducer works on. */
import type { CouncilRun, CouncilTrigger } from '../domain/council.ts';
import { BUILD_STRATEGY } from './build/strategy.ts';
import { ISSUE_STRATEGY } from './council/issue.ts';
import type { Step } from './decision.ts';
import { REVIEW_STRATEGY } from './review/strategy.ts';
import type { Scene, Strategy, ThreadState } from './scene.ts';
import { WATCH_STRATEGY } from './watch/run/strategy.ts';

export function strategyOf(kind: CouncilTrigger): Strategy {
  if (kind === 'code_watch') return WATCH_STRATEGY;
  if (kind === 'build_failure') return BUILD_STRATEGY;
  return kind === 'pr_review' ? REVIEW_STRATEGY : ISSUE_STRATEGY;
}

/** Whether a run is no discussion of its thread. */
export function isErrand({ trigger }: Pick<CouncilRun, 'trigger'>): boolean {
  return strategyOf(trigger).take !== undefined;
}

export function sceneOf(state: ThreadState, run: CouncilRun, step: Step): Scene {
  return { state, run, step, strategy: strategyOf(run.trigger) };
}
