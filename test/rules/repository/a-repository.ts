/** A small repository as the code watch reads it. */
import type { WatchedCode, WatchFindings } from '../../../src/domain/repository/watched-code.ts';
import { searchInSteps } from '../../../src/rules/repository/search.ts';

/** All of it was read; the issues 1 to 9 are closed. */
export function aRepository(
  texts: Readonly<Record<string, string>>,
  over: Partial<WatchedCode> = {},
): WatchedCode {
  return {
    paths: Object.keys(texts),
    files: Object.entries(texts).map(([path, text]) => ({ path, text, isCut: false })),
    isWhole: true,
    secrets: {},
    closedIssues: [1, 2, 3, 4, 5, 6, 7, 8, 9],
    today: '2026-03-02T09:00:00.000Z',
    path: '',
    known: [],
    ...over,
  };
}

export function search(
  texts: Readonly<Record<string, string>>,
  over: Partial<WatchedCode> & { limit?: number } = {},
): WatchFindings {
  const { limit = 50, ...rest } = over;
  return searchNow(aRepository(texts, rest), limit);
}

/** All steps at one go. */
export function searchNow(code: WatchedCode, limit: number): WatchFindings {
  const steps = searchInSteps(code, limit);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Rules that found something, each once. */
export function kindsIn({ candidates, left }: WatchFindings): string[] {
  return [...new Set([...candidates, ...left].map(({ ruleId }) => ruleId))];
}
