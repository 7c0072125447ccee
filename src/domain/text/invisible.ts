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
  [0x13430, 0x1343f, 'control-character'],
  [0x1bca0, 0x1bca3, 'control-character'],
  [0x1d173, 0x1d17a, 'control-character'],
  [0xe0000, 0xe007f, 'tag-character'],
  [0xe0080, 0xe00ff, 'tag-character'],
  [0xe0100, 0xe01ef, 'variation-selector'],
  [0xe01f0, 0xe0fff, 'tag-character'],
];

/** The three flags that are written with tag characters: England, Scotland and Wales. */
const FLAG =
  '\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}';
/** One pass over these candidates keeps the common case (none) fast. */
const CANDIDATE = new RegExp(
  `${FLAG}|[${RANGES.map(([from, to]) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`).join('')}]`,
  'gu',
);
const BLACK_FLAG = '\u{1f3f4}';

/**
 * What each of these may follow; what it may precede too, where that matters. Nothing else excuses it. Some invisible
 * characters count as letters of a script: they excuse no other one.
 */
const WANTED: readonly {
  from: number;
  to: number;
  after: RegExp;
  before?: RegExp;
}[] = [
  // Text and emoji style.
  { from: 0xfe0e, to: 0xfe0f, after: /\p{Extended_Pictographic}$/u },
  { from: 0xfe0f, to: 0xfe0f, after: /[#*0-9]$/, before: /^\u{20e3}/u },
  // Emoji that are made of several.
  {
    from: 0x200d,
    to: 0x200d,
    after: /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier})\u{fe0f}?$/u,
    before: /^\p{Extended_Pictographic}/u,
  },
  // Scripts in which a joiner changes how letters are shaped.
  {
    from: 0x200c,
    to: 0x200d,
    after:
      /(?!\p{Default_Ignorable_Code_Point})[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Oriya}\p{Script=Mongolian}]\p{M}{0,5}$/u,
  },
  // Scripts without spaces between words.
  {
    from: 0x200b,
    to: 0x200b,
    after:
      /(?!\p{Default_Ignorable_Code_Point})[\p{Script=Khmer}\p{Script=Thai}\p{Script=Lao}\p{Script=Myanmar}]$/u,
    before:
      /^(?!\p{Default_Ignorable_Code_Point})[\p{Script=Khmer}\p{Script=Thai}\p{Script=Lao}\p{Script=Myanmar}]/u,
  },
  // Forms of Chinese characters and of Mongolian letters.
  { from: 0xe0100, to: 0xe01ef, after: /\p{Script=Han}$/u },
  { from: 0x180b, to: 0x180f, after: /(?!\p{Default_Ignorable_Code_Point})\p{Script=Mongolian}$/u },
];

/** The kind of one code point, or undefined when it can be seen. */
export function invisibleKind(codePoint: number): InvisibleKind | undefined {
  return RANGES.find(([from, to]) => codePoint >= from && codePoint <= to)?.[2];
}

/** One invisible character that nothing excuses, and where it is. */
export interface Invisible {
  codePoint: number;
  kind: InvisibleKind;
  /** UTF-16 units before it. */
  at: number;
}

/**
 * Every invisible character of a text except those that a language or an emoji needs. Those are the selector of an
 * emoji, the joiners of emoji and of joining scripts, and word breaks of scripts without spaces. So are the forms of
 * Chinese and Mongolian characters, and three flags. Newlines and tabs are no such characters.
 */
export function findInvisible(text: string): Invisible[] {
  return Array.from(text.matchAll(CANDIDATE))
    .filter(({ 0: found, index }) => !isWanted(found, index, text))
    .map(({ 0: found, index }) => ({
      codePoint: found.codePointAt(0) ?? 0,
      kind: kindOf(found),
      at: index,
    }));
}

/** `U+202E`, as people name a character that they cannot see. */
export function codePointName(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
}

interface Stripped {
  text: string;
  /** How many characters of each kind were removed that nothing excuses. */
  counts: Partial<Record<InvisibleKind, number>>;
}

/** Puts something in the place of each character that {@link findInvisible} finds. */
export function replaceInvisible(text: string, by: (codePoint: number) => string): string {
  const source = text.toWellFormed();
  return source.replace(CANDIDATE, (found, offset: number) =>
    isWanted(found, offset, source) ? found : by(found.codePointAt(0) ?? 0),
  );
}

/** Text for people: without what they cannot see, but with what {@link findInvisible} excuses. */
export function stripInvisible(text: string): Stripped {
  return strip(text, (wanted) => wanted);
}

/**
 * Text for a model: without any invisible character. What languages and emoji need goes too, since a model reads on
 * without it and some could carry a message; only the rest is counted.
 */
export function stripForModel(text: string): Stripped {
  return strip(text, (wanted) => (wanted.startsWith(BLACK_FLAG) ? BLACK_FLAG : ''));
}

function strip(text: string, keep: (wanted: string) => string): Stripped {
  // Halves of a character would become one where what is between them goes.
  const source = text.toWellFormed();
  const counts: Stripped['counts'] = {};
  const stripped = source.replace(CANDIDATE, (found, offset: number) => {
    if (isWanted(found, offset, source)) return keep(found);
    const kind = kindOf(found);
    counts[kind] = (counts[kind] ?? 0) + 1;
    return '';
  });
  return { text: stripped, counts };
}

function isWanted(found: string, offset: number, source: string): boolean {
  if (found.startsWith(BLACK_FLAG)) return true;
  const codePoint = found.codePointAt(0) ?? 0;
  const excuses = WANTED.filter(({ from, to }) => codePoint >= from && codePoint <= to);
  if (excuses.length === 0) return false;
  // The window is short and fixed, so that the whole pass stays linear.
  const left = source.slice(Math.max(0, offset - 6), offset);
  const right = source.slice(offset + found.length, offset + found.length + 4);
  return excuses.some(({ after, before }) => after.test(left) && before?.test(right) !== false);
}

function kindOf(character: string): InvisibleKind {
  return invisibleKind(character.codePointAt(0) ?? 0) ?? 'control-character';
}

/** How many are reported: control characters are mostly colours and page breaks, and hide nothing. */
export function countTold(hidden: Readonly<Record<string, number>>): number {
  const told: readonly InvisibleKind[] = [
    'tag-character',
    'variation-selector',
    'bidi-control',
    'zero-width',
    'filler',
  ];
  return told.reduce((sum, kind) => sum + (hidden[kind] ?? 0), 0);
}

/** All that was counted, together. */
export function countHidden(hidden: Readonly<Record<string, number>>): number {
  return Object.values(hidden).reduce((sum, times) => sum + times, 0);
}
