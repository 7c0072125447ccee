/** A comment's Markdown as text for a terminal: headings, tables, lists and folded sections as people expect them. */
import type { Nodes, PhrasingContent, Table } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { Paint } from './paint.ts';
import { renderTable, wrap } from './table.ts';

export interface CommentOptions {
  paint: Paint;
  columns: number;
  indent?: number;
  /** Shows what `<details>` folds away, unless it is open by itself. */
  unfold: boolean;
}

/** Renders a comment. Markers and other hidden text are left out, as on GitHub. */
export function renderComment(markdown: string, options: CommentOptions): string {
  const root = fromMarkdown(markdown, {
    extensions: [gfm()],
    mdastExtensions: [gfmFromMarkdown()],
  });
  const indent = ' '.repeat(options.indent ?? 0);
  const scope: Scope = { ...options, columns: options.columns - indent.length };
  const blocks = visibleBlocks(root.children, options.unfold)
    .map((node) => renderBlock(node, scope))
    .filter((text) => text !== '');
  return blocks
    .join('\n\n')
    .split('\n')
    .map((line) => `${indent}${line}`.trimEnd() + '\n')
    .join('');
}

type Scope = Omit<CommentOptions, 'indent'>;

/** Drops what is between `<details>` and its end, where it is folded. */
function visibleBlocks(nodes: readonly Nodes[], unfold: boolean): Nodes[] {
  let folded = false;
  return nodes.filter((node) => {
    const html = node.type === 'html' ? node.value : '';
    if (html.startsWith('</details>')) folded = false;
    const isShown = !folded;
    if (html.startsWith('<details>')) folded = !unfold;
    return isShown;
  });
}

function renderBlock(node: Nodes, scope: Scope): string {
  if (node.type === 'heading')
    return wrap(scope.paint.bold(inline(node.children, scope)), scope.columns).join('\n');
  if (node.type === 'paragraph') return wrapLines(inline(node.children, scope), scope.columns);
  if (node.type === 'table') return renderRows(node, scope);
  if (node.type === 'list') return node.children.map((item) => renderItem(item, scope)).join('\n');
  if (node.type === 'blockquote') return prefixed('│ ', node.children, scope);
  if (node.type === 'code') return node.value.replace(/^/gm, '    ');
  return node.type === 'html' ? renderHtml(node.value, scope) : '';
}

function wrapLines(text: string, columns: number): string {
  return text
    .split('\n')
    .flatMap((line) => wrap(line, columns))
    .join('\n');
}

function renderItem(item: Extract<Nodes, { type: 'listItem' }>, scope: Scope): string {
  const box = item.checked === true ? '☑ ' : item.checked === false ? '☐ ' : '• ';
  return prefixed(box, item.children, scope);
}

/** The first line gets the sign, those below stand under its text; a quote's sign is on each. */
function prefixed(sign: string, children: readonly Nodes[], scope: Scope): string {
  const inner = { ...scope, columns: scope.columns - sign.length };
  const rest = sign.startsWith('│') ? sign : ' '.repeat(sign.length);
  return children
    .map((child) => renderBlock(child, inner))
    .filter((text) => text !== '')
    .join('\n')
    .split('\n')
    .map((line, at) => (at === 0 ? sign : rest) + line)
    .join('\n');
}

function renderRows(table: Table, scope: Scope): string {
  const rows = table.children.map((row, at) =>
    row.children.map((cell) => {
      const text = inline(cell.children, scope);
      return at === 0 ? scope.paint.dim(text) : text;
    }),
  );
  return renderTable(rows, { columns: scope.columns }).trimEnd();
}

function renderHtml(html: string, { paint }: Scope): string {
  const summary = /<summary>(.*?)<\/summary>/s.exec(html)?.[1];
  return summary === undefined ? '' : paint.bold(`▸ ${withoutTags(summary)}`);
}

function inline(nodes: readonly PhrasingContent[], scope: Scope): string {
  const { paint } = scope;
  let isSmall = false;
  return nodes
    .map((node) => {
      if (node.type === 'html')
        isSmall = node.value === '<sub>' || (isSmall && node.value !== '</sub>');
      const text = renderPhrase(node, scope);
      return isSmall ? paint.dim(text) : text;
    })
    .join('');
}

function renderPhrase(node: PhrasingContent, scope: Scope): string {
  if (node.type === 'text') return node.value;
  if (node.type === 'inlineCode') return scope.paint.cyan(node.value);
  if (node.type === 'strong') return scope.paint.bold(inline(node.children, scope));
  if (node.type === 'break') return '\n';
  if (node.type === 'image') return node.alt ?? '';
  return 'children' in node ? inline(node.children, scope) : '';
}

function withoutTags(html: string): string {
  return html.replaceAll(/<[^<>]*>/g, '');
}
