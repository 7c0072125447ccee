/** Takes from Markdown everything that a reader of the rendered page does not see, and counts it by kind. */
import type { Nodes } from 'mdast';
import { isHiding, readHtml } from '../markdown/html-tokens.ts';
import type { HtmlToken } from '../markdown/html-tokens.ts';
import { invisibleKind, stripInvisible } from './invisible.ts';
import {
  applyEdits,
  bluntOpeners,
  flattenContainers,
  nodesOf,
  parseMarkdown,
  spanOf,
} from '../markdown/markdown-tree.ts';
import type { TextEdit } from '../markdown/markdown-tree.ts';

/** GitHub takes no longer body; anything beyond it did not come from there. */
export const VISIBLE_TEXT_CAP = 65_536;
/** Removing something can bring the next thing to light; text that goes on like this is an attack. */
const MAX_PASSES = 5;
/** Alternative texts, fence infos and attributes as long as this can carry a message. */
const NOTABLE = 60;
const MAX_BLANK_RUN = 200;

export interface VisibleText {
  /** Markdown that renders to the same page, without what the page does not show. Never longer than the input. */
  text: string;
  /** How many hidden things of each kind were removed. */
  hidden: Record<string, number>;
  /** Characters left out at the end because of the cap. */
  cut: number;
}

/**
 * Reduces Markdown to what a reader sees. Total, deterministic, idempotent, and linear in the input up to the cap.
 *
 * Removed and counted are comments, instructions, CDATA, unseen elements, link titles, unreferenced link definitions
 * and footnotes. So are tag characters, stray variation selectors, bidirectional controls, zero-width characters,
 * fillers and control characters. So is what carries long texts out of sight (alternative texts, attributes, fence
 * infos).
 */
export function visibleText(source: string, cap = VISIBLE_TEXT_CAP): VisibleText {
  const hidden: Record<string, number> = {};
  const kept = source.length > cap ? source.slice(0, cap).toWellFormed() : source;
  let text = kept;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const next = removeHidden(text, hidden);
    if (next === text) return { text, hidden, cut: source.length - kept.length };
    text = next;
  }
  return { text: flatten(text, hidden), hidden, cut: source.length - kept.length };
}

function count(hidden: Record<string, number>, kind: string, times = 1): void {
  hidden[kind] = (hidden[kind] ?? 0) + times;
}

function removeHidden(source: string, hidden: Record<string, number>): string {
  const plain = withoutInvisible(source, hidden);
  const safe = bluntOpeners(flattenContainers(plain));
  const root = parseMarkdown(safe);
  if (root === undefined) return flatten(safe, hidden);
  const nodes = nodesOf(root);
  const edits = [...htmlEdits(nodes, safe), ...nodes.flatMap((node) => editsOf(node, safe, nodes))];
  for (const edit of edits) if (edit.kind !== undefined) count(hidden, edit.kind);
  return applyEdits(safe, edits);
}

function withoutInvisible(source: string, hidden: Record<string, number>): string {
  const stripped = stripInvisible(source);
  for (const [kind, times] of Object.entries(stripped.counts)) count(hidden, kind, times);
  return stripped.text.replaceAll(new RegExp(`[ \\t\\u00a0]{${MAX_BLANK_RUN},}`, 'g'), () => {
    count(hidden, 'blank-run');
    return ' ';
  });
}

/** The last resort for text that keeps changing: nothing in it is markup any more. */
function flatten(source: string, hidden: Record<string, number>): string {
  const blunt: Readonly<Record<string, string>> = { '<': '(', '[': '(', ']': ')', '&': '+' };
  count(hidden, 'hostile-markup');
  return withoutInvisible(source, hidden)
    .replaceAll(/[<[\]&]/g, (character) => blunt[character] ?? '')
    .replaceAll(/[`~]/g, "'");
}

interface Referenced {
  links: Set<string>;
  footnotes: Set<string>;
}

const referencedIn = new WeakMap<Nodes[], Referenced>();

function referenced(nodes: Nodes[]): Referenced {
  const known = referencedIn.get(nodes);
  if (known !== undefined) return known;
  const found: Referenced = { links: new Set(), footnotes: new Set() };
  for (const node of nodes) {
    if (node.type === 'linkReference') found.links.add(node.identifier);
    if (node.type === 'footnoteReference') found.footnotes.add(node.identifier);
  }
  referencedIn.set(nodes, found);
  return found;
}

function editsOf(node: Nodes, source: string, nodes: Nodes[]): TextEdit[] {
  const span = spanOf(node);
  if (node.type === 'definition' || node.type === 'footnoteDefinition')
    return isShown(node, nodes)
      ? []
      : [{ ...span, text: '', kind: node.type === 'definition' ? 'link-definition' : 'footnote' }];
  if (node.type === 'image' || node.type === 'imageReference')
    return [imageEdit(span, node.alt ?? '')];
  if (node.type === 'link') return isCarrier(node.url, node.title) ? [linkEdit(node, source)] : [];
  if (node.type === 'code') return infoEdit(node, source);
  if (node.type === 'text') return entityEdits(source.slice(span.start, span.end), span.start);
  return [];
}

/** A definition counts for readers only through something that refers to it. */
function isShown(
  node: Extract<Nodes, { type: 'definition' | 'footnoteDefinition' }>,
  nodes: Nodes[],
): boolean {
  const { links, footnotes } = referenced(nodes);
  if (node.type === 'footnoteDefinition') return footnotes.has(node.identifier);
  return links.has(node.identifier) && !isCarrier(node.url, node.title);
}

/** An address or title that can carry words instead of an address. */
function isCarrier(url: string, title: string | null | undefined): boolean {
  if (typeof title === 'string' && title !== '') return true;
  return url.length > 500 || /^\s*(?:data|javascript|vbscript):/i.test(url);
}

function imageEdit(span: { start: number; end: number }, alt: string): TextEdit {
  const text = span.end - span.start < 7 ? '' : '(image)';
  return alt.length > NOTABLE ? { ...span, text, kind: 'image-text' } : { ...span, text };
}

/** Keeps the words of a link and drops the rest. */
function linkEdit(node: Extract<Nodes, { type: 'link' }>, source: string): TextEdit {
  const span = spanOf(node);
  const [first, last] = [node.children[0], node.children.at(-1)];
  const words =
    first === undefined || last === undefined
      ? ''
      : source.slice(spanOf(first).start, spanOf(last).end);
  return { ...span, text: words, kind: 'link-text' };
}

/** The text after the language on a fence is not shown. */
function infoEdit(node: Extract<Nodes, { type: 'code' }>, source: string): TextEdit[] {
  if (typeof node.meta !== 'string' || node.meta === '') return [];
  const { start, end } = spanOf(node);
  const line = source.slice(start, end).split('\n', 1)[0] ?? '';
  const fence = /^(`{3,}|~{3,})[ \t]*[^\s`]*/.exec(line);
  if (fence === null) return [];
  const edit = { start: start + fence[0].length, end: start + line.length, text: '' };
  return [node.meta.length > NOTABLE ? { ...edit, kind: 'fence-info' } : edit];
}

const ENTITY = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z]{2,24}));/g;
/** HTML's names for characters that are not seen. */
const UNSEEN_ENTITIES = new Set(
  'shy zwj zwnj lrm rlm ZeroWidthSpace NegativeVeryThinSpace NegativeThinSpace NegativeMediumSpace NegativeThickSpace NoBreak ApplyFunction af InvisibleTimes it InvisibleComma ic'.split(
    ' ',
  ),
);

function entityEdits(slice: string, offset: number): TextEdit[] {
  return Array.from(slice.matchAll(ENTITY), (match) => {
    const [, decimal, hex, name] = match;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    const kind = name === undefined ? entityKind(code) : nameKind(name);
    const start = offset + match.index;
    return kind === undefined ? undefined : { start, end: start + match[0].length, text: '', kind };
  }).filter((edit) => edit !== undefined);
}

function entityKind(code: number): string | undefined {
  return Number.isNaN(code) ? undefined : invisibleKind(code);
}

function nameKind(name: string): string | undefined {
  return UNSEEN_ENTITIES.has(name) ? 'zero-width' : undefined;
}

interface PlacedToken extends HtmlToken {
  source: string;
}

/** All HTML of a document as one sequence: an element may open in one node and close in another. */
function htmlEdits(nodes: readonly Nodes[], source: string): TextEdit[] {
  const tokens = nodes
    .filter((node) => node.type === 'html')
    .flatMap((node) => {
      const { start, end } = spanOf(node);
      const html = source.slice(start, end);
      return readHtml(html).map((token): PlacedToken => ({
        ...token,
        start: token.start + start,
        end: token.end + start,
        source: html.slice(token.start, token.end),
      }));
    });
  return [...hiddenRanges(tokens, source.length), ...tokens.map(tokenEdit)];
}

function hiddenRanges(tokens: readonly PlacedToken[], sourceEnd: number): TextEdit[] {
  const ranges: TextEdit[] = [];
  let open: { name: string; start: number; depth: number } | undefined;
  for (const token of tokens) {
    if (open === undefined) {
      if (isHiding(token)) open = { name: token.name, start: token.start, depth: 1 };
    } else if (token.name === open.name) {
      open.depth += token.kind === 'open' ? 1 : -1;
      if (open.depth === 0) {
        ranges.push({ start: open.start, end: token.end, text: '', kind: 'hidden-element' });
        open = undefined;
      }
    }
  }
  if (open !== undefined)
    ranges.push({ start: open.start, end: sourceEnd, text: '', kind: 'hidden-element' });
  return ranges;
}

const TOKEN_KINDS: Readonly<Record<HtmlToken['kind'], string | undefined>> = {
  comment: 'html-comment',
  instruction: 'instruction',
  cdata: 'cdata',
  declaration: 'declaration',
  open: undefined,
  close: undefined,
};

/** Texts that no reader sees in a tag; addresses and sizes are left aside. */
const CARRYING =
  /(?<![\w-])(?:alt|title|aria-[a-z]+|data-[\w-]+|content|value|placeholder|summary)\s*=\s*("[^"]*"|'[^']*')/gi;

function tokenEdit(token: PlacedToken): TextEdit {
  const { start, end } = token;
  const kind = TOKEN_KINDS[token.kind] ?? attributeKind(token.attributes);
  const text = replacementOf(token);
  return kind === undefined ? { start, end, text } : { start, end, text, kind };
}

function attributeKind(attributes: string): string | undefined {
  const carried = Array.from(attributes.matchAll(CARRYING), (match) => match[1] ?? '').join('');
  return carried.length > NOTABLE ? 'attribute-text' : undefined;
}

function replacementOf(token: PlacedToken): string {
  if (token.kind !== 'open') return '';
  if (token.name === 'br') return '\n';
  return token.name === 'img' && token.end - token.start >= 7 ? '(image)' : '';
}
