/** Texts and titles that Quorum sent are recognised as GitHub shows them. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isOwnText, shownDigest, titleDigest } from '../../../src/domain/github/own-text.ts';
import { shortText, TITLE_LIMIT, toShownText } from '../../../src/domain/text/cap-body.ts';

test.each(['Support <details> in notes', `Rename ${'x'.repeat(300)}`, 'Say hello '])(
  'a title is recognised as GitHub shows it: %s',
  (title) => {
    expect(isOwnText(shortText(title, TITLE_LIMIT), [titleDigest(title)])).toBe(true);
    expect(isOwnText('Mine', [titleDigest(title)])).toBe(false);
  },
);

test('any title and any text is recognised by its digest, and by no digest of another one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = [shortText(text, TITLE_LIMIT), toShownText(text)];
      const digests = [titleDigest(text), shownDigest(text)];
      expect(shown.map((each, at) => isOwnText(each, digests.slice(at, at + 1)))).toEqual([
        true,
        true,
      ]);
      expect(isOwnText(`${text}.`, [shownDigest(`${text}!`)])).toBe(false);
    }),
  );
});
