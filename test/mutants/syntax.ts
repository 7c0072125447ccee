/** The syntax tree of a source file, as far as mutants need it. */
import { parse } from '@babel/parser';

export interface Node {
  type: string;
  start: number;
  end: number;
  line: number;
  /** As the parser made it. */
  raw: Record<string, unknown>;
  /** From the file down to its parent. */
  parents: readonly Node[];
}

/** Parts that hold values all the same. */
const TYPED_VALUES = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']);

/** Every node that has a value at run time: types and imports are left out. */
export function nodesOf(source: string): Node[] {
  const { program } = parse(source, { sourceType: 'module', plugins: ['typescript'] });
  const nodes: Node[] = [];
  visit(program, [], nodes);
  return nodes;
}

function visit(value: unknown, parents: readonly Node[], nodes: Node[]): void {
  if (Array.isArray(value)) return value.forEach((each) => visit(each, parents, nodes));
  const node = toNode(value, parents);
  if (node === undefined || isErased(node)) return;
  nodes.push(node);
  const below = [...parents, node];
  for (const [key, child] of Object.entries(node.raw))
    if (!isName(node, key)) visit(child, below, nodes);
}

export function toNode(value: unknown, parents: readonly Node[] = []): Node | undefined {
  if (value === null || typeof value !== 'object' || !('type' in value) || !('loc' in value))
    return undefined;
  const { type, start, end, loc } = value as {
    type: string;
    start: number;
    end: number;
    loc: { start: { line: number } };
  };
  return { type, start, end, line: loc.start.line, raw: { ...value }, parents };
}

function isErased({ type, raw }: Node): boolean {
  if (type.startsWith('TS')) return !TYPED_VALUES.has(type);
  return type === 'ImportDeclaration' || raw['exportKind'] === 'type';
}

/** Names of fields, and where a module comes from, are no values. */
function isName({ type, raw }: Node, key: string): boolean {
  if (key === 'key') return raw['computed'] !== true;
  if (key === 'loc' || key === 'extra') return true;
  return key === 'source' && type.startsWith('Export');
}

/** The field or variable that an expression names last, as `kind` of `event.data.kind`. */
export function lastName(value: unknown): string | undefined {
  const node = toNode(value);
  if (node === undefined) return undefined;
  if (node.type === 'Identifier') return String(node.raw['name']);
  if (node.type === 'StringLiteral') return String(node.raw['value']);
  return node.type.endsWith('MemberExpression') ? lastName(node.raw['property']) : undefined;
}
