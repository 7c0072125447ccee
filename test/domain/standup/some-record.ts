/** Runs and their records for tests. */
import * as fc from 'fast-check';
import type { GateReceipt } from '../../../src/domain/gates/receipt.ts';
import type { TaskHistory } from '../../../src/domain/standup/look-back/build-record.ts';
import type { RecordTask, StandupRecord } from '../../../src/domain/standup/look-back/record.ts';
import type { TaskRun } from '../../../src/domain/task/task.ts';
import { ORDER } from '../../helpers/a-task.ts';

export const NO_RECORD: StandupRecord = {
  run: 'run-1',
  thread: 4,
  outcome: 'completed',
  request: 'Carts lose their discount when the page is loaded again.',
  planText: '',
  steps: [],
  tasks: [],
  gates: [],
  tests: [],
  questions: [],
  overruled: [],
  todos: [],
  notes: [],
  files: [],
  fixCycles: 0,
  cost: { usd: 0, isPartlyUnknown: false },
  team: [],
  unknown: [],
};

export function aRecord(over: Partial<StandupRecord> = {}): StandupRecord {
  return { ...NO_RECORD, ...over };
}

export function aRecordTask(over: Partial<RecordTask> = {}): RecordTask {
  return {
    task: 2,
    title: 'Keep the discount',
    persona: 'dev',
    state: 'completed',
    attempts: 1,
    fixCycles: 0,
    estimate: '5-10 min',
    workMs: 200_000,
    planned: ['src/cart.ts'],
    touched: ['src/cart.ts'],
    ...over,
  };
}

/** A diff that adds lines to the end of a file that had `before` lines. */
export function addingPatch(path: string, before: number, lines: readonly string[]): string {
  return [
    `diff --git a/${path} b/${path}`,
    `--- a/${path}`,
    `+++ b/${path}`,
    `@@ -${before},1 +${before},${lines.length + 1} @@`,
    ' last',
    ...lines.map((line) => `+${line}`),
    '',
  ].join('\n');
}

let signed = 0;

export function aReceipt(over: Partial<GateReceipt> = {}): GateReceipt {
  signed += 1;
  return {
    gate: '2',
    result: 'passed',
    sentence: '12 tests passed.',
    flags: [],
    headSha: 'a'.repeat(40),
    at: '2026-11-25T08:00:00Z',
    signature: `s${signed}`,
    ...over,
  };
}

export function aHistory(
  over: Partial<TaskRun> = {},
  more: Partial<TaskHistory> = {},
): TaskHistory {
  const run: TaskRun = {
    id: 'task-run-1',
    step: 9,
    order: ORDER,
    attempt: 1,
    phase: { kind: 'ended' },
    branch: 'quorum/task-4-2-say-hello',
    startedAt: '2026-11-25T08:00:00Z',
    calls: [],
    notes: [],
    receipts: [],
    refinements: 0,
    change: {
      from: 'b'.repeat(40),
      patch: addingPatch('src/hello.ts', 3, ['export const hello = 1;']),
      summary: 'Says hello.',
      decisions: [],
      paths: ['src/hello.ts'],
    },
    ...over,
  };
  return { run, state: 'completed', ...more };
}

const word = fc.stringMatching(/^[a-z]{2,8}$/);
const words = fc.array(word, { minLength: 1, maxLength: 12 }).map((all) => all.join(' '));
const path = fc.array(word, { minLength: 2, maxLength: 3 }).map((parts) => `${parts.join('/')}.ts`);
const task = fc.integer({ min: 1, max: 60 });
const ms = fc.integer({ min: 0, max: 9_000_000 });
const persona = fc.constantFrom('dev', 'maya', 'carlos', 'priya', 'sasha');

/** Anything that a run may have been; some of its paths exist, some do not. */
export const records: fc.Arbitrary<StandupRecord> = fc
  .record({
    request: words,
    planText: fc.array(words, { maxLength: 5 }).map((lines) => lines.join('\n')),
    tasks: fc.uniqueArray(
      fc.record({
        task,
        title: words,
        persona,
        state: fc.constantFrom('completed' as const, 'failed' as const),
        attempts: fc.integer({ min: 1, max: 4 }),
        fixCycles: fc.nat(5),
        estimate: fc.constantFrom('', '5-10 min', '2 h', 'small', '1 day'),
        workMs: ms,
        planned: fc.array(path, { maxLength: 3 }),
        touched: fc.array(path, { maxLength: 3 }),
      }),
      { selector: (each) => each.task, maxLength: 8 },
    ),
    gates: fc.array(
      fc.record({
        task,
        gate: fc.constantFrom('1' as const, '2' as const, '3' as const),
        name: fc.constantFrom('changes', 'tests', 'push'),
        attempts: fc.integer({ min: 1, max: 6 }),
        failed: fc.nat(5),
        passed: fc.boolean(),
        ms,
        why: fc.oneof(words, fc.constant('')),
      }),
      { maxLength: 5 },
    ),
    tests: fc.array(fc.record({ task, name: fc.oneof(path, words), ms, gateMs: ms }), {
      maxLength: 5,
    }),
    questions: fc.array(
      fc.record({
        task,
        persona,
        question: words,
        answer: words,
        source: fc.oneof(path, word),
        isEscalated: fc.boolean(),
      }),
      { maxLength: 4 },
    ),
    overruled: fc.array(
      fc.record({
        task,
        voices: fc.array(persona, { maxLength: 3 }),
        by: word,
        what: words,
        why: fc.oneof(words, fc.constant('')),
        path,
        line: fc.integer({ min: 1, max: 90 }),
      }),
      { maxLength: 3 },
    ),
    todos: fc.array(
      fc.record({
        task,
        persona,
        path,
        line: fc.integer({ min: 1, max: 90 }),
        text: words.map((text) => `// TODO ${text}`),
      }),
      { maxLength: 3 },
    ),
    files: fc.array(
      fc.record({ path, tasks: fc.uniqueArray(task, { minLength: 1, maxLength: 5 }) }),
      { maxLength: 4 },
    ),
  })
  .map((over) => aRecord(over));
