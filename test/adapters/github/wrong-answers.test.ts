/** Successes with a body that GitHub did not send: what a merge or a review rests on is as it was, or is not told at all. */
import { describe, expect } from 'vitest';
import type { WrongBody } from '../../../src/emulator/github/behave/faults.ts';
import { TransientError } from '../../../src/domain/event/errors.ts';
import type { PullSession } from '../../../src/ports/github/pulls.ts';
import { verifies } from '../../verifies.ts';
import { BRANCH, NAME, openPull, openWorld, type WorkWorld } from './work-world.ts';

const WRONG: WrongBody[] = ['html', 'empty', 'other-json', 'short-list'];
const MAX_CALLS = 30;
const INDEX = /^index .*\n/gm;

/** Reads with each of its calls answered wrongly, once and for ever; tells each end that is not the right one. */
async function hitEachRead<T>(
  world: WorkWorld,
  {
    read,
    wrong,
    isSame,
  }: { read: () => Promise<T>; wrong: WrongBody; isSame: (told: T) => boolean },
): Promise<{ hits: number; others: unknown[] }> {
  const others: unknown[] = [];
  const { faults } = world.emulator;
  let all = 0;
  // Lists without a count beside them that are always short by one look like shorter lists.
  for (const times of wrong === 'short-list' ? [1] : [1, Infinity])
    for (let nth = 1; nth <= MAX_CALLS; nth += 1) {
      faults.add({ path: /^\/(?!app)/, nth, times, fault: { kind: 'wrong-body', body: wrong } });
      const told = await read().catch((error: unknown) => error);
      const hits = faults.hits().reduce((sum, one) => sum + one, 0);
      faults.clear();
      all += hits;
      const isLost = told instanceof TransientError && told.code === 'unexpected-answer';
      if (!isLost && !(!(told instanceof Error) && isSame(told as T)))
        others.push([times, nth, told]);
      if (hits === 0) break;
    }
  return { hits: all, others };
}

/** A pull request that must not be merged, for every reason at once. */
async function aBlockedPull() {
  const world = await openWorld();
  const { ref, number, headSha } = await openPull(world);
  const alice = world.emulator.as('alice');
  const status = { state: 'failure', context: 'ci' };
  await alice.request('POST', `/repos/${NAME}/statuses/${headSha}`, status);
  const bob = world.emulator.as('bob');
  const review = { event: 'REQUEST_CHANGES', body: 'no' };
  await bob.request('POST', `/repos/${NAME}/pulls/${number}/reviews`, review);
  await bob.label(NAME, number, ['hold']);
  const rules = { checks: [{ context: 'ci' }, { context: 'other', appId: 4711 }] };
  world.emulator.repository(NAME).rules = new Map([
    ['main', { from: 'protection', ...rules, isStrict: false, hasQueue: false }],
  ]);
  return { world, ref, headSha };
}

describe.each(WRONG)('where GitHub answers with %s', { timeout: 120_000 }, (wrong) => {
  verifies('P3', 'reads what a merge depends on correctly, or not at all', async () => {
    const { world, ref } = await aBlockedPull();
    const read = () => world.open().tasks.mergeFacts(ref);
    const right = await read();
    const isSame = (told: typeof right): boolean => {
      const { labels, reviews, required, unresolved } = told;
      // An answer that says less never allows more.
      return (
        labels.includes('hold') &&
        reviews.some(({ state }) => state === 'changes-requested') &&
        required.length === right.required.length &&
        required.every(({ reports }) => reports.every(({ state }) => state !== 'success')) &&
        (unresolved !== 0) === (right.unresolved !== 0)
      );
    };
    const { hits, others } = await hitEachRead(world, { read, wrong, isSame });
    expect(hits).toBeGreaterThan(wrong === 'short-list' ? 4 : 10);
    expect(others).toEqual([]);
  });

  verifies('P3', 'a change is read whole, or says that it is not', async () => {
    const world = await openWorld();
    await world.push(BRANCH, 'z-last.md');
    const { ref } = await openPull(world);
    const { pulls } = world.open() as unknown as PullSession;
    const { baseSha, headSha, changedFiles } = await pulls.pull(ref);
    const range = { baseSha, headSha, filesOfPull: changedFiles };
    const read = () => (world.open() as unknown as PullSession).pulls.changes(ref, range);
    const right = await read();
    expect(right.diff.match(/^diff --git /gm)).toHaveLength(2);
    // Put together from the list of files it has no lines `index …`.
    const isSame = (told: typeof right): boolean =>
      told.isCut || told.diff.replaceAll(INDEX, '') === right.diff.replaceAll(INDEX, '');

    const { hits, others } = await hitEachRead(world, { read, wrong, isSame });
    expect(hits).toBeGreaterThan(wrong === 'short-list' ? 0 : 2);
    expect(others).toEqual([]);
  });
});
