/** Reviews by workflow in a repository whose settings, rules or permissions refuse something, and a limit in mid-pass. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aWidePull, checksOf, headOf } from '../helpers/a-pull.ts';
import { claimSweep, finishSweep, sweepOnce } from '../helpers/a-sweep.ts';
import { SIGNING } from '../helpers/a-workflow-plan.ts';
import {
  anActionsWorld,
  anOpenedPull,
  APPLIES,
  buildForTests,
  CLAIMS,
  dropBuild,
  READS,
  type ActionsWorld,
  type Job,
  type JobWanted,
} from '../helpers/a-workflow-run.ts';
import { READY_ISSUE, REPO } from '../helpers/a-world.ts';
import { aPull } from '../helpers/talking.ts';

beforeAll(() => buildForTests(['review', 'sweep']));
afterAll(dropBuild);

interface Story {
  world: ActionsWorld;
  number: number;
  base: Pick<JobWanted, 'action' | 'event'>;
}

async function aStory(): Promise<Story> {
  const world = await anActionsWorld();
  const number = await aWidePull(world, 1);
  return { world, number, base: { action: 'review', event: await anOpenedPull(world, number) } };
}

const claim = ({ world, base }: Story, permissions = CLAIMS): Promise<Job> =>
  world.job({ ...base, permissions, inputs: { step: 'claim' } });

const agent = ({ world, base }: Story, claimed: Job): Promise<Job> =>
  world.job({
    ...base,
    permissions: READS,
    inputs: { step: 'agent', claim: claimed.outputs['claim'] ?? '' },
  });

interface Handed {
  claimed: Job;
  done: Job;
}

const apply = (
  { world, base }: Story,
  { claimed, done }: Handed,
  over: Partial<JobWanted> = {},
): Promise<Job> => {
  const inputs = {
    step: 'apply',
    claim: claimed.outputs['claim'] ?? '',
    digest: done.outputs['digest'] ?? '',
  };
  return world.job({ ...base, permissions: APPLIES, inputs, ...over });
};

/** Reviews and check runs that people see. */
async function shown({ world, number }: Story): Promise<[number, number]> {
  const path = `/repos/${REPO}/pulls/${number}/reviews`;
  const reviews = (await world.emulator.as('ana').request('GET', path)) as unknown[];
  return [reviews.length, (await checksOf(world, await headOf(world, number))).length];
}

async function reviewed(story: Story): Promise<[number, number]> {
  const claimed = await claim(story);
  const done = await agent(story, claimed);
  const applied = await apply(story, { claimed, done });
  expect([claimed.exitCode, done.exitCode, applied.exitCode]).toEqual([0, 0, 0]);
  return shown(story);
}

async function branchesOf({ world }: Story): Promise<string> {
  return JSON.stringify(await world.emulator.as('ana').request('GET', `/repos/${REPO}/branches`));
}

/** Only pull requests may change it. */
function protect({ world }: Story, branch: string): void {
  const rules = { checks: [], isStrict: false, hasQueue: false, mustPull: true };
  world.emulator.repository(REPO).rules = new Map([[branch, { from: 'protection', ...rules }]]);
}

describe('a review by workflow', () => {
  test('is written in a repository without issues', async () => {
    const story = await aStory();
    await story.world.emulator.as('ana').request('PATCH', `/repos/${REPO}`, { has_issues: false });
    expect(await reviewed(story)).toEqual([1, 1]);
  });

  test('is written where the default branch is protected', async () => {
    const story = await aStory();
    protect(story, 'main');
    expect(await reviewed(story)).toEqual([1, 1]);
  });

  test('is not begun where the memory branch may be changed through pull requests alone', async () => {
    const story = await aStory();
    await reviewed(story);
    protect(story, 'quorum/memory');
    const number = await aPull(
      story.world,
      { 'src/later.ts': 'export const later = 1;\n' },
      'later',
    );
    const event = await anOpenedPull(story.world, number);
    const claimed = await claim({ ...story, number, base: { action: 'review', event } });
    expect([claimed.exitCode, claimed.outputs['proceed']]).toEqual([1, undefined]);
    expect(claimed.summary).toContain('Leave `quorum/memory` out of the branch protection rule');
  });

  test('is not begun where the memory branch may not be made, and the summary says what to do', async () => {
    const story = await aStory();
    protect(story, 'quorum/memory');
    const claimed = await claim(story);
    expect([claimed.exitCode, claimed.outputs['proceed']]).toEqual([1, undefined]);
    expect(claimed.summary).toContain('GitHub refuses to update the branch quorum/memory');
    expect(claimed.summary).toContain('Leave `quorum/memory` out of the branch protection rule');
    expect(await branchesOf(story)).not.toContain('quorum/memory');
  });
});

describe('where the token of a job may only read', () => {
  test('the claim says that a permission is missing, and nothing is reserved', async () => {
    const story = await aStory();
    const claimed = await claim(story, READS);
    expect([claimed.exitCode, claimed.outputs['proceed']]).toEqual([1, undefined]);
    expect(claimed.summary).toContain('The token of this job may not do that.');
    expect(claimed.summary).toContain('`permissions` that docs/actions.md names');
    expect(await branchesOf(story)).not.toContain('quorum/memory');
  });

  test.each([
    ['with a key', SIGNING],
    ['without a key', {}],
  ])(
    'the apply job %s says so and writes nothing, and is done when it is run again',
    async (_, env) => {
      const story = await aStory();
      const claimed = await claim(story);
      const handed = { claimed, done: await agent(story, claimed) };
      const refused = await apply(story, handed, { permissions: READS, env });
      expect(refused.exitCode).toBe(1);
      expect(refused.summary).toContain('`permissions` that docs/actions.md names');
      expect(await shown(story)).toEqual([0, 0]);
      const again = await apply(story, handed, { attempt: 2, env });
      expect([again.exitCode, await shown(story)]).toEqual([0, [1, 1]]);
    },
  );
});

test('a sweep whose limit is gone after one event does that event and says so, and the next pass does the other', async () => {
  const world = await anActionsWorld();
  const RECONCILE = { inputs: { loops: 'reconcile' } };
  // The first pass of all makes the memory branch.
  await claimSweep(world, { ...RECONCILE, run: '76' });
  const numbers = [await world.ask(READY_ISSUE), await world.ask(READY_ISSUE)];
  // Two calls read the state and reserve the first event, after the state of the pass.
  const disarm = world.emulator.faults.add({
    path: '/graphql',
    nth: 4,
    times: Infinity,
    fault: {
      kind: 'status',
      status: 403,
      headers: { 'x-ratelimit-remaining': '0', 'retry-after': '60' },
      body: { message: 'API rate limit exceeded' },
    },
  });
  const claimed = await claimSweep(world, RECONCILE);
  disarm();
  expect(claimed.summary).toContain('reconcile: not finished');
  expect(claimed.summary).toContain('GitHub limits the rate');
  expect(claimed.outputs['proceed']).toBe('true');
  const { applied } = await finishSweep(world, claimed, RECONCILE);
  expect(applied.exitCode).toBe(0);
  const commented = async (): Promise<number[]> =>
    Promise.all(numbers.map(async (number) => (await world.tell(number)).comments.length));
  const first = await commented();
  expect(first.toSorted((a, b) => a - b)).toEqual([0, 1]);
  const next = await sweepOnce(world, { ...RECONCILE, run: '78' });
  expect([next.done?.exitCode, next.applied?.exitCode]).toEqual([0, 0]);
  expect(await commented()).toEqual([1, 1]);
});
