/** The prose in a file: paragraphs of a document; strings, comments and titles of tests of a source file. */
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
  const { program } = readSource(source);
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (!isNode(node)) return;
    found.push(...textOf(node));
    for (const [key, value] of Object.entries(node)) if (!isComment(key)) visit(value);
  };
  visit(program);
  return found.filter((text) => PROSE.test(text));
}

const readSource = (source: string) =>
  parse(source, { sourceType: 'module', plugins: ['typescript'] });

/** Comments of a TypeScript source, without their markers. Lines that follow each other are one; code is one word. */
export function commentsOf(source: string): string[] {
  const { comments } = readSource(source);
  const blocks = (comments ?? []).reduce<Block[]>((before, { type, value, loc }) => {
    const [start, end] = [loc?.start.line ?? 0, loc?.end.line ?? 0];
    const last = before.at(-1);
    if (type === 'CommentBlock' || last?.end !== start - 1)
      return [...before, { text: wordsOf(value), end }];
    return [...before.slice(0, -1), { text: `${last.text} ${wordsOf(value)}`, end }];
  }, []);
  return blocks.map(({ text }) => text);
}

interface Block {
  text: string;
  /** Line of its end. */
  end: number;
}

function wordsOf(comment: string): string {
  return (
    comment
      .replaceAll(/^\s*\*+ ?/gm, '')
      // A tag begins a sentence of its own, which has no capital.
      .replaceAll(/^@\w+/gm, '. Tag')
      .replaceAll(/`[^`]*`|\{@link [^}]*\}/g, 'Code')
      .replaceAll(/\s+/g, ' ')
      .trim()
  );
}

const TITLED = /^(?:test|it|describe|verifies)$/;

/** Titles of tests and their groups; what a template fills in shows as `…`. */
export function titlesOf(source: string): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (!isNode(node)) return;
    if (node.type === 'CallExpression' && TITLED.test(calledName(node['callee'])))
      found.push(...(node['arguments'] as Node[]).flatMap(textOf));
    for (const [key, value] of Object.entries(node)) if (!isComment(key)) visit(value);
  };
  visit(readSource(source).program);
  return found.filter((text) => PROSE.test(text));
}

/** The `test` of `test(…)`, `test.only(…)` and `test.each(…)(…)`. */
function calledName(node: unknown): string {
  if (!isNode(node)) return '';
  if (node.type === 'Identifier') return String(node['name']);
  if (node.type === 'MemberExpression') return calledName(node['object']);
  return node.type === 'CallExpression' ? calledName(node['callee']) : '';
}

function textOf(node: Node): string[] {
  if (node.type === 'StringLiteral') return [String(node['value'])];
  return node.type === 'TemplateLiteral' ? [quasisOf(node).join('…')] : [];
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
