/**
 * GitHub shows a run to be further than a restored store does. Quorum accepts that state and posts
 * nothing.
 */
import { describe, expect, test } from 'vitest';
import {
  findOvertaken,
  onOvertakenAnswer,
  onOvertakenRun,
} from '../../../src/decide/discussion/on-overtaken.ts';
import type { ThreadState } from '../../../src/decide/run/thread-context.ts';
import type { ErrorCode } from '../../../src/domain/event/error-codes.ts';
import type { EventData } from '../../../src/domain/event/event.ts';
import type { Run } from '../../../src/domain/run/state/run-record.ts';
import { aRun, at, NOW, contextOf, wantedBy } from '../../helpers/a-run.ts';
import { aVerdict } from '../../helpers/an-issue.ts';
import { THREAD } from '../../helpers/play.ts';

type Failed = Extract<EventData, { kind: 'failed' }>;

function refusal(code: ErrorCode, run = 'run-1'): Failed {
  const failure = { code, message: 'GitHub is ahead', retryable: false };
  return { kind: 'failed', effectKind: 'comment', effectId: `${run}/1-comment`, run, failure };
}

const ASKED_IN = { askedIn: { id: 5, place: 'thread' as const } };
const IN_FLIGHT = [{ effectId: 'e', handle: 'maya', purpose: 'position' as const }];
const SAID = {
  handle: 'maya',
  name: 'Maya',
  role: 'Security Reviewer',
  round: 1,
  outcome: 'skipped' as const,
};
const NEEDS_YOU = { owner: 'tom', question: 'Which one?', since: at(-5), reminders: 1 };

/** Somewhere in the middle of its second round. */
function runUnderWay(over: Partial<Run<'issue_review'>> = {}): Run<'issue_review'> {
  return aRun('issue_review', {
    ...ASKED_IN,
    round: 2,
    queue: ['dev'],
    inFlight: [...IN_FLIGHT],
    contributions: [SAID],
    lead: { handle: 'carlos', name: 'Carlos', role: 'Lead' },
    ...over,
  });
}

describe('the refusal of an effect', () => {
  const done: EventData = {
    kind: 'done',
    effectKind: 'react',
    result: null,
    effectId: 'run-1/1-react',
    run: 'run-1',
  };
  const timer: EventData = { kind: 'timer', timer: '1-debounce', run: 'run-1' };

  test.each([
    ['says that its run has ended', refusal('run-ended'), true],
    ['says that its run waits', refusal('run-waiting'), true],
    ['has another reason', refusal('place-closed'), false],
    ['is none, the effect is done', done, false],
    ['is none, a timer has fired', timer, false],
  ])('where it %s', (_, data, isFound) => {
    expect(findOvertaken(data)).toBe(isFound ? data : undefined);
  });
});

describe('a run that has ended on GitHub', () => {
  const END = 'it had ended before the store was restored from a backup';

  test.each(['active', 'blocked'] as const)('ends here where it was %s', (status) => {
    const run = runUnderWay({ status, needsYou: { ...NEEDS_YOU }, reminderTimer: '4-reminder' });
    const before = structuredClone(run);
    const context = contextOf(run, { now: NOW + 9_000 });
    expect(onOvertakenRun(context, refusal('run-ended'))).toEqual({ kind: 'handled' });
    const { needsYou: _, reminderTimer: __, askedIn: ___, ...kept } = before;
    expect(run).toEqual({
      ...kept,
      queue: [],
      inFlight: [],
      status: 'closed',
      result: 'cancelled',
      isOvertaken: true,
      endReason: END,
      phase: { kind: 'ended' },
      endedAt: at(9_000),
    });
    expect(wantedBy(context).effects).toEqual([]);
    expect(wantedBy(context).events).toEqual([
      expect.objectContaining({ kind: 'run-ended', key: 'repository:7', run: run.id }),
    ]);
  });

  test('lets go of the review that was on its way', () => {
    const posting = { effectId: 'r', reviewedSha: undefined, untold: [] };
    const run = aRun('pr_review', { posting });
    onOvertakenRun(contextOf(run), refusal('run-ended'));
    expect(run).not.toHaveProperty('posting');
    expect(run).toMatchObject({ status: 'closed', isOvertaken: true });
  });

  test('ends as well where it is no discussion, also when GitHub says that it waits', () => {
    for (const code of ['run-ended', 'run-waiting'] as const) {
      const run = aRun('code_watch', { ...ASKED_IN });
      const context = contextOf(run);
      onOvertakenRun(context, refusal(code));
      expect(run).toMatchObject({ status: 'closed', endReason: END });
      expect(run).not.toHaveProperty('askedIn');
      expect(wantedBy(context).effects).toEqual([]);
    }
  });

  test.each(['closed', 'consensus'] as const)('stays as it is where it is %s here', (status) => {
    const run = runUnderWay({ status, verdict: aVerdict() });
    const before = structuredClone(run);
    const context = contextOf(run);
    expect(onOvertakenRun(context, refusal('run-ended'))).toEqual({
      kind: 'ignored',
      reason: 'the run has ended here as well',
    });
    expect(run).toEqual(before);
    expect(wantedBy(context)).toEqual({ effects: [], events: [] });
  });
});

describe('a run that waits for a person on GitHub', () => {
  test('waits here too, asks again from the first round, and reminds in a day', () => {
    const run = runUnderWay();
    const before = structuredClone(run);
    const context = contextOf(run, { now: NOW + 9_000 });
    expect(onOvertakenRun(context, refusal('run-waiting'))).toEqual({ kind: 'handled' });
    const { askedIn: _, ...kept } = before;
    expect(run).toEqual({
      ...kept,
      step: before.step + 1,
      queue: [],
      inFlight: [],
      status: 'blocked',
      wasBlocked: true,
      phase: { kind: 'waiting' },
      round: 1,
      lead: undefined,
      contributions: [],
      needsYou: {
        owner: 'ana',
        question: 'The question in the comment of the team is still open.',
        since: at(9_000),
        reminders: 0,
      },
      reminderTimer: `${before.step + 1}-reminder`,
    });
    expect(wantedBy(context)).toEqual({
      effects: [],
      events: [
        {
          key: 'thread:7/12',
          delayMs: 24 * 3_600_000,
          kind: 'timer',
          timer: `${before.step + 1}-reminder`,
          run: run.id,
        },
      ],
    });
  });

  test('keeps its own question where it waits here already', () => {
    const run = runUnderWay({ status: 'blocked', needsYou: { ...NEEDS_YOU } });
    const context = contextOf(run);
    expect(onOvertakenRun(context, refusal('run-waiting'))).toEqual({ kind: 'handled' });
    expect(run).toMatchObject({ status: 'blocked', needsYou: NEEDS_YOU, contributions: [SAID] });
    expect(wantedBy(context)).toEqual({ effects: [], events: [] });
  });
});

describe('an answer or a plan that GitHub has already', () => {
  const talks = { 'talk-1': { id: 'talk-1' }, 'talk-2': { id: 'talk-2' } };
  const planning = { id: 'plan-1', thread: THREAD };
  const stateOf = (): ThreadState =>
    structuredClone({ v: 1, runs: {}, talks, planning }) as unknown as ThreadState;
  const take = (run: string, state: ThreadState) =>
    onOvertakenAnswer(
      {
        state,
        event: { id: 'e', key: 'k', version: 1, at: at(0), data: refusal('run-ended') },
        now: NOW,
      },
      refusal('run-ended', run),
    );

  test('is dropped without a comment, and everything else is kept', () => {
    const reason = (run: string) => `${run} ended before the store was restored from a backup`;
    const state = { v: 1, runs: {} };
    const nothing = { effects: [], events: [] };
    expect(take('talk-1', stateOf())).toEqual({
      ...nothing,
      state: { ...state, talks: { 'talk-2': { id: 'talk-2' } }, planning },
      ignored: reason('talk-1'),
    });
    expect(take('plan-1', stateOf())).toEqual({
      ...nothing,
      state: { ...state, talks },
      ignored: reason('plan-1'),
    });
  });

  test('is not found when the run is another one', () => {
    const state = stateOf();
    expect(take('run-9', state)).toBeUndefined();
    expect(take('run-9', { v: 1, runs: {} })).toBeUndefined();
    expect(state).toEqual(stateOf());
  });
});
