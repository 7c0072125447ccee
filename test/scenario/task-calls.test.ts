/**
 * What one task asks of GitHub, from its claim to its merge, with nothing kept from before but a token and who the App
 * is. Counted is every request of the task's own effects, those that were answered 304 included, until its pull request
 * is merged. The team's review of the pull request has a limit of its own. Not counted are the plan's comment, which all
 * its tasks share; what a person's command is read with; and git's own transfer.
 */
import { describe, expect, test } from 'vitest';
import type { StoredEffect } from '../../src/ports/store.ts';
import { aPlanWorld, sayTask } from '../helpers/a-plan-story.ts';
import { REPO } from '../helpers/a-world.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';

const CLAIM = 7;
const TASK = 30;
/** As of every review (test/scenario/review-calls.test.ts). */
const REVIEW = 8;
const OF_A_REVIEW: readonly string[] = ['look-pull', 'review', 'review-check', 'fold'];

function count(effects: readonly StoredEffect[]): number {
  return effects
    .flatMap(({ githubCalls }) => Object.values(githubCalls))
    .reduce<number>((sum, calls) => sum + calls, 0);
}

function tell(effects: readonly StoredEffect[]): string[] {
  return effects.map((each) => `${each.data.kind} ${JSON.stringify(each.githubCalls)}`);
}

describe.skipIf(noBwrap !== undefined)('a task, from its claim to its merge,', () => {
  test(`asks GitHub at most ${TASK} times, ${CLAIM} of them for the claim, and ${REVIEW} times for its review`, async () => {
    const world = await aPlanWorld();
    await world.plan([sayTask(1, 'goodbye')]);
    await world.idle();
    const [pull] = await world.pulls();
    await world.emulator.as('tom').comment(REPO, pull?.number ?? 0, '/pm approve');
    await world.idle();
    expect((await world.pulls()).map(({ merged_at: at }) => at !== null)).toEqual([true]);
    const all = await world.store.records.effects({ limit: 500 });
    const own = all.filter(({ key }) => key.startsWith('task:'));
    const merged = own.findIndex(({ data }) => data.kind === 'merge');
    expect(merged).toBeGreaterThan(8);
    const untilMerged = own.slice(0, merged + 1);
    const claim = untilMerged.filter(({ data }) => data.kind === 'claim');
    expect([count(claim) <= CLAIM, tell(claim)]).toEqual([true, tell(claim)]);
    expect([count(untilMerged) <= TASK, tell(untilMerged)]).toEqual([true, tell(untilMerged)]);
    const review = all.filter(({ data }) => OF_A_REVIEW.includes(data.kind));
    expect(review.length).toBeGreaterThan(2);
    expect([count(review) <= REVIEW, tell(review)]).toEqual([true, tell(review)]);
    expect(world.openApi.violations).toEqual([]);
  });
});
