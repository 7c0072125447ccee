/** Markdown becomes paragraphs and code that each channel shows in its own way. */
import type {
  BlockContent,
  Code,
  DefinitionContent,
  Image,
  List,
  Nodes,
  PhrasingContent,
  Table,
} from 'mdast';
import { bluntOpeners, flattenContainers, parseMarkdown } from '../../markdown/markdown-tree.ts';
import { readHtml } from '../../markdown/html-tokens.ts';
import { webLink, type Block, type Span } from './rich-text.ts';
import { splitEmphasis } from './split-emphasis.ts';

interface Place {
  quote: number;
  /** Spaces before an item of a list. */
  indent: string;
  definitions: ReadonlyMap<string, string>;
}

/** Comments and tags are left out; text that is too hostile to be parsed stays one plain paragraph. */
export function readMarkdown(markdown: string): Block[] {
  const source = markdown.toWellFormed();
  const root = parseMarkdown(bluntOpeners(flattenContainers(source)));
  if (root === undefined) return [{ kind: 'text', spans: [{ text: source }], quote: 0 }];
  const definitions = new Map<string, string>();
  for (const node of root.children)
    if (node.type === 'definition') definitions.set(node.identifier, node.url);
  return root.children.flatMap((node) => toBlocks(node, { quote: 0, indent: '', definitions }));
}

function toBlocks(node: Nodes, place: Place): Block[] {
  if (node.type === 'code') return [toCode(node)];
  if (node.type === 'table') return [{ kind: 'code', language: '', text: toTable(node, place) }];
  if (node.type === 'list') return toList(node, place);
  if (node.type === 'blockquote')
    return node.children.flatMap((child) => toBlocks(child, { ...place, quote: place.quote + 1 }));
  if (node.type === 'footnoteDefinition')
    return node.children.flatMap((child) => toBlocks(child, place));
  return text(toLeaf(node, place), place);
}

function toLeaf(node: Nodes, place: Place): Span[] {
  if (node.type === 'heading') return strong(toSpans(node.children, place));
  if (node.type === 'paragraph') return toSpans(node.children, place);
  if (node.type === 'thematicBreak') return [{ text: '———' }];
  return node.type === 'html' ? [{ text: withoutTags(node.value) }] : [];
}

function text(spans: readonly Span[], { quote }: Place): Block[] {
  const isEmpty = spans.every((span) => span.text.trim() === '' && span.url === undefined);
  return isEmpty ? [] : [{ kind: 'text', spans, quote }];
}

/** The info string may name the file: `ts src/a.ts`. */
function toCode({ value, lang, meta }: Code): Block {
  const name = toFileName(meta ?? '');
  const language = (lang ?? '').toLowerCase().slice(0, 30);
  return { kind: 'code', text: value, language, ...(name !== undefined && { name }) };
}

function toFileName(meta: string): string | undefined {
  const last =
    meta
      .slice(0, 200)
      .trim()
      .split(/[\s/\\=]/)
      .at(-1) ?? '';
  return /^[\w-][\w.-]{0,60}$/.test(last) && /\w\.\w/.test(last) ? last : undefined;
}

/** An item is one paragraph with a bullet; what else it holds follows. */
function toList(list: List, place: Place): Block[] {
  return list.children.flatMap((item, index) => {
    const bullet = list.ordered === true ? `${(list.start ?? 1) + index}.` : '•';
    const box =
      item.checked === undefined || item.checked === null ? bullet : item.checked ? '☑' : '☐';
    const inner = { ...place, indent: `${place.indent}    ` };
    const blocks = item.children.flatMap((child: BlockContent | DefinitionContent) =>
      toBlocks(child, inner),
    );
    const lead: Span = { text: `${place.indent}${box} ` };
    const [first, ...rest] = blocks;
    if (first?.kind !== 'text') return [...text([lead], place), ...blocks];
    return [{ ...first, spans: [lead, ...first.spans], isItem: true }, ...rest];
  });
}

function toTable(table: Table, place: Place): string {
  const rows = table.children.map((row) =>
    row.children.map((cell) => plain(toSpans(cell.children, place)).replaceAll(/\s+/g, ' ')),
  );
  const widths = rows.reduce<number[]>(
    (sofar, row) => row.map((cell, at) => Math.max(sofar[at] ?? 0, Math.min(cell.length, 60))),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join(' | ')
        .trimEnd(),
    )
    .join('\n');
}

function toSpans(nodes: readonly PhrasingContent[], place: Place): Span[] {
  return nodes.flatMap((node) => toSpan(node, place));
}

function toSpan(node: PhrasingContent, place: Place): Span[] {
  if (node.type === 'text') return splitEmphasis(node.value);
  if (node.type === 'inlineCode') return [{ text: node.value, isCode: true }];
  if (node.type === 'break') return [{ text: '\n' }];
  if (node.type === 'html') return [{ text: withoutTags(node.value) }];
  if (node.type === 'image') return [webLink(altOf(node), node.url)];
  if (node.type === 'link') return [webLink(plain(toSpans(node.children, place)), node.url)];
  if (node.type !== 'linkReference') return 'children' in node ? toSpans(node.children, place) : [];
  const url = place.definitions.get(node.identifier) ?? '';
  return [webLink(plain(toSpans(node.children, place)), url)];
}

function altOf({ alt }: Image): string {
  return alt === null || alt === undefined || alt === '' ? 'image' : alt;
}

function strong(spans: readonly Span[]): Span[] {
  return spans.map((span) => (span.isCode === true ? span : { ...span, isStrong: true }));
}

function plain(spans: readonly Span[]): string {
  return spans.map((span) => span.text).join('');
}

function withoutTags(html: string): string {
  let at = 0;
  let kept = '';
  for (const token of readHtml(html)) {
    kept += html.slice(at, token.start);
    at = Math.max(at, token.end);
  }
  return kept + html.slice(at);
}
