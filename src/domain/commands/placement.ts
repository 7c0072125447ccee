/** Where in a comment's Markdown a line is: only the start of a line in a top-level paragraph can be a command. */
import type { Nodes, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { IgnoredCode } from './command.ts';
import { isHiding, readHtml } from '../markdown/html-tokens.ts';
import { flattenContainers, nodesOf, spanOf } from '../markdown/markdown-tree.ts';
import { isTooMuchWork } from '../markdown/markdown-work.ts';

/** GitHub takes no longer comment. */
const MAX_CHARS = 65_536;

/** A top-level block, its lines from 0, both included. */
export interface Block {
  type: RootContent['type'];
  first: number;
  last: number;
  /** Whether it is inside an HTML element that was opened before it and not closed. */
  isInside: boolean;
}

/**
 * The first of two passes: blocks only. Whether a line belongs to a paragraph never depends on the content of other
 * lines. Leaving inline constructs out keeps a hostile comment from taking minutes. With them, 64 kB of `]` took 16 s
 * on two cores; without them, 0.1 s.
 */
const BLOCKS_ONLY = {
  disable: {
    null: [
      'attention',
      'autolink',
      'characterEscape',
      'characterReference',
      'codeText',
      'emailAutolink',
      'hardBreakEscape',
      'htmlText',
      'labelEnd',
      'labelStartImage',
      'labelStartLink',
      'protocolAutolink',
      'strikethrough',
      'wwwAutolink',
    ],
  },
};

/** Only brackets tell where such a section ends, and they are out of sight here: nothing below one is run. */
const CHARACTER_DATA = /^ {0,3}<!\[CDATA\[/;

/** The top-level blocks of a comment; undefined when it is too hostile to be parsed. */
export function readCommentBlocks(source: string): Block[] | undefined {
  const isCut = source.length > MAX_CHARS;
  const kept = source.slice(0, MAX_CHARS);
  // Brackets open nothing here but definitions, and those come to light in the second look.
  const parsed = parse(kept.replaceAll(/[[\]]/g, 'x'), BLOCKS_ONLY);
  if (parsed === undefined) return undefined;
  const lines = splitLines(kept);
  const html: string[] = [];
  const section = lines.findIndex((line) => CHARACTER_DATA.test(line));
  const blocks = parsed.map((node): Block => {
    const place = linesOf(node);
    const isInside = html.length > 0 || (section !== -1 && place.last >= section);
    const block = { ...place, type: node.type, isInside };
    follow(html, node.type, lines.slice(block.first, block.last + 1).join('\n'));
    return block;
  });
  // The last block may go on beyond the cut, and what ends it decides what it is.
  return isCut ? blocks.slice(0, -1) : blocks;
}

/** Lines as Markdown counts them. */
export function splitLines(source: string): string[] {
  return source.split(/\r\n|\n|\r/);
}

function parse(source: string, ...more: (typeof BLOCKS_ONLY)[]): RootContent[] | undefined {
  const flat = flattenContainers(source);
  if (isTooMuchWork(flat)) return undefined;
  try {
    return fromMarkdown(flat, {
      extensions: [gfm(), ...more],
      mdastExtensions: [gfmFromMarkdown()],
    }).children;
  } catch {
    // The parser recurses on nesting: a stack that ran out is the text's fault.
    return undefined;
  }
}

function linesOf(node: Nodes): { first: number; last: number } {
  return {
    first: (node.position?.start.line ?? 1) - 1,
    last: (node.position?.end.line ?? 1) - 1,
  };
}

/** Elements that quote, fold away, strike out or show as code what is in them. */
const CONTAINERS = new Set(
  'article blockquote center code dd del details div dl dt h1 h2 h3 h4 h5 h6 kbd li ol pre q s samp section strike sub summary sup table tbody td th tr tt ul var'.split(
    ' ',
  ),
);

/** Keeps track of the elements that a block leaves open. What a quote or a list opens ends with it. */
function follow(open: string[], type: Block['type'], raw: string): void {
  if (type !== 'html' && type !== 'paragraph' && type !== 'heading') return;
  const html = type === 'html' ? raw : raw.replaceAll(/`+[^`]*`+/g, '');
  for (const token of readHtml(html)) {
    if (token.kind === 'open' && (CONTAINERS.has(token.name) || isHiding(token)))
      open.push(token.name);
    if (token.kind !== 'close') continue;
    const at = open.lastIndexOf(token.name);
    if (at !== -1) open.splice(at);
  }
}

const PLACES: Readonly<Partial<Record<Nodes['type'], IgnoredCode>>> = {
  blockquote: 'quote',
  code: 'code',
  definition: 'definition',
  footnoteDefinition: 'definition',
  heading: 'heading',
  html: 'html',
  inlineCode: 'code',
  list: 'list',
  table: 'table',
};

/** Why nothing in a block can be a command; undefined for a top-level paragraph. */
export function refusalOf(block: Block): IgnoredCode | undefined {
  if (block.isInside) return 'html';
  return block.type === 'paragraph' ? undefined : (PLACES[block.type] ?? 'inline');
}

/** A paragraph with more of these signs than people write is not looked into: pairing them is quadratic. */
const MAX_SIGNS = 600;
const SIGNS = /[`*_~[\]<&!\\@]/g;
const MAX_PARAGRAPH = 20_000;

/**
 * The second pass, into one paragraph. For each of its lines: why its start is not running text, or undefined when it
 * is. It may be in a link, multi-line code, strike-through or a definition.
 *
 * @param lines - of the paragraph
 * @param wanted - indexes of lines that matter
 */
export function lookInto(
  lines: readonly string[],
  wanted: readonly number[],
): (IgnoredCode | undefined)[] {
  const source = lines.join('\n');
  const isHostile = source.length > MAX_PARAGRAPH || (source.match(SIGNS)?.length ?? 0) > MAX_SIGNS;
  const blocks = isHostile ? undefined : parse(source);
  if (blocks === undefined) return wanted.map(() => 'too-complex');
  const starts = startsOf(lines);
  return wanted.map((index) => {
    const line = lines[index] ?? '';
    return placeOf(blocks, (starts[index] ?? 0) + line.search(/\S|$/));
  });
}

function startsOf(lines: readonly string[]): number[] {
  let at = 0;
  return lines.map((line) => {
    const start = at;
    at += line.length + 1;
    return start;
  });
}

function placeOf(blocks: readonly RootContent[], offset: number): IgnoredCode | undefined {
  const block = blocks.find((each) => covers(each, offset));
  if (block?.type !== 'paragraph') return placeOfType(block);
  const part = block.children.find((each) => covers(each, offset));
  if (part?.type !== 'text') return placeOfType(part);
  const open: string[] = [];
  for (const node of nodesOf({ type: 'root', children: [block] }))
    if (node.type === 'html' && spanOf(node).start < offset) follow(open, 'html', node.value);
  return open.length > 0 ? 'html' : undefined;
}

function placeOfType(node: Nodes | undefined): IgnoredCode {
  return (node === undefined ? undefined : PLACES[node.type]) ?? 'inline';
}

function covers(node: Nodes, offset: number): boolean {
  const { start, end } = spanOf(node);
  return start <= offset && offset < end;
}
