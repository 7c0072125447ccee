/** A session that an App sent spends at most what the App allows, and at most what the repository allows. */
import { expect, test } from 'vitest';
import type { CodingRuntime } from '../../src/act/task/coder/coding-runtime.ts';
import type { Config } from '../../src/domain/config/config.ts';
import { toDispatched } from '../../src/hosts/action/task/to-dispatched.ts';
import { TASK } from '../adapters/coder/actions/a-workflow.ts';

test.each([
  [1, 2, 1],
  [3, 2, 2],
])('of $%d by the App and $%d by the repository the lower holds', async (app, own, most) => {
  const seen: number[] = [];
  const runtime = {
    coder: () => ({
      run: ({ limits }: typeof TASK) => {
        seen.push(limits.usd);
        return Promise.resolve({});
      },
    }),
  } as unknown as CodingRuntime;
  const limited = toDispatched(runtime, app);
  const task = { ...TASK, limits: { ...TASK.limits, usd: own } };
  const place = { folder: '/', gitDir: '/' };
  const coder = limited.coder({} as Config['coder'], { hasDiff: false });
  await coder.run(task, place, new AbortController().signal);
  expect([limited.isDispatched, seen]).toEqual([true, [most]]);
});
