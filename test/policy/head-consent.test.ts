/** Which head a person's words are about. */
import { expect, test } from 'vitest';
import { mayApproveHead } from '../../src/policy/head-consent.ts';

const HEAD = 'a'.repeat(40);
const SAID = { headSha: HEAD, headAt: '2026-11-27T08:00:00Z', named: undefined };

test.each([
  ['a head that GitHub showed before', { ...SAID, saidAt: '2026-11-27T08:00:01Z' }, 'allowed'],
  ['a head that GitHub showed later', { ...SAID, saidAt: '2026-11-27T07:59:59Z' }, 'refused'],
  [
    'a head of which nobody knows when it was shown',
    { ...SAID, headAt: undefined, saidAt: '2026-11-27T09:00:00Z' },
    'refused',
  ],
  ['the head that was named', { ...SAID, named: 'AAAAAAA', saidAt: '' }, 'allowed'],
  ['another head that was named', { ...SAID, named: 'bbbbbbb', saidAt: '' }, 'refused'],
])('consent to %s', (_, said, expected) => {
  expect(mayApproveHead(said).kind).toBe(expected);
});
