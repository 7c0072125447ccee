/** A run that finds another instance of the App on its thread: it keeps still, gives way, or stays. */
import { ALLOWED, forbid, permitOf } from '../../../src/domain/run/permit/permit.ts';
import { describe, expect, test } from 'vitest';
import {
  findWinner,
  makeRoomForReview,
  STALE_MS,
  waitForRival,
  yieldToWinner,
} from '../../../src/decide/discussion/rivals.ts';
import type { RunTrace } from '../../../src/domain/run/run-trace.ts';
import type { Run } from '../../../src/domain/run/state/run-record.ts';
import type { CommentView } from '../../../src/domain/run/view.ts';
import type { ReviewState } from '../../../src/domain/review/review.ts';
import { aRun, at, NOW, contextOf, wantedBy } from '../../helpers/a-run.ts';
import { aComment } from '../../helpers/an-issue.ts';
import { THREAD } from '../../helpers/play.ts';

const MINUTE = 60_000;
const ENDED = { kind: 'run-ended', key: 'repository:7' };

type Seen = Partial<RunTrace> & { isKnown?: true };

function foreign({ isKnown, ...over }: Seen = {}): RunTrace {
  const isForeign = isKnown === true ? {} : { isForeign: true as const };
  return { run: 'other', id: 50, stage: 'active', movedAt: at(0), ...isForeign, ...over };
}

function underWay(over: Partial<Run<'issue_review'>> = {}): Run<'issue_review'> {
  return aRun('issue_review', {
    askedIn: { id: 40, place: 'thread' },
    queue: ['dev'],
    inFlight: [{ effectId: 'e', handle: 'maya', purpose: 'position' }],
    needsYou: { owner: 'tom', question: 'Which?', since: at(0), reminders: 0 },
    reminderTimer: '3-reminder',
    ...over,
  });
}

/** What a run is once it has ended for another one. */
function silentlyEnded(before: Run<'issue_review'>, reason: string) {
  const { askedIn: _, needsYou: __, reminderTimer: ___, ...kept } = before;
  return {
    ...kept,
    status: 'closed',
    result: 'cancelled',
    endReason: reason,
    queue: [],
    inFlight: [],
    phase: { kind: 'ended' },
    endedAt: at(0),
  };
}

test('a run that is silent for a quarter of an hour counts as dead', () => {
  expect(STALE_MS).toBe(900_000);
});

describe('before it has written anything, a run', () => {
  const REASON = 'another instance of the App works on this thread (run other)';

  test.each([
    ['until the other one counts as dead', STALE_MS - MINUTE, MINUTE],
    ['for a minute at the least', STALE_MS - 10, MINUTE],
    ['as long as it takes', 2 * MINUTE, STALE_MS - 2 * MINUTE],
  ])('keeps still %s', (_, ageMs, delayMs) => {
    const run = underWay();
    const before = structuredClone(run);
    const context = contextOf(run);
    const traces = [foreign({ movedAt: at(-ageMs) })];
    expect(waitForRival(context, { comments: [], traces })).toEqual(forbid(REASON));
    const timer = `${before.step + 1}-rival`;
    expect(run).toEqual({
      ...before,
      step: before.step + 1,
      phase: { kind: 'listening', timer, next: 'start' },
    });
    const told = { key: 'thread:7/12', delayMs, kind: 'timer', timer, run: run.id };
    expect(wantedBy(context)).toEqual({ effects: [], events: [told] });
  });

  test('ends without a comment when the other run waits for a person', () => {
    const run = underWay();
    const before = structuredClone(run);
    const context = contextOf(run);
    const traces = [foreign({ stage: 'waiting', movedAt: at(-9 * STALE_MS) })];
    expect(waitForRival(context, { comments: [], traces })).toEqual(forbid(REASON));
    expect(run).toEqual(silentlyEnded(before, REASON));
    expect(wantedBy(context)).toEqual({ effects: [], events: [expect.objectContaining(ENDED)] });
  });

  const word = (ms: number, over: Partial<CommentView> = {}): CommentView =>
    aComment({ createdAt: at(ms), ...over });
  const bot = { id: 3, login: 'ci[bot]', isBot: true };
  const marker = { kind: 'run', run: 'other', key: 'live' } as const;
  const asked = at(-2 * STALE_MS);

  test.each<[string, boolean, Seen, CommentView[]]>([
    ['nobody moves', false, { movedAt: at(-STALE_MS) }, []],
    [
      'it was answered, and did not move',
      false,
      { stage: 'waiting', movedAt: asked },
      [word(-STALE_MS)],
    ],
    [
      'it was answered just now',
      true,
      { stage: 'waiting', movedAt: asked },
      [word(-STALE_MS), word(-1)],
    ],
    [
      'the answer was there before its question',
      true,
      { stage: 'waiting', movedAt: asked },
      [word(-2 * STALE_MS - 1)],
    ],
    [
      'the answer came with its question',
      false,
      { stage: 'waiting', movedAt: asked },
      [word(-2 * STALE_MS)],
    ],
    ['a bot spoke', true, { stage: 'waiting', movedAt: asked }, [word(-STALE_MS, { author: bot })]],
    [
      'the team itself spoke',
      true,
      { stage: 'waiting', movedAt: asked },
      [word(-STALE_MS, { marker })],
    ],
    [
      'it has ended for a comment after ours',
      true,
      { stage: 'ended', id: 41, movedAt: at(-STALE_MS) },
      [],
    ],
    [
      'it has ended for our own comment',
      false,
      { stage: 'ended', id: 40, movedAt: at(-STALE_MS) },
      [],
    ],
    ['it has ended since we began', true, { stage: 'ended', id: 1, movedAt: at(1) }, []],
    ['it has ended as we began', false, { stage: 'ended', id: 1, movedAt: at(0) }, []],
    ['it is our own', false, { isKnown: true }, []],
  ])('where %s: the thread is taken, %s', (_, ...[isTaken, trace, comments]) => {
    const context = contextOf(underWay());
    const permit = waitForRival(context, { comments, traces: [foreign(trace)] });
    expect(permit).toEqual(isTaken ? forbid(REASON) : ALLOWED);
    if (!isTaken) expect(wantedBy(context)).toEqual({ effects: [], events: [] });
  });

  test('asked by a word on the diff, is not kept back by what has ended before', () => {
    const run = underWay({ askedIn: { id: 40, place: 'review' } });
    const traces = [foreign({ stage: 'ended', id: 41, movedAt: at(-1) })];
    expect(waitForRival(contextOf(run), { comments: [], traces })).toEqual(ALLOWED);
  });

  test('has the thread when no traces are given', () => {
    expect(waitForRival(contextOf(underWay()), { comments: [] })).toEqual(ALLOWED);
  });
});

describe('once it has written, a run', () => {
  const REASON = 'another instance of the App speaks on this thread (run other)';
  const own = { run: '', id: 60, stage: 'active', movedAt: at(0) } as const;

  test('takes back what it wrote and ends, where the other comment is older', () => {
    const run = underWay({ written: ['live', 'maya-1'] });
    const before = structuredClone(run);
    const context = contextOf(run);
    const traces = [{ ...own, run: run.id }, foreign({ id: 59 })];
    expect(yieldToWinner(context, { comments: [], traces })).toEqual(forbid(REASON));
    expect(run).toEqual({ ...silentlyEnded(before, REASON), step: before.step + 2 });
    const withdrawn = (key: string) => ({
      kind: 'comment',
      thread: THREAD,
      marker: { kind: 'run', run: run.id, key },
      body: '',
      isWithdrawn: true,
      lane: 'write:thread:7/12',
      slot: `${run.id}/${key}`,
    });
    expect(wantedBy(context)).toEqual({
      effects: [withdrawn('live'), withdrawn('maya-1')],
      events: [expect.objectContaining(ENDED)],
    });
  });

  test('has nothing to take back where it wrote nothing', () => {
    const context = contextOf(underWay());
    expect(yieldToWinner(context, { comments: [], traces: [foreign()] })).toEqual(forbid(REASON));
    expect(wantedBy(context).effects).toEqual([]);
  });

  test.each<[string, boolean, Seen]>([
    ['older and moves', true, { id: 59, movedAt: at(1 - STALE_MS) }],
    ['older and silent for too long', false, { id: 59, movedAt: at(-STALE_MS) }],
    [
      'older and waits for a person, however long',
      true,
      { id: 59, stage: 'waiting', movedAt: at(-9 * STALE_MS) },
    ],
    ['the same', false, { id: 60 }],
    ['younger', false, { id: 61 }],
    ['younger and waits', false, { id: 61, stage: 'waiting' }],
    ['younger and has ended since', true, { id: 61, stage: 'ended', movedAt: at(1) }],
    ['older and had ended when ours began', false, { id: 59, stage: 'ended', movedAt: at(0) }],
  ])('sees another one that is %s: it has to give way, %s', (_, isWinner, trace) => {
    const run = underWay();
    const [before, context] = [structuredClone(run), contextOf(run)];
    const other = foreign(trace);
    const view = { comments: [], traces: [{ ...own, run: run.id }, other] };
    expect(findWinner(run, view, NOW)).toEqual(isWinner ? other : undefined);
    expect(yieldToWinner(context, view)).toEqual(isWinner ? forbid(REASON) : ALLOWED);
    if (!isWinner) expect(run).toEqual(before);
  });
});

describe('the review of a head', () => {
  const HOUR = 60 * MINUTE;
  const REASON = 'another instance of the App works on this thread (run other)';
  const pushed = (over: Partial<Run<'pr_review'>> = {}): Run<'pr_review'> =>
    aRun('pr_review', { isRequested: false, ...over });
  const task = { ref: { plan: THREAD, task: 1 }, run: 't', headSha: 'h', count: 0 };

  test.each<[string, string | undefined, Seen, Partial<Run<'pr_review'>>, object]>([
    ['another one reads it', REASON, {}, {}, {}],
    ['another one has read it', REASON, { stage: 'ended' }, {}, {}],
    ['another one began too long ago', undefined, { movedAt: at(-HOUR) }, {}, {}],
    ['another one began an hour ago, but a moment', REASON, { movedAt: at(1 - HOUR) }, {}, {}],
    [
      'it was read, and somebody asks again',
      undefined,
      { stage: 'ended' },
      { isRequested: true },
      {},
    ],
    ['it was read, on another base', undefined, { stage: 'ended' }, { isRetargeted: true }, {}],
    ['it was read, and a task starts its reviews', undefined, { stage: 'ended' }, {}, { task }],
    ['the other one is known here', undefined, { isKnown: true }, {}, {}],
  ])('where %s is kept back: %s', (_, ...[reason, trace, run, state]) => {
    const context = contextOf(pushed(run), { state });
    expect(makeRoomForReview(context, 'start', { traces: [foreign(trace)] })).toEqual(
      permitOf(reason),
    );
    expect(context.run.status).toBe(
      trace.stage === 'ended' && reason !== undefined ? 'closed' : 'active',
    );
  });

  test('waits until the other one counts as dead after an hour', () => {
    const context = contextOf(pushed());
    makeRoomForReview(context, 'start', { traces: [foreign({ movedAt: at(-10 * MINUTE) })] });
    expect(wantedBy(context).events).toEqual([
      expect.objectContaining({ kind: 'timer', delayMs: 50 * MINUTE }),
    ]);
  });

  test.each<[string, boolean, RunTrace[]]>([
    ['a newer check of another one', true, [foreign({ id: 61 })]],
    ['an older check of another one', false, [foreign({ id: 59 })]],
    ['its own check alone', false, []],
    ['a check with the same number', false, [foreign({ id: 60 })]],
    ['a newer check that is known here', false, [foreign({ id: 61, isKnown: true })]],
  ])('that has its own check sees %s: it gives way, %s', (_, isOver, others) => {
    for (const next of ['round', 'start'] as const) {
      const run = pushed({
        askedIn: { id: 40, place: 'thread' },
        ...(next === 'start' && { review: { headSha: 'h' } as ReviewState }),
      });
      const context = contextOf(run);
      const mine: RunTrace = { run: run.id, id: 60, stage: 'active', movedAt: at(0) };
      const permit = makeRoomForReview(context, next, { traces: [mine, ...others] });
      const expected = 'another instance of the App reviews this head (run other)';
      expect(permit).toEqual(isOver ? forbid(expected) : ALLOWED);
      expect('askedIn' in run).toBe(!isOver);
      expect([run.status, run.endReason]).toEqual(
        isOver ? ['closed', expected] : ['active', undefined],
      );
    }
  });

  test('stays when it has no check of its own, and when no traces are given', () => {
    const context = contextOf(pushed());
    expect(makeRoomForReview(context, 'round', { traces: [foreign({ id: 999 })] })).toEqual(
      ALLOWED,
    );
    expect(makeRoomForReview(context, 'start', {})).toEqual(ALLOWED);
    expect(wantedBy(context)).toEqual({ effects: [], events: [] });
  });
});
