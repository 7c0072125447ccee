/** The small mistakes that can be planted into a source file. */
import { toNode, type Node } from './syntax.ts';
import { otherWord, type Words } from './words.ts';

export interface Mutant {
  file: string;
  line: number;
  /** The text of that line. */
  code: string;
  start: number;
  end: number;
  /** The replacement; undefined where the statement is left out. */
  text: string | undefined;
  /** For people: was and is. */
  change: string;
}

interface Found {
  node: Node;
  text: string | undefined;
}

const SWAPPED: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
};

export function findMutants(
  file: string,
  { source, nodes, words }: { source: string; nodes: readonly Node[]; words: Words },
): Mutant[] {
  const found = nodes.flatMap((node) => [
    ...swapOperator(node, source),
    ...negate(node, source),
    ...changeLiteral(node, words),
    ...dropElement(node, source),
    ...dropCall(node),
  ]);
  const lines = source.split('\n').map((each) => each.trim());
  return found.map(({ node: { line, start, end }, text }) => {
    const was = shorten(source.slice(start, end));
    const change = text === undefined ? `left out: ${was}` : `${was} → ${shorten(text)}`;
    return { file, line, code: lines[line - 1] ?? '', start, end, text, change };
  });
}

function swapOperator(node: Node, source: string): Found[] {
  const { operator, left, right } = node.raw as { operator?: string; left?: Node; right?: Node };
  const isOperation = node.type === 'BinaryExpression' || node.type === 'LogicalExpression';
  const other = isOperation && operator !== undefined ? SWAPPED[operator] : undefined;
  if (other === undefined || left === undefined || right === undefined) return [];
  const between = source.slice(left.end, right.start).replace(operator ?? '', other);
  const text = source.slice(node.start, left.end) + between + source.slice(right.start, node.end);
  return [{ node, text }];
}

function negate({ type, raw }: Node, source: string): Found[] {
  if (type !== 'IfStatement' && type !== 'ConditionalExpression') return [];
  const node = toNode(raw['test']);
  // What compares is negated already where its operator is swapped.
  if (node === undefined || /^[!=]==$/.test(String(node.raw['operator']))) return [];
  return [{ node, text: `!(${source.slice(node.start, node.end)})` }];
}

function changeLiteral(node: Node, words: Words): Found[] {
  const { value } = node.raw;
  if (node.type === 'BooleanLiteral') return [{ node, text: String(value !== true) }];
  if (node.type === 'NumericLiteral')
    return [1, -1].map((by) => ({ node, text: String(Number(value) + by) }));
  const word = otherWord(node, words);
  return word === undefined ? [] : [{ node, text: `'${word}'` }];
}

function dropElement(node: Node, source: string): Found[] {
  if (node.type !== 'ArrayExpression') return [];
  const elements = (node.raw['elements'] as (Node | null)[]).filter((each) => each !== null);
  const texts = elements.map(({ start, end }) => source.slice(start, end));
  return texts.map((_, n) => ({ node, text: `[${texts.toSpliced(n, 1).join(', ')}]` }));
}

function dropCall(node: Node): Found[] {
  const expression = toNode(node.raw['expression']);
  if (node.type !== 'ExpressionStatement' || expression === undefined) return [];
  const called =
    expression.type === 'AwaitExpression' ? toNode(expression.raw['argument']) : expression;
  return called?.type.endsWith('CallExpression') === true ? [{ node, text: undefined }] : [];
}

const MOST = 70;

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > MOST ? `${line.slice(0, MOST)}…` : line;
}
