/** People's pull requests on a branch with a merge queue: the review's check says when the App does not hear the queue. */
import { describe, expect, test } from 'vitest';
import { checksOf, headOf } from '../helpers/a-pull.ts';
import { aWorld, REPO, type TestWorld } from '../helpers/a-world.ts';
import { aPull } from '../helpers/talking.ts';

const SETTINGS = { '.github/quorum.yml': 'review:\n  settleSeconds: 0\n' };
const SAYS = /merge queue, but Quorum does not receive its events.*`merge_queues: read`/g;

async function aReview({ hasQueue = true, isHeard = false, isSubscribed = false } = {}): Promise<{
  world: TestWorld;
  summary: string;
}> {
  const world = await aWorld({ files: SETTINGS });
  const { emulator, installationId } = world;
  if (hasQueue) {
    const rules = { checks: [], isStrict: false, hasQueue };
    emulator.repository(REPO).rules = new Map([['main', { from: 'ruleset', ...rules }]]);
  }
  if (!isHeard) {
    const { permissions, events } = emulator.installation(installationId);
    const { merge_queues: _, ...rest } = permissions;
    const heard = events.filter((event) => isSubscribed || event !== 'merge_group');
    emulator.setPermissions(installationId, rest, heard);
  }
  const number = await aPull(world, { 'src/new.ts': 'export const sum = 1 + 1;\n' });
  await world.idle();
  const checks = await checksOf(world, await headOf(world, number));
  const { output } = checks.find(({ name }) => name === 'quorum / review') ?? {};
  expect(world.openApi.violations).toEqual([]);
  return { world, summary: output?.summary ?? '' };
}

/** Only these tell which events an owner accepted. */
function askedForEvents({ emulator }: TestWorld): number {
  return emulator.requests.filter(({ path }) => /\/repos\/[^/]+\/[^/]+\/installation$/.test(path))
    .length;
}

describe("the review's check on a branch with a merge queue", () => {
  test('says in one line that an owner has to accept the events of the queue', async () => {
    const { summary } = await aReview();
    expect(summary.match(SAYS)).toHaveLength(1);
  });

  test('says so as well where the event is subscribed to, and its permission is missing', async () => {
    const { summary } = await aReview({ isSubscribed: true });
    expect(summary.match(SAYS)).toHaveLength(1);
  });

  test('says nothing of it where the owner accepted them', async () => {
    const { summary } = await aReview({ isHeard: true });
    expect(summary).not.toBe('');
    expect(summary).not.toContain('merge queue');
  });
});

test('without a merge queue nothing is said, and GitHub is asked nothing more', async () => {
  const { world, summary } = await aReview({ hasQueue: false });
  expect(summary).not.toContain('merge queue');
  expect(askedForEvents(world)).toBe(0);
});
