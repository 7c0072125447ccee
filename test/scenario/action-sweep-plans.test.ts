/** The plans loop of the sweep: what no workflow took further goes on, once, from signed records alone. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  changedSince,
  claimSweep,
  moveSeenBack,
  STATE_FILE,
  sweepOnce,
} from '../helpers/a-sweep.ts';
import {
  aShownPlan,
  aWord,
  changeRecords,
  runIdsOf,
  startsOf,
  type Planned,
} from '../helpers/a-plan-approved.ts';
import { sayTask } from '../helpers/a-plan-story.ts';
import {
  anApproval,
  playMergeWorkflow,
  playTaskWorkflow,
  playTeamWorkflow,
  SIGNING,
  told,
} from '../helpers/a-workflow-plan.ts';
import { buildForTests, dropBuild } from '../helpers/a-workflow-run.ts';
import { tipOf } from '../helpers/commits.ts';
import { verifies } from '../verifies.ts';

vi.setConfig({ testTimeout: 1_200_000 });
beforeAll(() =>
  buildForTests(['deliberate', 'command', 'task', 'review', 'merge', 'standup', 'sweep']),
);
afterAll(dropBuild);

const PLANS = { inputs: { loops: 'plans' }, secrets: SIGNING };
const TASKS = [sayTask(1, 'goodbye'), sayTask(2, 'cheers', { dependencies: [1] })];

/** Task 1 is merged by a job that may start no workflow, so that task 2 waits. */
async function aStuckPlan(): Promise<Planned> {
  const { planned } = await aShownPlan(TASKS);
  await playTeamWorkflow(planned, await aWord(planned, '/pm approve'));
  const runId = runIdsOf(planned).at(-1) ?? '';
  const worked = await playTaskWorkflow(planned, 1, { runId, by: 'github-actions[bot]' });
  const pull = Number(worked.find(({ name }) => name === 'apply')?.outputs['pr']);
  expect({ pull: pull > 0, told: told(worked) }).toMatchObject({ pull: true });
  await playMergeWorkflow(planned, await anApproval(planned, pull), { lacks: 'actions' });
  expect(startsOf(planned)).toEqual(['1']);
  return planned;
}

verifies(
  ['ACT-2'],
  'a task that a merge could not start is started by the sweep, once, and later looks write nothing but that they looked',
  async () => {
    const planned = await aStuckPlan();
    const first = await sweepOnce(planned.world, PLANS);
    expect(first.claimed.summary).toContain(`#${planned.plan}: is looked at.`);
    expect(first.applied?.summary).toContain(`#${planned.plan}: Task 2 was started.`);
    expect(startsOf(planned)).toEqual(['1', '2']);
    const again = await sweepOnce(planned.world, { ...PLANS, run: '78' });
    expect([again.done?.exitCode ?? 0, again.applied?.exitCode ?? 0]).toEqual([0, 0]);
    const tip = await tipOf(planned.world, 'quorum/memory');
    const last = await sweepOnce(planned.world, { ...PLANS, run: '79' });
    expect(last.claimed.outputs).toEqual({ proceed: 'false' });
    expect(last.claimed.summary).toContain('Nothing to do.');
    expect(startsOf(planned)).toEqual(['1', '2']);
    expect(await tipOf(planned.world, 'quorum/memory')).toBe(tip);
    // A pass after six hours looks again, which is all that it writes down. The next one after that does not.
    for (const [more, run, isLook] of [
      [6.2, '80', true],
      [2, '81', false],
      [4.2, '82', true],
    ] as const) {
      await moveSeenBack(planned.world, more);
      const before = await tipOf(planned.world, 'quorum/memory');
      const { claimed, applied } = await sweepOnce(planned.world, { ...PLANS, run });
      expect(claimed.summary.includes(`#${planned.plan}: is looked at.`)).toBe(isLook);
      expect(applied?.exitCode).toBe(isLook ? 0 : undefined);
      expect(await changedSince(planned.world, before)).toEqual(isLook ? [STATE_FILE] : []);
    }
    expect(planned.world.openApi.violations).toEqual([]);
  },
);

test('a record that no job of this repository signed starts nothing, and a broken file stops no other loop', async () => {
  const planned = await aStuckPlan();
  const rename = (text: string): string => text.replaceAll('"persona": "', '"persona": "x');
  await changeRecords(planned, 'state/plans.json', rename);
  const swept = await sweepOnce(planned.world, PLANS);
  expect(swept.applied?.summary).toContain('its record is not signed with this key.');
  expect(startsOf(planned)).toEqual(['1']);
  await changeRecords(
    planned,
    'state/plans.json',
    () => '{"version":1,"plans":{"7":{"state":{}}}}',
  );
  const broken = await claimSweep(planned.world, {
    inputs: { loops: 'plans,code-watch' },
    run: '80',
  });
  expect(broken.summary).toContain('#### plans: not finished');
  expect(broken.summary).toContain('(`action-state-unreadable`)');
  expect(broken.summary).toContain('#### code-watch\n\n- ');
});
