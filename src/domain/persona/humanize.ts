/** Makes what a persona says read as if a person had written it, without touching what it says (NW-7). */
import type { Nodes, Root } from 'mdast';
import { EMPTY_SENTENCES, FILLERS, OPENINGS } from './humanize/canned.ts';
import {
  findEmoji,
  nextEmoji,
  NO_MESSAGES,
  type EmojiCounter,
  type EmojiPolicy,
} from './humanize/emoji.ts';
import { isProtected, protectedRanges, type Range } from './humanize/protected.ts';
import {
  applyEdits,
  flattenContainers,
  nodesOf,
  parseMarkdown,
  spanOf,
  type TextEdit,
} from '../markdown/markdown-tree.ts';

export interface HumanizeOptions {
  place: 'github' | 'chat';
  emoji: EmojiPolicy;
  /** Of this persona in this thread; the one that the previous message returned. */
  counter?: EmojiCounter;
}

export interface Humanized {
  text: string;
  /** To be kept for the next message. */
  counter: EmojiCounter;
}

/** Longer texts are no messages; they stay as they are. */
const MAX_CHARS = 65_536;
const MAX_BRACKETS = 4_000;
/** A message has one opening, rarely two. */
const MAX_OPENINGS = 6;

/**
 * Runs the whole pipeline: openings, empty sentences, filler, repetitions, emoji, and for chats plain text. Code,
 * paths, links, numbers, mentions, quotes and tables come out byte for byte. Text that would be empty is left alone.
 */
export function humanize(source: string, options: HumanizeOptions): Humanized {
  const { allows, counter } = nextEmoji(options.counter ?? NO_MESSAGES, options.emoji);
  const brackets = source.match(/[[\]]/g)?.length ?? 0;
  if (source.length > MAX_CHARS || brackets > MAX_BRACKETS) return { text: source, counter };
  const steps: Step[] = [
    ...Array.from({ length: MAX_OPENINGS }, () => OPENING),
    // Twice: what one filler hid can be the next.
    FILLER,
    FILLER,
    { edits: sentenceEdits },
    { isFor: hasEmoji, edits: (page) => emojiEdits(page, allows) },
    ...(options.place === 'chat' ? [HEADING, BULLET] : []),
  ];
  const text = steps.reduce(applyStep, flattenContainers(source));
  const tidied = text.trim();
  return { text: tidied === '' ? source : tidied, counter };
}

interface Page {
  source: string;
  root: Root;
  kept: readonly Range[];
}

interface Step {
  /** Whether a text is worth the parser's time. */
  isFor?: (source: string) => boolean;
  edits: (page: Page) => TextEdit[];
}

const OPENING: Step = { isFor: hasOpening, edits: openingEdits };
const FILLER: Step = { isFor: hasFiller, edits: fillerEdits };
const HEADING: Step = { isFor: (source) => /[#=-]/.test(source), edits: headingEdits };
const BULLET: Step = { isFor: (source) => /[-+*]/.test(source), edits: bulletEdits };

function applyStep(source: string, { isFor, edits }: Step): string {
  if (isFor?.(source) === false) return source;
  const root = parseMarkdown(source);
  if (root === undefined) return source;
  const page = { source, root, kept: protectedRanges(source, root) };
  const allowed = edits(page).filter((edit) => !isProtected(page.kept, edit));
  return allowed.length === 0 ? source : applyEdits(source, allowed);
}

function hasOpening(source: string): boolean {
  const text = source.trimStart();
  return OPENINGS.some((pattern) => pattern.test(text));
}

function hasFiller(source: string): boolean {
  return FILLERS.some(([pattern]) => source.search(pattern) !== -1);
}

function hasEmoji(source: string): boolean {
  return findEmoji(source).length > 0;
}

/** Running text, where sentences can be taken apart. */
function paragraphs({ root, kept }: Page): Nodes[] {
  return nodesOf(root).filter((node) => node.type === 'paragraph' && !isInside(kept, spanOf(node)));
}

/** Whether one protected range holds the whole of another: a paragraph of a quote. */
function isInside(kept: readonly Range[], { start, end }: Range): boolean {
  return kept.some((range) => range.start <= start && end <= range.end);
}

function openingEdits({ source, root }: Page): TextEdit[] {
  const first = root.children[0];
  if (first?.type !== 'paragraph') return [];
  const { start, end } = spanOf(first);
  const text = source.slice(start, end);
  const opening = OPENINGS.map((pattern) => pattern.exec(text)?.[0]).find((each) => each);
  if (opening === undefined || (opening.length === text.length && root.children.length === 1))
    return [];
  return [capitalising(source, { start, end: start + opening.length })];
}

/** Takes a range out; what follows begins a sentence, when a plain word follows. */
function capitalising(source: string, { start, end }: Range, text = ''): TextEdit {
  const next = /^[a-z](?=[a-z']*[ ,.!?])/.exec(source.slice(end, end + 40));
  const begins = text === '' && isSentenceStart(source, start);
  if (next === null || !begins) return { start, end, text };
  return { start, end: end + 1, text: next[0].toUpperCase() };
}

function isSentenceStart(source: string, at: number): boolean {
  return /(?:^|[.!?]\s{1,3}|\n\s{0,3})$/.test(source.slice(Math.max(0, at - 4), at));
}

interface Sentence extends Range {
  text: string;
}

/** Drops sentences that say nothing, and those that were said already. */
function sentenceEdits(page: Page): TextEdit[] {
  const seen = new Set<string>();
  return paragraphs(page).flatMap((node) => {
    const sentences = sentencesOf(page, spanOf(node));
    const dropped = sentences.filter((sentence) => {
      const key = sentence.text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
        .trim();
      const isRepeated = seen.has(key) && key.split(' ').length >= 3;
      seen.add(key);
      const isEmpty = EMPTY_SENTENCES.some((pattern) => pattern.test(sentence.text));
      return (isRepeated || isEmpty) && !isProtected(page.kept, sentence);
    });
    return withoutTrail(page.source, sentences, new Set(dropped));
  });
}

/** The blank before goes with the last sentence of a paragraph, and the blank after with any other. */
function withoutTrail(
  source: string,
  sentences: readonly Sentence[],
  dropped: ReadonlySet<Sentence>,
): TextEdit[] {
  const lastKept = sentences.findLastIndex((sentence) => !dropped.has(sentence));
  const kept = sentences[lastKept];
  const edits = sentences
    .slice(0, lastKept + 1)
    .filter((sentence) => dropped.has(sentence))
    .map(({ start, end }): TextEdit => ({ start, end, text: '' }));
  const end = sentences.at(-1)?.end ?? 0;
  if (lastKept === sentences.length - 1) return edits;
  const start = kept === undefined ? (sentences[0]?.start ?? end) : trimmedEnd(source, kept);
  return [...edits, { start, end, text: '' }];
}

function trimmedEnd(source: string, { start, end }: Range): number {
  return start + source.slice(start, end).trimEnd().length;
}

/** Sentences with the blank after them; a full stop inside a path or a number ends none. */
function sentencesOf({ source, kept }: Page, { start, end }: Range): Sentence[] {
  const sentences: Sentence[] = [];
  let from = start;
  for (const match of source.slice(start, end).matchAll(/(?<![.!?])[.!?]+(?:\s+|$)/g)) {
    const stop = start + match.index;
    const isFull = !isProtected(kept, { start: stop, end: stop + 1 });
    const next = stop + match[0].length;
    if (!isFull && next < end) continue;
    sentences.push({ start: from, end: next, text: source.slice(from, next).trim() });
    from = next;
  }
  if (from < end) sentences.push({ start: from, end, text: source.slice(from, end).trim() });
  return sentences;
}

function fillerEdits(page: Page): TextEdit[] {
  return paragraphs(page).flatMap((node) => {
    const { start, end } = spanOf(node);
    const text = page.source.slice(start, end);
    return FILLERS.flatMap(([pattern, plain]) =>
      Array.from(text.matchAll(pattern), (match) => {
        const range = { start: start + match.index, end: start + match.index + match[0].length };
        const isCapital = /^[A-Z]/.test(match[0]) && plain !== '';
        const word = isCapital ? plain.charAt(0).toUpperCase() + plain.slice(1) : plain;
        return capitalising(page.source, range, word);
      }),
    );
  });
}

function emojiEdits({ source, kept }: Page, allows: 'none' | 'face' | 'any'): TextEdit[] {
  let isTaken = allows === 'none';
  return findEmoji(source).flatMap(({ start, end, isFace }): TextEdit[] => {
    if (isProtected(kept, { start, end })) return [];
    const fits = !isTaken && (allows === 'any' || isFace);
    isTaken ||= fits;
    return fits ? [] : [{ start, end, text: '' }];
  });
}

/** A heading becomes a line of its own. */
function headingEdits({ source, root }: Page): TextEdit[] {
  return nodesOf(root).flatMap((node): TextEdit[] => {
    if (node.type !== 'heading') return [];
    const { start, end } = spanOf(node);
    const raw = source.slice(start, end);
    const mark = /^#{1,6}[ \t]*/.exec(raw)?.[0];
    if (mark !== undefined) return [{ start, end: start + mark.length, text: '' }];
    const underline = /\n[ \t]*(?:=+|-+)[ \t]*$/.exec(raw);
    return underline === null ? [] : [{ start: start + underline.index, end, text: '' }];
  });
}

/** A list becomes lines. One with blocks of code in it stays, because its indentation belongs to the code. */
function bulletEdits({ source, root }: Page): TextEdit[] {
  return root.children.flatMap((list): TextEdit[] => {
    if (list.type !== 'list') return [];
    const inside = nodesOf({ type: 'root', children: [list] });
    if (inside.some(({ type }) => type === 'code' || type === 'html' || type === 'table'))
      return [];
    return [
      ...inside.flatMap((node) => (node.type === 'listItem' ? bulletEdit(source, node) : [])),
      ...inside.flatMap((node) => (node.type === 'paragraph' ? indentEdits(source, node) : [])),
    ];
  });
}

function bulletEdit(source: string, item: Nodes): TextEdit[] {
  const { start } = spanOf(item);
  const lineStart = source.lastIndexOf('\n', start - 1) + 1;
  const mark = /^[-+*][ \t]+(?:\[[ xX]\][ \t]+)?/.exec(source.slice(start, start + 40))?.[0];
  return mark === undefined || source.slice(lineStart, start).trim() !== ''
    ? []
    : [{ start: lineStart, end: start + mark.length, text: '' }];
}

/** Without its bullet a line's indentation would make it code. */
function indentEdits(source: string, paragraph: Nodes): TextEdit[] {
  const { start, end } = spanOf(paragraph);
  const lineStart = source.lastIndexOf('\n', start - 1) + 1;
  const edits: TextEdit[] =
    start > lineStart && source.slice(lineStart, start).trim() === ''
      ? [{ start: lineStart, end: start, text: '' }]
      : [];
  for (const match of source.slice(start, end).matchAll(/\n([ \t]+)/g)) {
    const at = start + match.index + 1;
    edits.push({ start: at, end: at + (match[1] ?? '').length, text: '' });
  }
  return edits;
}
