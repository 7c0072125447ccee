/** Characters that a reader does not see: which they are, and how text is rid of them. */

/** Kinds of invisible characters, as they are counted and shown to people. */
export type InvisibleKind =
  | 'tag-character'
  | 'variation-selector'
  | 'bidi-control'
  | 'zero-width'
  | 'filler'
  | 'control-character';

/** Code point ranges with their kind, from Unicode 16 (Default_Ignorable_Code_Point, Bidi_Control, Cc). */
const RANGES: readonly (readonly [number, number, InvisibleKind])[] = [
  [0x00, 0x08, 'control-character'],
  [0x0b, 0x0c, 'control-character'],
  [0x0e, 0x1f, 'control-character'],
  [0x7f, 0x9f, 'control-character'],
  [0xad, 0xad, 'zero-width'],
  [0x034f, 0x034f, 'zero-width'],
  [0x061c, 0x061c, 'bidi-control'],
  [0x115f, 0x1160, 'filler'],
  [0x17b4, 0x17b5, 'filler'],
  [0x180b, 0x180f, 'variation-selector'],
  [0x200b, 0x200d, 'zero-width'],
  [0x200e, 0x200f, 'bidi-control'],
  [0x2028, 0x2029, 'control-character'],
  [0x202a, 0x202e, 'bidi-control'],
  [0x2060, 0x2065, 'zero-width'],
  [0x2066, 0x2069, 'bidi-control'],
  [0x206a, 0x206f, 'bidi-control'],
  [0x2800, 0x2800, 'filler'],
  [0x3164, 0x3164, 'filler'],
  [0xfe00, 0xfe0f, 'variation-selector'],
  [0xfeff, 0xfeff, 'zero-width'],
  [0xffa0, 0xffa0, 'filler'],
  [0xfff0, 0xfffb, 'control-character'],
  [0x1bca0, 0x1bca3, 'control-character'],
  [0x1d173, 0x1d17a, 'control-character'],
  [0xe0000, 0xe007f, 'tag-character'],
  [0xe0080, 0xe00ff, 'tag-character'],
  [0xe0100, 0xe01ef, 'variation-selector'],
  [0xe01f0, 0xe0fff, 'tag-character'],
];

/** One pass over these candidates keeps the common case (none) fast. */
const CANDIDATE = new RegExp(
  `[${RANGES.map(([from, to]) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`).join('')}]`,
  'gu',
);

/** Emoji need U+FE0F and U+200D; Arabic and Indic scripts need the joiners. */
const EMOJI_BEFORE = /(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}#*0-9]|\u{20e3})\u{fe0f}?$/u;
const EMOJI_AFTER = /^(?:\p{Extended_Pictographic}|\u{20e3})/u;
const JOINING =
  /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Oriya}\p{Script=Mongolian}]\p{M}{0,5}$/u;

/** The kind of one code point, or undefined when it can be seen. */
export function invisibleKind(codePoint: number): InvisibleKind | undefined {
  return RANGES.find(([from, to]) => codePoint >= from && codePoint <= to)?.[2];
}

function isWanted(codePoint: number, before: string, after: string): boolean {
  if (codePoint === 0xfe0f || codePoint === 0xfe0e) return EMOJI_BEFORE.test(before);
  if (codePoint === 0x200d)
    return (EMOJI_BEFORE.test(before) && EMOJI_AFTER.test(after)) || JOINING.test(before);
  return codePoint === 0x200c && JOINING.test(before);
}

/**
 * Removes every character that cannot be seen, and counts what it removed by kind.
 * Newlines and tabs stay, as do the joiners and selectors that emoji and joining scripts need.
 */
export function stripInvisible(text: string): {
  text: string;
  counts: Partial<Record<InvisibleKind, number>>;
} {
  const counts: Partial<Record<InvisibleKind, number>> = {};
  const stripped = text.replace(CANDIDATE, (character, offset: number) => {
    const codePoint = character.codePointAt(0) ?? 0;
    // The window is short and fixed, so that the whole pass stays linear.
    const before = text.slice(Math.max(0, offset - 6), offset);
    const after = text.slice(offset + character.length, offset + character.length + 4);
    if (isWanted(codePoint, before, after)) return character;
    const kind = invisibleKind(codePoint) ?? 'control-character';
    counts[kind] = (counts[kind] ?? 0) + 1;
    return '';
  });
  return { text: stripped.toWellFormed(), counts };
}
