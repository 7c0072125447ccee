/** `/pm status`: the state of a thread, and what comes next. */
import { describe, expect, test } from 'vitest';
import type { ThreadState } from '../../../../../src/decide/run/thread-context.ts';
import { aVerdict } from '../../../../helpers/an-issue.ts';
import { CALL, onRun, watchOf } from '../run-here.ts';
import { BEFORE, NOW_ISO, say } from '../say-on-thread.ts';

const ENDED = { status: 'consensus', verdict: aVerdict() };
const NEEDS = { owner: 'tom', question: 'Keep it?', since: BEFORE };
const SPENT = { usd: 0.5, unknownCalls: 1, calls: 2 };

function statusOf(state: Partial<ThreadState>, over: object = {}, issue: object = {}): string[] {
  return say('/pm status', { state, view: over, issue }).said.split('\n');
}

const inPhase = (kind: 'thinking' | 'waiting') =>
  ({ phase: { kind, effectId: 'e1' } }) as ThreadState['planning'] & {};

const NEXT = {
  discuss: '- Next: `/pm deliberate` lets the team discuss this.',
  review: '- Next: `/pm review` asks for a review; a push starts one automatically.',
  ends: '- Next: the team closes what is going on.',
};

describe('/pm status', () => {
  test('of a thread in which nothing was done', () => {
    const came = say('/pm status');
    expect(came).toMatchObject({ reaction: '+1', effects: [], told: [] });
    expect(came.said).toBe(
      [
        '- There has been no discussion here yet.',
        '- Plan: none.',
        '- Model: offline rules.',
        '- Cost of this thread: nothing yet.',
        NEXT.discuss,
      ].join('\n'),
    );
  });

  test('says all that there is to say, in order', () => {
    const state = {
      ...onRun({ unwritten: [{ what: 'the label', code: 'forbidden' }], calls: [CALL] }),
      ledger: { findings: [{ status: 'open' }, { status: 'dismissed' }] } as never,
    };
    const paused = { by: 'tom', why: '', at: BEFORE };
    const over = { paused, spent: { thread: SPENT, day: SPENT, month: SPENT } };
    expect(statusOf(state, over, { labels: ['hold'] })).toEqual([
      '- Discussion `run1`: going on, round 2 of 3, $0.25. **GitHub did not take** the label (`forbidden`).',
      '- Paused: `tom` stopped all work in this repository on 2026-03-02T08:59Z.',
      '- On hold: the label `hold` is set.',
      '- Findings: 1 open of 2.',
      '- Plan: none.',
      '- Model: `claude-sonnet`.',
      '- Cost of this thread: $0.50 and an unknown part in 2 calls.',
      '- Next: `/pm resume` resumes work.',
    ]);
  });

  test.each([
    [{}, 'Discussion `run1`: going on, round 2 of 3, $0.', NEXT.ends],
    [
      { status: 'blocked', needsYou: NEEDS },
      'Discussion `run1`: waits for `tom`, $0.',
      '- Next: `tom` answers: `Keep it?`',
    ],
    [{ status: 'blocked' }, 'Discussion `run1`: waits for `somebody`, $0.', NEXT.discuss],
    [
      { status: 'closed', endReason: 'it was closed' },
      'Discussion `run1`: stopped, it was closed, $0.',
      NEXT.discuss,
    ],
    [{ status: 'closed' }, 'Discussion `run1`: stopped, without a verdict, $0.', NEXT.discuss],
    [{ status: 'consensus' }, 'Discussion `run1`: over, $0.', NEXT.discuss],
    [ENDED, 'Discussion `run1`: READY, worth doing, small, $0.', NEXT.discuss],
    [{ trigger: 'prd_kickoff' }, 'Kick-off `run1`: going on, round 2 of 3, $0.', NEXT.ends],
    [
      {
        ...ENDED,
        ...watchOf(
          { outcome: 'created', number: 8 },
          { outcome: 'full' },
          { outcome: 'created', number: 9 },
        ),
      },
      'Code watch `run1`: over, opened #8, #9, $0.',
      NEXT.discuss,
    ],
    [
      { ...ENDED, ...watchOf(undefined) },
      'Code watch `run1`: over, no issue opened, $0.',
      NEXT.discuss,
    ],
    [
      { ...watchOf(), round: undefined, status: 'consensus', watch: undefined },
      'Code watch `run1`: over, $0.',
      NEXT.discuss,
    ],
  ])('shows the state of a run: case %#', (over, line, next) => {
    const lines = statusOf(onRun(over));
    expect(lines[0]).toBe(`- ${line}`);
    expect(lines.at(-1)).toBe(next);
    expect(lines).toHaveLength(5);
  });

  test.each([
    [
      'one that was proposed',
      { proposed: { number: 21, title: 'Rows' } },
      ['Plan: #21.', 'Next: the plan #21 says what it waits for.'],
    ],
    ['one in the making', { planning: inPhase('thinking') }, ['Plan: the PM is working on it.']],
    [
      'one that waits for answers',
      { planning: inPhase('waiting') },
      ['Plan: the PM waits for answers to its questions.'],
    ],
  ] as [string, Partial<ThreadState>, string[]][])(
    'tells of the plan that grew from here: %s',
    (_, state, wanted) => {
      expect(statusOf(state)).toEqual(expect.arrayContaining(wanted.map((line) => `- ${line}`)));
    },
  );

  const model = (over: object) => ({
    name: 'sonnet',
    model: 'claude-s',
    state: 'ready',
    provider: 'a',
    aliases: [],
    ...over,
  });
  const choice = { by: 'tom', at: NOW_ISO, commentId: 1 };

  test.each([
    [
      {},
      [model({ state: 'missing' }), model({ name: 'offline', model: 'rules' }), model({})],
      '`claude-s`',
    ],
    [{}, [model({ state: 'missing' })], 'offline rules'],
    [onRun({ calls: [CALL, { ...CALL, model: 'm2' }] }), [model({})], '`m2`'],
    [onRun({ calls: [{ ...CALL, provider: 'offline' }] }), [model({})], '`offline rules`'],
    [
      {
        switches: [
          { ...choice, model: 'opus' },
          { ...choice, model: 'old' },
        ],
      },
      [model({})],
      '`opus`, chosen for this thread by `tom`',
    ],
    [{ switches: [choice, { ...choice, model: 'old' }] }, [model({})], '`claude-s`'],
  ])('tells which model answers: case %#', (state, models, words) => {
    expect(statusOf(state, { models })).toContain(`- Model: ${words}.`);
  });

  test.each([
    [{ usd: 0, unknownCalls: 0, calls: 1 }, '$0 in 1 call'],
    [{ usd: 0.004, unknownCalls: 0, calls: 3 }, '$0.0040 in 3 calls'],
  ])('tells what it cost: case %#', (thread, words) => {
    const lines = statusOf({}, { spent: { thread, day: thread, month: thread } });
    expect(lines).toContain(`- Cost of this thread: ${words}.`);
  });

  test.each([
    [{ labels: ['hold'] }, '- Next: `/pm unhold` removes the hold.'],
    [{ isPull: true }, NEXT.review],
  ])('tells what comes next: case %#', (issue, line) => {
    expect(statusOf({}, {}, issue).at(-1)).toBe(line);
  });
});
