/** `/pm ok-to-run`: a person allows the tests of exactly one commit. */
import { expect, test } from 'vitest';
import type { MergeStanding } from '../../../../../src/domain/task/merge-view.ts';
import { mergeView } from '../../../../helpers/a-task.ts';
import { THREAD } from '../../../../helpers/play.ts';
import { verifies } from '../../../../verifies.ts';
import { say, type Came } from '../say-on-thread.ts';

const HEAD = 'a'.repeat(39) + 'b';

function allow(words: string, permission: 'write' | 'triage' = 'write'): Came {
  const { result } = mergeView({ pull: { headSha: HEAD } }) as { result: MergeStanding };
  const { pull, reviews, required } = result;
  const view = { merge: { pull, reviews, required }, permission };
  return say(words, { view, issue: { isPull: true } });
}

test('the tests are wanted for the head that was named in full', () => {
  const came = allow(`/pm ok-to-run ${HEAD.toUpperCase()}`);
  expect(came.effects).toEqual([{ kind: 'test-head', thread: THREAD, headSha: HEAD, by: 'ana' }]);
  expect(came.said).toBe(
    `The tests of the base run on \`${HEAD.slice(0, 12)}\`, in the sandbox; they have no credentials and no network. The check \`quorum / tests\` shows the result.`,
  );
});

verifies(
  ['CMD-13: who may', 'CMD-13: the whole commit, and the head'],
  'a short name of a commit, another commit and a lower role run nothing',
  () => {
    for (const [words, why] of [
      [`/pm ok-to-run ${HEAD.slice(0, 39)}`, 'Name the whole commit, all 40 characters of it.'],
      [`/pm ok-to-run ${'c'.repeat(40)}`, `The head of this pull request is \`${HEAD}\`.`],
    ] as const) {
      const came = allow(words);
      expect(came.effects).toEqual([]);
      expect(came.said).toContain(why);
    }
    expect(allow(`/pm ok-to-run ${HEAD}`, 'triage').effects).toEqual([]);
    const unread = say(`/pm ok-to-run ${HEAD}`, { issue: { isPull: true } });
    expect(unread.effects).toEqual([]);
  },
);
