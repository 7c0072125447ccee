/** Records of open tasks: what is kept, what is not believed, and how many. */
import { aCall } from '../../record/a-record.ts';
import { describe, expect, test } from 'vitest';
import {
  findKeptTask,
  isKeptByUs,
  keepTask,
  parseKeptTasks,
  findEarlier,
  recordsOfPlan,
  type KeptTasks,
} from '../../../src/domain/actions/kept/kept-tasks.ts';
import { renderRecords } from '../../../src/domain/actions/signed-record.ts';
import type { GateReceipt } from '../../../src/domain/gates/receipt.ts';
import type { TaskRun, TaskStream } from '../../../src/domain/task/task.ts';
import { ORDER } from '../../helpers/a-task.ts';

const SECRET = 'a secret of tests';
const NONE: KeptTasks = { version: 1, tasks: {} };
const HEAD = 'a'.repeat(40);

function aStream(task = 2, over: Partial<TaskRun> = {}): TaskStream {
  const run: TaskRun = {
    id: 'r1',
    step: 3,
    order: { ...ORDER, ref: { ...ORDER.ref, task } },
    attempt: 1,
    phase: { kind: 'reviewing' },
    branch: 'quorum/task-4-2-say-hello',
    startedAt: `2026-11-27T08:00:${String(task % 60).padStart(2, '0')}.000Z`,
    receipts: [],
    calls: [],
    notes: [],
    refinements: 0,
    headSha: HEAD,
    pull: { number: 30 + task, url: '' },
    ...over,
  };
  return { v: 1, failures: 0, run };
}

function keptOf(stream: TaskStream, secret = SECRET) {
  const text = renderRecords(keepTask(NONE, { stream, headAt: '2026-11-27T08:01:00Z' }, secret));
  const kept = findKeptTask(parseKeptTasks(text) ?? NONE, stream.run?.pull?.number ?? 0);
  if (kept === undefined) throw new Error('nothing was kept');
  return kept;
}

test('a record is found by its pull request, and believed after it was written and read', () => {
  const kept = keptOf(aStream());
  expect(kept.stream.run?.headSha).toBe(HEAD);
  expect(isKeptByUs(kept, SECRET)).toBe(true);
  expect(findKeptTask(NONE, 32)).toBeUndefined();
});

test('the next attempt knows the heads, the failures and the pull request of the last one', () => {
  const kept = keepTask(NONE, { stream: { ...aStream(), failures: 2, heads: [HEAD] } }, SECRET);
  const earlier = findEarlier(kept, { ...ORDER.ref, task: 2 }, SECRET);
  expect(earlier).toMatchObject({ failures: 2, heads: [HEAD] });
  expect(earlier?.run).toMatchObject({ phase: { kind: 'ended' }, headSha: HEAD, receipts: [] });
});

test('the words of a task are not kept, and the next attempt may try again after a block', () => {
  const text = { title: 'Say', description: 'words', files: [], plan: 'p', goal: '', context: 'c' };
  const kept = keepTask(NONE, { stream: { ...aStream(2, { text }), failures: 3 } }, SECRET);
  const earlier = findEarlier(kept, { ...ORDER.ref, task: 2 }, SECRET);
  expect(earlier?.run?.text).toMatchObject({ title: 'Say', description: '', context: '' });
  expect(earlier?.failures).toBe(0);
});

describe('the last attempt', () => {
  const { plan } = ORDER.ref;
  const kept = keepTask(NONE, { stream: aStream() }, SECRET);

  test.each<[string, () => TaskStream | undefined]>([
    ['of another task', () => findEarlier(kept, { plan, task: 3 }, SECRET)],
    [
      'of another plan',
      () => findEarlier(kept, { plan: { ...plan, number: plan.number + 1 }, task: 2 }, SECRET),
    ],
    [
      'of another repository with the same key',
      () => findEarlier(kept, { plan: { ...plan, repositoryId: 99 }, task: 2 }, SECRET),
    ],
    [
      'that no job with this key recorded',
      () => findEarlier(kept, { plan, task: 2 }, 'another secret'),
    ],
  ])('is not one %s', (_, find) => {
    expect(findEarlier(kept, { plan, task: 2 }, SECRET)?.run?.id).toBe('r1');
    expect(find()).toBeUndefined();
  });

  test('of a plan is looked back on where this key signed it, or where a job has no key', () => {
    const numbers = (secret: string | undefined, number = plan.number) =>
      recordsOfPlan(kept, { ...plan, number }, secret).length;
    expect([numbers(SECRET), numbers('another secret'), numbers(undefined)]).toEqual([1, 0, 1]);
    expect([numbers(SECRET, 77), numbers(undefined, 77)]).toEqual([0, 0]);
  });
});

describe('a record is not believed', () => {
  test('under another secret', () => {
    expect(isKeptByUs(keptOf(aStream(), 'of somebody else'), SECRET)).toBe(false);
  });

  test.each<[string, (run: TaskRun) => TaskRun]>([
    ['head', (run) => ({ ...run, headSha: 'b'.repeat(40) })],
    ['verdict', (run) => ({ ...run, review: { headSha: HEAD, verdict: 'APPROVE', asks: [] } })],
    ['approval', (run) => ({ ...run, approved: { by: ORDER.approvedBy, headSha: HEAD, at: '' } })],
    ['pull request', (run) => ({ ...run, pull: { number: 99, url: '' } })],
  ])('when its %s was changed', (_, change) => {
    const kept = keptOf(aStream());
    const { run } = kept.stream;
    if (run === undefined) throw new Error('no run');
    const changed = { ...kept, stream: { ...kept.stream, run: change(run) } };
    expect(isKeptByUs(changed, SECRET)).toBe(false);
  });

  test('when the time at which the head was shown was changed', () => {
    expect(isKeptByUs({ ...keptOf(aStream()), headAt: '2026-11-20T08:00:00Z' }, SECRET)).toBe(
      false,
    );
  });
});

test('neither the change nor what was printed or asked is kept', () => {
  const receipt: GateReceipt = {
    gate: '2',
    result: 'passed',
    sentence: 'fine',
    flags: [],
    headSha: HEAD,
    at: '',
    signature: 's',
    log: 'PRINTED',
  };
  const change = { from: HEAD, patch: 'THE PATCH', summary: 'sums', decisions: [], paths: ['a'] };
  const stream = aStream(2, {
    change,
    receipts: [receipt],
    partial: 'A PART',
    log: 'PRINTED',
    asked: { sessionId: 's', transcript: 'PRIVATE' } as never,
  });
  const text = JSON.stringify(keptOf(stream));
  expect(text).toContain('sums');
  expect(text).not.toMatch(/THE PATCH|PRINTED|A PART|PRIVATE/);
});

test('the text of a pull request is kept unless it is long, and its digests always', () => {
  const text = (change: string): Partial<TaskRun> => {
    const pullText = { change, participants: [], cost: [], source: '' };
    return {
      pullText,
      sent: { digests: ['a digest'], isComplete: true },
      earlier: { pull: { number: 3, url: '' }, pullText },
    };
  };
  const keptRun = (over: Partial<TaskRun>) => keptOf(aStream(2, over)).stream.run;
  expect(keptRun(text('short'))).toMatchObject(text('short'));
  const { sent, earlier } = text('x'.repeat(6_000));
  const long = keptRun(text('x'.repeat(6_000)));
  expect(long).not.toHaveProperty('pullText');
  expect([long?.sent, long?.earlier]).toEqual([sent, { pull: earlier?.pull }]);
});

test('of more than 100 tasks the oldest are dropped', () => {
  let kept = NONE;
  for (let task = 1; task <= 103; task += 1) {
    const startedAt = new Date(Date.UTC(2026, 10, 27) + task * 60_000).toISOString();
    kept = keepTask(kept, { stream: aStream(task, { startedAt }) }, SECRET);
  }
  expect(Object.keys(kept.tasks)).toHaveLength(100);
  expect([findKeptTask(kept, 33), findKeptTask(kept, 133)?.stream.run?.order.ref.task]).toEqual([
    undefined,
    103,
  ]);
});

test.each(['', 'null', '[]', '{"version":2,"tasks":{}}', '{"version":1,"tasks":{"1-1":{}}}'])(
  '%o is no file of tasks',
  (text) => {
    expect(parseKeptTasks(text)).toBeUndefined();
  },
);

test('what the calls of a task cost is kept as a sum, over several jobs', () => {
  const call = (costUsd: number | undefined) => ({ ...aCall(), costUsd });
  const first = keptOf(aStream(2, { calls: [call(0.5), call(0.25)] })).stream.run;
  expect(first).toMatchObject({
    calls: [],
    spent: { calls: 2, usd: 0.75, isPartlyUnknown: false },
  });
  const again = keptOf(aStream(2, { ...first, calls: [call(undefined)] })).stream.run;
  expect(again?.spent).toEqual({
    calls: 3,
    usd: 0.75,
    isPartlyUnknown: true,
    models: [aCall().model],
  });
});
