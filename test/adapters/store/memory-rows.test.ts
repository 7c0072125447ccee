/** What a search of memory costs: looks into the index, which can be counted without a clock. */
import { expect, test } from 'vitest';
import { toMatter, toProbes, toWanted } from '../../../src/adapters/store/memory-rows.ts';

function looksFor(folders: number): number {
  const paths = Array.from({ length: folders }, (_, at) => `src/part${at}/file${at}.ts`);
  const query = { repository: 7, head: 'h1', persona: 'dev', paths, terms: ['lease'], limit: 5 };
  const wanted = toWanted(query);
  const counts = new Map(wanted.terms.map((term) => [term, 10]));
  return toProbes(wanted, toMatter(wanted, counts)).flatMap(({ tokens }) => tokens).length;
}

test('a change of 3,000 folders costs no more looks into the index than one of 100', () => {
  expect(looksFor(3_000)).toBe(looksFor(100));
  expect(looksFor(100)).toBeGreaterThan(looksFor(10));
});
