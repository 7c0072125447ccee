/** The prose in a file: paragraphs of a document, strings of a source file that hold more than one word. */
import { parse } from '@babel/parser';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { Nodes, PhrasingContent } from 'mdast';

/** Code counts as one word, whatever is in it; with a capital it may begin a sentence. */
function plainText(node: PhrasingContent): string {
  if (node.type === 'inlineCode') return 'Code';
  if (node.type === 'text') return node.value;
  if (node.type === 'break') return ' ';
  return 'children' in node ? node.children.map(plainText).join('') : '';
}

/** The paragraphs, headings and table cells of a Markdown document, without code blocks and HTML. */
export function paragraphsOf(markdown: string): string[] {
  const visit = (node: Nodes): string[] => {
    if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell')
      return [node.children.map(plainText).join('').replaceAll(/\s+/g, ' ')];
    return 'children' in node ? node.children.flatMap(visit) : [];
  };
  return visit(
    fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }),
  );
}

/** A string is prose when words follow each other: no path, no key, no pattern. */
const PROSE = /\p{L}{2,} \p{L}/u;

/** Strings of a TypeScript source that people may read; what a template fills in shows as `…`. */
export function stringsOf(source: string): string[] {
  const { program } = parse(source, { sourceType: 'module', plugins: ['typescript'] });
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (!isNode(node)) return;
    if (node.type === 'StringLiteral') found.push(String(node['value']));
    if (node.type === 'TemplateLiteral') found.push(quasisOf(node).join('…'));
    for (const [key, value] of Object.entries(node)) if (!isComment(key)) visit(value);
  };
  visit(program);
  return found.filter((text) => PROSE.test(text));
}

interface Node extends Record<string, unknown> {
  type: string;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function quasisOf(node: Node): string[] {
  const quasis = node['quasis'] as { value: { cooked: string } }[];
  return quasis.map(({ value }) => value.cooked);
}

function isComment(key: string): boolean {
  return key === 'leadingComments' || key === 'trailingComments' || key === 'innerComments';
}
