/** What a job hands over of a session: as much as its form has room for. */
import { expect, test } from 'vitest';
import {
  TaskWork,
  toCoded,
  toWorkCall,
  withinMost,
} from '../../../src/domain/actions/task-work.ts';
import { NO_USAGE, type ModelCall } from '../../../src/domain/run/ledger.ts';
import type { CodeResult } from '../../../src/domain/task/task-effects.ts';

const REPORT = { sessionId: 's', turns: 3, durationMs: 9, calls: [], notes: [], transcript: '' };
const DONE = { ...REPORT, outcome: 'done' as const, summary: 'Adds it.', decisions: [] };

test('the twenty-first question that the PM answered does not lose the change', () => {
  const exchanges = Array.from({ length: 25 }, (_, n) => ({
    question: `Question ${n}?`,
    answer: 'So.',
    source: 'the plan',
    isEscalated: false,
  }));
  const result: CodeResult = {
    coder: 'claude',
    report: DONE,
    patch: '',
    isTooLarge: false,
    files: [],
    exchanges,
  };
  expect(toCoded(result)).toMatchObject({ exchanges: exchanges.slice(0, 20) });
});

function aCall(costUsd: number | undefined): ModelCall {
  const usage = { ...NO_USAGE, inputTokens: 2 };
  const call = { provider: 'p', pool: 'coder', model: 'm', usage, latencyMs: 1 };
  return { ...call, costUsd, outcome: 'ok', retries: 0 };
}

/** Every third one has no known price. */
const MANY = Array.from({ length: 1_200 }, (_, n) => aCall(n % 3 === 0 ? undefined : 0.5));

function isTaken(done: unknown): boolean {
  const work = { version: 1, claim: 'c', workflowRun: '1', patch: '0'.repeat(64), done };
  return TaskWork.safeParse(work).success;
}

test('more calls than a result has room for lose neither the change nor what they cost', () => {
  const report = { ...DONE, calls: MANY };
  const coded = toCoded({ coder: 'claude', report, patch: '', isTooLarge: false, files: [] });
  expect(isTaken({ coded })).toBe(true);
  const { calls } = (coded as { report: { calls: ModelCall[] } }).report;
  expect(calls).toHaveLength(1_000);
  expect(calls.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0)).toBe(400);
  expect(calls.reduce((sum, { usage }) => sum + usage.inputTokens, 0)).toBe(2_400);
});

test('a job without a result hands over what it asked until then', () => {
  const calls = withinMost(MANY).map(toWorkCall);
  expect(isTaken({ failed: { code: 'model-busy', message: 'No.', calls } })).toBe(true);
});
