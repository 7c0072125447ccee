/** `/pm status` and `/pm why` on a plan: what is blocked and why, and what to type next. */
import { describe, expect, test } from 'vitest';
import type { PlanState } from '../../../../../src/domain/plan/plan-view.ts';
import { parsePlan } from '../../../../../src/domain/plan/body/parse-plan.ts';
import { planDigest } from '../../../../../src/domain/plan/plan-digest.ts';
import { BEFORE, BODY, newsOf, PLAN_STATE, refusal, say, saying, sumUp } from '../say-on-thread.ts';

const APPROVAL = {
  by: { id: 101, login: 'ana' },
  digest: planDigest(parsePlan(BODY)),
  how: 'command' as const,
  at: BEFORE,
};

function said(words: string, plan: Partial<PlanState>, body = BODY): string {
  return say(words, { state: { plan: { ...PLAN_STATE, ...plan } }, issue: { body } }).said;
}

/** The lines on the plan, and what comes next. */
function status(plan: Partial<PlanState>, body = BODY): string[] {
  return said('/pm status', plan, body)
    .split('\n')
    .filter((line) => !/^- (?:Model|Cost)/.test(line))
    .map((line) => line.slice(2));
}

const BLOCKED = saying({ 1: ['completed', 'dev', '#7'], 3: ['blocked', 'dev', 'the tests fail'] });

describe('/pm status of a plan', () => {
  test.each<[string, { plan: Partial<PlanState>; body: string; lines: string[] }]>([
    [
      'waits for approval',
      {
        plan: { isWaiting: true },
        body: BODY,
        lines: [
          'Plan: 3 tasks, waiting for approval.',
          'Next: `/pm approve` lets the tasks begin, `/pm reject why` turns the plan down.',
        ],
      },
    ],
    [
      'waits for approval where no task can be written',
      {
        plan: { isWaiting: true, noWork: 'the App here writes no code' },
        body: BODY,
        lines: [
          'Plan: 3 tasks, waiting for approval.',
          'No task starts: the App here writes no code.',
          'Next: the operator of the App sets this up (`quorum doctor` says how), or people do the tasks: `/pm claim N`.',
        ],
      },
    ],
    [
      'was turned down',
      {
        plan: { rejected: { by: 'tom', digest: 'd' } },
        body: BODY,
        lines: ['Plan: rejected by `tom`.', 'Next: edit the plan, or `/pm approve` it after all.'],
      },
    ],
    [
      'has faults',
      {
        plan: {},
        body: `${BODY}\n### Task 1: again\n`,
        lines: [
          'Plan: 1 problem in its text.',
          'Next: edit the issue: the comment on the plan lists what is wrong.',
        ],
      },
    ],
    [
      'goes on',
      {
        plan: { approval: APPROVAL, tasks: { 1: newsOf(1, { state: 'in_review' }) } },
        body: saying({ 1: ['in_progress', 'dev'] }),
        lines: [
          'Plan: 3 tasks, 1 being worked on.',
          'Next: nothing to do: the tasks continue by themselves.',
        ],
      },
    ],
    [
      'is complete',
      {
        plan: { approval: APPROVAL, isComplete: true },
        body: BODY,
        lines: ['Plan: complete.', 'Next: nothing to do: the tasks continue by themselves.'],
      },
    ],
    [
      'finds nobody who writes code',
      {
        plan: { approval: APPROVAL, noWork: 'the App here writes no code' },
        body: BODY,
        lines: [
          'Plan: 3 tasks.',
          'No task starts: the App here writes no code.',
          'Next: the operator of the App sets this up (`quorum doctor` says how), or people do the tasks: `/pm claim N`.',
        ],
      },
    ],
  ])('that %s', (_, { plan, body, lines }) => {
    expect(status(plan, body)).toEqual(lines);
  });

  test('a blocked task is shown with its reason and what to type', () => {
    expect(status({ approval: APPROVAL }, BLOCKED)).toEqual([
      'Plan: 3 tasks, 1 completed, 1 blocked.',
      'Task 3 is blocked: `the tests fail`.',
      'Next: `/pm retry 3` tries the task again, `/pm why 3` says more.',
    ]);
    for (const [over, next] of [
      [{ asks: true }, "`/pm unblock 3 your answer` answers the coder's question."],
      [{ lacksTests: true }, '`/pm unblock 3` lets the task continue without tests.'],
    ] as const) {
      const tasks = { 3: newsOf(3, { state: 'blocked', reason: 'see `x`\n@all', ...over }) };
      expect(status({ approval: APPROVAL, tasks }, BLOCKED).slice(1)).toEqual([
        "Task 3 is blocked: `see 'x' @all`.",
        `Next: ${next}`,
      ]);
    }
  });
});

describe('/pm why on a plan', () => {
  const tasks = {
    1: newsOf(1, { state: 'completed', pull: { number: 7, url: '' } }),
    3: newsOf(3, { state: 'blocked', reason: 'the tests fail', attempt: 3 }),
  };

  test('tells whose approval it rests on, each task with its reason, and what comes next', () => {
    expect(said('/pm why', { approval: APPROVAL, tasks }, BLOCKED).split('\n\n')).toEqual([
      '**Plan**: 3 tasks, 1 completed, 1 blocked.',
      `\`ana\` approved the text \`${APPROVAL.digest.slice(0, 12)}\` on 2026-03-02T08:59Z.`,
      [
        '- Task 1 is merged (attempt 1 by `dev`, pull request #7)',
        '- Task 2 waits',
        '- Task 3 is blocked (attempt 3 by `dev`): `the tests fail`',
      ].join('\n'),
      'Next: `/pm retry 3` tries the task again, `/pm why 3` says more.',
    ]);
  });

  test('a waiting task is shown with what it waits for', () => {
    const waits = saying({ 1: ['blocked', 'dev', 'no key'] });
    expect(said('/pm why 2', { approval: APPROVAL }, waits)).toBe(
      'Task 2 waits for task 1, which is blocked',
    );
    const running = saying({ 1: ['in_progress', 'dev'] });
    expect(said('/pm why 2', { approval: APPROVAL }, running)).toBe('Task 2 waits for task 1');
    expect(said('/pm why 3', { approval: APPROVAL }, running)).toBe('Task 3 waits');
  });

  test('tells who turned it down, and that nobody has approved it', () => {
    expect(said('/pm why', { rejected: { by: 'tom', digest: 'd' } })).toContain(
      '`tom` turned it down.',
    );
    expect(said('/pm why', {})).toContain('Nobody has approved it.');
    expect(said('/pm why', { approval: { ...APPROVAL, digest: 'other' } })).toContain(
      '; it was changed since then.',
    );
  });

  test('of one task, by its number', () => {
    const why = '/pm why #3';
    expect(said(why, { approval: APPROVAL, tasks }, BLOCKED)).toBe(
      'Task 3 is blocked (attempt 3 by `dev`): `the tests fail`\n\nNext: `/pm retry 3` tries the task again, `/pm why 3` says more.',
    );
    const waits = { 2: newsOf(2, { state: 'failed', waitsUntil: '2026-03-02T10:15:00.000Z' }) };
    expect(said('/pm why 2', { approval: APPROVAL, tasks: waits })).toBe(
      'Task 2 failed and will be retried (attempt 1 by `dev`, not before 2026-03-02T10:15Z)',
    );
    expect(sumUp(say('/pm why 9', { state: { plan: PLAN_STATE }, issue: { body: BODY } }))).toEqual(
      refusal('The plan has no task 9.'),
    );
  });
});
