/**
 * Hides HTML comments from readers of a plan, because GitHub hides them from the people who approve it. Each is
 * replaced by spaces, so that every offset stays.
 */
import type { Nodes, Root } from 'mdast';
import { nodesOf, parseMarkdown, spanOf } from '../../markdown/markdown-tree.ts';
import type { Span } from '../plan.ts';

const OPENS = '<!--';
const CLOSES = '-->';
/** Behind a backslash it is text that is meant to be seen. */
const UNESCAPED = /(?<!\\)<!--/;

/** The text with spaces in place of its comments; line ends stay. */
export function maskComments(source: string): string {
  const first = source.indexOf(OPENS);
  if (first === -1) return source;
  // Our own marker ends most bodies: parsing a long plan for that alone takes ten times as long as reading it.
  if (isLastLine(source, first)) return source.slice(0, first) + ' '.repeat(source.length - first);
  const root = parseMarkdown(source);
  const spans = root === undefined ? scanComments(source) : commentsIn(root, source);
  let masked = '';
  let from = 0;
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (end <= from) continue;
    const begin = Math.max(start, from);
    masked += source.slice(from, begin) + source.slice(begin, end).replaceAll(/[^\r\n]/g, ' ');
    from = end;
  }
  return masked + source.slice(from);
}

function isLastLine(source: string, first: number): boolean {
  return /[\r\n]/.test(source[first - 1] ?? '') && !/[\r\n]/.test(source.slice(first));
}

function commentsIn(root: Root, source: string): Span[] {
  const nodes = nodesOf(root);
  return [...htmlComments(nodes, source), ...unclosedComments(nodes, source)];
}

/**
 * A browser reads the page and not its Markdown. A comment that one piece of HTML opens lasts until another one ends
 * it, whatever headings and lists are between. A `-->` in text is escaped, and ends nothing.
 */
function htmlComments(nodes: readonly Nodes[], source: string): Span[] {
  const spans: Span[] = [];
  let open: number | undefined;
  for (const { start, end } of nodes.filter(({ type }) => type === 'html').map(spanOf)) {
    let at = start;
    while (at < end) {
      const mark = source.indexOf(open === undefined ? OPENS : CLOSES, at);
      if (mark === -1 || mark >= end) break;
      if (open === undefined) [open, at] = [mark, mark + OPENS.length];
      else {
        at = mark + CLOSES.length;
        spans.push({ start: open, end: at });
        open = undefined;
      }
    }
  }
  return open === undefined ? spans : [...spans, { start: open, end: source.length }];
}

/** What an unclosed comment inside a line was meant to hide: the rest of its paragraph. */
function unclosedComments(nodes: readonly Nodes[], source: string): Span[] {
  const spans: Span[] = [];
  let blockEnd = 0;
  for (const node of nodes) {
    const { start, end } = spanOf(node);
    if (node.type === 'paragraph' || node.type === 'heading') blockEnd = end;
    const at = node.type === 'text' ? source.slice(start, end).search(UNESCAPED) : -1;
    if (at !== -1) spans.push({ start: start + at, end: blockEnd });
  }
  return spans;
}

/** For text that is too hostile to be parsed: from each mark to the next one that ends it. */
function scanComments(source: string): Span[] {
  return [...source.matchAll(/<!--[^]*?(?:-->|$)/g)].map(({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }));
}
