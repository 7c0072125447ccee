/** Texts that made a pattern of an earlier version take minutes or for ever, and what those patterns still find. */
import { assert, constantFrom, array, integer, oneof, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isMashed } from '../../src/rules/issue/mashed-keys.ts';
import { findDecision } from '../../src/rules/issue/find-decision.ts';
import { countTests } from '../../src/domain/gates/test-counts.ts';
import { callInThread } from '../helpers/in-thread.ts';

const COUNTS = { file: 'domain/gates/test-counts.ts', name: 'countTests' };
const DECISION = { file: 'rules/issue/find-decision.ts', name: 'findDecision' };
const IMPORTS = { file: 'rules/change/syntax/imports.ts', name: 'readImports' };
const SCRUB = { file: 'domain/secrets/scrub.ts', name: 'scrubSecrets' };

const ATTACKS: readonly [string, { file: string; name: string }, string][] = [
  ['a summary of vitest', COUNTS, `Tests 0 T | ${'0 A00 A | '.repeat(5_000)}s\nTests 0 t (0)`],
  ['a summary of pytest', COUNTS, `0 ${'A00 '.repeat(20_000)}`],
  ['digits without an end', COUNTS, '0'.repeat(200_000)],
  ['options without a text', DECISION, `OPTION\tB:${'\n\t'.repeat(30_000)}`],
  ['a choice without its second half', DECISION, `should we EITHER \t${'\t'.repeat(60_000)}N`],
  ['one choice after another', DECISION, 'N EITHER '.repeat(7_000)],
  ['an import without an end', IMPORTS, `(${'r\nexport\ntype\n'.repeat(5_000)}`],
  ['a web token without an end', SCRUB, 'eyJ-'.repeat(15_000)],
  ['keys without an end', SCRUB, '-----BEGIN PRIVATE KEY-----'.repeat(2_000)],
  [
    'mashed keys',
    { file: 'rules/issue/mashed-keys.ts', name: 'isMashed' },
    `asdfg${'hasdfg'.repeat(28)}!`,
  ],
  [
    'stack frames of nothing but line ends',
    { file: 'domain/text/names.ts', name: 'readNames' },
    '\n\t'.repeat(30_000),
  ],
  [
    'a path of nothing but commas',
    { file: 'domain/text/code-span.ts', name: 'codeSpan' },
    `${'\t'.repeat(60_000)}x`,
  ],
  [
    'a command of nothing but blanks',
    { file: 'domain/commands/command-parse.ts', name: 'parseCommands' },
    `/pm ${' '.repeat(60_000)}\u2028`,
  ],
];

for (const [what, place, text] of ATTACKS)
  test(`${what}: the search ends`, async () => {
    await expect(callInThread(place, text)).resolves.not.toThrow();
  });

/** As it was: exponential. */
const KEY_ROWS =
  /^(?:(?:asd(?:f(?:g(?:h(?:j(?:k(?:l)?)?)?)?)?)?|qwe(?:r(?:t(?:y(?:u(?:i)?)?)?)?)?|zxc(?:v(?:b(?:n(?:m)?)?)?)?|hjkl|jkl|sdf|fgh|dfg|abc|xyz|foo|bla|blah|lol|test|testing|hello|hi|123)+|(.)\1{3,})$/i;

describe('what was found before is found', () => {
  test('mashed keys, as by the pattern of before', () => {
    const piece = constantFrom('asd', 'asdf', 'asdfgh', 'fgh', 'qwe', 'hi', 'test', 'x', 'A', '1');
    const word = oneof(
      array(piece, { maxLength: 5 }).map((all) => all.join('')),
      string(),
    );
    assert(
      property(word, (text) => {
        expect(isMashed(text)).toBe(KEY_ROWS.test(text));
      }),
      { numRuns: 2_000 },
    );
  });

  test('summaries of vitest and pytest', () => {
    const count = integer({ min: 0, max: 99_999 });
    assert(
      property(count, count, count, (failed, passed, skipped) => {
        const told = { failed, passed, skipped };
        const vitest = ` Tests  ${failed} failed | ${passed} passed | ${skipped} skipped (9)`;
        expect(countTests(`x\n${vitest}\n`)).toMatchObject({ ...told, runners: ['vitest'] });
        const pytest = `== ${failed} failed, ${passed} passed, ${skipped} skipped in 1.2s ==`;
        expect(countTests(pytest)).toMatchObject({ ...told, runners: ['pytest'] });
      }),
    );
  });

  test('listed options and offers, however they are set', () => {
    const listed = '- **Option A**: keep the file\n2) Option B: drop the file';
    expect(findDecision(listed)?.options).toEqual(['keep the file', 'drop the file']);
    expect(findDecision('Should we keep it,\tor\n  drop it?')?.options).toBeDefined();
    expect(findDecision('Should we keep  the file or drop the file?')?.options).toEqual([
      'keep the file',
      'drop the file',
    ]);
  });
});
