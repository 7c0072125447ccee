/** What brings the journal of a plan up to date, and what does not. */
import { expect, test } from 'vitest';
import { journalMarks } from '../../../src/decide/plan/want-journal.ts';
import { decideThread } from '../../../src/decide/thread.ts';
import { THREAD_STATE_VERSION } from '../../../src/decide/run/thread-context.ts';
import { EVENT_VERSION, type EventData } from '../../../src/domain/event/event.ts';
import type { PlanState } from '../../../src/domain/plan/plan-view.ts';
import { threadKey } from '../../../src/domain/run/thread-ref.ts';
import type { TaskNews } from '../../../src/domain/task/task.ts';
import { PLAN } from '../../helpers/a-task.ts';

const AT = '2026-11-22T08:00:00.000Z';
const NEWS: TaskNews = { task: 1, state: 'verifying', persona: 'dev', attempt: 1, at: AT };
const PULL = { number: 9, url: 'https://github.example/acme/tidy/pull/9' };
const CLOSED: EventData = {
  kind: 'done',
  effectKind: 'close',
  result: 'closed',
  effectId: 'p/1-close',
  run: 'p',
};

function told(over: Partial<TaskNews>): EventData {
  return { kind: 'task-told', run: 't', news: { ...NEWS, ...over } };
}

const TRIGGER = { thread: PLAN, actor: { id: 1, login: 'ana', isBot: false } };
const ended = (how: 'closed' | 'locked'): EventData => ({
  kind: 'trigger',
  trigger: { ...TRIGGER, kind: 'ended', how },
});
const triggered = (kind: 'reopened'): EventData => ({
  kind: 'trigger',
  trigger: { ...TRIGGER, kind },
});

function wanted(data: EventData, plan: Partial<PlanState> = {}) {
  const before = {
    v: THREAD_STATE_VERSION,
    runs: {},
    plan: { id: 'p', step: 0, thread: PLAN, tasks: { 1: NEWS }, ...plan },
  };
  const event = { id: 'e', key: threadKey(PLAN), version: EVENT_VERSION, at: AT, data };
  const { effects } = decideThread(before, event, { now: Date.parse(AT) });
  return effects.filter((effect) => effect.data.kind === 'write-journal');
}

test.each([
  ['the pull request of a task is open', told({ state: 'in_review', pull: PULL })],
  ['a task is merged', told({ state: 'completed', pull: PULL, mergeSha: 'a'.repeat(40) })],
  ['a task failed', told({ state: 'failed', reason: 'the tests fail' })],
  ['a task waits for a person', told({ state: 'blocked', reason: 'ask' })],
  ['the plan is closed', CLOSED],
  ['a person closes the plan', ended('closed')],
  ['a person opens it again', triggered('reopened')],
])('is written when %s', (_, data) => {
  expect(wanted(data)).toMatchObject([
    {
      lane: 'memory:7',
      slot: `journal:${threadKey(PLAN)}`,
      isUnheard: true,
      data: { kind: 'write-journal', thread: PLAN },
    },
  ]);
});

test.each([
  ['a task goes on', told({ state: 'in_progress' }), {}],
  [
    'a task that failed begins anew',
    told({ state: 'claimed', attempt: 2 }),
    { tasks: { 1: { ...NEWS, state: 'failed' } } },
  ],
  [
    'a review of an open pull request ended',
    told({ state: 'in_review', pull: PULL, attempt: 2 }),
    { tasks: { 1: { ...NEWS, state: 'in_review', pull: PULL } } },
  ],
] satisfies [string, EventData, Partial<PlanState>][])(
  'is not written when %s',
  (_, data, plan) => {
    expect(wanted(data, plan)).toEqual([]);
  },
);

test('looks for what waits, what was approved or rejected, and how each task ends', () => {
  const tasks = {
    1: { ...NEWS, pull: PULL },
    2: { ...NEWS, task: 2, state: 'failed', attempt: 3 },
  };
  const plan = {
    isWaiting: true,
    approval: { digest: 'yes' },
    rejected: { digest: 'no' },
    tasks,
  } as unknown as PlanState;
  expect(journalMarks(plan)).toEqual([
    'waits',
    'approved yes',
    'rejected no',
    'task 1 in #9',
    'task 2 failed 3',
  ]);
  expect(journalMarks(undefined)).toEqual([]);
});

test('is not written for a thread that has no plan', () => {
  const event = { id: 'e', key: threadKey(PLAN), version: EVENT_VERSION, at: AT, data: CLOSED };
  const before = { v: THREAD_STATE_VERSION, runs: {} };
  expect(decideThread(before, event, { now: 0 }).effects).toEqual([]);
});

const HEARD: EventData = {
  kind: 'done',
  effectKind: 'look-comment',
  result: { kind: 'gone' },
  effectId: 'x/1-look-comment',
  run: 'x',
} as EventData;

test('is written after what is said in a thread that is closed, and in no open one', () => {
  expect([wanted(HEARD, { isShut: true }).length, wanted(HEARD).length]).toEqual([1, 0]);
  const released = told({ state: 'released' });
  expect([wanted(released, { isShut: true }).length, wanted(released).length]).toEqual([1, 0]);
});

test('is written from the pull request of a task that somebody closes, once its plan is closed', () => {
  const task = { ref: { plan: PLAN, task: 1 }, run: 't', headSha: 'a'.repeat(40) };
  const before = { v: THREAD_STATE_VERSION, runs: {}, task };
  const key = threadKey({ ...PLAN, number: 9 });
  const event = { id: 'e', key, version: EVENT_VERSION, at: AT, data: ended('closed') };
  const { effects } = decideThread(before, event, { now: Date.parse(AT) });
  expect(effects.filter(({ data }) => data.kind === 'write-journal')).toMatchObject([
    {
      slot: `journal-late:${threadKey(PLAN)}`,
      data: { kind: 'write-journal', thread: PLAN, whenClosed: true },
    },
  ]);
});
