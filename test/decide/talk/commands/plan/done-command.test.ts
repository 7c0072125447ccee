/** A thread comes to its end: what is closed, what is ended, and what the report says. */
import { describe, expect, test } from 'vitest';
import type { Planning } from '../../../../../src/domain/plan/planning.ts';
import type { PlanState } from '../../../../../src/domain/plan/plan-view.ts';
import type { TaskState } from '../../../../../src/domain/plan/task-state.ts';
import { defaultConfig } from '../../../../../src/domain/config/config.ts';
import { ANA, THREAD } from '../../../../helpers/play.ts';
import {
  BODY,
  newsOf,
  NOW_ISO,
  PLAN_STATE,
  refusal,
  say,
  saying,
  sumUp,
  waitingDiscussion,
  type Setup,
} from '../say-on-thread.ts';

const LOOK = 'look-plan in plan:thread:7/12, waits';
const CLOSE = 'close in plan:thread:7/12, waits';
const BY = { id: 100, login: 'ana' };

const PLANNING: Planning = {
  id: 'q',
  step: 0,
  thread: THREAD,
  actor: ANA,
  wish: '',
  rounds: 0,
  phase: { kind: 'thinking', effectId: 'q/1' },
  startedAt: NOW_ISO,
};

const ANSWER = {
  id: 'answer1',
  handle: 'maya',
  asker: 'ana',
  references: [],
  costUsd: 0.01,
  isCostPartlyUnknown: false,
  model: 'm',
  at: NOW_ISO,
};

describe('/pm done on an issue', () => {
  test('closes it as completed and says what was done there', () => {
    const came = say('/pm done');
    expect(sumUp(came)).toEqual({
      said: '### Closed\n\n0 discussions and reviews, 0 answers; cost nothing yet.',
      reaction: '+1',
      wants: ['close in write:thread:7/12', 'look-roles in write:thread:7/12, waits'],
      edits: [],
      told: [],
    });
    expect(came.effects).toEqual([
      { kind: 'close', thread: THREAD, reason: 'completed' },
      { kind: 'look-roles', thread: THREAD, source: {} },
    ]);
  });

  test('ends the running work, and tells of the plan that grew from it', () => {
    const { runs } = waitingDiscussion();
    const came = say('/pm done', {
      state: { runs, answers: [ANSWER], proposed: { number: 40, title: 'More' } },
      view: {
        spent: {
          thread: { usd: 0.25, unknownCalls: 0, calls: 1 },
          day: { usd: 1, unknownCalls: 0, calls: 1 },
          month: { usd: 1, unknownCalls: 0, calls: 1 },
        },
      },
    });
    expect(came.said).toBe(
      '### Closed\n\nEnded: the running work here.\n\nPlan #40 came from this thread and continues.\n\nOne discussion or review, one answer; cost $0.25 in 1 call.',
    );
    expect(came.state.runs.issue_review).toMatchObject({
      status: 'closed',
      endReason: '`ana` closed the thread',
    });
    expect(came.wants).toContain('close in write:thread:7/12');
  });

  test('counts the PM among what was ended, and no discussion that is over', () => {
    const { runs } = waitingDiscussion();
    const both = say('/pm done', { state: { runs, planning: PLANNING } });
    expect(both.said).toContain('\n\nEnded: 2 things here.\n\n');
    expect(both.state.planning).toBeUndefined();
    const { runs: over } = both.state;
    const one = say('/pm done', {
      state: { runs: over, planning: PLANNING, answers: [ANSWER, ANSWER] },
    });
    expect(one.said).toBe(
      '### Closed\n\nEnded: the running work here.\n\nOne discussion or review, 2 answers; cost nothing yet.',
    );
    expect(one.wants).toEqual(['close in write:thread:7/12']);
  });

  test('needs a role that may change something', () => {
    const came = say('/pm done', { view: { permission: 'triage' } });
    expect(came.wants).toEqual([]);
    expect(came.reaction).toBe('confused');
  });
});

interface Told {
  body?: string;
  plan?: Partial<PlanState>;
  labels?: string[];
  view?: Setup['view'];
  state?: Setup['state'];
}

function onPlan({ body = BODY, plan = {}, labels = [], view = {}, state }: Told): Setup {
  const kept = { ...PLAN_STATE, ...plan };
  return { issue: { body, labels }, view, state: { plan: kept, ...state } };
}

const LEFT = 'All tasks are released and no worktree is left.';
const TIDIED = `${LEFT} Branches of tasks that were not merged are deleted, but for those that somebody else pushed to or that an open pull request needs.`;
const NONE = '0 discussions and reviews, 0 answers; cost nothing yet.';

describe('/pm done on a plan', () => {
  const ends = '`/pm done` on a pull request merges it, `/pm stop` here ends the rest.';

  test.each(['claimed', 'in_progress', 'verifying', 'in_review'] as const)(
    'is refused while a task is %s',
    (state) => {
      const pull = { number: 9, url: '' };
      const tasks = { 1: newsOf(1, { state }), 3: newsOf(3, { state: 'in_review', pull }) };
      const came = say('/pm done', onPlan({ plan: { tasks }, state: { planning: PLANNING } }));
      expect(sumUp(came)).toEqual(refusal(`Task 1 is being written, Task 3 waits in #9: ${ends}`));
      expect(came.state.planning).toBeDefined();
      expect(came.state.undos).toBeUndefined();
    },
  );

  test('closes what is complete as completed, with a line for each task', () => {
    const body = saying({ 1: ['completed'], 2: ['completed'], 3: ['completed'] });
    const merged = { state: 'completed', mergeSha: 'a'.repeat(40) } as const;
    const tasks = {
      1: newsOf(1, { ...merged, pull: { number: 9, url: '' } }),
      3: newsOf(3, { ...merged, attempt: 2 }),
    };
    const came = say('/pm done', onPlan({ body, plan: { tasks } }));
    const lines = [
      '- Task 1, `Do thing 1`: completed, #9',
      '- Task 2, `Do thing 2`: completed',
      '- Task 3, `Do thing 3`: completed, 2 attempts',
    ];
    expect(sumUp(came)).toEqual({
      said: ['### Closed', lines.join('\n'), LEFT, NONE].join('\n\n'),
      reaction: '+1',
      wants: [CLOSE, LOOK],
      edits: [],
      told: [],
    });
    expect(came.effects[0]).toEqual({ kind: 'close', thread: THREAD, reason: 'completed' });
  });

  test('closes what is not complete as not planned, and has its tasks tidied', () => {
    const body = saying({ 1: ['completed'], 2: ['blocked'], 3: ['in_progress', 'tom'] });
    const heard = (task: number, state: TaskState) => newsOf(task, { state });
    const tasks = {
      1: newsOf(1, { state: 'completed', mergeSha: 'a'.repeat(40) }),
      2: heard(2, 'blocked'),
      3: heard(3, 'released'),
    };
    const labels = ['plan', 'plan:active', 'plan:blocked'];
    const came = say('/pm done', onPlan({ body, plan: { tasks }, labels }));
    const lines = [
      '- Task 1, `Do thing 1`: completed',
      '- Task 2, `Do thing 2`: blocked',
      '- Task 3, `Do thing 3`: in progress',
    ];
    const tidy = { word: 'tidy', by: BY, why: '' };
    expect(sumUp(came)).toEqual({
      said: ['### Closed', lines.join('\n'), TIDIED, NONE].join('\n\n'),
      reaction: '+1',
      wants: ['labels in plan:thread:7/12', CLOSE, LOOK],
      edits: [],
      told: [
        { key: 'task:7/12-2', ...tidy },
        { key: 'task:7/12-3', ...tidy },
      ],
    });
    expect(came.effects.slice(0, 2)).toEqual([
      { kind: 'labels', thread: THREAD, add: [], remove: ['plan:active', 'plan:blocked'] },
      { kind: 'close', thread: THREAD, reason: 'not_planned' },
    ]);
  });

  test('takes off only the labels that are there, by the names that they have here', () => {
    const base = defaultConfig();
    const config = { ...base, labels: { ...base.labels, 'plan:active': 'läuft' } };
    const came = say('/pm done', onPlan({ labels: ['läuft', 'plan:active'], view: { config } }));
    expect(came.effects[0]).toMatchObject({ kind: 'labels', remove: ['läuft'] });
  });

  test('has one task tidied that is left', () => {
    const tasks = { 3: newsOf(3, { state: 'blocked' }) };
    const came = say('/pm done', onPlan({ plan: { tasks } }));
    expect(sumUp(came).told).toMatchObject([{ key: 'task:7/12-3', word: 'tidy' }]);
    expect(came.said).toContain(TIDIED);
  });

  test('ends the PM’s work on it', () => {
    const came = say('/pm done', onPlan({ state: { planning: PLANNING } }));
    expect(came.reaction).toBe('+1');
    expect(came.state.planning).toBeUndefined();
  });
});
