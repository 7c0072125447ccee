/** What the humanizer never touches: code, links, paths, numbers, mentions and quoted words, as ranges of the source. */
import type { Nodes, Root } from 'mdast';
import { nodesOf, spanOf } from '../../markdown/markdown-tree.ts';

export interface Range {
  start: number;
  end: number;
}

const WHOLE = new Set<Nodes['type']>([
  'blockquote',
  'code',
  'definition',
  'footnoteDefinition',
  'footnoteReference',
  'html',
  'image',
  'imageReference',
  'inlineCode',
  'link',
  'linkReference',
  'table',
]);

/** In running text. Each is bounded, so that the search stays linear. */
const EXACT: readonly RegExp[] = [
  /"[^"\n]{1,400}"|\u201c[^\u201d\n]{1,400}\u201d|\u00ab[^\u00bb\n]{1,400}\u00bb|\u2018[^\u2019\n]{1,400}\u2019/g,
  // Straight single ones too, where they are no apostrophes.
  /(?<!\w)'[^'\n]{1,400}'(?!\w)/g,
  /https?:\/\/[^\s<>]{1,2000}/g,
  /(?:[\w.@~-]{1,100}\/){1,40}[\w.@#:-]{0,100}/g,
  /\b[\w-]{1,100}\.[a-z][a-z0-9]{0,9}\b/gi,
  /[@#/$]?\b[\w.,:%/-]{0,100}\d[\w.,:%/-]{0,100}/g,
  /@[\w-]{1,40}/g,
  /:[a-z0-9_+-]{1,40}:(?=\w)/gi,
];

/** Every range that stays as it is, in order and without overlaps. */
export function protectedRanges(source: string, root: Root): Range[] {
  const whole: Range[] = [];
  const words: Range[] = [];
  for (const node of nodesOf(root)) {
    if (WHOLE.has(node.type)) whole.push(spanOf(node));
    if (node.type === 'paragraph' || node.type === 'heading')
      words.push(...exactWords(source, spanOf(node)));
  }
  return merge([...whole, ...words]);
}

function exactWords(source: string, { start, end }: Range): Range[] {
  const text = source.slice(start, end);
  return EXACT.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), (match) => ({
      start: start + match.index,
      end: start + match.index + withoutStops(match[0]),
    })),
  );
}

/** A full stop after a number, a path or an address belongs to the sentence. */
function withoutStops(word: string): number {
  let { length } = word;
  while (length > 0 && '.,:!?'.includes(word.charAt(length - 1))) length -= 1;
  return length;
}

function merge(ranges: readonly Range[]): Range[] {
  const merged: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last === undefined || range.start >= last.end) merged.push({ ...range });
    else last.end = Math.max(last.end, range.end);
  }
  return merged.filter(({ start, end }) => end > start);
}

/** Whether a range touches any of the protected ones, which are in order. */
export function isProtected(ranges: readonly Range[], { start, end }: Range): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.end ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  const next = ranges[low];
  return next !== undefined && next.start < end;
}
