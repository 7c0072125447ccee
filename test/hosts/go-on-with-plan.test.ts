/** After a merge the plan goes on, or the job fails: the next task must not be left out in a green job. */
import { expect, test } from 'vitest';
import { systemRandom } from '../../src/adapters/system/system-clock.ts';
import { TransientError, RefusedError } from '../../src/domain/event/errors.ts';
import { goOnWithPlan } from '../../src/hosts/action/merge/go-on-with-plan.ts';
import { createInstantClock } from '../helpers/an-instant-clock.ts';

const quiet = () => undefined;
const log = { info: quiet, warn: quiet, error: quiet, debug: quiet };
const lost = new TransientError({ code: 'memory-contended', message: 'Another job writes.' });

async function goOn(fails: readonly Error[]) {
  const clock = createInstantClock();
  const begun = clock.now();
  const tries: number[] = [];
  const basics = { env: {}, log, clock, random: systemRandom } as never;
  const next = await goOnWithPlan(basics, (nth) => {
    tries.push(nth);
    const error = fails[nth - 1];
    return error === undefined ? Promise.resolve(['Task 2 was started.']) : Promise.reject(error);
  });
  return { next, tries, waitedMs: clock.now() - begun };
}

test('what may pass is tried again after a wait', async () => {
  const { next, tries, waitedMs } = await goOn([lost, lost]);
  expect(next).toEqual({ told: ['Task 2 was started.'] });
  expect(tries).toEqual([1, 2, 3]);
  expect(waitedMs).toBeGreaterThanOrEqual(3_000);
});

test('what does not pass fails the job, and a line says what to do', async () => {
  const { next, tries } = await goOn([lost, lost, lost, lost, lost, lost]);
  expect(tries).toHaveLength(5);
  expect(next.failed).toBe(lost);
  expect(next.told.join('\n')).toContain('Run the failed job again');
});

test('a refusal is not repeated', async () => {
  const refused = new RefusedError({ code: 'action-run-failed', message: 'No.' });
  const { next, tries } = await goOn([refused]);
  expect(tries).toEqual([1]);
  expect(next.failed).toBe(refused);
});
