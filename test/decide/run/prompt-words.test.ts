/** What people said, as models read it: commands are orders to the App, and never evidence. */
import { expect } from 'vitest';
import { commentsContext, wordsOf } from '../../../src/decide/run/prompt/prompt-words.ts';
import { aComment, aView } from '../../helpers/an-issue.ts';
import { verifies } from '../../verifies.ts';

verifies('NW-10', 'no prompt has the commands of people, only what they say besides', () => {
  const view = aView({
    comments: [
      aComment({ body: '/pm approve' }),
      aComment({ body: '/PM deliberate\n\nTake the first sheet only.\n/pm status' }),
      aComment({ body: 'Read `/pm approve` in the manual.' }),
    ],
  });
  expect(wordsOf(view).map(({ body }) => body)).toEqual([
    'Take the first sheet only.',
    'Read `/pm approve` in the manual.',
  ]);
  const text = String(commentsContext(view, 'nonce0123456789ab'));
  expect(text).not.toMatch(/^ {0,3}\/pm/im);
});
