/** How weak a delimiter may be, and what a mixture of texts is trusted as. */
import { expect, test } from 'vitest';
import { lowestTrust, quarantine, type Trust } from '../../../src/domain/prompt/quarantine.ts';

test('a delimiter has sixteen letters and digits; signs do not count', () => {
  const wrap = (delimiter: string) =>
    quarantine({ source: 's', trust: 'stranger', text: 't' }, delimiter).block;
  expect(wrap('abcd-efgh-ijkl-mnop')).toContain('abcd-efgh-ijkl-mnop');
  expect(() => wrap('abcd-efgh-ijkl-mno')).toThrow(
    'A quarantine delimiter needs 16 letters and digits, this one has 15.',
  );
});

test('a label says what was hidden and what was cut, and nothing where there was nothing', () => {
  const delimiter = 'k3v9-x2m7-q8w4-z5t1';
  const head = (over: object) =>
    quarantine({ source: 's', trust: 'stranger', text: 'one two', ...over }, delimiter).block.split(
      '\n',
    )[0];
  expect(head({})).toBe(`<<<data ${delimiter} source="s" trust="stranger">>>`);
  expect(head({ most: 6, hidden: 1 })).toBe(
    `<<<data ${delimiter} source="s" trust="stranger" hidden-removed="1" characters-cut="1">>>`,
  );
  expect(head({ source: 'x'.repeat(201) })).toContain(`source="${'x'.repeat(200)}"`);
});

test.each<[Trust[], Trust]>([
  [[], 'stranger'],
  [['maintainer'], 'maintainer'],
  [['contributor'], 'contributor'],
  [['maintainer', 'contributor'], 'contributor'],
  [['contributor', 'stranger', 'maintainer'], 'stranger'],
])('what grew from texts of %j is trusted as of a %s', (trusts, lowest) => {
  expect(lowestTrust(trusts)).toBe(lowest);
});
