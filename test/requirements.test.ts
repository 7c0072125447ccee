/** Holds the list of requirements against the tests: nothing is claimed that no test cites, nothing is cited that is not listed. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { REQUIREMENTS } from './requirements.ts';

const ROOT = import.meta.dirname;
const CITATION = /\bverifies\(\s*(\[[^\]]*\]|'[^']+'|"[^"]+")/g;
const ID = /[A-Z]+-?\d+b?/g;

function testFiles(): string[] {
  return readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('requirements'))
    .map((file) => path.join(ROOT, file));
}

function citations(): Map<string, string[]> {
  const cited = new Map<string, string[]>();
  for (const file of testFiles()) {
    for (const match of readFileSync(file, 'utf8').matchAll(CITATION)) {
      for (const [id] of (match[1] ?? '').matchAll(ID))
        cited.set(id, [...(cited.get(id) ?? []), path.relative(ROOT, file)]);
    }
  }
  return cited;
}

test('the citations are found at all', () => {
  expect(citations().size).toBeGreaterThan(5);
});

test('every id stands in the list once', () => {
  const ids = REQUIREMENTS.map((each) => each.id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('every requirement that is called proven is cited by a test', () => {
  const cited = citations();
  const unproven = REQUIREMENTS.filter((each) => each.state === 'proven' && !cited.has(each.id));
  expect(unproven.map((each) => each.id)).toEqual([]);
});

test('every cited id is in the list and called proven', () => {
  const proven = new Set(
    REQUIREMENTS.filter((each) => each.state === 'proven').map((each) => each.id),
  );
  const unknown = [...citations()].filter(([id]) => !proven.has(id));
  expect(unknown).toEqual([]);
});

test('everything that is not built yet says why', () => {
  const silent = REQUIREMENTS.filter((each) => each.state === 'not-yet' && each.reason.length < 4);
  expect(silent).toEqual([]);
});
