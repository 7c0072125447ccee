/**
 * Every outside call of a review and of its re-review fails once, in every way: everything is
 * reported, and nothing twice.
 */
import { describe, expect } from 'vitest';
import { checksOf, headOf, reviewsOf, type ToldReview } from '../helpers/a-pull.ts';
import { CALL_FAULTS, hitEachCall, type FaultyRun } from '../helpers/call-faults.ts';
import { openPullOf, pushTo } from '../helpers/commits.ts';
import { shareOfToday } from '../helpers/share-of-today.ts';
import { verifies } from '../verifies.ts';

const QUICK = { '.github/quorum.yml': 'review:\n  settleSeconds: 0\n' };
const BAD = 'export function run(text: string): unknown {\n  return eval(text);\n}\n';
/** A check that ends before its beginning was written is written once. */
const AT_LEAST = 9;

describe.each(shareOfToday(CALL_FAULTS))('GitHub %s', (_, fault) => {
  verifies(
    ['P2', 'TG-22'],
    `once at each of the ${AT_LEAST} calls or more of a review and its re-review: each finding, review and check once`,
    async () => {
      expect(await hitEachCall(fault, reviewTwice, QUICK)).toBeGreaterThanOrEqual(AT_LEAST);
    },
  );
});

async function reviewTwice({ world, nth, arm }: FaultyRun): Promise<void> {
  const branch = `change-${nth}`;
  arm();
  const number = await openPullOf(world, { 'src/run.ts': BAD }, { branch });
  await world.idle();
  const first = await headOf(world, number);
  arm();
  await pushTo(world, { 'src/more.ts': BAD.replace('run', 'more') }, { branch });
  await world.idle();
  const told = await reviewsOf(world, number);
  const ends = [...(await checksOf(world, first)), ...told.checks];
  expect([nth, ends.map(({ conclusion, output }) => [conclusion, output.title])]).toEqual([
    nth,
    [
      ['action_required', 'Changes needed: 1 high'],
      ['action_required', 'Changes needed: 2 high'],
    ],
  ]);
  expect([nth, told.reviews.length]).toEqual([nth, 2]);
  for (const path of ['src/run.ts', 'src/more.ts'])
    expect([nth, path, timesTold(told, path)]).toEqual([nth, path, 1]);
  const { labels, comments } = await world.tell(number);
  expect([nth, labels, comments]).toEqual([nth, ['changes-requested'], []]);
}

/** On its line, or, where GitHub did not take a comment there, in the review with a link to it. */
function timesTold({ comments, reviews }: ToldReview, path: string): number {
  const inReviews = reviews.filter((body) => body.includes(`${path}#L2`));
  return comments.filter((comment) => comment.path === path).length + inReviews.length;
}
