/** Closing a run: with a verdict, or with a question to a person. */
import type { RunResult, VerdictWord } from '../../domain/council.ts';
import { wantTimer } from '../decision.ts';
import type { Scene } from '../scene.ts';
import type { Bounded } from './bounds.ts';
import { endRun, tellHowItWent } from './end.ts';
import { REMINDERS_MS } from './people.ts';

/** What each verdict makes of the run (NW-8, NW-9). */
const RESULTS: Readonly<Record<VerdictWord, RunResult>> = {
  READY: 'approved',
  APPROVE: 'approved',
  CLOSE: 'approved',
  DRAFT: 'changes_requested',
  CHANGES: 'changes_requested',
  HUMAN: 'human_needed',
};

/** Ends a run with a verdict. */
export function conclude(scene: Scene, { verdict, because }: Bounded): void {
  const { run } = scene;
  run.verdict = verdict;
  run.result = RESULTS[verdict.verdict];
  if (because !== undefined) run.bounded = because;
  if (verdict.verdict === 'HUMAN') waitForPerson(scene, verdict.question ?? verdict.headline);
  else settle(scene);
  scene.strategy.carryOut(scene);
}

/** Stops with one clear question to a person. Returns undefined, so that it can end a reducer's branch. */
export function block(scene: Scene, question: string): undefined {
  conclude(scene, {
    verdict: {
      verdict: 'HUMAN',
      confidence: 0,
      headline: 'The team could not close this by itself',
      reasons: '',
      question,
      changes: [],
      anotherRound: false,
    },
  });
  return undefined;
}

function settle(scene: Scene): void {
  const { run } = scene;
  run.status = 'consensus';
  delete run.needsYou;
  delete run.reminderTimer;
  endRun(scene);
}

/** A blocked run is not over: an answer resumes it. What it decided so far counts already. */
function waitForPerson(scene: Scene, question: string): void {
  const { run, step } = scene;
  run.status = 'blocked';
  run.wasBlocked = true;
  run.phase = { kind: 'waiting' };
  run.needsYou = {
    owner: run.settings.owner,
    question,
    since: new Date(step.now).toISOString(),
    reminders: 0,
  };
  run.reminderTimer = wantTimer(step, 'reminder', REMINDERS_MS[0]);
  tellHowItWent(scene);
}
