/**
 * A plan's body as blocks with line numbers. The grammar is CommonMark's with tables and two corrections, for bodies in
 * which people left out blank lines. A field such as `**Status:**` always begins a block. A `---` below text is a
 * separator and no underline, unless the text above it is a heading of a plan.
 */
import createMarkdown, { type MarkdownIt, type StateBlock, type Token } from 'markdown-it';
import { FIELDS, type FieldName } from '../plan.ts';

export type Block =
  | { kind: 'heading'; level: number; text: string; lines: Lines }
  | { kind: 'field'; name: FieldName; lines: Lines }
  /** A paragraph in a list; `depth` counts the lists around it, one more for all but an item's first paragraph. */
  | { kind: 'item'; text: string; depth: number; lines: Lines }
  | { kind: 'rule'; lines: Lines }
  | { kind: 'text'; lines: Lines };

/** Counted from 0, end excluded. */
export interface Lines {
  first: number;
  end: number;
}

/** `**Status:** x`, `**Status**: x` and the same with `__` or single marks. */
const FIELD = new RegExp(
  String.raw`^(\*\*|__|\*|_)[ \t]*(${FIELDS.join('|')})[ \t]*(?::[ \t]*\1|\1[ \t]*:)`,
  'i',
);
/** Headings that a plan is made of; only these may be underlined by exactly `---`. */
const PLAN_HEADING =
  /^[^\p{L}\p{N}[]*(?:(?:goal|context|tasks|verification)[^\p{L}\p{N}]*$|\[plan\]|task\s+#?\d+)/iu;
const UNDERLINE = /^(=+|-+)[ \t]*$/;

/** Name and length of the field that a line begins with, if it begins with one. */
export function matchField(line: string): { name: FieldName; length: number } | undefined {
  const match = FIELD.exec(line);
  const name = FIELDS.find((known) => known === match?.[2]?.toLowerCase());
  return match === null || name === undefined ? undefined : { name, length: match[0].length };
}

/** What a block need not wait for a blank line behind. */
const INTERRUPTS = ['paragraph', 'reference', 'blockquote', 'list', 'table'];
const MARKDOWN = createParser();

/**
 * Blocks in the order of the body. Content of quotes, code and HTML gives no blocks. Inside lists, fields and
 * paragraphs are blocks; headings are not.
 */
export function readPlanBlocks(source: string): Block[] {
  const blocks: Block[] = [];
  const tokens = MARKDOWN.parse(source, {});
  let quotes = 0;
  let items = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'blockquote_open') quotes += 1;
    if (token.type === 'blockquote_close') quotes -= 1;
    if (token.type === 'list_item_open') items += 1;
    if (token.type === 'list_item_close') items -= 1;
    const isFirst = tokens[index - 1]?.type === 'list_item_open';
    const depth = items === 0 || isFirst ? items : items + 1;
    const block = quotes > 0 ? undefined : toBlock(token, tokens[index + 1], depth);
    if (block !== undefined) blocks.push(block);
  }
  return blocks;
}

function toBlock(token: Token, next: Token | undefined, depth: number): Block | undefined {
  if (token.map === null) return undefined;
  const [first, end] = token.map;
  const lines = { first, end };
  const name = FIELDS.find((known) => known === token.info);
  if (token.type === 'plan_field' && name !== undefined) return { kind: 'field', name, lines };
  if (token.type === 'hr') return { kind: 'rule', lines };
  const text = next?.content ?? '';
  if (token.type === 'heading_open' && depth === 0)
    return { kind: 'heading', level: Number(token.tag.slice(1)), text, lines };
  if (token.type === 'paragraph_open')
    return depth > 0 ? { kind: 'item', text, depth, lines } : { kind: 'text', lines };
  return undefined;
}

function createParser(): MarkdownIt {
  const parser = createMarkdown('commonmark').enable('table');
  // Blocks are all that is wanted: reading what is inside them costs three times as much.
  parser.core.ruler.disable(['inline', 'text_join']);
  parser.block.ruler.before('table', 'plan_field', fieldRule, { alt: INTERRUPTS });
  parser.block.ruler.at('lheading', underlineRule, { alt: INTERRUPTS });
  return parser;
}

function lineAt(state: StateBlock, line: number): string {
  return state.src.slice(
    (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0),
    state.eMarks[line] ?? 0,
  );
}

/** Four columns more than the block around it make code. */
function isCode(state: StateBlock, line: number): boolean {
  return (state.sCount[line] ?? 0) - state.blkIndent >= 4;
}

type RuleArguments = [state: StateBlock, line: number, end: number, silent: boolean];

function fieldRule(...[state, line, , silent]: RuleArguments): boolean {
  if (isCode(state, line)) return false;
  const field = matchField(lineAt(state, line));
  if (field === undefined) return false;
  if (silent) return true;
  const token = state.push('plan_field', '', 0);
  token.info = field.name;
  token.map = [line, line + 1];
  state.line = line + 1;
  return true;
}

/** A heading of one line above its underline; one of a plan needs no blank line before it. */
function underlineRule(...[state, line, end, silent]: RuleArguments): boolean {
  const underline = underlineBelow(state, line, end);
  if (underline === undefined) return false;
  const text = lineAt(state, line).trim();
  const isOfPlan = PLAN_HEADING.test(text);
  if (!isOfPlan && (silent || underline === '---')) return false;
  if (silent) return true;
  const level = underline.startsWith('=') ? 1 : 2;
  state.push('heading_open', `h${level}`, 1).map = [line, line + 2];
  state.push('inline', '', 0).content = text;
  state.push('heading_close', `h${level}`, -1);
  state.line = line + 2;
  return true;
}

function underlineBelow(state: StateBlock, line: number, end: number): string | undefined {
  const below = line + 1;
  const isOutside = below >= end || (state.sCount[below] ?? 0) < state.blkIndent;
  if (isOutside || isCode(state, line) || isCode(state, below)) return undefined;
  return UNDERLINE.exec(lineAt(state, below))?.[1];
}
