/** What a job knows of a plan's tasks: which are busy, which wait for a person, and what other plans have at work. */
import { describe, expect, test } from 'vitest';
import {
  freeApproved,
  newsOfTasks,
  placesOfOthers,
  type KnownTasks,
} from '../../../src/domain/actions/plan-in-workflow.ts';
import { holdTasks } from '../../../src/domain/actions/believed-tasks.ts';
import type { Approval } from '../../../src/domain/plan/approval.ts';
import { editPlan } from '../../../src/domain/plan/body/edit-plan.ts';
import { parsePlan } from '../../../src/domain/plan/body/parse-plan.ts';
import type { TaskStatus } from '../../../src/domain/plan/plan.ts';
import type { TaskRun, TaskStream } from '../../../src/domain/task/task.ts';
import { aPlanBody } from '../../helpers/a-plan.ts';
import { ORDER } from '../../helpers/a-task.ts';

const AT = '2026-11-27T08:00:00.000Z';
const NOW = Date.parse(AT);
const MINUTE = 60_000;
const approval: Approval = { by: { id: 7, login: 'ana' }, digest: 'd', how: 'command', at: AT };
const START = { digest: 'e', persona: 'dev', at: AT };

function aStream(over: Partial<TaskRun> = {}, task = 1, plan = ORDER.ref.plan.number): TaskStream {
  const ref = { plan: { ...ORDER.ref.plan, number: plan }, task };
  const run: TaskRun = {
    id: 'r1',
    step: 3,
    order: { ...ORDER, ref, persona: 'maya' },
    attempt: 2,
    phase: { kind: 'reviewing' },
    branch: 'quorum/task-4-1-say',
    startedAt: AT,
    receipts: [],
    calls: [],
    notes: [],
    refinements: 0,
    pull: { number: 31, url: '' },
    ...over,
  };
  return { v: 1, failures: 0, run };
}

function known(
  status: TaskStatus,
  over: Partial<KnownTasks> = {},
  assignee = 'dev',
): ReturnType<typeof newsOfTasks>[string] | undefined {
  const plan = parsePlan(aPlanBody());
  const edits = [
    { kind: 'status', task: 1, status },
    { kind: 'assignee', task: 1, assignee },
  ] as const;
  return newsOfTasks({
    plan: parsePlan(editPlan(plan, [...edits])),
    approval,
    started: {},
    streams: [],
    handles: new Set(['dev', 'maya']),
    unheld: new Set(),
    now: NOW,
    ...over,
  })['1'];
}

describe('a task that is pending', () => {
  test('may begin where nobody has tried it', () => {
    expect(known('pending')).toBeUndefined();
  });

  test('is begun while its workflow starts', () => {
    const news = known('pending', { started: { '1': START }, now: NOW + 9 * MINUTE });
    expect(news).toMatchObject({ state: 'claimed', persona: 'dev' });
  });

  test('waits for a person after an attempt, until somebody approves the plan again', () => {
    const later = { started: { '1': START }, now: NOW + 11 * MINUTE };
    const news = known('pending', later);
    expect(news).toMatchObject({ state: 'released', waitsUntil: '9999-12-31T00:00:00.000Z' });
    const again = { ...approval, at: '2026-11-27T08:10:00.000Z' };
    expect(known('pending', { ...later, approval: again })).toBeUndefined();
    const ended = aStream({ phase: { kind: 'ended' }, startedAt: '2026-11-27T08:20:00.000Z' });
    const failed = { ...later, approval: again, streams: [ended] };
    expect(known('pending', failed)).toMatchObject({ state: 'released', persona: 'maya' });
  });
});

test('another approval frees the tasks that wait for a person, and no others', () => {
  const later = NOW + 11 * MINUTE;
  const waiting = known('pending', { started: { '1': START }, now: later });
  const starting = known('pending', { started: { '1': START } });
  if (waiting === undefined || starting === undefined) throw new Error('there is no news');
  const tasks = { '1': waiting, '2': { ...starting, task: 2 } };
  const plan = { id: 'p', step: 0, thread: ORDER.ref.plan, approval, tasks };
  expect(freeApproved(plan, approval)).toBe(plan);
  const again = { ...plan, approval: { ...approval, at: '2026-11-27T08:11:00.000Z' } };
  expect(Object.keys(freeApproved(again, approval).tasks ?? {})).toEqual(['2']);
});

describe('a task that somebody is said to work on', () => {
  test('is in review where its pull request is on record', () => {
    const news = known('in_progress', { streams: [aStream()], unheld: new Set([1]) });
    expect(news).toMatchObject({ state: 'in_review', pull: { number: 31 }, attempt: 2 });
  });

  test('is busy while a persona holds it, and not where the hold has ended or a person has it', () => {
    expect(known('claimed')).toMatchObject({ state: 'claimed', persona: 'dev' });
    expect(known('claimed', { unheld: new Set([1]) })).toBeUndefined();
    expect(known('claimed', {}, 'tom')).toBeUndefined();
  });
});

test('a merged task has its merge, and one that a person completed has no news', () => {
  const streams = [aStream({ phase: { kind: 'ended' }, mergeSha: 'f'.repeat(40) })];
  expect(known('completed', { streams })).toMatchObject({
    state: 'completed',
    mergeSha: 'f'.repeat(40),
  });
  expect(known('completed')).toBeUndefined();
  expect(known('blocked', { streams })).toBeUndefined();
});

test('a task that nothing proves to be completed is blocked, and its news says why', () => {
  const plan = parsePlan(holdTasks(aPlanBody(), new Set([1])));
  const news = newsOfTasks({
    plan,
    approval,
    started: { '1': START },
    streams: [aStream({ phase: { kind: 'ended' }, mergeSha: 'f'.repeat(40) })],
    handles: new Set(['dev']),
    unheld: new Set(),
    now: NOW,
  });
  expect(news['1']).toMatchObject({ state: 'blocked' });
  expect(news['1']?.reason).toContain('no record shows a merge');
  expect(news['1']?.mergeSha).toBeUndefined();
});

test('other plans take places with what is in review and what was started, each task once', () => {
  const other = { ...ORDER.ref.plan, number: 77 };
  const state = { id: 'p', step: 0, thread: other };
  const places = placesOfOthers({
    streams: [aStream(), aStream({}, 1, 77), aStream({ phase: { kind: 'ended' } }, 3, 77)],
    plans: [
      { state, started: { '1': START, '2': START, '3': START } },
      { state: { ...state, thread: ORDER.ref.plan }, started: { '2': START } },
    ],
    except: ORDER.ref.plan.number,
    most: 5,
    now: NOW,
  });
  expect(Object.keys(places)).toEqual(['77']);
  expect(places['77']).toMatchObject({ busy: 2, needs: 2, places: 2, most: 5 });
});
