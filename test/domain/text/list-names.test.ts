/** Names in a sentence. */
import { expect, test } from 'vitest';
import { listNames } from '../../../src/domain/text/list-names.ts';

test.each([
  [[], ''],
  [['Dev'], 'Dev'],
  [['Dev', 'Maya'], 'Dev and Maya'],
  [['Dev', 'Maya', 'Priya'], 'Dev, Maya and Priya'],
])('of %j', (names, text) => {
  expect(listNames(names)).toBe(text);
});
