/** What a public issue tells of an effect that was given up. */
import { expect, test } from 'vitest';
import { tellDeadEffect } from '../../../src/domain/digest/dead-effect.ts';

test.each([
  ['github-unavailable: connect ECONNREFUSED 10.0.0.7:443', 'github-unavailable'],
  ['/srv/quorum/data.sqlite: database is locked', 'no error code is kept'],
  ['10.0.0.7', 'no error code is kept'],
  [undefined, 'no error code is kept'],
])('of the reason %j the digest names only an error code of Quorum', (reason, told) => {
  expect(tellDeadEffect('comment', reason)).toBe(`comment was given up: ${told}`);
});
