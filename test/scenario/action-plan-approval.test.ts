/** `/pm approve` on a plan where workflows alone work: its tasks are started, under a signed record of the approval. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { keepPlan, parseKeptPlans } from '../../src/domain/actions/kept/kept-plans.ts';
import { renderRecords } from '../../src/domain/actions/signed-record.ts';
import { markerSecretFrom } from '../../src/hosts/environment/host-settings.ts';
import { sayTask } from '../helpers/a-plan-story.ts';
import {
  aShownPlan,
  aWord,
  changeRecords,
  commentsOf,
  runIdsOf,
  startsOf,
} from '../helpers/a-plan-approved.ts';
import {
  conclusions,
  playTaskWorkflow,
  playTeamWorkflow,
  pullsOf,
  SIGNING,
  told,
} from '../helpers/a-workflow-plan.ts';
import { buildForTests, dropBuild } from '../helpers/a-workflow-run.ts';

vi.setConfig({ testTimeout: 600_000 });
beforeAll(() => buildForTests(['deliberate', 'command', 'task', 'review']));
afterAll(dropBuild);

const ALL_WELL = ['claim: success', 'agent: success', 'apply: success'];
const TASKS = [
  sayTask(1, 'goodbye'),
  sayTask(2, 'welcome'),
  sayTask(3, 'cheers', { dependencies: [1, 2] }),
];

test('starts the tasks that are ready, each once, and its run works on the task', async () => {
  const { planned, jobs } = await aShownPlan(TASKS);
  expect({ jobs: conclusions(jobs), told: told(jobs) }).toMatchObject({ jobs: ALL_WELL });
  expect((await commentsOf(planned)).join('\n')).toContain('Waiting for approval');
  const event = await aWord(planned, '/pm approve');
  const approved = await playTeamWorkflow(planned, event);
  expect({ jobs: conclusions(approved), told: told(approved) }).toMatchObject({ jobs: ALL_WELL });
  expect(startsOf(planned)).toEqual(['1', '2']);
  expect((await commentsOf(planned)).join('\n')).toContain('Approved by `ana`');
  await playTeamWorkflow(planned, event);
  expect(startsOf(planned)).toEqual(['1', '2']);
  const [runId = ''] = runIdsOf(planned);
  const worked = await playTaskWorkflow(planned, 1, { runId, by: 'github-actions[bot]' });
  expect({ jobs: conclusions(worked).slice(0, 4), told: told(worked) }).toMatchObject({
    jobs: ['claim: success', 'agent: success', 'verify: success', 'apply: success'],
  });
  expect(await pullsOf(planned)).toHaveLength(1);
  expect(planned.world.openApi.violations).toEqual([]);
});

/** The records, as they would be if all had happened an hour before. */
function anHourEarlier(text: string): string {
  const before = parseKeptPlans(text) ?? { version: 1 as const, plans: {} };
  const earlier = (at: string): string => new Date(Date.parse(at) - 3_600_000).toISOString();
  const plans = Object.values(before.plans).map((one) => {
    const { signature: _, ...kept } = one;
    const { approval } = kept.state;
    const said = approval && { approval: { ...approval, at: earlier(approval.at) } };
    const started = Object.entries(kept.started).map(
      ([task, start]) => [task, { ...start, at: earlier(start.at) }] as const,
    );
    return {
      ...kept,
      state: { ...kept.state, ...said },
      started: Object.fromEntries(started),
    };
  });
  const secret = markerSecretFrom(SIGNING, '');
  return renderRecords(plans.reduce((all, kept) => keepPlan(all, kept, secret), before));
}

test('a task that was tried waits for a person, and another approval starts it again', async () => {
  const { planned } = await aShownPlan(TASKS.slice(0, 2));
  await playTeamWorkflow(planned, await aWord(planned, '/pm approve'));
  expect(startsOf(planned)).toEqual(['1', '2']);
  await changeRecords(planned, 'state/plans.json', anHourEarlier);
  const again = await aWord(planned, '/pm approve');
  const jobs = await playTeamWorkflow(planned, again);
  expect({ starts: startsOf(planned), told: told(jobs) }).toMatchObject({
    starts: ['1', '2', '1', '2'],
  });
});
