/** Characters as people count them. */

const SEGMENTER = new Intl.Segmenter('en', { granularity: 'grapheme' });
const ENCODER = new TextEncoder();
/** The longest emoji take 40 bytes; what is longer is a letter with marks stacked on it. */
const MAX_GRAPHEME_BYTES = 100;

export function graphemesOf(text: string): string[] {
  return Array.from(SEGMENTER.segment(text), ({ segment }) => segment);
}

/** Length in UTF-8. */
export function utf8Length(text: string): number {
  return ENCODER.encode(text).length;
}

/** Letters under a heap of combining marks lose the marks, so that no single character outgrows a message. */
export function tameGraphemes(text: string): string {
  return graphemesOf(text.toWellFormed())
    .map((each) =>
      utf8Length(each) > MAX_GRAPHEME_BYTES
        ? String.fromCodePoint(each.codePointAt(0) ?? 0xfffd)
        : each,
    )
    .join('');
}

export interface Room {
  graphemes: number;
  bytes: number;
}

/** How many of the graphemes from `from` on fit; ends after a space where one is in the second half. */
export function fitting(all: readonly string[], from: number, room: Room): number {
  let bytes = 0;
  let count = 0;
  let space = 0;
  for (const each of all.slice(from, from + room.graphemes)) {
    bytes += utf8Length(each);
    if (bytes > room.bytes) break;
    count += 1;
    if (each.trim() === '') space = count;
  }
  const isAll = from + count >= all.length;
  return !isAll && space > count / 2 ? space : count;
}
