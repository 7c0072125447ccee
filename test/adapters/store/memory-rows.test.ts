/** What a search of memory costs: looks into the index, which can be counted without a clock. */
import { expect, test } from 'vitest';
import {
  toMatter,
  toMemoryRow,
  toProbes,
  toWanted,
} from '../../../src/adapters/store/memory-rows.ts';

function probesFor(paths: string[]) {
  const query = { repository: 7, head: 'h1', persona: 'dev', paths, terms: ['lease'], limit: 5 };
  const wanted = toWanted(query);
  const counts = new Map(wanted.terms.map((term) => [term, 10]));
  return toProbes(wanted, toMatter(wanted, counts));
}

function looksFor(folders: number): number {
  const paths = Array.from({ length: folders }, (_, at) => `src/part${at}/file${at}.ts`);
  return probesFor(paths).flatMap(({ tokens }) => tokens).length;
}

test('a change of 3,000 folders costs no more looks into the index than one of 100', () => {
  expect(looksFor(3_000)).toBe(looksFor(100));
  expect(looksFor(100)).toBeGreaterThan(looksFor(10));
});

test('of 150 files in 60 folders each is found, and one whose folder is not looked for counts as much as another', () => {
  const paths = Array.from({ length: 150 }, (_, at) => `src/part${at % 60}/file${at}.ts`);
  const probes = probesFor(paths);
  const weightOf = (path: string): number => {
    const { tokens } = toMemoryRow(7, {
      id: path,
      persona: 'dev',
      text: '-',
      words: [],
      paths: [path],
    });
    const own = new Set(tokens);
    return probes.reduce(
      (sum, { tokens: wanted, weight }) => sum + (wanted.some((one) => own.has(one)) ? weight : 0),
      0,
    );
  };
  const weights = paths.map(weightOf);
  expect(Math.min(...weights)).toBeGreaterThan(0);
  expect(weights[59]).toBe(Math.max(...weights));
});
