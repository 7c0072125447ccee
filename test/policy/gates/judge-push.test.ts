/** Gates 3 and 4 by what they say. */
import { expect, test } from 'vitest';
import { judgePush, judgeRemote } from '../../../src/policy/gates/judge-push.ts';

const LOCAL = 'a'.repeat(40);

test.each([
  ['pushed', 'passed', '`x` was pushed.'],
  ['was-there', 'passed', '`x` was pushed before.'],
  ['moved', 'failed', '`x` was moved by somebody else, and was left as it is.'],
] as const)('gate 3 of a branch that was %s has %s', (pushed, result, sentence) => {
  expect(judgePush('x', pushed)).toEqual({ gate: '3', result, sentence, flags: [] });
});

test.each([
  [LOCAL, 'passed', '`x` is at aaaaaaa on GitHub, as here.'],
  ['b'.repeat(40), 'failed', '`x` is at bbbbbbb on GitHub and at aaaaaaa here.'],
  [undefined, 'failed', '`x` is not there on GitHub and at aaaaaaa here.'],
])('gate 4 of a branch at %s has %s', (remoteSha, result, sentence) => {
  expect(judgeRemote({ branch: 'x', localSha: LOCAL, remoteSha })).toEqual({
    gate: '4',
    result,
    sentence,
    flags: [],
  });
});
