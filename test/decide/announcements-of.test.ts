/** What a step of a thread announces: each thing once, when it becomes true. */
import { expect, test } from 'vitest';
import { announcementsOf, needOver } from '../../src/decide/channel/announcements-of.ts';
import type { ThreadState } from '../../src/decide/run/thread-context.ts';
import type { PlanState } from '../../src/domain/plan/plan-view.ts';
import type { TaskNews } from '../../src/domain/task/task.ts';
import { aRun } from '../helpers/a-run.ts';

const thread = { installationId: 1, repositoryId: 7, owner: 'octo', repo: 'shop', number: 3 };

function withPlan(plan: Partial<PlanState>): ThreadState {
  return { v: 1, runs: {}, plan: { id: 'plan-1', step: 0, thread, ...plan } };
}

const TASK = { task: 1, state: 'claimed', persona: 'dev', attempt: 1, at: '' } as const;

function task(news: Partial<TaskNews>): Partial<PlanState> {
  return { tasks: { '1': { ...TASK, ...news } } };
}

const approval = { by: { id: 1, login: 'ana' }, digest: 'd', how: 'command', at: '' } as const;
const pull = { number: 9, url: '' };

type Step = [string, Partial<PlanState>, Partial<PlanState>, readonly string[]];

const STEPS: readonly Step[] = [
  ['a plan that waits', {}, { isWaiting: true }, ['plan-proposed']],
  ['a plan that still waits', { isWaiting: true }, { isWaiting: true }, []],
  ['an approval', { isWaiting: true }, { approval }, ['plan-approved']],
  ['a claim', {}, task({}), ['task-claimed']],
  ['a pull request', task({}), task({ state: 'in_review', pull }), ['pr-opened']],
  ['a merge', task({ state: 'in_review', pull }), task({ state: 'completed', pull }), ['merged']],
  [
    'a task that is given back',
    task({}),
    task({ state: 'released', reason: 'the lease was lost' }),
    ['task-released'],
  ],
  ['a failure', task({}), task({ state: 'failed', reason: 'red' }), ['failed']],
  [
    'a second try that fails',
    task({ state: 'failed' }),
    task({ state: 'failed', attempt: 2 }),
    ['failed'],
  ],
  [
    'a question of the coder',
    task({}),
    task({ asks: true, reason: 'Which one?' }),
    ['needs-human'],
  ],
  ['a question that is still open', task({ asks: true }), task({ asks: true }), []],
  ['the end', {}, { isComplete: true }, ['plan-complete']],
];

test.each(STEPS.map((step) => [step[0], step] as const))('%s', (_, [, before, after, events]) => {
  const told = announcementsOf(withPlan(before), withPlan(after));
  expect(told.map(({ announced }) => announced.event)).toEqual(events);
});

const ASKS = task({ asks: true, reason: 'Which?' });
const BLOCKED = {
  ...ASKS.tasks,
  '2': { ...TASK, task: 2, state: 'blocked', reason: 'red' },
} as const;

test.each<[string, Partial<PlanState>, Partial<PlanState>, boolean]>([
  ['the task was blocked and goes on', task({ state: 'blocked', reason: 'red' }), task({}), true],
  ['its question was answered', ASKS, task({}), true],
  ['the plan with the question is gone', ASKS, { tasks: {} }, true],
  ['it still asks', ASKS, ASKS, false],
  ['it asks something else', ASKS, task({ asks: true, reason: 'When?' }), false],
  ['it asks newly', task({}), ASKS, false],
  ['nobody asked', task({}), task({}), false],
  ['another task asks', { tasks: BLOCKED }, ASKS, false],
  ['another task is blocked', ASKS, { tasks: { '2': BLOCKED['2'] } }, false],
  ['two tasks go on at once', { tasks: BLOCKED }, task({}), true],
])('whether a thread needs people no more: %s', (_, before, ...rest) => {
  const [after, isOver] = rest;
  expect(needOver(withPlan(before), withPlan(after))).toBe(isOver ? 'plan-1' : undefined);
});

test('of two runs that ask the same question, the first answer leaves the other open', () => {
  const asks = (...ids: string[]): ThreadState => ({
    v: 1,
    runs: Object.fromEntries(
      ids.map((id) => {
        const needsYou = { question: 'Which?', owner: 'ana', since: '', reminders: 0 };
        return [id, { ...aRun('issue_review', { needsYou }), id }];
      }),
    ),
  });
  expect(needOver(asks('a', 'b'), asks('b'))).toBeUndefined();
  expect(needOver(asks('b'), asks())).toBe('b');
});

test('what people asked for just now is marked, and what follows later is not', () => {
  const told = announcementsOf(withPlan({}), withPlan({ isWaiting: true, ...task({}) }));
  expect(told.map(({ announced, isAsked }) => [announced.event, isAsked])).toEqual([
    ['plan-proposed', true],
    ['task-claimed', undefined],
  ]);
});

test.each([
  ['that somebody asked for', false, true],
  ['that was found later, as after an outage', true, undefined],
])('quiet hours know a run %s', (_, isFound, isAsked) => {
  const run = aRun('issue_review', { isFound, phase: { kind: 'concluding', effectId: 'e' } });
  const told = announcementsOf({ v: 1, runs: {} }, { v: 1, runs: { [run.id]: run } });
  expect(told.map((each) => [each.announced.event, each.isAsked])).toEqual([
    ['run-started', isAsked],
  ]);
});

test.each([
  ['waiting for approval', {}, { isWaiting: true }, { phrase: 'planCreated' }],
  [
    'given back',
    task({}),
    task({ state: 'released', reason: 'the lease was lost' }),
    { phrase: 'release', persona: 'dev', task: 1, details: 'the lease was lost' },
  ],
  ['claimed', {}, task({}), { phrase: 'claim', persona: 'dev', task: 1 }],
  [
    'in a pull request',
    task({}),
    task({ state: 'in_review', pull }),
    { phrase: 'progress', persona: 'dev', task: 1, details: '#9 is open' },
  ],
  [
    'failed',
    task({}),
    task({ state: 'failed', reason: 'red' }),
    { phrase: 'failed', persona: 'dev', task: 1, details: 'red' },
  ],
  [
    'blocked',
    task({}),
    task({ state: 'blocked', reason: 'no key' }),
    { phrase: 'blocked', persona: 'dev', task: 1, details: 'no key' },
  ],
  [
    'merged',
    task({ state: 'in_review', pull }),
    task({ state: 'completed', pull }),
    { phrase: 'complete', persona: 'dev', task: 1 },
  ],
  ['whole', {}, { isComplete: true }, { phrase: 'planComplete' }],
  // A question is to be read as it was asked.
  ['asking', task({}), task({ asks: true, reason: 'Which one?' }), undefined],
] as const)('what is %s is said by the persona that does it', (...[, before, after, speaks]) => {
  const [news] = announcementsOf(withPlan(before), withPlan(after));
  expect(news?.announced.speaks).toEqual(speaks);
});
