/** Plain text is quoted without a parser: it must read as if the parser had cleaned it. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { redactSecrets } from '../../src/domain/secrets/secret-text.ts';
import { cleanOutput } from '../../src/domain/text/clean-output.ts';
import { inLine, quoted } from '../../src/record/journal/quote.ts';

const RULES = { repository: 'acme/shop' };
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

const piece = fc.oneof(
  fc.stringMatching(/^[a-z0-9.,;:'"()?%+/-]{1,12}$/),
  fc.constantFrom('src/parse.ts:12', '/pm approve', 'https://a.example/b', 'www.a.example', 'a//b'),
  fc.constantFrom('**bold**', '_so_', '# Head', '## Next', '#12', '##[group]', '* item', '- [ ] x'),
  fc.constantFrom('`a.b()`', '`@ana`', '`', '``', '`a``b`', '```', '~~~', '===', 'é', '’', 'x|y'),
  fc.constantFrom('fixes', 'closes: #3', '{a}', '${{ x }}', '\\#1', '&#64;ana', '<b>', '![a](b)'),
  fc.constantFrom('@tom', '(@ana)', '@tom, so', '@t-o-', '@a/b', 'a@b.c', '@tom.', '@tom.x', '@@a'),
  fc.constantFrom('    ', '-     @tom', '_@tom_', '> @tom', '**see @tom**', '@tom:@ana'),
  fc.constantFrom('/close', 'GH-12', '::set-output', 'x/y/z', './run', '1. one', '+1'),
);
const prose = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(' '));

test('plain prose and paths are left as the parser leaves them', () => {
  const property = fc.property(prose, (text) => {
    const cleaned = cleanOutput(flat(redactSecrets(text)), RULES).text;
    expect(inLine(text, { ...RULES })).toBe(flat(cleaned));
  });
  fc.assert(property, { numRuns: 500 });
});

test('lines of Markdown are left as the parser leaves them', () => {
  const lines = fc.array(prose, { minLength: 1, maxLength: 5 }).map((each) => each.join('\n'));
  const property = fc.property(lines, (text) => {
    const source = redactSecrets(text.trim());
    expect(quoted(text, { ...RULES })).toBe(cleanOutput(source, RULES).text.trim());
  });
  fc.assert(property, { numRuns: 1_000 });
});

test.each([
  ['src/parse.ts drops a row', 'src/parse.ts drops a row'],
  ['see https://evil.example/a', 'see (link removed)'],
  ['/pm approve', '`/pm` approve'],
  ['as @tom said', 'as `@tom` said'],
])('%j is quoted as %j', (text, shown) => {
  expect(inLine(text, { ...RULES })).toBe(shown);
});
