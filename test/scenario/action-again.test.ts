/** A task of workflows that is started again after the review asked for changes: its branch and pull request go on. */
import { afterAll, beforeAll, expect } from 'vitest';
import { adding, sayTask, testOf } from '../helpers/say-task.ts';
import {
  aPlannedWorld,
  bodyOf,
  playTaskWorkflow,
  pullsOf,
  told,
} from '../helpers/a-workflow-plan.ts';
import { buildForTests, dropBuild } from '../helpers/a-workflow-run.ts';
import { REPO } from '../helpers/a-world.ts';
import { verifies } from '../verifies.ts';

beforeAll(() => buildForTests(['task', 'review']));
afterAll(dropBuild);

const BAD = "  return eval('`goodbye, ${name}`');";
const GOOD = '  return `goodbye, ${name}`;';

/** The team's review has a finding in it. */
function aDoubtfulTask() {
  const files = {
    'src/goodbye.js': `export function goodbye(name) {\n${BAD}\n}\n`,
    'test/goodbye.test.js': testOf('goodbye', 'goodbye'),
  };
  const description = `Add \`goodbye(name)\`.\n\n\`\`\`diff\n${adding(files)}\n\`\`\``;
  return { ...sayTask(1, 'goodbye'), description };
}

verifies(
  ['ACT-6'],
  'a task whose review asked for changes is started again and goes on in its pull request',
  async () => {
    const planned = await aPlannedWorld([aDoubtfulTask()]);
    const first = await playTaskWorkflow(planned, 1);
    const verdictOf = (jobs: typeof first) =>
      jobs.find(({ name }) => name === 'review')?.outputs['verdict'];
    expect([verdictOf(first), told(first)]).toEqual(['CHANGES', expect.anything()]);
    const body = await bodyOf(planned);
    expect(body).toContain('**Status:** pending');
    await planned.world.emulator
      .as('ana')
      .request('PATCH', `/repos/${REPO}/issues/${planned.plan}`, { body: body.replace(BAD, GOOD) });
    const [before] = await pullsOf(planned);
    // GitHub tells seconds: the workflow is started after the edit.
    planned.world.emulator.setClockOffset(5_000);
    const again = await playTaskWorkflow(planned, 1);
    expect([verdictOf(again), told(again)]).toEqual(['APPROVE', expect.anything()]);
    const pulls = await pullsOf(planned);
    expect(pulls.map(({ number }) => number)).toEqual([before?.number]);
    expect(pulls[0]?.head.sha).not.toBe(before?.head.sha);
  },
);
