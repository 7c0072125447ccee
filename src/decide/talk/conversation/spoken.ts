/** The sentences of a comment that its author speaks: without quotes, code and HTML. */
import type { Nodes } from 'mdast';
import {
  bluntOpeners,
  flattenContainers,
  parseMarkdown,
} from '../../../domain/markdown/markdown-tree.ts';

/** GitHub takes no longer comment. */
const MAX_CHARS = 65_536;
/** Brackets are costly to the parser and address nobody. */
const MAX_BRACKETS = 2_000;
const SILENT = new Set<Nodes['type']>(['blockquote', 'code', 'inlineCode', 'html', 'definition']);

/** Plain sentences in their order. Empty for text too hostile to be parsed. */
export function spokenSentences(markdown: string): string[] {
  const source = markdown.slice(0, MAX_CHARS);
  if ((source.match(/[[\]]/g)?.length ?? 0) > MAX_BRACKETS) return [];
  const root = parseMarkdown(bluntOpeners(flattenContainers(source)));
  if (root === undefined) return [];
  return root.children.flatMap((block) =>
    textOf(block)
      .split(/(?<=[.!?\u2026])\s+|\n+/)
      .map((sentence) => sentence.trim())
      .filter((sentence) => sentence !== ''),
  );
}

function textOf(node: Nodes): string {
  if (SILENT.has(node.type)) return ' ';
  if (node.type === 'text') return node.value;
  if (node.type === 'break') return '\n';
  if (!('children' in node)) return ' ';
  const isFlow = node.type === 'list' || node.type === 'listItem' || node.type === 'table';
  return node.children.map(textOf).join(isFlow ? '\n' : '');
}
