/** Holds documents and messages to plain English, by a list of phrases, the length of sentences and a falling limit. */
import { expect, test } from 'vitest';
import {
  findInText,
  findProse,
  judgeProse,
  lowerAllowed,
  proseFiles,
  readAllowed,
} from './check-prose.ts';
import { findPhrases, PHRASES } from './phrases.ts';

const namesIn = (file: string, text: string): string[] =>
  findInText(file, text).map(({ name }) => name);

test('documents and messages have no more findings than allowed, and the list is as low as it can be', () => {
  expect(judgeProse(findProse(), readAllowed())).toEqual([]);
});

test('reads the README, every page of the documentation and every source', () => {
  const files = proseFiles();
  expect(files).toEqual(expect.arrayContaining(['README.md', 'docs/security.md', 'src/run.ts']));
  expect(files.length).toBeGreaterThan(800);
});

test('finds phrases and long sentences in a document, also across a line break', () => {
  const text = [
    '# The plan stands',
    '',
    'Whoever asks',
    'is told so; what there',
    'is counts. Once more, anew.',
    '',
    '| a | b |',
    '|---|---|',
    `| nothing of ours | ${'word '.repeat(26)} |`,
  ].join('\n');
  expect(namesIn('docs/made-up.md', text).toSorted()).toEqual(
    [
      'anew',
      'is told',
      'long sentence',
      'of ours',
      'stands',
      'what there is',
      'whoever',
    ].toSorted(),
  );
});

test('code in a document is one word and is not searched', () => {
  const code = 'Run `mend whoever anew`.\n\n```sh\nwhoever stands\n```\n';
  expect(namesIn('docs/made-up.md', code)).toEqual([]);
  const words = 'word '.repeat(24);
  expect(namesIn('docs/made-up.md', `${words}\`a b c d\`.`)).toEqual([]);
  expect(namesIn('docs/made-up.md', `${words}\`a b c d\` more.`)).toEqual(['long sentence']);
});

test('finds phrases in strings and templates of a source, but not in names and paths', () => {
  const source = [
    "import { mend } from './whoever/stands.ts';",
    "const whoever = 'anew';",
    "say('Mend the line');",
    'say(`The key ${mend(`it stands in ${whoever}`)} is ${whoever} none of ours`);',
  ].join('\n');
  expect(namesIn('src/made-up.ts', source)).toEqual(['mend', 'of ours', 'stands']);
});

test('finds phrases and long sentences in the comments of a source, also across lines', () => {
  const source = [
    '/**',
    ' * Who comes',
    ' * back, `stands` by {@link mend}.',
    ' */',
    '// It is',
    '// told nothing.',
    `// ${'word '.repeat(26)}`,
    'const stands = 1; // Whoever.',
    `/**\n * ${'word '.repeat(20)}\n * @throws ${'word '.repeat(20)}\n */`,
  ].join('\n');
  expect(namesIn('src/made-up.ts', source).toSorted()).toEqual(
    ['comes back', 'is told', 'long sentence', 'whoever'].toSorted(),
  );
});

test('finds phrases in comments and titles of a test, but not in what it says and expects', () => {
  const source = [
    '// Whoever.',
    "describe('what stands there', () => {",
    "  test.each([['it is told so']])('comes back after %s', () => say('mend it anew'));",
    "  verifies('P1', `none of ours, ${1}`, () => {});",
    '});',
  ].join('\n');
  expect(namesIn('test/made-up.test.ts', source).toSorted()).toEqual(
    ['comes back', 'of ours', 'stands', 'whoever'].toSorted(),
  );
});

test.each([
  ['This comment stands for the others.'],
  ['Recommended: amend the commit.'],
  ['There is a no-op, and it is a no longer used key.'],
])('allows “%s”', (text) => {
  expect(findPhrases(text)).toEqual([]);
});

test('a file may have what is listed, no more, and the list follows when it has less', () => {
  const found = new Map([
    ['docs/a.md', findPhrases('Whoever mends it is told.')],
    ['docs/b.md', findPhrases('It begins anew.')],
  ]);
  expect(judgeProse(found, { 'docs/a.md': 3, 'docs/b.md': 1 })).toEqual([]);
  expect(judgeProse(found, { 'docs/a.md': 2, 'docs/b.md': 1 })).toEqual([
    expect.stringMatching(/^docs\/a\.md has 3 findings, 2 allowed:\n {2}whoever: Whoever mends/),
  ]);
  expect(judgeProse(found, { 'docs/a.md': 3 })).toEqual([
    expect.stringContaining('docs/b.md has 1 findings, 0 allowed'),
  ]);
  const slack = { 'docs/a.md': 4, 'docs/b.md': 1, 'docs/gone.md': 2 };
  expect(judgeProse(found, slack)).toEqual([
    'docs/a.md has 3 findings now: run node test/prose/lower-allowed.ts',
    'docs/gone.md has 0 findings now: run node test/prose/lower-allowed.ts',
  ]);
  expect(lowerAllowed(found, { ...slack, 'docs/b.md': 0 })).toEqual({ 'docs/a.md': 3 });
});

test('every phrase says what to write instead', () => {
  const names = PHRASES.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { instead } of PHRASES) {
    expect(instead).not.toBe('');
    expect(findPhrases(instead)).toEqual([]);
  }
});
