import { expect, test } from 'vitest';
import {
  rankMemory,
  rarestTerms,
  type Candidate,
  type Matter,
} from '../../../src/domain/memory/recall/rank-memory.ts';
import { verifies } from '../../verifies.ts';

function candidate(id: string, more: Partial<Candidate> = {}): Candidate {
  return { id, terms: [], words: [], paths: [], ...more };
}

function matter(more: Partial<Matter> = {}): Matter {
  return { paths: ['src/a/b.ts'], frequencies: new Map(), total: 1_000, ...more };
}

test('the same file comes before the same folder, and this before the same kind of file in the same area', () => {
  const ranked = rankMemory(
    [
      candidate('area', { paths: ['src/z/y.ts'] }),
      candidate('elsewhere', { paths: ['docs/z/y.ts', 'src/z/y.md', 'b.ts'] }),
      candidate('folder', { paths: ['src/a/c.md'] }),
      candidate('file', { paths: ['docs/z.md', 'src/a/b.ts'] }),
    ],
    matter(),
  );
  expect(ranked).toEqual(['file', 'folder', 'area']);
});

test('files at the root are in no common folder', () => {
  expect(
    rankMemory([candidate('x', { paths: ['go.mod'] })], matter({ paths: ['mux.go'] })),
  ).toEqual([]);
});

test('a rare term counts more than a common one, and a search word more than a word of the text', () => {
  const frequencies = new Map([
    ['rare', 2],
    ['common', 400],
  ]);
  const ranked = rankMemory(
    [
      candidate('common', { terms: ['common'] }),
      candidate('rare', { terms: ['rare'] }),
      candidate('word', { words: ['rare'] }),
    ],
    matter({ frequencies }),
  );
  expect(ranked).toEqual(['word', 'rare', 'common']);
});

test('of two that cite the same file, the one with a shared term comes first', () => {
  const frequencies = new Map([['common', 400]]);
  const paths = ['src/a/b.ts'];
  const ranked = rankMemory(
    [candidate('a', { paths }), candidate('b', { paths, terms: ['common'] })],
    matter({ frequencies }),
  );
  expect(ranked).toEqual(['b', 'a']);
});

test('two rare terms outweigh a file that is cited', () => {
  const frequencies = new Map([
    ['one', 1],
    ['two', 1],
  ]);
  const ranked = rankMemory(
    [candidate('file', { paths: ['src/a/b.ts'] }), candidate('terms', { terms: ['one', 'two'] })],
    matter({ frequencies }),
  );
  expect(ranked).toEqual(['terms', 'file']);
});

verifies(
  'MEM-05: same choice in any order',
  'equal ones keep the order of their ids, whatever order they come in',
  () => {
    const paths = ['src/a/b.ts'];
    const all = ['c', 'a', 'b'].map((id) => candidate(id, { paths }));
    expect(rankMemory(all, matter())).toEqual(['a', 'b', 'c']);
    expect(rankMemory(all.toReversed(), matter())).toEqual(['a', 'b', 'c']);
  },
);

test('takes the rarest terms as long as the budget allows, and at least three', () => {
  const frequencies = new Map([
    ['d', 900],
    ['a', 5],
    ['c', 500],
    ['b', 5],
    ['e', 2_000],
  ]);
  expect(rarestTerms(frequencies, 100)).toEqual(['a', 'b', 'c']);
  expect(rarestTerms(frequencies, 1_500)).toEqual(['a', 'b', 'c', 'd']);
  expect(rarestTerms(frequencies, 9_999)).toEqual(['a', 'b', 'c', 'd', 'e']);
});
