/** A task that no person started begins only under an approval of this very text, and once for each start. */
import { describe, expect, test } from 'vitest';
import { holdTasks } from '../../src/domain/actions/believed-tasks.ts';
import type { Approval } from '../../src/domain/plan/approval.ts';
import { editPlan } from '../../src/domain/plan/body/edit-plan.ts';
import { parsePlan } from '../../src/domain/plan/body/parse-plan.ts';
import { planDigest, taskDigest } from '../../src/domain/plan/plan-digest.ts';
import { permitStart, type StartAsked } from '../../src/policy/started-task.ts';
import { aPlanBody, aTask } from '../helpers/a-plan.ts';

const NOW = Date.parse('2026-11-27T09:00:00Z');
const body = aPlanBody();
const plan = parsePlan(body);
const approval: Approval = {
  by: { id: 7, login: 'ana' },
  digest: planDigest(plan),
  how: 'command',
  at: '2026-11-27T08:00:00Z',
};
const started = {
  digest: plan.tasks[0] === undefined ? '' : taskDigest(plan.tasks[0]),
  at: '2026-11-27T08:00:01Z',
};

const asked = (over: Partial<StartAsked> = {}): StartAsked => ({
  record: { approval, started },
  body,
  task: 1,
  lastAt: undefined,
  now: NOW,
  ...over,
});
const reasonOf = (over: Partial<StartAsked>): string => {
  const permit = permitStart(asked(over));
  return permit.kind === 'refused' ? permit.reason : 'allowed';
};

test('it begins under the approval of the plan as it is, in the name of who approved it', () => {
  expect(permitStart(asked())).toEqual({ kind: 'allowed', by: approval.by });
});

describe('it does not begin', () => {
  test('without an approval on record', () => {
    const none = 'no approval of this plan is on record';
    expect(reasonOf({ record: undefined })).toBe(none);
    expect(reasonOf({ record: { approval: undefined, started } })).toBe(none);
  });

  test('when the plan was changed since, also in another task', () => {
    const other = aPlanBody({ tasks: [aTask(1), aTask(2, { description: 'Something else.' })] });
    expect(reasonOf({ body: other })).toBe('the plan was changed after its approval');
  });

  test('when it was not started, or another text of it was', () => {
    const why = 'task 1 was not started under the approval';
    expect(reasonOf({ record: { approval, started: undefined } })).toBe(why);
    const record = { approval, started: { ...started, digest: 'f'.repeat(40) } };
    expect(reasonOf({ record })).toBe(why);
  });

  test('a second time for one start, or a day later', () => {
    expect(reasonOf({ lastAt: '2026-11-27T08:00:02Z' })).toContain('has begun since');
    expect(reasonOf({ lastAt: '2026-11-27T07:00:00Z' })).toBe('allowed');
    expect(reasonOf({ now: NOW + 25 * 3_600_000 })).toContain('more than a day ago');
  });

  test('before the tasks that it depends on are done, whatever order the starts came in', () => {
    const second = { digest: plan.tasks[1] === undefined ? '' : taskDigest(plan.tasks[1]) };
    const record = { approval, started: { ...started, ...second } };
    const why = 'task 2 depends on task 1, which is not done';
    expect(reasonOf({ task: 2, record })).toBe(why);
    const done = editPlan(plan, [{ kind: 'status', task: 1, status: 'completed' }]);
    expect(reasonOf({ task: 2, record, body: done })).toBe('allowed');
    expect(reasonOf({ task: 2, record, body: holdTasks(done, new Set([1])) })).toBe(why);
  });

  test('when the plan has no such task, or cannot be read', () => {
    expect(reasonOf({ task: 9 })).toBe('the plan has no task 9 that can be read');
    const broken = body.replace('### Task 2', '### Task 1');
    expect(reasonOf({ body: broken })).toBe('the plan has no task 1 that can be read');
  });
});

test('a start counts for a day, and no longer', () => {
  const dayMs = 24 * 3_600_000;
  const at = Date.parse(started.at);
  expect(reasonOf({ now: at + dayMs })).toBe('allowed');
  expect(reasonOf({ now: at + dayMs + 1 })).toBe('task 1 was started more than a day ago');
});

test('a task that began in the very moment of its start has begun', () => {
  expect(reasonOf({ lastAt: started.at })).toBe('task 1 has begun since it was started');
});

test('a plan with one problem starts nothing, although the task can be read', () => {
  const twice = aPlanBody({ tasks: [aTask(1), aTask(2), aTask(2)] });
  expect(parsePlan(twice).problems).toHaveLength(1);
  expect(reasonOf({ body: twice })).toBe('the plan has no task 1 that can be read');
});
