/** Text that tries to be more than text. */
import * as fc from 'fast-check';

const PIECES = [
  '<!channel>',
  '<!here>',
  '<@U123>',
  '@channel',
  '@bob.test',
  '<https://evil.example|x>',
  '[a](https://example.com/)',
  '[github.com](https://evil.example)',
  '**b**',
  '```',
  '`',
  '&lt;',
  '|',
  '>',
  '<',
  '@',
  '👨‍👩‍👧‍👦',
  '🏳️‍🌈',
  '🇪🇸',
  'é'.normalize('NFD'),
  'שלום',
  'می‌خواهم',
  '\u202e',
  '\u200d',
  '\u200b',
  '\ud83d',
  'a'.concat('\u0301'.repeat(80)),
  '\n',
  '\n\n',
  ' ',
  'word ',
];

export function hostileText(): fc.Arbitrary<string> {
  const piece = fc.oneof(
    fc.constantFrom(...PIECES),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
  );
  return fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));
}
