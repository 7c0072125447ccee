/** The review as a workflow: claim, agent and apply as three processes from their bundle, with three tokens. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aWidePull, checksOf, headOf } from '../helpers/a-pull.ts';
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
import { giveAway, moveBack, readSweepState } from '../helpers/a-sweep.ts';
import { SIGNING } from '../helpers/a-workflow-plan.ts';
import { isWrite, REPO } from '../helpers/a-world.ts';
import { aPull as anotherPull } from '../helpers/talking.ts';

beforeAll(() => buildForTests(['review']));
afterAll(dropBuild);

const EVAL = 'export function run(text: string): unknown {\n  return eval(text);\n}\n';

interface Story {
  world: ActionsWorld;
  number: number;
  base: Pick<JobWanted, 'action' | 'event'>;
}

async function aPull(): Promise<Story> {
  const world = await anActionsWorld();
  const number = await aWidePull(world, 1);
  const event = await anOpenedPull(world, number);
  return { world, number, base: { action: 'review', event } };
}

const claim = ({ world, base }: Story, run = '77'): Promise<Job> =>
  world.job({ ...base, run, permissions: CLAIMS, inputs: { step: 'claim' } });

const agent = ({ world, base }: Story, claimed: Job, permissions = READS): Promise<Job> =>
  world.job({
    ...base,
    permissions,
    inputs: { step: 'agent', claim: claimed.outputs['claim'] ?? '' },
  });

const apply = (
  { world, base }: Story,
  from: { claimed: Job; done: Job; digest?: string },
  over: Partial<JobWanted> = {},
): Promise<Job> =>
  world.job({
    ...base,
    permissions: APPLIES,
    inputs: {
      step: 'apply',
      claim: from.claimed.outputs['claim'] ?? '',
      digest: from.digest ?? from.done.outputs['digest'] ?? '',
    },
    ...over,
  });

/** A pull request of its own, in the same repository. */
async function another({ world }: Story): Promise<Story> {
  const number = await anotherPull(world, { 'src/later.ts': EVAL }, 'later');
  const event = await anOpenedPull(world, number);
  return { world, number, base: { action: 'review', event } };
}

interface Reviewed {
  claimed: Job;
  done: Job;
  applied: Job;
}

async function review(story: Story, env: Readonly<Record<string, string>>): Promise<Reviewed> {
  const claimed = await claim(story);
  const done = await agent(story, claimed);
  return { claimed, done, applied: await apply(story, { claimed, done }, { env }) };
}

const reviewsOf = ({ world, number }: Story): Promise<unknown> =>
  world.emulator.as('ana').request('GET', `/repos/${REPO}/pulls/${number}/reviews`);

describe('a workflow of three jobs', () => {
  test('reviews a pull request; the job with the models writes nothing', async () => {
    const story = await aPull();
    const claimed = await claim(story);
    expect(claimed.outputs['proceed']).toBe('true');
    const before = story.world.emulator.requests.length;
    const done = await agent(story, claimed);
    expect(story.world.emulator.requests.slice(before).filter(isWrite)).toEqual([]);
    expect(done.outputs).toMatchObject({ verdict: 'CHANGES', findings: '1' });
    const applied = await apply(story, { claimed, done });
    expect([applied.exitCode, applied.outputs['written']]).toEqual([0, '3']);
    expect(await reviewsOf(story)).toHaveLength(1);
    const checks = await checksOf(story.world, await headOf(story.world, story.number));
    expect(checks.map(({ conclusion }) => conclusion)).toEqual(['action_required']);
    expect(story.world.openApi.violations).toEqual([]);
  });

  test('does an event once, although two workflows run for it', async () => {
    const story = await aPull();
    const claimed = await claim(story, '77');
    const other = await claim(story, '78');
    expect(other.outputs).toEqual({ proceed: 'false' });
    expect(other.summary).toContain('Another run of this workflow is working on this.');
    const done = await agent(story, claimed);
    await apply(story, { claimed, done });
    const late = await claim(story, '79');
    expect(late.summary).toContain('has done this already');
    expect(await reviewsOf(story)).toHaveLength(1);
  });

  test('writes nothing twice when the apply job is run again', async () => {
    const story = await aPull();
    const claimed = await claim(story);
    const done = await agent(story, claimed);
    await apply(story, { claimed, done });
    const again = await apply(story, { claimed, done }, { attempt: 2 });
    expect([again.exitCode, again.outputs['written']]).toEqual([0, '0']);
    expect(await reviewsOf(story)).toHaveLength(1);
  });

  test('goes on where an apply job ended before its record, and writes nothing twice', async () => {
    const story = await aPull();
    const claimed = await claim(story);
    const done = await agent(story, claimed);
    const fault = { kind: 'status', status: 422 } as const;
    story.world.emulator.faults.add({
      method: 'POST',
      path: '/repos/{owner}/{repo}/check-runs',
      times: 1,
      fault,
    });
    const first = await apply(story, { claimed, done });
    expect(first.exitCode).toBe(1);
    expect(await reviewsOf(story)).toHaveLength(1);
    const again = await apply(story, { claimed, done }, { attempt: 2 });
    expect([again.exitCode, again.outputs['written']]).toEqual([0, '3']);
    expect(await reviewsOf(story)).toHaveLength(1);
    const checks = await checksOf(story.world, await headOf(story.world, story.number));
    expect(checks).toHaveLength(1);
  });

  test('refuses intents whose digest is not the one of the agent job', async () => {
    const story = await aPull();
    const claimed = await claim(story);
    const done = await agent(story, claimed);
    const applied = await apply(story, { claimed, done, digest: 'f'.repeat(64) });
    expect(applied.exitCode).toBe(1);
    expect(applied.log).toContain('[intents-invalid]');
    expect(await reviewsOf(story)).toEqual([]);
  });

  test.each([
    ['ran out', (world: ActionsWorld) => moveBack(world, 'until'), {}],
    ['was taken by another run of the workflow', giveAway, SIGNING],
  ])('writes nothing once its claim %s, and says so', async (_, lose, env) => {
    const story = await aPull();
    const claimed = await claim(story);
    const done = await agent(story, claimed);
    await lose(story.world);
    const before = await readSweepState(story.world);
    const applied = await apply(story, { claimed, done }, { env });
    expect([applied.exitCode, applied.log]).toEqual([1, expect.stringContaining('[claim-lost]')]);
    expect(applied.log).toContain('Nothing was written.');
    expect(applied.calls.filter((call) => !/^(?:GET |POST \/graphql )/.test(call))).toEqual([]);
    expect(await readSweepState(story.world)).toEqual(before);
    expect(await reviewsOf(story)).toEqual([]);
    expect(await checksOf(story.world, await headOf(story.world, story.number))).toEqual([]);
  });

  // Calls to claim an event, for the job with the models, from there until the check has ended, then for label and record.
  // Without a key the job that writes announces one of its own. The first review makes the memory branch, and the label.
  for (const [which, env, most] of [
    ['the first review without a key', {}, [5, 4, 4, 4]],
    ['a later review without a key', {}, [2, 4, 4, 3]],
    ['a later review with a key', SIGNING, [2, 4, 3, 3]],
  ] as const)
    test(`${which} needs at most ${most.join(', ')} calls: claim, agent, apply until its check, then the rest`, async () => {
      const story = await aPull();
      if (which !== 'the first review without a key') await review(story, env);
      const later = await another(story);
      const { claimed, done, applied } = await review(later, env);
      expect(applied.exitCode).toBe(0);
      const until = applied.calls.findLastIndex((call) => /^POST .*\/check-runs/.test(call)) + 1;
      const parts = [
        claimed.calls,
        done.calls,
        applied.calls.slice(0, until),
        applied.calls.slice(until),
      ];
      expect(until).toBeGreaterThan(1);
      expect([parts.map(({ length }, n) => length <= (most[n] ?? 0)), parts]).toEqual([
        [true, true, true, true],
        parts,
      ]);
      const checks = await checksOf(later.world, await headOf(later.world, later.number));
      expect(checks.map(({ conclusion }) => conclusion)).toEqual(['action_required']);
      expect(later.world.openApi.violations).toEqual([]);
    });
});
