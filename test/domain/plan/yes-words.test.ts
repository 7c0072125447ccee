/** Each reply that approves, alone, and what comes close to one and does not. */
import { expect, test } from 'vitest';
import { isYes } from '../../../src/domain/plan/approval.ts';
import { verifies } from '../../verifies.ts';

const WORDS = [
  'yes',
  'si',
  'sí',
  'dale',
  'go',
  'do it',
  'proceed',
  'ok',
  'lgtm',
  'ship it',
  'approved',
  "let's go",
  'let’s go',
];

verifies('CB-4', 'each word that approves is taken in any case, with marks behind it', () => {
  for (const word of WORDS)
    for (const body of [word, ` ${word.toUpperCase()}! `, `${word}...`])
      expect([body, isYes(body)]).toEqual([body, true]);
});

test.each(['', 'yes, but', 'no', 'okay', 'go on', 'not yes', 'yes yes', '"yes"', 'ship'])(
  '%j does not approve',
  (body) => {
    expect(isYes(body)).toBe(false);
  },
);

test('a reply of twenty characters may approve, a longer one is read as a sentence', () => {
  expect([isYes(`yes${'!'.repeat(17)}`), isYes(`yes${'!'.repeat(18)}`)]).toEqual([true, false]);
});
