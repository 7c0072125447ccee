/** How often a task is tried before a person is asked. */
import { expect, test } from 'vitest';
import type { TaskNews, TaskOrder } from '../../../src/domain/task/task.ts';
import { GOOD, ORDER, playTask } from '../../helpers/a-task.ts';

function failing(order: TaskOrder, times: number): TaskNews | undefined {
  const play = playTask();
  for (let n = 0; n < times; n += 1) {
    play.send({ kind: 'task-go', run: 'plan', order });
    play.answer(GOOD.claim);
    play.answer({ ...GOOD.code, result: { ...GOOD.code.result, patch: '' } });
    play.answer({ effectKind: 'plan-edit', result: { outcome: 'edited' } });
  }
  return play.told.flatMap(({ data }) => (data.kind === 'task-told' ? [data.news] : [])).at(-1);
}

test('as often as `plans.maxAttempts` says, and the first failure is reported unchanged', () => {
  expect(failing({ ...ORDER, maxAttempts: 1 }, 1)).toMatchObject({
    state: 'blocked',
    reason: 'the coder changed nothing',
  });
});

test('never more than three times', () => {
  const often = { ...ORDER, maxAttempts: 1_000 };
  expect(failing(often, 2)).toMatchObject({ state: 'failed' });
  expect(failing(often, 3)).toMatchObject({ state: 'blocked' });
});
