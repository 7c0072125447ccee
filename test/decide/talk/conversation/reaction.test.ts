/** Reactions in place of words: the mood of a comment, and what the role of the persona sends. */
import { expect, test } from 'vitest';
import { pickReaction, readMood } from '../../../../src/decide/talk/conversation/reaction.ts';
import { verifies } from '../../../verifies.ts';

test.each([
  ['Thanks, Maya!', 'thanks'],
  ['¡Muchas gracias!', 'thanks'],
  ['Danke, das hilft.', 'thanks'],
  ['Thanks, it is merged.', 'done'],
  ['Erledigt.', 'done'],
  ['C’est fait.', 'done'],
  ['Agreed.', 'agree'],
  ['Sounds good, exactly.', 'agree'],
  ['Einverstanden', 'agree'],
  ['Bye!', 'seen'],
  // No part of a word is a mood.
  ['Abandoned, unmerged and thankless', 'seen'],
] as const)('%j is %s', (text, mood) => {
  expect(readMood(text)).toBe(mood);
});

verifies(
  'NW-12: a reaction fits the mood',
  'a reaction fits the mood, from the pool of the role, as GitHub has it',
  () => {
    const pools = (role: string) =>
      (['done', 'thanks', 'agree', 'seen'] as const).map((mood) =>
        [0, 0.5, 0.999].map((chance) => pickReaction(role, mood, chance)),
      );
    expect(pools('Implementer')).toEqual([
      ['rocket', 'hooray', 'hooray'],
      ['heart', '+1', 'hooray'],
      ['+1', 'rocket', 'rocket'],
      ['eyes', '+1', '+1'],
    ]);
    // Reserved people send no hearts.
    expect(pools('Security Reviewer')[1]).toEqual(['+1', 'hooray', 'hooray']);
  },
);
