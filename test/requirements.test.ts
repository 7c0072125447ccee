/** Holds the list of requirements against the tests: nothing is claimed that no test cites, nothing is cited that is not listed. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findGaps, readCitations } from './requirements-check.ts';
import type { Requirement } from './requirements-check.ts';
import { REQUIREMENTS } from './requirements.ts';

const ROOT = import.meta.dirname;

const CITATIONS = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.startsWith('requirements'))
  .flatMap((file) => readCitations(readFileSync(path.join(ROOT, file), 'utf8')));

/** Rows made up for this test, none of which is in the list. */
const ROWS: readonly Requirement[] = [
  { id: 'AA-01', title: 'One citation is enough', state: 'proven' },
  { id: 'AA-02', title: 'Two claims', state: 'proven', expects: ['branch', 'file name'] },
  { id: 'AA-03', state: 'not-yet', reason: 'not built yet' },
];

/** A test's source that proves all of them. */
const PROOF = `
  verifies('AA-01', 'a title', () => {});
  verifies(['AA-01', 'AA-02: branch'], 'AA-09 in a title is no citation', () => {});
  verifies(
    'AA-02: file name',
    'a title',
    () => {},
  );`;

test('the citations are found at all', () => {
  expect(CITATIONS.length).toBeGreaterThan(300);
});

test('every id is in the list once', () => {
  const ids = REQUIREMENTS.map((each) => each.id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('every claim is cited by a test, and every citation is a claim', () => {
  expect(findGaps(REQUIREMENTS, CITATIONS)).toEqual([]);
});

test('rows whose names all have a test have no gap', () => {
  expect(findGaps(ROWS, readCitations(PROOF))).toEqual([]);
});

test('an expected name without a test is a gap, although its row is cited', () => {
  const source = PROOF.replace('AA-02: file name', 'AA-02');
  expect(findGaps(ROWS, readCitations(source))).toEqual(["No test proves 'AA-02: file name'."]);
});

test('a row that no test cites is a gap, and so is one that expects nothing', () => {
  const rows = [...ROWS, { id: 'AA-04', title: 'Empty', state: 'proven' as const, expects: [] }];
  expect(findGaps(rows, readCitations(PROOF.replaceAll("'AA-01'", "'AA-02'")))).toEqual([
    'No test proves AA-01.',
    'AA-04 expects nothing.',
  ]);
});

test.each([
  ['AA-02: tag', "A test cites 'AA-02: tag', which its row does not expect."],
  ['AA-01: tag', "A test cites 'AA-01: tag', which its row does not expect."],
  ['AA-03', 'A test cites AA-03, which is not called proven.'],
  ['AA-05', 'A test cites AA-05, which is not in the list.'],
])('a test that cites %s is a gap', (cited, gap) => {
  const source = `${PROOF}\n  verifies('${cited}', 'a title', () => {});`;
  expect(findGaps(ROWS, readCitations(source))).toEqual([gap]);
});

test('a citation that is no literal is a gap', () => {
  const source = `${PROOF}\n  verifies(ID, 'a title', () => {});`;
  expect(findGaps(ROWS, readCitations(source))).toEqual([
    'A test cites ?, which is not in the list.',
  ]);
});

test('names can be cited: without quotes and brackets, and none twice', () => {
  const names = REQUIREMENTS.flatMap((each) =>
    each.state === 'proven' ? (each.expects ?? []).map((name) => `${each.id}: ${name}`) : [],
  );
  expect(names.filter((name) => /['"`[\]]/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test('everything that is not built yet says why', () => {
  const silent = REQUIREMENTS.filter((each) => each.state === 'not-yet' && each.reason.length < 4);
  expect(silent).toEqual([]);
});
