import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nearest } from '../../../src/domain/text/nearest.ts';

describe('nearest', () => {
  test.each([
    ['councl', 'council'],
    ['coucnil', 'council'],
    ['max_rounds', 'maxRounds'],
    ['Standup', 'standup'],
    ['standups', 'standup'],
  ])('takes %s for %s', (word, meant) => {
    expect(nearest(word, ['council', 'maxRounds', 'standup', 'merge'])).toBe(meant);
  });

  test.each(['banana', '', 'x', 'zzzzzzzz'])('does not guess at %j', (word) => {
    expect(nearest(word, ['council', 'maxRounds', 'standup', 'merge', 'ci'])).toBeUndefined();
  });

  test('finds every word after one slip of the keyboard', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z]{5,12}$/),
        fc.nat(),
        fc.stringMatching(/^[a-z]$/),
        (word, place, letter) => {
          const at = place % word.length;
          const typed = word.slice(0, at) + letter + word.slice(at + 1);
          expect(nearest(typed, [word])).toBe(word);
        },
      ),
    );
  });

  test('does not compare words that nobody types', () => {
    const long = 'a'.repeat(100_000);
    expect(nearest(long, [long, 'council'])).toBeUndefined();
  });
});
