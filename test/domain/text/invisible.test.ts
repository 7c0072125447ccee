/** Which characters nobody sees, each range to its ends, and what excuses one of them. */
import { describe, expect, test } from 'vitest';
import {
  codePointName,
  countHidden,
  countTold,
  findInvisible,
  invisibleKind,
  replaceInvisible,
  stripForModel,
  stripInvisible,
  type InvisibleKind,
} from '../../../src/domain/text/invisible.ts';
import { verifies } from '../../verifies.ts';

/** Runs of code points of one kind, as `from-to kind`. */
function runs(): string[] {
  const found: string[] = [];
  let from = 0;
  let kind: InvisibleKind | undefined;
  for (let at = 0; at <= 0x11_00_00; at += 1) {
    const next = at === 0x11_00_00 ? undefined : invisibleKind(at);
    if (next === kind) continue;
    if (kind !== undefined) found.push(`${codePointName(from)}-${codePointName(at - 1)} ${kind}`);
    [from, kind] = [at, next];
  }
  return found;
}

verifies(
  'INJ-02: zero-width characters',
  'each range of invisible characters ends where it should',
  () => {
    expect(runs()).toEqual([
      'U+0000-U+0008 control-character',
      'U+000B-U+000C control-character',
      'U+000E-U+001F control-character',
      'U+007F-U+009F control-character',
      'U+00AD-U+00AD zero-width',
      'U+034F-U+034F zero-width',
      'U+061C-U+061C bidi-control',
      'U+115F-U+1160 filler',
      'U+17B4-U+17B5 filler',
      'U+180B-U+180F variation-selector',
      'U+200B-U+200D zero-width',
      'U+200E-U+200F bidi-control',
      'U+2028-U+2029 control-character',
      'U+202A-U+202E bidi-control',
      'U+2060-U+2065 zero-width',
      'U+2066-U+206F bidi-control',
      'U+2800-U+2800 filler',
      'U+3164-U+3164 filler',
      'U+FE00-U+FE0F variation-selector',
      'U+FEFF-U+FEFF zero-width',
      'U+FFA0-U+FFA0 filler',
      'U+FFF0-U+FFFB control-character',
      'U+13430-U+1343F control-character',
      'U+1BCA0-U+1BCA3 control-character',
      'U+1D173-U+1D17A control-character',
      'U+E0000-U+E00FF tag-character',
      'U+E0100-U+E01EF variation-selector',
      'U+E01F0-U+E0FFF tag-character',
    ]);
  },
);

test('what is searched for is exactly what has a kind', () => {
  const points = Array.from({ length: 0x11_00_00 }, (_, at) => at);
  const different = points.filter((at) => {
    if (at >= 0xd8_00 && at <= 0xdf_ff) return false;
    const isFound = findInvisible(`a${String.fromCodePoint(at)}`).length === 1;
    return isFound !== (invisibleKind(at) !== undefined);
  });
  expect(different.map(codePointName)).toEqual([]);
});

const FAMILY = '\u{1f468}\u200d\u{1f469}';

describe('a language or an emoji excuses', () => {
  test.each([
    ['the text style of an emoji', '\u2764\ufe0e'],
    ['the emoji style of an emoji', '\u2764\ufe0f'],
    ['a keycap', '1\ufe0f\u20e3'],
    ['a keycap of a hash', '#\ufe0f\u20e3'],
    ['joined emoji', FAMILY],
    ['joined emoji after a style', '\u2764\ufe0f\u200d\u{1f525}'],
    ['joined emoji after a skin tone', '\u{1f468}\u{1f3fd}\u200d\u{1f4bb}'],
    ['a non-joiner between Persian letters', '\u0645\u06cc\u200c\u062e'],
    ['a joiner after a Devanagari vowel sign', '\u0915\u094d\u200d\u0937'],
    ['a joiner after five marks of no script', `\u0915${'\u0301'.repeat(5)}\u200d\u0937`],
    ['a joiner after five marks', `\u0915${'\u093e'.repeat(5)}\u200d\u0937`],
    ['a word break between Thai letters', '\u0e01\u200b\u0e02'],
    ['the first form of a Chinese character', '\u845b\u{e0100}'],
    ['the last form of a Chinese character', '\u845b\u{e01ef}'],
    ['the first form of a Mongolian letter', '\u1820\u180b'],
    ['the last form of a Mongolian letter', '\u1820\u180f'],
    ['the flag of Wales', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}'],
  ])('%s', (_, text) => {
    expect(findInvisible(text)).toEqual([]);
    expect(stripInvisible(text)).toEqual({ text, counts: {} });
    expect(replaceInvisible(text, () => '?')).toBe(text);
  });
});

describe('nothing excuses', () => {
  test.each([
    ['a style after a letter', 'a\ufe0f', 1],
    ['another selector after an emoji', '\u2764\ufe0d', 1],
    ['the text style of a keycap', '1\ufe0e\u20e3', 1],
    ['the emoji style of a digit alone', '1\ufe0f2', 1],
    ['a joiner after an emoji and before a letter', '\u{1f468}\u200da', 1],
    ['a non-joiner between emoji', '\u{1f468}\u200c\u{1f469}', 1],
    ['a joiner between Latin letters', 'a\u200db', 1],
    ['a break after a joining letter', '\u0645\u200bb', 1],
    ['a word break with Thai on one side', '\u0e01\u200bb', 1],
    ['a non-joiner between Thai letters', '\u0e01\u200c\u0e02', 1],
    ['a form after a Latin letter', 'a\u{e0100}', 1],
    ['a tag after a Chinese character', '\u845b\u{e00ff}', 1],
    ['the tag behind the last form of one', '\u845b\u{e01f0}', 1],
    ['a Mongolian form after a Chinese character', '\u845b\u180b', 1],
    ['a second selector', '\u2764\ufe0f\ufe0f', 1],
    ['a direction mark between emoji', '\u{1f468}\u200e\u{1f469}', 1],
    ['a direction mark between Persian letters', '\u06cc\u200e\u062e', 1],
    ['a Mongolian vowel separator, which is no letter', '\u180e\u180b', 2],
  ])('%s', (_, text, count) => {
    expect(findInvisible(text)).toHaveLength(count);
  });
});

test('a finding says which character it is, of which kind, and where', () => {
  expect(findInvisible('ab\u202ec\u{e0041}')).toEqual([
    { codePoint: 0x202e, kind: 'bidi-control', at: 2 },
    { codePoint: 0xe0041, kind: 'tag-character', at: 4 },
  ]);
  expect([codePointName(0xad), codePointName(0xe0041)]).toEqual(['U+00AD', 'U+E0041']);
  expect(replaceInvisible('a\u200bb', (codePoint) => `[${codePoint}]`)).toBe('a[8203]b');
});

test('a model gets no invisible character, and only what nothing excuses is counted', () => {
  const flag = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}';
  expect(stripForModel(`${FAMILY}${flag}\u200b\u200bx\u202e`)).toEqual({
    text: '\u{1f468}\u{1f469}\u{1f3f4}x',
    counts: { 'zero-width': 2, 'bidi-control': 1 },
  });
  // Halves of a character do not meet where what is between them goes.
  expect(stripForModel('\ud83d\u200b\ude00').text).toBe('\ufffd\ufffd');
});

test('every kind but control characters is reported to people', () => {
  const each = {
    'tag-character': 1,
    'variation-selector': 2,
    'bidi-control': 4,
    'zero-width': 8,
    filler: 16,
    'control-character': 32,
  };
  expect([countTold(each), countHidden(each)]).toEqual([31, 63]);
  expect([countTold({}), countHidden({})]).toEqual([0, 0]);
});
