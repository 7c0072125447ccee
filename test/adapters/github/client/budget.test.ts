/** Our own budget of one installation, and what happens when GitHub refuses. */
import { describe, expect, test } from 'vitest';
import { createBudget } from '../../../../src/adapters/github/client/budget.ts';
import { DEFAULT_BUDGETS } from '../../../../src/adapters/github/client/github-options.ts';
import { TransientError } from '../../../../src/domain/event/errors.ts';
import { verifies } from '../../../verifies.ts';
import { createTestClock, steady } from '../stage.ts';

const done = (): Promise<string> => Promise.resolve('done');

function open(budgets: typeof DEFAULT_BUDGETS | 'off' = DEFAULT_BUDGETS) {
  const clock = createTestClock();
  return { clock, budget: createBudget({ budgets, clock, random: steady }) };
}

function refusal(status: number, headers: Record<string, string> = {}) {
  return { status, headers, data: { message: 'secondary rate limit' } };
}

async function refused(work: Promise<unknown>): Promise<TransientError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(TransientError);
  return error as TransientError;
}

describe('createBudget', () => {
  verifies(
    'LIM-04',
    'the 21st comment of a minute is refused with the time to wait, reads go on',
    async () => {
      const { budget, clock } = open();
      for (let n = 0; n < 20; n += 1) await budget.spend('content', done);
      const error = await refused(budget.spend('content', done));
      expect(error.code).toBe('github-budget');
      expect(error.retryAfterMs).toBeGreaterThanOrEqual(60_000);
      expect(await budget.spend('read', done)).toBe('done');
      expect(clock.naps).toEqual([]);
      clock.advance(60_000);
      expect(await budget.spend('content', done)).toBe('done');
    },
  );

  verifies(
    ['LIM-04', 'LOOP-06: comments of an installation'],
    'no more than 250 comments are created in an hour',
    async () => {
      const { budget, clock } = open();
      let created = 0;
      for (let minute = 0; minute < 60; minute += 1) {
        for (let n = 0; n < 20; n += 1)
          await budget.spend('content', done).then(
            () => (created += 1),
            () => 0,
          );
        clock.advance(60_000);
      }
      expect(created).toBe(250);
    },
  );

  test('points: 90 writes or 450 reads a minute', async () => {
    const { budget } = open();
    for (let n = 0; n < 90; n += 1) await budget.spend('write', done);
    expect((await refused(budget.spend('read', done))).code).toBe('github-budget');
  });

  verifies('LIM-04', 'waits 0.3 s at most; the queue waits longer', async () => {
    const { budget, clock } = open();
    for (let n = 0; n < 20; n += 1) await budget.spend('content', done);
    clock.advance(59_500);
    const error = await refused(budget.spend('content', done));
    expect(error.retryAfterMs).toBeGreaterThanOrEqual(500);
    expect(clock.naps).toEqual([]);
    clock.advance(250);
    expect(await budget.spend('content', done)).toBe('done');
    expect(clock.naps).toEqual([250]);
  });

  verifies('LIM-04', 'waits no longer when others took what it waited for', async () => {
    const clock = createTestClock();
    const budget = createBudget({
      budgets: DEFAULT_BUDGETS,
      // Afterwards there is as little room as before.
      clock: { now: () => clock.now(), sleep: (ms) => Promise.resolve(void clock.naps.push(ms)) },
      random: steady,
    });
    for (let n = 0; n < 20; n += 1) await budget.spend('content', done);
    clock.advance(59_800);
    expect((await refused(budget.spend('content', done))).code).toBe('github-budget');
    expect(clock.naps).toEqual([200]);
  });

  test('runs writes one after the other and at most ten requests at once', async () => {
    const { budget } = open();
    let writing = 0;
    let most = 0;
    let running = 0;
    let busiest = 0;
    const track = (isWrite: boolean) => async (): Promise<void> => {
      running += 1;
      busiest = Math.max(busiest, running);
      if (isWrite) most = Math.max(most, (writing += 1));
      await new Promise((resolve) => setImmediate(resolve));
      if (isWrite) writing -= 1;
      running -= 1;
    };
    await Promise.all([
      ...Array.from({ length: 8 }, () => budget.spend('write', track(true))),
      ...Array.from({ length: 40 }, () => budget.spend('read', track(false))),
    ]);
    expect(most).toBe(1);
    expect(busiest).toBe(10);
  });

  verifies(
    'LIM-02',
    'after a secondary limit nothing more is sent until the time named is over',
    async () => {
      const { budget, clock } = open('off');
      const told = budget.note(refusal(403, { 'retry-after': '45' }));
      expect(told?.retryAfterMs).toBeGreaterThanOrEqual(45_000);
      let sent = 0;
      const count = (): Promise<void> => Promise.resolve(void (sent += 1));
      const error = await refused(budget.spend('write', count));
      expect([error.code, sent]).toEqual(['github-rate-limited', 0]);
      clock.advance(45_000);
      await budget.spend('write', count);
      expect(sent).toBe(1);
    },
  );

  verifies(
    'LIM-02',
    'without a time named the wait is a minute at least and doubles, until something succeeds',
    () => {
      const { budget, clock } = open('off');
      const waits: number[] = [];
      for (let n = 0; n < 8; n += 1) {
        waits.push(budget.note(refusal(429))?.retryAfterMs ?? 0);
        clock.advance(3_600_000);
      }
      expect(waits[0]).toBeGreaterThanOrEqual(60_000);
      for (const [n, wait] of waits.slice(1, 6).entries())
        expect(wait).toBeGreaterThan(1.7 * (waits[n] ?? 0));
      expect(Math.max(...waits)).toBeLessThan(34 * 60_000);
      budget.note({ status: 200, headers: {}, data: {} });
      expect(budget.note(refusal(429))?.retryAfterMs).toBeLessThan(120_000);
    },
  );

  verifies(
    'LIM-01',
    'when the hour is used up the error carries the time until the reset',
    async () => {
      const { budget, clock } = open('off');
      const reset = String(Math.ceil(clock.now() / 1000) + 2400);
      const last = {
        status: 200,
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset },
        data: {},
      };
      expect(budget.note(last)).toBeUndefined();
      const error = await refused(budget.spend('read', done));
      expect(error.retryAfterMs).toBeGreaterThanOrEqual(2_400_000);
      expect(clock.naps).toEqual([]);
    },
  );
});
