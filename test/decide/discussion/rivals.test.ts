/** Of two runs with stores of their own, one keeps the thread. */
import { assert, constantFrom, integer, property, uniqueArray } from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DiscussionRun } from '../../../src/domain/run/state/run-record.ts';
import type { RunTrace } from '../../../src/domain/run/run-trace.ts';
import type { CommentView } from '../../../src/domain/run/view.ts';
import { findRival, findWinner, STALE_MS } from '../../../src/decide/discussion/rivals.ts';

const NOW = Date.parse('2026-11-24T12:00:00Z');
const at = (ms: number): string => new Date(ms).toISOString();
const runOf = (id: string): DiscussionRun => ({ id, startedAt: at(NOW - 60_000) }) as DiscussionRun;

function traceOf(run: string, id: number, over: Partial<RunTrace> = {}): RunTrace {
  return { run, id, stage: 'active', movedAt: at(NOW), ...over };
}

function wordAt(ms: number): CommentView {
  return { author: { isBot: false }, createdAt: at(ms) } as CommentView;
}

describe('two runs that began at the same moment', () => {
  test('leave exactly one, whichever comment is the older one', () => {
    const ids = uniqueArray(integer({ min: 1 }), { minLength: 2, maxLength: 2 });
    const stage = constantFrom('active', 'waiting' as const);
    assert(
      property(ids, stage, stage, ([a = 0, b = 0], stageOfA, stageOfB) => {
        const seenBy = (own: string): RunTrace[] =>
          [traceOf('a', a, { stage: stageOfA }), traceOf('b', b, { stage: stageOfB })].map(
            (trace) => (trace.run === own ? trace : { ...trace, isForeign: true }),
          );
        const givesWay = (own: string): boolean =>
          findWinner(runOf(own), { comments: [], traces: seenBy(own) }, NOW) !== undefined;
        expect([givesWay('a'), givesWay('b')]).toEqual([a > b, b > a]);
      }),
    );
  });
});

describe('the run of another instance', () => {
  const rivalFor = (trace: RunTrace, comments: CommentView[] = [], now = NOW) =>
    findRival(runOf('own'), { comments, traces: [{ ...trace, isForeign: true }] }, now);

  test('has the thread while it moves, and not for ever', () => {
    expect(rivalFor(traceOf('other', 1))).toEqual({ run: 'other', deadAt: NOW + STALE_MS });
    expect(rivalFor(traceOf('other', 1), [], NOW + STALE_MS)).toBeUndefined();
  });

  test('has it while its question is open, and some time after an answer', () => {
    const waiting = traceOf('other', 1, { stage: 'waiting', movedAt: at(NOW - 9 * STALE_MS) });
    expect(rivalFor(waiting)).toEqual({ run: 'other' });
    expect(rivalFor(waiting, [wordAt(NOW - 1000)])).toMatchObject({ run: 'other' });
    expect(rivalFor(waiting, [wordAt(NOW - STALE_MS)])).toBeUndefined();
  });

  test('has it no more once it has ended before ours began', () => {
    const ended = traceOf('other', 1, { stage: 'ended', movedAt: at(NOW - 120_000) });
    expect(rivalFor(ended)).toBeUndefined();
    expect(rivalFor({ ...ended, movedAt: at(NOW) })).toEqual({ run: 'other' });
  });

  test('is not found when the store knows it', () => {
    const traces = [traceOf('known', 1)];
    expect(findRival(runOf('own'), { comments: [], traces }, NOW)).toBeUndefined();
  });
});
