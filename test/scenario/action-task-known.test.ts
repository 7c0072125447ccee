/** What the jobs of a task do where something has changed since it was known: an App that reviews, and a rule for signatures. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseActionsState } from '../../src/domain/actions/actions-state.ts';
import { sayTask } from '../helpers/a-plan-story.ts';
import { readSweepState } from '../helpers/a-sweep.ts';
import { anotherApp } from '../helpers/another-app.ts';
import {
  aPlannedWorld,
  conclusions,
  playTaskWorkflow,
  pullsOf,
  told,
  type Planned,
} from '../helpers/a-workflow-plan.ts';
import { buildForTests, dropBuild } from '../helpers/a-workflow-run.ts';
import { REPO } from '../helpers/a-world.ts';

beforeAll(() => buildForTests(['task', 'review']));
afterAll(dropBuild);

async function unsignedIn({ world }: Planned): Promise<unknown> {
  return parseActionsState((await readSweepState(world)).text)?.unsigned;
}

test('the review is left to an App that has begun it, and no model is asked', async () => {
  const planned = await aPlannedWorld([sayTask(1, 'goodbye')]);
  const { emulator } = planned.world;
  // Made before: the App has to be quick.
  const headers = await anotherApp(planned.world, { checks: 'write' });
  const reviewed: Promise<Response>[] = [];
  emulator.onExchange(({ method, path, requestBody }) => {
    if (method !== 'POST' || !path.endsWith('/check-runs')) return;
    const { name, head_sha } = requestBody as { name: string; head_sha: string };
    if (name !== 'quorum / gates') return;
    const body = JSON.stringify({ name: 'quorum / review', head_sha });
    const url = `${emulator.apiUrl}/repos/${REPO}/check-runs`;
    reviewed.push(fetch(url, { method: 'POST', headers, body }));
  });
  const jobs = await playTaskWorkflow(planned, 1);
  expect([conclusions(jobs), told(jobs)]).toEqual([
    [
      'claim: success',
      'agent: success',
      'verify: success',
      'apply: success',
      'review: skipped',
      'conclude: skipped',
      'release: skipped',
    ],
    expect.anything(),
  ]);
  const answers = await Promise.all(reviewed);
  expect([answers.map(({ status }) => status), (await pullsOf(planned)).length]).toEqual([
    [201],
    1,
  ]);
});

test('a rule for signatures that is made after the look is noticed at the push, and then asked about', async () => {
  const planned = await aPlannedWorld([sayTask(1, 'goodbye'), sayTask(2, 'cheers')]);
  const repository = planned.world.emulator.repository(REPO);
  const first = await playTaskWorkflow(planned, 1, {
    ended: ({ name }) => {
      const rules = { checks: [], isStrict: false, hasQueue: false, mustSign: true };
      if (name === 'claim') repository.rules = new Map([['~ALL', { ...rules, from: 'ruleset' }]]);
    },
  });
  expect(told(first)).toContain('only commits with verified signatures');
  expect([await pullsOf(planned), await unsignedIn(planned)]).toEqual([[], undefined]);
  const second = await playTaskWorkflow(planned, 2);
  expect([conclusions(second).slice(0, 2), told(second)]).toEqual([
    ['claim: success', 'agent: skipped'],
    expect.stringContaining('only commits with verified signatures'),
  ]);
});
