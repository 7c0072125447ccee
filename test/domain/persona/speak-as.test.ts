/** A persona's public words: what is exact in them comes out as it was. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { speakAs } from '../../../src/domain/persona/speak-as.ts';
import { aPersona } from '../../helpers/a-persona.ts';

const chatty = aPersona({
  style: { ...aPersona().style, emoji: { policy: 'some', favourites: [], contexts: '' } },
});

test('the persona decides about emoji, and without a counter they are removed', () => {
  expect(speakAs(chatty, 'It leaks 😀.').text).toBe('It leaks.');
  expect(speakAs(chatty, 'It leaks 😀.', { messages: 2 }).text).toBe('It leaks 😀.');
  expect(speakAs(aPersona(), 'It leaks 😀.', { messages: 2 }).text).toBe('It leaks.');
});

/** What a reader acts on, each with filler around it that does go. */
const EXACT = [
  '`const a = in_order(to);`',
  '`src/basically, it/leaks.ts:12`',
  'src/utilize/in.ts:41',
  'docs/plan.md#L3-L9',
  '12,345.67',
  '41 %',
  '$0.05',
  '3.2s',
  '#214',
  '@maya',
  'v1.2.3',
  'a1b2c3d4',
  '2026-11-25',
  '"needless to say, utilize it"',
  '“in order to merge”',
  '[utilize](https://github.com/o/r/blob/a/b.ts#L1)',
  'https://example.org/utilize/it?a=1',
  ':rocket:ship',
];
const FILLERS = [
  'Basically, ',
  'In order to merge we look at ',
  'It is important to note that ',
  'Great question! ',
  'We utilize ',
  'The cache is cold. The cache is cold. ',
  'Great work! ',
  'Let me know if you have any questions! ',
  '🚀 ',
];

describe('exact', () => {
  const part = fc.tuple(fc.constantFrom(...FILLERS), fc.constantFrom(...EXACT));

  test('code, paths, numbers, links and quotes keep their bytes and their order', () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), fc.nat(9), (parts, messages) => {
        const source = parts
          .map(([filler, exact], index) => `${filler}see ${exact} at place ${index}.`)
          .join(' ');
        const { text } = speakAs(chatty, source, { messages });
        let from = 0;
        for (const [, exact] of parts) {
          const at = text.indexOf(exact, from);
          expect(at, `${exact} in ${text}`).toBeGreaterThanOrEqual(from);
          from = at + exact.length;
        }
      }),
    );
  });

  test('every digit comes out in its order', () => {
    const digits = (text: string) => text.replaceAll(/\D/g, '');
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            part.map((both) => both.join('')),
            fc.stringMatching(/^[\w .,:/-]{0,20}$/),
          ),
          { maxLength: 10 },
        ),
        (parts) => {
          const source = parts.join(' ');
          expect(digits(speakAs(chatty, source).text)).toBe(digits(source));
        },
      ),
    );
  });

  test.each([
    '```ts\nBasically, in order to 🚀\n```',
    '    const x = "utilize";',
    '> Great work! Basically, it leaks.',
    '| a | b |\n| --- | --- |\n| in order to | 3 |',
    'It says “Great work! In order to merge.” there.',
    "The key is 'utilize'.",
  ])('%j stays', (text) => {
    expect(speakAs(chatty, text).text.trim()).toBe(text.trim());
  });
});
