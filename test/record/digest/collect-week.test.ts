/** What the states of threads tell of one week. */
import { describe, expect, test } from 'vitest';
import { collectWeek, type WeekThread } from '../../../src/record/digest/collect-week.ts';
import { weekBefore } from '../../../src/act/digest/look-week.ts';
import { DEFAULT_WEEK } from '../../../src/domain/digest/week.ts';
import { PLAN } from '../../helpers/a-task.ts';

const WEEK = { from: '2026-11-23T09:00:00.000Z', to: '2026-11-30T09:00:00.000Z' };
const INSIDE = '2026-11-25T10:00:00.000Z';
const BEFORE = '2026-11-23T09:00:00.000Z';
const AFTER = '2026-11-30T09:00:00.001Z';

function aThread(number: number, state: object, over: Partial<WeekThread> = {}): WeekThread {
  return { number, title: `Title ${number}`, isOpen: true, state: { v: 1, ...state }, ...over };
}

function discussed(endedAt: string, over: object = {}): object {
  const run = { id: 'r', trigger: 'issue_review', status: 'consensus', endedAt, ...over };
  return { runs: { issue_review: run } };
}

function aPlan(tasks: Record<string, object>, over: object = {}): object {
  return { runs: {}, plan: { thread: PLAN, tasks, ...over } };
}

function news(over: object): object {
  return { task: 1, state: 'completed', persona: 'dev', attempt: 1, at: INSIDE, ...over };
}

const NOTHING = { done: [], merged: [], waiting: [], unseen: [] };

describe('a discussion', () => {
  test.each([
    ['in the week', INSIDE, [{ number: 3, title: 'Title 3' }]],
    ['at the moment at which the week before ended', BEFORE, []],
    ['at the moment at which it ends', WEEK.to, [{ number: 3, title: 'Title 3' }]],
    ['after it', AFTER, []],
  ])('that came to a verdict %s', (_, at, done) => {
    const { done: found, unseen } = collectWeek([aThread(3, discussed(at))], WEEK);
    expect(found).toEqual(done);
    expect(unseen).toEqual(done.map(({ number }) => number));
  });

  test('that was stopped, or goes on, is not done', () => {
    for (const status of ['closed', 'active', 'blocked'])
      expect(collectWeek([aThread(3, discussed(INSIDE, { status }))], WEEK).done).toEqual([]);
  });

  test('that a standup looked back on since is not looked back on again', () => {
    const standup = (startedAt: string) => ({ trigger: 'standup', startedAt });
    const lookedBackAt = (startedAt: string) => {
      const { runs } = discussed(INSIDE) as { runs: object };
      return aThread(3, { runs: { ...runs, 'standup:x': standup(startedAt) } });
    };
    expect(collectWeek([lookedBackAt('2026-11-26T00:00:00.000Z')], WEEK).unseen).toEqual([]);
    expect(collectWeek([lookedBackAt('2026-11-24T00:00:00.000Z')], WEEK).unseen).toEqual([3]);
  });

  test('of a task\u2019s pull request belongs to its plan', () => {
    const state = { ...discussed(INSIDE), task: {} };
    expect(collectWeek([aThread(3, state)], WEEK)).toEqual(NOTHING);
  });

  test('that waits for somebody is listed while its thread is open', () => {
    const needsYou = { owner: 'ana', question: 'Which `date`\n@tom?', since: BEFORE };
    const state = discussed(INSIDE, { status: 'blocked', needsYou });
    expect(collectWeek([aThread(3, state)], WEEK).waiting).toEqual([
      { number: 3, what: '`ana` is asked ``Which `date` @tom?``', since: BEFORE },
    ]);
    expect(collectWeek([aThread(3, state, { isOpen: false })], WEEK).waiting).toEqual([]);
  });
});

describe('a plan', () => {
  test('tells what was merged in the week, by the title of the pull request', () => {
    const tasks = {
      1: news({ pull: { number: 8, url: '' } }),
      2: news({ task: 2, pull: { number: 9, url: '' }, at: BEFORE }),
      3: news({ task: 3, pull: { number: 10, url: '' }, state: 'in_review' }),
      4: news({ task: 4, pull: { number: 11, url: '' } }),
    };
    const pull = aThread(8, { runs: {} }, { isOpen: false });
    expect(collectWeek([aThread(4, aPlan(tasks)), pull], WEEK)).toEqual({
      ...NOTHING,
      merged: [
        { number: 8, title: 'Title 8' },
        { number: 11, title: '' },
      ],
    });
  });

  test('is done once it is complete, at the time at which it was closed', () => {
    const plan = aPlan({ 1: news({}) }, { isComplete: true });
    const closed = (closedAt: string) => aThread(4, plan, { isOpen: false, closedAt });
    expect(collectWeek([closed('2026-11-26T00:00:00Z')], WEEK).done).toHaveLength(1);
    expect(collectWeek([closed('2026-11-20T00:00:00Z')], WEEK).done).toEqual([]);
    expect(collectWeek([aThread(4, aPlan({ 1: news({}) }))], WEEK).done).toEqual([]);
  });

  test('waits for approval, and its tasks for people', () => {
    const tasks = {
      1: news({ state: 'blocked', reason: 'no tests' }),
      2: news({ task: 2, state: 'in_progress', asks: true }),
    };
    const plan = aPlan(tasks, { isWaiting: true, shown: { digest: 'd', at: BEFORE } });
    expect(collectWeek([aThread(4, plan)], WEEK).waiting).toEqual([
      { number: 4, what: 'the plan waits for approval', since: BEFORE },
      { number: 4, what: 'task 1 is blocked: `no tests`', since: INSIDE },
      { number: 4, what: 'task 2 asks', since: INSIDE },
    ]);
  });
});

test('what is not known here, or of another version, is left out', () => {
  const other = { ...aThread(3, discussed(INSIDE)), state: { ...discussed(INSIDE), v: 2 } };
  expect(collectWeek([other, { ...other, state: undefined }], WEEK)).toEqual(NOTHING);
});

describe('the week that is read', () => {
  const of = (at: string, since?: string) => weekBefore(at, { setting: DEFAULT_WEEK, since });

  test('is the last one that ended', () => {
    expect(of('2026-11-30T09:00:00.500Z')).toEqual(WEEK);
    expect(of('2026-12-04T00:00:00.000Z')).toEqual(WEEK);
  });

  test('begins where the last one ended that was read', () => {
    const since = '2026-11-09T09:00:00.000Z';
    expect(of('2026-11-30T09:00:00.500Z', since)).toEqual({ from: since, to: WEEK.to });
  });
});
