/** What a job hands over of a session: as much as its form has room for. */
import { expect, test } from 'vitest';
import { toCoded } from '../../../src/domain/actions/task-work.ts';
import type { CodeResult } from '../../../src/domain/task/task-effects.ts';

test('the twenty-first question that the PM answered does not lose the change', () => {
  const report = { sessionId: 's', turns: 3, durationMs: 9, calls: [], notes: [], transcript: '' };
  const done = { ...report, outcome: 'done' as const, summary: 'Adds it.', decisions: [] };
  const exchanges = Array.from({ length: 25 }, (_, n) => ({
    question: `Question ${n}?`,
    answer: 'So.',
    source: 'the plan',
    isEscalated: false,
  }));
  const result: CodeResult = {
    coder: 'claude',
    report: done,
    patch: '',
    isTooLarge: false,
    files: [],
    exchanges,
  };
  expect(toCoded(result)).toMatchObject({ exchanges: exchanges.slice(0, 20) });
});
