/** Markdown as GitHub reads it, as a tree with offsets: for edits that leave every other byte alone. */
import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { isTooMuchWork } from './markdown-work.ts';

/** Deeper containers than this are no text that people write; the parser's cost grows with the depth. */
const MAX_CONTAINERS = 24;

/** Replaces `[start, end)` of a source by `text`. `kind` says what was hidden there, when something was. */
export interface TextEdit {
  start: number;
  end: number;
  text: string;
  kind?: string;
}

/**
 * Emphasis does not matter for edits by offset, and pairing its markers is quadratic. With it, 64 kB of `*a_ ` took 17
 * s on two cores; without it, 0.1 s.
 */
const NO_EMPHASIS = { disable: { null: ['attention', 'strikethrough'] } };

/** Made once: a journal of 5,000 events parses thousands of short texts. */
const SYNTAX = [gfm(), NO_EMPHASIS];
const TREE = [gfmFromMarkdown()];

/**
 * Parses Markdown with GitHub's extensions, emphasis left as text; undefined when the text is too hostile to be
 * parsed.
 */
export function parseMarkdown(source: string): Root | undefined {
  if (isTooMuchWork(source)) return undefined;
  try {
    return fromMarkdown(source, {
      extensions: SYNTAX,
      mdastExtensions: TREE,
    });
  } catch {
    // The parser recurses on nesting: a stack that ran out is the text's fault, not a reason to stop.
    return undefined;
  }
}

/** Cuts container markers (`>`, list bullets) beyond a sane depth from the start of each line. */
export function flattenContainers(source: string): string {
  return source.replaceAll(
    /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))){25,}/gm,
    (prefix) => (prefix.match(/>|[-+*]|\d{1,9}[.)]/g) ?? []).slice(0, MAX_CONTAINERS).join(' '),
  );
}

/** What opens raw HTML and what ends it. An opener without an end makes the parser look through all that follows. */
const OPENERS: readonly (readonly [RegExp, string])[] = [
  [/<!--/g, '-->'],
  [/<\?/g, '?>'],
  [/<!\[CDATA\[/g, ']]>'],
  [/<![A-Za-z]/g, '>'],
];
/** People write a stray opener or two; each more costs a walk to the end. */
const MAX_UNCLOSED = 5;
/** What may stand before an opener that begins a block; such a one is read to the end once, and hides what follows. */
const BLOCK_START = /(?:^|\n)[ \t>*+\-\d.)]{0,100}$/;

/** Links and references that people write in one text. Each bracket more makes the parser look back over all of them. */
const MAX_BRACKETS = 2_000;
/** Logs and data in code blocks have more, and cost less: up to here they stay as they are. */
const MAX_BRACKETS_IN_ALL = 8_000;
const FENCE = /^ {0,3}(`{3,}|~{3,})([^]*)$/;

/** Blunts what is hostile by sheer number: openers that nothing closes (`<?` becomes `(?`), and brackets (`]` becomes `)`). */
export function bluntOpeners(source: string): string {
  return bluntBrackets(bluntHtml(source));
}

function bluntBrackets(source: string): string {
  if (countBrackets(source) <= MAX_BRACKETS) return source;
  const counts = { outside: 0, all: 0 };
  let fence: string | undefined;
  const lines = source.split('\n').map((line) => {
    const marks = FENCE.exec(line);
    const isFence = marks !== null && (fence === undefined || closes(fence, marks));
    if (isFence) fence = fence === undefined ? marks[1] : undefined;
    return bluntLine(line, counts, fence !== undefined);
  });
  return lines.join('\n');
}

function countBrackets(text: string): number {
  return text.match(/[[\]]/g)?.length ?? 0;
}

function closes(fence: string, [, marks = '', rest = '']: RegExpExecArray): boolean {
  return marks.startsWith(fence) && rest.trim() === '';
}

function bluntLine(
  line: string,
  counts: { outside: number; all: number },
  isCode: boolean,
): string {
  const here = countBrackets(line);
  counts.all += here;
  if (!isCode) counts.outside += here;
  const isTooMany = counts.all > MAX_BRACKETS_IN_ALL || (!isCode && counts.outside > MAX_BRACKETS);
  return isTooMany ? line.replaceAll('[', '(').replaceAll(']', ')') : line;
}

/** Blunts openers inside lines that nothing closes, beyond a sane number. */
function bluntHtml(source: string): string {
  return OPENERS.reduce((text, [opener, closer]) => {
    const closed = text.lastIndexOf(closer);
    let unclosed = 0;
    return text.replaceAll(opener, (match, offset: number) => {
      if (offset < closed || BLOCK_START.test(text.slice(Math.max(0, offset - 101), offset)))
        return match;
      unclosed += 1;
      return unclosed > MAX_UNCLOSED ? `(${match.slice(1)}` : match;
    });
  }, source);
}

/** Every node in document order, without recursion. */
export function nodesOf(root: Root): Nodes[] {
  const found: Nodes[] = [];
  const stack: Nodes[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    found.push(node);
    if ('children' in node) for (const child of node.children.toReversed()) stack.push(child);
  }
  return found;
}

/** A node's offsets in its source. */
export function spanOf(node: Nodes): { start: number; end: number } {
  return {
    start: node.position?.start.offset ?? 0,
    end: node.position?.end.offset ?? 0,
  };
}

/** Applies edits; one that overlaps an earlier one is left out. */
export function applyEdits(source: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (edit.start < at) continue;
    parts.push(source.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  parts.push(source.slice(at));
  return parts.join('');
}
