/** The one comment below a plan: whose move it is, who works on what, and what people should know before they say yes. */
import { describe, expect, test } from 'vitest';
import { renderPlanComment } from '../../../src/decide/plan/render-plan-comment.ts';
import { sightOf } from '../../../src/decide/plan/advance.ts';
import { parsePlan } from '../../../src/domain/plan/body/parse-plan.ts';
import type { PlanState, PlanView } from '../../../src/domain/plan/plan-view.ts';
import type { TaskState } from '../../../src/domain/plan/task-state.ts';
import type { ApprovalDoubt } from '../../../src/domain/plan/approval.ts';
import { aPlanBody, aTask } from '../../helpers/a-plan.ts';
import { ORDER } from '../../helpers/a-task.ts';
import { BODY, DIGEST, newsOf, PLAN_STATE, saying, viewOf, YES } from './show-plan.ts';

type Over = Partial<Omit<PlanView, 'issue'>>;

function partsOf(plan: Partial<PlanState>, body = BODY, over: Over = {}): string[] {
  const sight = sightOf(parsePlan(body), viewOf(body, over));
  return renderPlanComment(sight, { ...PLAN_STATE, ...plan }).split('\n\n');
}

const SHORT = DIGEST.slice(0, 12);
const WAITING = `**Waiting for approval** of this text (\`${DIGEST}\`): somebody with write access comments \`/pm approve\`, replies \`yes\`, or gives this comment a 👍.`;
const OTHER = { ...YES, digest: 'f'.repeat(40) };

describe('whose move it is', () => {
  test.each([
    ['nobody has said yes', {}, {}, [WAITING]],
    ['it was approved', { approval: YES }, {}, [`Approved by \`ana\` (text \`${SHORT}\`).`]],
    [
      'no code is written here',
      { approval: YES },
      { whyNoCoder: 'no coder', whyUnsigned: 'no key' },
      [`Approved by \`ana\` (text \`${SHORT}\`). No task starts: no coder.`],
    ],
    [
      'commits would be refused',
      { approval: YES },
      { whyUnsigned: 'no key' },
      [`Approved by \`ana\` (text \`${SHORT}\`). No task starts: no key.`],
    ],
    [
      'commits would be refused after approval',
      {},
      { whyUnsigned: 'no key' },
      [WAITING, '**No task would start after approval**: no key.'],
    ],
    [
      'nobody could write the code after approval',
      {},
      { whyNoCoder: 'no coder', whyUnsigned: 'no key' },
      [WAITING, '**No task would start after approval**: no coder.'],
    ],
    [
      'nobody could write these tasks after approval',
      {},
      { whyUnwritable: 'no Claude Code' },
      [WAITING, '**Nobody here can write these tasks**: no Claude Code.'],
    ],
    [
      'it was turned down',
      { rejected: { by: 'tom', digest: DIGEST } },
      {},
      ['Rejected by `tom`. Edit the plan, or comment `/pm approve` if you want it after all.'],
    ],
    ['another text was turned down', { rejected: { by: 'tom', digest: 'f' } }, {}, [WAITING]],
    [
      'another text was approved',
      { approval: OTHER },
      {},
      [`The plan changed after its approval. ${WAITING}`],
    ],
  ] as [string, Partial<PlanState>, Over, string[]][])('%s', (...[, plan, over, words]) => {
    const parts = partsOf(plan, BODY, over);
    expect(parts[0]).toBe('### Plan: 3 tasks, 0 completed');
    expect(parts.slice(1, 1 + words.length)).toEqual(words);
    expect(parts[1 + words.length]).toMatch(/^```mermaid\n/);
  });

  test.each([
    [
      'not-shown',
      'The person who added the label did not write the text, and it was not shown here before.',
    ],
    ['changed', 'The text changed after the label was added.'],
    [
      'shown-later',
      'The person who added the label did not write the text, and it was not shown here before.',
    ],
    ['not-delivered', 'No delivery from GitHub says to which text the label was added.'],
    ['another-named', 'The digest in your command is not the digest of the current plan.'],
  ] as [ApprovalDoubt, string][])('a label that is no yes: %s', (why, words) => {
    const doubted = { by: 'tom', why, digest: DIGEST };
    const label = 'The label by `tom` does not approve it.';
    expect(partsOf({ doubted })[1]).toBe(`${label} ${words} ${WAITING}`);
  });

  test('counts what is completed and blocked, and asks for nothing at the end', () => {
    const mixed = saying({ 1: ['completed'], 2: ['blocked'] });
    expect(partsOf({}, mixed)[0]).toBe('### Plan: 3 tasks, 1 completed, 1 blocked');
    const done = aPlanBody({ tasks: [aTask(1)] }).replace('pending', 'completed');
    const parts = partsOf({}, done);
    expect(parts[0]).toBe('### Plan: 1 task, 1 completed');
    expect(parts[1]).toMatch(/^```mermaid\n/);
  });
});

describe('what is blocked in an approved plan', () => {
  const partOf = (body: string, over: Partial<PlanState> = {}) =>
    partsOf({ approval: YES, ...over }, body)[2];

  test.each([
    [
      'one task',
      { 1: ['blocked'] },
      'Task 1 waits for a person: `/pm retry 1` tries the task again, `/pm why 1` says more.',
    ],
    [
      'several, with a line for the first',
      { 2: ['blocked'], 3: ['blocked'] },
      'Tasks 2, 3 wait for a person: `/pm retry 2` tries the task again, `/pm why 2` says more.',
    ],
  ] as [string, Parameters<typeof saying>[0], string][])('%s', (_, words, line) => {
    expect(partOf(saying(words))).toBe(line);
  });

  test('one that asks is answered', () => {
    const tasks = { 1: newsOf(1, { state: 'blocked', asks: true }) };
    expect(partOf(saying({ 1: ['blocked'] }), { tasks })).toBe(
      "Task 1 waits for a person: `/pm unblock 1 your answer` answers the coder's question.",
    );
  });

  test('nothing is said where nothing waits', () => {
    expect(partOf(saying({ 1: ['completed'] }))).toMatch(/^```mermaid/);
  });
});

test('protected files, and files that only people change, are listed before approval', () => {
  const paths = ['src/a.ts', '.github/workflows/ci.yml', '.github/quorum.yml', '.husky/pre-commit'];
  const files = paths.map((path) => ({ path, note: '' }));
  const lines = partsOf({}, aPlanBody({ tasks: [aTask(1, { files })] }))[2]?.split('\n') ?? [];
  expect(lines.map((line) => line.replace(/`[^`]*`/, 'PATH'))).toEqual(
    lines.map((line) =>
      line.includes('only people')
        ? '- Task 1 names PATH, which only people may change. Quorum refuses a change to it.'
        : '- Task 1 may change PATH, which is protected. Approving this text allows that change.',
    ),
  );
  expect(lines.map((line) => /`([^`]*)`/.exec(line)?.[1])).toEqual(paths.slice(1));
  expect(new Set(lines.map((line) => line.includes('only people'))).size).toBe(2);
});

describe('the table of work', () => {
  const tableOf = (plan: Partial<PlanState>, body = BODY): string[] =>
    (partsOf(plan, body).find((part) => part.startsWith('| task')) ?? '').split('\n').slice(2);

  test('is left out when no task has reported', () => {
    expect(tableOf({})).toEqual([]);
  });

  test.each([
    ['pending', 'waits'],
    ['claimed', 'claimed'],
    ['in_progress', 'being written'],
    ['verifying', 'at the gates'],
    ['in_review', 'in review'],
    ['completed', 'merged'],
    ['released', 'given back'],
    ['blocked', 'blocked'],
    ['failed', 'will be retried'],
  ] as [TaskState, string][])('says of what is %s: %s', (state, words) => {
    const pull = { number: 9, url: '' };
    const tasks = {
      1: newsOf(1, { state, pull, reason: 'a | b' }),
      3: newsOf(3, { state, pull, reason: '#9' }),
    };
    expect(tableOf({ tasks })).toEqual([
      `| 1 | ${words} | dev | #9 | a \\| b |`,
      `| 3 | ${words} | dev | #9 |  |`,
    ]);
  });

  test('keeps a reason of 400 characters, and pings nobody', () => {
    const tasks = {
      1: newsOf(1, { reason: 'x'.repeat(500) }),
      2: newsOf(2, { reason: 'ask\n@tom' }),
      3: newsOf(3, {}),
    };
    expect(tableOf({ tasks })).toEqual([
      `| 1 | being written | dev |  | ${'x'.repeat(400)} |`,
      '| 2 | being written | dev |  | ask `@tom` |',
      '| 3 | being written | dev |  |  |',
    ]);
  });

  test('a text knows of a merge that a restored store does not', () => {
    const body = saying({ 1: ['completed', 'dev', '#9'], 3: ['pending'] });
    const tasks = { 1: newsOf(1, { state: 'released' }), 3: newsOf(3, { state: 'released' }) };
    expect(tableOf({ tasks }, body)).toEqual([
      '| 1 | merged | dev | #9 |  |',
      '| 3 | given back | dev |  |  |',
    ]);
  });

  const order = (task: number) => ({ ...ORDER, ref: { ...ORDER.ref, task }, persona: 'maya' });
  const ready = { orders: [order(1)], at: '', left: 3, total: 3, most: 1, said: 1, needs: 1 };

  test('says of what begins now that it is claimed, and of what waits why', () => {
    const tasks = { 1: newsOf(1, { state: 'blocked' }) };
    expect(tableOf({ ready, tasks })).toEqual(['| 1 | claimed | maya |  |  |']);
    expect(tableOf({ ready: { ...ready, waits: { why: 'for a place' } } })).toEqual([
      '| 1 | waits | maya |  | for a place |',
    ]);
  });

  test('appears below the errors to fix as well', () => {
    const broken = BODY.replace('**Dependencies:** Task 1', '**Dependencies:** Task 9');
    const parts = partsOf({ tasks: { 1: newsOf(1, {}) } }, broken);
    expect(parts[0]).toBe('### Plan: fix one error before any task can start');
    expect(parts[1]).toMatch(
      /^\| line \| code \| how to fix it \|\n\| --- \| --- \| --- \|\n\| \d+ \| `unknown-dependency` \| .+ \|$/,
    );
    expect(parts[2]).toBe(
      'Edit the issue. Quorum reads it again at once and updates this comment.',
    );
    expect(parts[3]).toMatch(/^\| task \| status \|[\s\S]*being written/);
    expect(parts).toHaveLength(4);
  });

  test('lists fifty errors to fix, and says how many more there are', () => {
    const tasks = Array.from({ length: 53 }, (_, n) => aTask(n + 1, { dependencies: [99] }));
    const parts = partsOf({}, aPlanBody({ tasks }));
    expect(parts[0]).toBe('### Plan: fix 53 errors before any task can start');
    expect(parts[1]?.split('\n')).toHaveLength(52);
    expect(parts[2]).toBe('3 more are not shown.');
    const fifty = partsOf({}, aPlanBody({ tasks: tasks.slice(0, 50) }));
    expect(fifty[2]).toBe(
      'Edit the issue. Quorum reads it again at once and updates this comment.',
    );
  });
});

test('the end of what was printed is shown of the last five that failed, newest first', () => {
  const tasks = Object.fromEntries(
    Array.from({ length: 7 }, (_, n) => [
      n + 1,
      newsOf(n + 1, {
        attempt: n,
        at: `2026-11-22T0${n}:00:00Z`,
        ...(n === 6 ? {} : { log: `line ${n}` }),
      }),
    ]),
  );
  const text = partsOf({ tasks }).join('\n\n');
  const shown = [
    ...text.matchAll(/output of task (\d), attempt (\d)<\/summary>\n\n```text\nline (\d)\n```/g),
  ];
  expect(shown.map(([, ...numbers]) => numbers.join())).toEqual([
    '6,5,5',
    '5,4,4',
    '4,3,3',
    '3,2,2',
    '2,1,1',
  ]);
});

test('edits by people that were reset are reported', () => {
  const putBack = { 1: { by: 'tom', word: 'completed', to: 'claimed', why: 'it is not' } } as const;
  expect(partsOf({ putBack })).toContain(
    '- Task 1: `tom` set it to `completed`. Quorum reset it to `claimed`, because it is not.',
  );
});

test('the tasks stand there in words, at most three hundred', () => {
  expect(partsOf({}).slice(-3)).toEqual([
    '<details><summary>The tasks in words</summary>',
    expect.stringMatching(/^- .*Do thing 1.*\n- .*Do thing 2.*\n- .*Do thing 3.*$/) as string,
    '</details>',
  ]);
  const tasks = Array.from({ length: 302 }, (_, n) => aTask(n + 1, { files: [] }));
  const lines = partsOf({}, aPlanBody({ tasks })).at(-2)?.split('\n') ?? [];
  expect(lines).toHaveLength(301);
  expect(lines.at(-1)).toBe('- and 2 more');
});
