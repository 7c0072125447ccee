/**
 * People move the tasks of a plan by command: what is written, what the task receives, and what is
 * refused.
 */
import { describe, expect, test } from 'vitest';
import { parsePlan } from '../../../../../src/domain/plan/body/parse-plan.ts';
import { planDigest } from '../../../../../src/domain/plan/plan-digest.ts';
import type { PlanState } from '../../../../../src/domain/plan/plan-view.ts';
import type { TaskState } from '../../../../../src/domain/plan/task-state.ts';
import { aComment } from '../../../../helpers/an-issue.ts';
import { THREAD } from '../../../../helpers/play.ts';
import {
  AT,
  BEFORE,
  BODY,
  newsOf,
  NOW_ISO,
  PLAN_STATE,
  refusal,
  say,
  saying,
  sumUp,
  type Setup,
} from '../say-on-thread.ts';

const BY = { id: 100, login: 'ana' };
const NO_PLAN =
  'This command works only on a plan: an issue with the label `plan` and tasks in it.';
const ALL = [
  '/pm run',
  '/pm run 1',
  '/pm claim 1',
  '/pm release 1',
  '/pm retry 1',
  '/pm block 1 no key',
  '/pm unblock 1',
];

/** A plan with this body and with what its tasks reported. */
function onPlan(body: string, plan: Partial<PlanState> = {}, over: Setup = {}): Setup {
  const { issue, ...rest } = over;
  return { ...rest, issue: { body, ...issue }, state: { plan: { ...PLAN_STATE, ...plan } } };
}

/** What the first task reported. */
function heardOf(state: TaskState): Partial<PlanState> {
  return { tasks: { 1: newsOf(1, { state }) } };
}

const EDIT = 'plan-edit in plan:thread:7/12';
const LOOK = 'look-plan in plan:thread:7/12, waits';

function wrote(...edits: object[]) {
  return { said: '', reaction: '+1', wants: [EDIT, LOOK], edits, told: [] };
}

function tells(word: object) {
  return { said: '', reaction: '+1', wants: [], edits: [], told: [word] };
}

describe('where there is no plan, or no such task', () => {
  test.each(ALL)('%s is refused', (body) => {
    expect(sumUp(say(body))).toEqual(refusal(NO_PLAN));
  });

  test.each(['claim', 'release', 'retry', 'block', 'unblock'])('%s names the number', (name) => {
    const came = say(`/pm ${name} #7${name === 'block' ? ' why' : ''}`, onPlan(BODY));
    expect(sumUp(came)).toEqual(refusal('The plan has no task 7.'));
  });

  test.each(ALL)('%s needs a role that may change something', (body) => {
    const came = say(body, onPlan(BODY, {}, { view: { permission: 'triage' } }));
    expect(came.said).toContain('it needs `write` permission and you have `triage`');
    expect(came.effects).toEqual([]);
    expect(came.told).toEqual([]);
  });
});

describe('/pm claim', () => {
  test('takes a pending task for the person who asks, and keeps how to undo it', () => {
    const came = say('/pm claim #1', onPlan(saying({ 1: ['pending', 'dev'] })));
    expect(sumUp(came)).toEqual(
      wrote(
        { kind: 'status', task: 1, status: 'claimed' },
        { kind: 'assignee', task: 1, assignee: 'ana' },
      ),
    );
    expect(came.state.undos).toEqual([
      {
        kind: 'task',
        task: 1,
        before: { status: 'pending', reason: '', assignee: 'dev' },
        after: { status: 'claimed', reason: '', assignee: 'ana' },
        command: '/pm claim #1',
        by: 'ana',
        comment: 900,
      },
    ]);
    expect(came.state.plan?.looking).toBe('p/1-look-plan');
  });

  test.each([
    ['in_progress', 'in progress'],
    ['blocked', 'blocked'],
    ['completed', 'completed'],
    ['claimed', 'claimed'],
  ] as const)('takes none that is %s', (status, words) => {
    const came = say('/pm claim 1', onPlan(saying({ 1: [status, 'tom'] })));
    expect(sumUp(came)).toEqual(refusal(`Task 1 is ${words}; only a pending one can be taken.`));
    expect(came.state.undos).toBeUndefined();
  });
});

describe('/pm release', () => {
  test.each(['claimed', 'in_progress', 'verifying', 'in_review'] as const)(
    'tells a task that an agent has %s, and writes nothing itself',
    (state) => {
      const came = say('/pm release 1', onPlan(saying({ 1: ['claimed', 'dev'] }), heardOf(state)));
      expect(sumUp(came)).toEqual(tells({ key: 'task:7/12-1', word: 'release', by: BY, why: '' }));
      expect(came.state.plan?.tasks).toHaveProperty('1');
      expect(came.state.undos).toBeUndefined();
    },
  );

  test.each(['claimed', 'in_progress'] as const)('gives back what a person has %s', (status) => {
    const came = say('/pm release 1', onPlan(saying({ 1: [status, 'tom', 'mine'] })));
    expect(sumUp(came)).toEqual(
      wrote(
        { kind: 'status', task: 1, status: 'pending' },
        { kind: 'assignee', task: 1, assignee: '' },
      ),
    );
    expect(came.state.undos).toMatchObject([
      { kind: 'task', before: { status, reason: 'mine', assignee: 'tom' } },
    ]);
  });

  test.each(['pending', 'blocked', 'completed'] as const)('is refused for what is %s', (status) => {
    const came = say('/pm release 1', onPlan(saying({ 1: [status, 'dev'] }), heardOf('blocked')));
    expect(sumUp(came)).toEqual(refusal('Nobody holds task 1.'));
  });
});

describe('/pm block', () => {
  test('tells a task that an agent works on, with the reason', () => {
    const body = saying({ 1: ['in_progress', 'dev'] });
    const came = say('/pm block 1 no key yet', onPlan(body, heardOf('in_progress')));
    expect(sumUp(came)).toEqual(
      tells({ key: 'task:7/12-1', word: 'block', by: BY, why: 'no key yet' }),
    );
  });

  test('holds any other back, keeps who has it, and a reason of at most 200 characters', () => {
    const long = 'no key '.repeat(40).trim();
    const came = say(`/pm block 1 ${long}`, onPlan(saying({ 1: ['pending', 'tom'] })));
    expect(sumUp(came)).toEqual(
      wrote(
        { kind: 'status', task: 1, status: 'blocked', reason: long.slice(0, 200) },
        { kind: 'assignee', task: 1, assignee: 'tom' },
      ),
    );
    expect(came.state.undos).toMatchObject([
      { after: { status: 'blocked', reason: long.slice(0, 200), assignee: 'tom' } },
    ]);
  });

  test('is refused for what is completed', () => {
    const came = say('/pm block 1 why', onPlan(saying({ 1: ['completed', 'dev'] })));
    expect(sumUp(came)).toEqual(refusal('Task 1 is completed.'));
  });
});

describe('/pm retry and /pm unblock', () => {
  const again = (answer?: string) => ({
    key: 'task:7/12-1',
    word: 'again',
    by: BY,
    why: '',
    ...(answer === undefined ? {} : { answer }),
  });

  test.each([
    ['/pm retry 1', 'pending', again()],
    ['/pm retry 1', 'blocked', again()],
    ['/pm unblock 1', 'blocked', again()],
    ['/pm unblock #1 yes, delete it', 'blocked', again('yes, delete it')],
  ] as const)('%s restarts a task that is %s', (body, status, word) => {
    const context = onPlan(saying({ 1: [status, 'dev', 'why'] }), heardOf('blocked'));
    const came = say(body, context);
    const edits = [
      { kind: 'status', task: 1, status: 'pending' },
      { kind: 'assignee', task: 1, assignee: 'dev' },
    ];
    expect(sumUp(came)).toEqual({ ...wrote(...edits), told: [word] });
    expect(came.state.plan?.tasks).toEqual({});
  });

  test.each([
    ['/pm retry 1', 'in_progress', 'in progress'],
    ['/pm retry 1', 'completed', 'completed'],
    ['/pm retry 1', 'claimed', 'claimed'],
    ['/pm unblock 1', 'pending', 'pending'],
    ['/pm unblock 1 yes', 'completed', 'completed'],
  ] as const)('%s is refused where the task is %s', (body, status, words) => {
    const came = say(body, onPlan(saying({ 1: [status, 'dev'] }), heardOf('blocked')));
    expect(sumUp(came)).toEqual(refusal(`Task 1 is ${words}: there is nothing to release.`));
    expect(came.state.plan?.tasks).toHaveProperty('1');
  });

  const asked = (id: number, task: number) =>
    aComment({ id, marker: { kind: 'run', run: 'r', key: `question-${task}` } });

  test.each([
    [[asked(899, 1), aComment({ id: 901 })], '/pm unblock 1 yes', ''],
    [[asked(900, 1)], '/pm unblock 1 yes', ''],
    [[asked(901, 2)], '/pm unblock 1 yes', ''],
    [[asked(901, 1)], '/pm unblock 1', ''],
    [
      [asked(899, 1), asked(901, 1), asked(902, 2)],
      '/pm unblock #1 yes',
      'The coder asked another question after you wrote this. Read it, then answer.',
    ],
  ])('an answer is to what its author could read: case %#', (comments, body, words) => {
    const plan = heardOf('blocked');
    const came = say(body, onPlan(saying({ 1: ['blocked'] }), plan, { view: { comments } }));
    expect(came.said).toBe(words);
    expect(sumUp(came).told).toHaveLength(words === '' ? 1 : 0);
    expect(came.wants).toHaveLength(words === '' ? 2 : 0);
  });

  const untested = (shown?: Record<string, string>): Partial<PlanState> => ({
    tasks: { 1: newsOf(1, { state: 'blocked', lacksTests: true }) },
    ...(shown && { untestedShown: shown }),
  });

  test('a task without tests goes on by a word that is kept with it', () => {
    const context = onPlan(saying({ 1: ['blocked', 'dev'] }), untested({ 1: BEFORE }));
    const came = say('/pm retry 1', context);
    expect(came.said).toBe('It continues without tests. Your decision is recorded with the task.');
    expect(sumUp(came).told).toEqual([{ ...again(), acceptsNoTests: true }]);
  });

  test.each([undefined, { 1: AT }, { 2: BEFORE }])('and not where %j was shown', (shown) => {
    const context = onPlan(saying({ 1: ['blocked', 'dev'] }), untested(shown));
    const came = say('/pm unblock 1', context);
    expect(sumUp(came)).toEqual({
      ...refusal(
        'Task 1 stopped because it has no tests. That was not shown here before your comment. To continue without tests, repeat the command.',
      ),
      wants: [LOOK],
    });
    expect(came.state.plan?.tasks).toHaveProperty('1');
  });
});

describe('/pm run', () => {
  const approved = (body: string, plan: Partial<PlanState> = {}): Setup => {
    const digest = planDigest(parsePlan(body));
    const approval = { by: BY, digest, how: 'command', at: NOW_ISO } as const;
    return onPlan(body, { approval, ...plan });
  };
  const cooling = {
    tasks: {
      1: newsOf(1, { state: 'released' }),
      2: newsOf(2, { state: 'released' }),
      3: newsOf(3, { state: 'released' }),
    },
  };

  test.each([
    ['/pm run', ['2']],
    ['/pm run 3', ['1', '2']],
    ['/pm run #1', ['2', '3']],
  ])('%s forgets that what may begin cools down, and reads the plan', (body, left) => {
    const came = say(body, approved(BODY, cooling));
    expect(sumUp(came)).toEqual({ ...wrote(), wants: [LOOK] });
    expect(Object.keys(came.state.plan?.tasks ?? {})).toEqual(left);
  });

  test('keeps the report of a task that did not just end', () => {
    const tasks = { 1: newsOf(1, { state: 'blocked' }) };
    expect(say('/pm run 1', approved(BODY, { tasks })).state.plan?.tasks).toEqual(tasks);
  });

  test.each([
    [
      'a plan with something to mend',
      approved(BODY.replace('**Dependencies:** Task 1', '**Dependencies:** Task 9')),
      'The plan has errors. Fix them first; its comment lists them.',
    ],
    ['a text without a yes', onPlan(BODY), 'Its text needs approval first: `/pm approve`.'],
    [
      'a text that is another one by now',
      { ...approved(BODY), issue: { body: BODY.replace('Thing 1 does', 'Thing 1 never does') } },
      'Its text needs approval first: `/pm approve`.',
    ],
    [
      'a plan where nothing can begin',
      approved(saying({ 1: ['claimed', 'dev'], 3: ['blocked'] })),
      'No task can start now: each one is done, in progress or waiting.',
    ],
  ])('is refused for %s', (_, context, words) => {
    expect(sumUp(say('/pm run', context))).toEqual(refusal(words));
  });

  test('is refused for a task that waits for another one', () => {
    const came = say('/pm run 2', approved(BODY, cooling));
    expect(sumUp(came)).toEqual(refusal('Task 2 cannot start now. These can: 1, 3.'));
    expect(Object.keys(came.state.plan?.tasks ?? {})).toHaveLength(3);
  });
});

test('the tasks are those of the thread that the plan is in', () => {
  const thread = { ...THREAD, number: 40 };
  const came = say('/pm release 1', {
    issue: { body: BODY },
    state: { plan: { ...PLAN_STATE, thread, ...heardOf('claimed') } },
  });
  expect(sumUp(came).told).toMatchObject([{ key: 'task:7/40-1' }]);
});
