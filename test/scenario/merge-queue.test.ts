/** A repository that merges through a queue: the team puts its heads in, and the queue decides. */
import { describe, expect } from 'vitest';
import { aPlanWorld, sayTask, type PlanWorld } from '../helpers/a-plan-story.ts';
import { checksOf, expectAllWell } from '../helpers/a-pull.ts';
import { REPO } from '../helpers/a-world.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { branchesOf } from '../helpers/what-is-left.ts';
import { verifies } from '../verifies.ts';

const PULL = 2;

async function mergeCheck(world: PlanWorld): Promise<string> {
  const pull = (await world.pulls()).find(({ number }) => number === PULL);
  const checks = await checksOf(world, pull?.head.sha ?? '');
  const { output } = checks.find(({ name }) => name === 'quorum / merge') ?? {};
  return `${output?.title ?? ''}\n${output?.summary ?? ''}`;
}

async function planComment(world: PlanWorld): Promise<string> {
  const { comments } = await world.tell(1);
  return comments.find((body) => body.startsWith('### Plan: ')) ?? '';
}

interface Queue {
  /** Names that the queue requires on its own commit. */
  required?: string[];
  /** What happens before the pull request is approved. */
  before?: (world: PlanWorld) => Promise<void> | void;
}

/**
 * Somebody's pull request is in the queue already. It breaks the tests, and conflicts with nothing.
 */
async function breakGreeting(world: PlanWorld): Promise<void> {
  await enqueue(world, await openPullOf(world, "throw new Error('broken');"));
}

/** A person's pull request that adds a test file; its number. */
async function openPullOf({ emulator }: PlanWorld, text: string): Promise<number> {
  const ana = emulator.as('ana');
  const at = `/repos/${REPO}/contents/test/sum.test.js`;
  const content = Buffer.from(text).toString('base64');
  const main = (await ana.request('GET', `/repos/${REPO}/git/ref/heads/main`)) as {
    object: { sha: string };
  };
  const ref = { ref: 'refs/heads/broken', sha: main.object.sha };
  await ana.request('POST', `/repos/${REPO}/git/refs`, ref);
  await ana.request('PUT', at, { message: 'Break it', branch: 'broken', content });
  return (await ana.openPull(REPO, { title: 'Break it', head: 'broken' })).number;
}

async function enqueue({ emulator }: PlanWorld, number: number): Promise<void> {
  const ana = emulator.as('ana');
  const { node_id: id } = (await ana.request('GET', `/repos/${REPO}/pulls/${number}`)) as {
    node_id: string;
  };
  const query =
    'mutation($id: ID!) { enqueuePullRequest(input: { pullRequestId: $id }) { mergeQueueEntry { id } } }';
  await ana.request('POST', '/graphql', { query, variables: { id } });
}

/** A task whose pull request was approved and is in the queue. */
async function aQueuedTask({ required = [], before }: Queue = {}): Promise<PlanWorld> {
  const world = await aPlanWorld();
  const checks = required.map((context) => ({ context }));
  const rules = { checks, isStrict: false, hasQueue: true };
  world.emulator.repository(REPO).rules = new Map([['main', { from: 'ruleset', ...rules }]]);
  await world.plan([sayTask(1, 'goodbye')]);
  await world.idle();
  await before?.(world);
  await world.emulator.as('tom').comment(REPO, PULL, '/pm approve');
  await world.idle();
  expect(await mergeCheck(world)).toContain('It is in the repository’s merge queue');
  expect((await world.pulls()).every(({ merged_at: at }) => at === null)).toBe(true);
  expect(await world.body(1)).toContain('**Status:** in_progress (#2)');
  return world;
}

describe.skipIf(noBwrap !== undefined)('a task in a merge queue', () => {
  verifies('TG-6', 'is completed when the queue has merged it', async () => {
    const world = await aQueuedTask();
    await world.emulator.endQueue(REPO, { number: PULL });
    await world.idle();
    expect(await world.body(1)).toContain('**Status:** completed (#2)');
    expect(await world.tell(1)).toMatchObject({
      state: 'closed',
      labels: ['plan', 'plan:complete'],
    });
    expect((await world.tell(1)).comments.at(-1)).toMatch(/Task 1: #2, merged as/);
    expect(await branchesOf(world)).toEqual(['main']);
    await expectAllWell(world);
  });

  const REQUIRED = ['quorum / review', 'quorum / gate / tests'];

  /** What was reported on the queue's commit. */
  async function groupChecks(
    world: PlanWorld,
    number = PULL,
  ): Promise<Record<string, string | null>> {
    const { pull } = world.emulator.repository(REPO).threads.get(number) ?? {};
    const checks = await checksOf(world, pull?.autoMerge?.group?.sha ?? '');
    return Object.fromEntries(checks.map(({ name, conclusion }) => [name, conclusion]));
  }

  verifies('TG-6', 'is merged where the queue requires its checks', async () => {
    const world = await aQueuedTask({ required: REQUIRED });
    const checks = await groupChecks(world);
    for (const name of REQUIRED) expect(checks[name]).toBe('success');
    await world.emulator.endQueue(REPO, { number: PULL });
    await world.idle();
    expect(await world.body(1)).toContain('**Status:** completed (#2)');
    await expectAllWell(world);
  });

  verifies('TG-6', 'is tested again on what is before it in the queue', async () => {
    const world = await aQueuedTask({ before: breakGreeting });
    expect(await groupChecks(world)).toMatchObject({
      'quorum / review': 'success',
      'quorum / gates': 'failure',
    });
  });

  verifies('TG-6', 'a person’s pull request has its review reported, in a pause too', async () => {
    const world = await aPlanWorld();
    const rules = { checks: [], isStrict: false, hasQueue: true, from: 'ruleset' as const };
    world.emulator.repository(REPO).rules = new Map([['main', rules]]);
    const number = await openPullOf(world, "import './greet.test.js';\n");
    await world.idle();
    const head = world.emulator.repository(REPO).threads.get(number)?.pull?.headSha ?? '';
    const review = (await checksOf(world, head)).find(({ name }) => name === 'quorum / review');
    await world.emulator.as('ana').comment(REPO, number, '/pm pause');
    await world.idle();
    await enqueue(world, number);
    await world.idle();
    expect(await groupChecks(world, number)).toEqual({ 'quorum / review': review?.conclusion });
    expect(review?.conclusion).toEqual(expect.any(String));
  });

  verifies('TG-6', 'says that the owner has to accept the events of the queue', async () => {
    const world = await aQueuedTask({
      required: REQUIRED,
      before: ({ emulator, installationId }) => {
        const { permissions, events } = emulator.installation(installationId);
        const { merge_queues: _, ...rest } = permissions;
        emulator.setPermissions(
          installationId,
          rest,
          events.filter((event) => event !== 'merge_group'),
        );
      },
    });
    expect(await mergeCheck(world)).toContain('`merge_queues: read`');
    expect(await groupChecks(world)).toEqual({});
    await world.emulator.endQueue(REPO, { number: PULL });
    await world.idle();
    expect(await mergeCheck(world)).toContain('the repository’s merge queue gave it back');
  });

  verifies('TG-6', 'that is thrown out waits for a person, who puts it in again', async () => {
    const world = await aQueuedTask();
    await world.emulator.endQueue(REPO, { number: PULL, thrownOut: 'CI_FAILURE' });
    await world.idle();
    const words = 'the repository’s merge queue gave it back: `/pm merge` puts it in again';
    expect(await mergeCheck(world)).toContain(words);
    expect(await planComment(world)).toContain(words);
    expect(world.emulator.repository(REPO).threads.get(PULL)?.pull?.autoMerge).toBeUndefined();
    await world.emulator.as('tom').comment(REPO, PULL, '/pm merge');
    await world.idle();
    expect(await mergeCheck(world)).toContain('It is in the repository’s merge queue');
    expect(await planComment(world)).not.toContain(words);
    await world.emulator.endQueue(REPO, { number: PULL });
    await world.idle();
    expect(await world.body(1)).toContain('**Status:** completed (#2)');
    await expectAllWell(world);
  });
});
