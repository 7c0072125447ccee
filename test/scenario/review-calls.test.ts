/** What runs ask of GitHub, with nothing kept from before but a token and who the App is. */
import { describe, expect, test } from 'vitest';
import { aWidePull, checksOf, headOf } from '../helpers/a-pull.ts';
import { aPull } from '../helpers/talking.ts';
import { aWorld, isWrite, READY_ISSUE, REPO, type TestWorld } from '../helpers/a-world.ts';

const QUICK = { '.github/quorum.yml': 'review:\n  settleSeconds: 0\n' };

/** Calls of the App from here on, each counted, whatever it costs of the rate limit. */
function counting(world: TestWorld): () => string[] {
  const before = world.emulator.requests.length;
  return () =>
    world.emulator.requests
      .slice(before)
      .filter(({ actor }) => !actor.startsWith('user:'))
      .map(({ method, route }) => `${method} ${route}`);
}

const EVAL = 'export function run(text: string): unknown {\n  return eval(text);\n}\n';
const END = 'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}';

describe('a review, from its first look to the finished check,', () => {
  // One for what surrounds the change, one each for files, diff and texts, the check's beginning, a second look, the
  // review and the check's end; texts are asked for a hundred at a time.
  for (const [files, most] of [
    [1, 8],
    [100, 8],
    [250, 10],
  ] as const)
    test(`of ${files} changed files asks GitHub at most ${most} times`, async () => {
      const world = await aWorld({ files: QUICK });
      // What the App asks when it starts is no part of a review.
      await world.idle();
      const asked = counting(world);
      const number = await aWidePull(world, files);
      await world.idle();
      const calls = asked();
      const untilEnd = calls.slice(0, calls.lastIndexOf(END) + 1);
      expect(untilEnd.length).toBeGreaterThan(4);
      expect([untilEnd.length <= most, untilEnd]).toEqual([true, untilEnd]);
      expect(calls.filter((call) => call.endsWith('/reviews'))).toHaveLength(1);
      const checks = await checksOf(world, await headOf(world, number));
      expect(checks.map(({ conclusion }) => conclusion)).toEqual(['action_required']);
      expect(world.openApi.violations).toEqual([]);
    });

  test('on a server without GraphQL asks one by one and comes to the same end', async () => {
    const world = await aWorld({ files: QUICK });
    const fault = { kind: 'status', status: 404 } as const;
    world.emulator.faults.add({ path: '/graphql', times: Infinity, fault });
    const number = await aWidePull(world, 1);
    await world.idle();
    const checks = await checksOf(world, await headOf(world, number));
    expect(checks.map(({ conclusion }) => conclusion)).toEqual(['action_required']);
  });
});

test('a review whose memory a person changed asks who pushed it, once, and asks GitHub at most 9 times; the next one at most 8 times', async () => {
  const world = await aWorld({ files: QUICK });
  await aPull(world, { 'src/first.ts': EVAL }, 'first');
  await world.idle();
  const ana = world.emulator.as('ana');
  await ana.request('PUT', `/repos/${REPO}/contents/personas/team/working.md`, {
    message: 'by hand',
    branch: 'quorum/memory',
    content: Buffer.from('- [DECISION] We release on Fridays\n').toString('base64'),
  });
  const counts: [number, number][] = [];
  for (const name of ['second', 'third']) {
    const asked = counting(world);
    await aPull(world, { [`src/${name}.ts`]: EVAL }, name);
    await world.idle();
    const calls = asked();
    const untilEnd = calls.slice(0, calls.indexOf(END) + 1);
    const pushes = untilEnd.filter((call) => call.endsWith('/activity')).length;
    counts.push([untilEnd.length, pushes]);
  }
  expect(counts.map(([, pushes]) => pushes)).toEqual([1, 0]);
  const [changed = 0, next = 0] = counts.map(([calls]) => calls);
  expect(changed).toBeLessThanOrEqual(9);
  // The survey told the new head: it is not asked for again.
  expect(next).toBeLessThanOrEqual(8);
});

test('a discussion of an issue asks GitHub at most 20 times', async () => {
  const world = await aWorld();
  const asked = counting(world);
  const number = await world.ask(READY_ISSUE);
  await world.idle();
  const calls = asked();
  expect([calls.length <= 20, calls]).toEqual([true, calls]);
  expect((await world.tell(number)).labels).toEqual(['ready']);
  expect(world.emulator.requests.filter(isWrite).length).toBeGreaterThan(5);
});
