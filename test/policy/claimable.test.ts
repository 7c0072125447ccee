/** Which tasks of a plan may be begun. */
import { expect, test } from 'vitest';
import { parsePlan } from '../../src/domain/plan/body/parse-plan.ts';
import { claimable } from '../../src/policy/claimable.ts';
import { aPlanBody, aTask } from '../helpers/a-plan.ts';

const plan = parsePlan(
  aPlanBody({
    tasks: [
      aTask(1),
      aTask(2),
      aTask(3, { dependencies: [1] }),
      aTask(4, { dependencies: [1, 2] }),
      aTask(5),
    ],
  }),
);

function claimableWith(status: Readonly<Record<number, 'completed' | 'in_progress' | 'blocked'>>) {
  const tasks = plan.tasks.map((each) => ({ ...each, status: status[each.number] ?? each.status }));
  return claimable({ ...plan, tasks }).map(({ number }) => number);
}

test('pending tasks may be begun whose dependencies are all done, in the order of the plan', () => {
  expect(claimableWith({})).toEqual([1, 2, 5]);
  expect(claimableWith({ 1: 'completed' })).toEqual([2, 3, 5]);
  expect(claimableWith({ 1: 'completed', 2: 'in_progress', 5: 'blocked' })).toEqual([3]);
  expect(claimableWith({ 1: 'completed', 2: 'completed', 5: 'completed' })).toEqual([3, 4]);
});

test('nothing of a plan with problems may be begun', () => {
  const problem = { code: 'no-title', message: 'It has no title.', line: 1 } as never;
  expect(claimable({ ...plan, problems: [problem] })).toEqual([]);
});
