/** Whose words about a head are kept, when somebody says another. */
import { describe, expect, test } from 'vitest';
import type { PullWord } from '../../src/domain/task/task.ts';
import { keepWord, pullWords } from '../../src/policy/pull-words.ts';

const HEAD = 'a'.repeat(40);
const OTHER_HEAD = 'b'.repeat(40);

function word(id: number, headSha = HEAD): PullWord {
  return { by: { id, login: `p${id}` }, headSha, at: `2026-06-01T00:00:0${id % 10}Z` };
}

function keptAfter(
  old: PullWord | undefined,
  next: PullWord,
  approvals?: PullWord[],
): PullWord[] | undefined {
  const run = { headSha: HEAD, ...(approvals && { approvals }) };
  keepWord(run, old, next);
  return run.approvals;
}

describe('a word about a head', () => {
  test('is kept when somebody else says the next one', () => {
    expect(keptAfter(word(1), word(2))).toEqual([word(1)]);
  });

  test('is kept when the same person speaks of another head next', () => {
    expect(keptAfter(word(1), word(1, OTHER_HEAD))).toEqual([word(1)]);
  });

  test('is replaced by what the same person says of the same head', () => {
    expect(keptAfter(word(1), { ...word(1), at: 'later' })).toBeUndefined();
  });

  test('is the first one, and there is nothing to keep', () => {
    expect(keptAfter(undefined, word(1))).toBeUndefined();
  });

  test('goes when it is about a head that is outdated', () => {
    expect(keptAfter(word(1, OTHER_HEAD), word(2))).toBeUndefined();
  });

  test('takes the place of what the same person said before, and removes outdated ones', () => {
    const before = [word(1), word(3), word(4, OTHER_HEAD)];
    const now = { ...word(1), at: 'later' };
    expect(keptAfter(now, word(2), before)).toEqual([word(3), now]);
  });

  test('is among the last 50 that are kept', () => {
    const before = Array.from({ length: 50 }, (_, n) => word(100 + n));
    const kept = keptAfter(word(1), word(2), before);
    expect(kept).toEqual([...before.slice(1), word(1)]);
    expect(keptAfter(word(1), word(2), before.slice(1))).toHaveLength(50);
  });
});

describe('all words', () => {
  test('are the newest of each person about each head', () => {
    const merge = { ...word(1), at: 'later' };
    const words = pullWords({
      approved: word(1),
      approvals: [word(2), word(1, OTHER_HEAD)],
      mergeWanted: merge,
    });
    expect(words).toEqual([merge, word(2), word(1, OTHER_HEAD)]);
  });

  test('are an empty list where nobody spoke', () => {
    expect(pullWords({})).toEqual([]);
  });
});
