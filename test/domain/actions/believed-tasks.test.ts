/** Anybody who wrote an issue may write `completed` into it: in a workflow that counts only with a record, or a word of somebody who may. */
import { describe, expect, test } from 'vitest';
import {
  findUnproven,
  findWhoSaid,
  holdTasks,
} from '../../../src/domain/actions/believed-tasks.ts';
import { editPlan } from '../../../src/domain/plan/body/edit-plan.ts';
import { MAX_VERSIONS, type BodyVersion } from '../../../src/domain/plan/body/body-versions.ts';
import { parsePlan } from '../../../src/domain/plan/body/parse-plan.ts';
import { planDigest, taskDigest } from '../../../src/domain/plan/plan-digest.ts';
import type { TaskStatus } from '../../../src/domain/plan/plan.ts';
import type { Actor } from '../../../src/domain/run/thread-ref.ts';
import type { TaskRun, TaskStream } from '../../../src/domain/task/task.ts';
import { claimable } from '../../../src/policy/claimable.ts';
import { aPlanBody } from '../../helpers/a-plan.ts';
import { ORDER } from '../../helpers/a-task.ts';

const EVE: Actor = { id: 66, login: 'eve', isBot: false };
const ANA: Actor = { id: 7, login: 'ana', isBot: false };
const BOT: Actor = { id: 9, login: 'github-actions[bot]', isBot: true };
const PENDING = aPlanBody();

function saying(status: TaskStatus, { of = PENDING, task = 1, reason = '' } = {}): string {
  return editPlan(parsePlan(of), [{ kind: 'status', task, status, reason }]);
}
const DONE = saying('completed');

function aMerged(over: Partial<TaskRun> = {}): TaskStream {
  const [task] = parsePlan(PENDING).tasks;
  const digest = task === undefined ? '' : taskDigest(task);
  const order = { ...ORDER, ref: { plan: ORDER.ref.plan, task: 1 }, digest };
  const run: TaskRun = {
    id: 'r1',
    step: 3,
    order,
    attempt: 1,
    phase: { kind: 'ended' },
    branch: 'quorum/task-4-1-say',
    startedAt: '2026-11-27T08:00:00.000Z',
    receipts: [],
    calls: [],
    notes: [],
    refinements: 0,
    mergeSha: 'f'.repeat(40),
    ...over,
  };
  return { v: 1, failures: 0, run };
}

const numbers = (body: string, streams: TaskStream[] = []): number[] =>
  findUnproven(parsePlan(body), streams).map(({ number }) => number);

describe('the record proves that a task is completed', () => {
  test('where it has the merge of this very text', () => {
    expect(numbers(PENDING)).toEqual([]);
    expect(numbers(DONE)).toEqual([1]);
    expect(numbers(DONE, [aMerged()])).toEqual([]);
    const { mergeSha: _, ...open } = aMerged().run ?? {};
    expect(numbers(DONE, [{ ...aMerged(), run: open as TaskRun }])).toEqual([1]);
    const other = { ...ORDER, ref: { plan: ORDER.ref.plan, task: 1 }, digest: 'e'.repeat(40) };
    expect(numbers(DONE, [aMerged({ order: other })])).toEqual([1]);
  });
});

let versions = 0;
const aVersion = (text: string, by: Actor): BodyVersion => {
  versions += 1;
  return { id: `v${versions}`, text, by, at: versions };
};

function whoSaid(
  history: BodyVersion[],
  { body = history.at(-1)?.text ?? '', edited = true } = {},
): string | undefined {
  const lastEditedAt = edited ? '2026-11-27T08:00:00Z' : null;
  const tasks = parsePlan(body).tasks.slice(0, 1);
  return findWhoSaid(tasks, { author: EVE, lastEditedAt }, history).get(1)?.login;
}

describe('who said that a task is completed', () => {
  test('is the person who changed its words last, or who wrote the issue with them', () => {
    const first = aVersion(PENDING, EVE);
    expect(whoSaid([first, aVersion(DONE, EVE)])).toBe('eve');
    expect(whoSaid([first, aVersion(DONE, ANA)])).toBe('ana');
    const again = saying('completed', { reason: 'checked' });
    expect(whoSaid([first, aVersion(DONE, EVE), aVersion(again, ANA)])).toBe('ana');
    expect(whoSaid([], { body: DONE, edited: false })).toBe('eve');
    const later = saying('blocked', { of: DONE, task: 2 });
    expect(whoSaid([aVersion(DONE, EVE), aVersion(later, ANA)])).toBe('eve');
  });

  test('is not known of a bot, of a longer history, or of a text that the history does not show', () => {
    const first = aVersion(PENDING, EVE);
    expect(whoSaid([first, aVersion(DONE, BOT)])).toBeUndefined();
    const more = Array.from({ length: MAX_VERSIONS }, (_, n) =>
      aVersion(saying('blocked', { of: DONE, task: 2, reason: `${n}` }), ANA),
    );
    expect(whoSaid(more)).toBeUndefined();
    expect(whoSaid([first, aVersion(DONE, ANA), aVersion(PENDING, EVE)], { body: DONE })).toBe(
      undefined,
    );
    expect(whoSaid([], { body: DONE })).toBeUndefined();
  });

  test('is not the person whose edit looks like one of a text that somebody prepared', () => {
    // `eve` writes what `ana` will write, without `completed`, and then `completed` without that.
    const wanted = saying('blocked', { task: 2, reason: 'as asked' }).replace('See #6.', 'See #7.');
    const prepared = [aVersion(PENDING, EVE), aVersion(wanted, EVE), aVersion(DONE, EVE)];
    const last = saying('completed', { of: wanted });
    expect(whoSaid([...prepared, aVersion(last, ANA)])).toBeUndefined();
  });
});

test('a task that nothing proves is shown as blocked: nothing begins after it, and its plan is not complete', () => {
  const held = parsePlan(holdTasks(DONE, new Set([1])));
  expect(held.tasks[0]).toMatchObject({ status: 'blocked' });
  expect(planDigest(held)).toBe(planDigest(parsePlan(PENDING)));
  expect(claimable(parsePlan(DONE)).map(({ number }) => number)).toEqual([2]);
  expect(claimable(held)).toEqual([]);
  expect(holdTasks(DONE, new Set())).toBe(DONE);
});
