/** Which open pull request the approval gate takes for the end of a workflow. */
import { expect, test } from 'vitest';
import { pullOfHead } from '../../src/hosts/action/gate/gate-job.ts';

const HEAD = 'a'.repeat(40);
const listed = [
  { number: 7, head: { sha: HEAD } },
  { number: 8, head: { sha: 'b'.repeat(40) } },
];

test('takes the one that has the head, also of a list that was cut', () => {
  expect(pullOfHead({ found: listed, isCut: true }, HEAD)).toMatchObject({ number: 7 });
});

test('takes none when no open pull request has the head', () => {
  expect(pullOfHead({ found: listed, isCut: false }, 'c'.repeat(40))).toBeUndefined();
});

test('refuses to answer when the list was cut and does not show the head', () => {
  expect(() => pullOfHead({ found: listed, isCut: true }, 'c'.repeat(40))).toThrow(
    'too many open pull requests',
  );
});
