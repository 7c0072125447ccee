/** A plan that one approval carries to its end in workflows: each merge starts what it made ready, the last one closes the issue. */
import { afterAll, beforeAll, expect, vi } from 'vitest';
import type { JobRun } from '../../src/demo/runner/run-workflow.ts';
import { sayTask } from '../helpers/a-plan-story.ts';
import {
  aShownPlan,
  aWord,
  commentsOf,
  issueOf,
  runIdsOf,
  startsOf,
  type Planned,
} from '../helpers/a-plan-approved.ts';
import {
  anApproval,
  playMergeWorkflow,
  playTaskWorkflow,
  playTeamWorkflow,
  told,
} from '../helpers/a-workflow-plan.ts';
import { buildForTests, dropBuild } from '../helpers/a-workflow-run.ts';
import { verifies } from '../verifies.ts';

vi.setConfig({ testTimeout: 1_200_000 });
beforeAll(() => buildForTests(['deliberate', 'command', 'task', 'review', 'merge', 'standup']));
afterAll(dropBuild);

/** The workflow that was started for the task, and the merge of its pull request. */
async function carryOut(planned: Planned, task: number): Promise<JobRun[]> {
  const runId = runIdsOf(planned).at(-1) ?? '';
  const worked = await playTaskWorkflow(planned, task, { runId, by: 'github-actions[bot]' });
  const pull = Number(worked.find(({ name }) => name === 'apply')?.outputs['pr']);
  expect({ pull: pull > 0, told: told(worked) }).toMatchObject({ pull: true });
  return playMergeWorkflow(planned, await anApproval(planned, pull));
}

verifies(['ACT-6'], 'one approval carries a plan to its report, task after task', async () => {
  const { planned } = await aShownPlan([
    sayTask(1, 'goodbye'),
    sayTask(2, 'cheers', { dependencies: [1] }),
  ]);
  await playTeamWorkflow(planned, await aWord(planned, '/pm approve'));
  expect(startsOf(planned)).toEqual(['1']);
  const merged = await carryOut(planned, 1);
  expect({ starts: startsOf(planned), told: told(merged) }).toMatchObject({ starts: ['1', '2'] });
  expect(await issueOf(planned)).toMatchObject({ state: 'open' });
  const last = await carryOut(planned, 2);
  const issue = await issueOf(planned);
  expect({ issue, told: told(last) }).toMatchObject({ issue: { state: 'closed' } });
  const reports = (await commentsOf(planned)).filter((body) => body.includes('Plan complete'));
  expect(reports).toHaveLength(1);
  expect(reports[0]).toContain('All 2 tasks are merged.');
  expect(startsOf(planned)).toEqual(['1', '2']);
  expect(planned.world.openApi.violations).toEqual([]);
});
