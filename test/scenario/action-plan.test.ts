/** A plan of three tasks by workflows alone: each is coded, tested, reviewed and merged; no App process. */
import { afterAll, beforeAll, expect, vi } from 'vitest';
import type { JobRun } from '../../src/demo/runner/run-workflow.ts';
import { sayTask } from '../helpers/a-plan-story.ts';
import {
  anApproval,
  aPlannedWorld,
  bodyOf,
  checksOn,
  conclusions,
  playMergeWorkflow,
  playTaskWorkflow,
  pullsOf,
  told,
  type Planned,
} from '../helpers/a-workflow-plan.ts';
import { buildForTests, dropBuild } from '../helpers/a-workflow-run.ts';
import { verifies } from '../verifies.ts';

// Some thirty jobs, each of several processes: a slow machine takes its time.
vi.setConfig({ testTimeout: 1_500_000 });
beforeAll(() => buildForTests(['task', 'review', 'merge', 'standup']));
afterAll(dropBuild);

const TASK = ['claim', 'agent', 'verify', 'apply', 'review', 'conclude'];
const isWell = (jobs: readonly JobRun[]): boolean =>
  jobs.every(({ conclusion }) => conclusion !== 'failure');
const statusOf = (jobs: readonly JobRun[]): string | undefined => jobs.at(-1)?.outputs['status'];

async function aPulled(planned: Planned, task: number): Promise<number> {
  const jobs = await playTaskWorkflow(planned, task);
  const wanted = [...TASK.map((name) => `${name}: success`), 'release: skipped'];
  expect({ jobs: conclusions(jobs), told: told(jobs) }).toMatchObject({ jobs: wanted });
  return Number(jobs.find(({ name }) => name === 'apply')?.outputs['pr']);
}

verifies(['ACT-6'], 'three tasks become three merged pull requests, each once', async () => {
  const planned = await aPlannedWorld([
    sayTask(1, 'goodbye'),
    sayTask(2, 'welcome'),
    sayTask(3, 'cheers', { dependencies: [1, 2] }),
  ]);
  const first = await aPulled(planned, 1);
  const second = await aPulled(planned, 2);
  for (const number of [first, second]) {
    const merged = await playMergeWorkflow(planned, await anApproval(planned, number));
    const shown = { isWell: isWell(merged), status: statusOf(merged), told: told(merged) };
    expect(shown).toMatchObject({ isWell: true, status: 'merged' });
  }
  const third = await aPulled(planned, 3);
  const merged = await playMergeWorkflow(planned, await anApproval(planned, third));
  expect(statusOf(merged)).toBe('merged');
  const pulls = await pullsOf(planned);
  expect(pulls.map(({ merged_at: at }) => at === null)).toEqual([false, false, false]);
  for (const { head } of pulls) {
    const checks = await checksOn(planned, head.sha);
    expect(checks.map(({ name, conclusion }) => `${name}: ${conclusion}`).toSorted()).toEqual([
      'quorum / gates: success',
      'quorum / merge: success',
      'quorum / review: success',
    ]);
  }
  const body = await bodyOf(planned);
  expect(body.match(/\*\*Status:\*\* completed/g)).toHaveLength(3);
  expect(planned.world.openApi.violations).toEqual([]);
});
