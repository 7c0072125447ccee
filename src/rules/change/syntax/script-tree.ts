/** Parses TypeScript and JavaScript, and walks the tree. Only where text would mislead: rules about lines do without. */
import { parse } from '@babel/parser';
import type { ParserPlugin } from '@babel/parser';
import { isRecord } from '../../../domain/config/yaml.ts';

/** A node of the tree, in Babel's words. */
export interface ScriptNode {
  type: string;
  /** Offsets into the text. */
  start: number;
  end: number;
  line: number;
  endLine: number;
  /** Everything else that the parser says of it. */
  fields: Readonly<Record<string, unknown>>;
}

export interface Span {
  line: number;
  endLine: number;
}

export function toSpan({ line, endLine }: ScriptNode): Span {
  return { line, endLine };
}

/** Types of nodes that are functions. */
export const FUNCTIONS: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ClassMethod',
  'ObjectMethod',
  'ClassPrivateMethod',
]);

export interface ScriptTree {
  root: ScriptNode;
  comments: readonly { start: number; end: number; text: string }[];
}

/** Beyond this a script is generated, or a bundle. */
const MAX_SCRIPT = 400_000;

/** Undefined for a text that does not parse: the change may be half done, or in a dialect. Never throws. */
export function parseScript(text: string, path: string): ScriptTree | undefined {
  if (text.length > MAX_SCRIPT) return undefined;
  try {
    const file = parse(text, {
      sourceType: 'unambiguous',
      attachComment: false,
      allowReturnOutsideFunction: true,
      allowUndeclaredExports: true,
      plugins: pluginsFor(path),
    });
    const root = toNode(file.program);
    if (root === undefined) return undefined;
    const comments = (file.comments ?? []).map(({ start, end, value }) => ({
      start: start ?? 0,
      end: end ?? 0,
      text: value,
    }));
    return { root, comments };
  } catch {
    // A syntax error is the compiler's to tell.
    return undefined;
  }
}

function pluginsFor(path: string): ParserPlugin[] {
  const isTyped = /\.[cm]?tsx?$/.test(path);
  const hasJsx = !/\.[cm]?ts$/.test(path);
  return [
    'decorators-legacy',
    ...(isTyped ? (['typescript'] as const) : []),
    ...(hasJsx ? (['jsx'] as const) : []),
  ];
}

/** A field's value as a node; undefined for any other value. */
export function toNode(value: unknown): ScriptNode | undefined {
  if (!isRecord(value)) return undefined;
  const { type, start, end, loc } = value;
  if (typeof type !== 'string' || typeof start !== 'number' || typeof end !== 'number')
    return undefined;
  return {
    type,
    start,
    end,
    line: lineIn(loc, 'start'),
    endLine: lineIn(loc, 'end'),
    fields: value,
  };
}

function lineIn(loc: unknown, side: 'start' | 'end'): number {
  const place = isRecord(loc) ? loc[side] : undefined;
  const line = isRecord(place) ? place['line'] : undefined;
  return typeof line === 'number' ? line : 1;
}

/** A field's value as nodes; empty when it is no list. */
export function toNodes(value: unknown): ScriptNode[] {
  if (!Array.isArray(value)) return [];
  return value.map(toNode).filter((node) => node !== undefined);
}

const NOT_CHILDREN = new Set(['loc', 'extra', 'errors', 'tokens', 'comments']);

/** A node and everything below it, in no promised order; without recursion. */
export function* nodesBelow(root: ScriptNode): Generator<ScriptNode> {
  const stack: ScriptNode[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    yield node;
    stack.push(...listChildNodes(node));
  }
}

/** The nodes right below one. */
export function listChildNodes({ fields }: ScriptNode): ScriptNode[] {
  return Object.entries(fields).flatMap(([key, value]) =>
    NOT_CHILDREN.has(key) ? [] : childrenIn(value),
  );
}

function childrenIn(value: unknown): ScriptNode[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return toNodes(value);
  const child = toNode(value);
  return child === undefined ? [] : [child];
}

/** The name of an identifier, plain or in JSX. */
export function nameOfNode(node: ScriptNode | undefined): string | undefined {
  const name = node?.fields['name'];
  return typeof name === 'string' ? name : undefined;
}

/** What a function is called, by its own name or the key that holds it. */
export function functionName({ fields }: ScriptNode): string | undefined {
  return nameOfNode(toNode(fields['id'])) ?? nameOfNode(toNode(fields['key']));
}

/** The first name of a chain: `test` of `test.each(rows)('…')`. */
export function rootName(node: ScriptNode | undefined): string | undefined {
  let at = node;
  while (at !== undefined && at.type !== 'Identifier')
    at = toNode(at.fields['callee']) ?? toNode(at.fields['object']) ?? toNode(at.fields['tag']);
  return nameOfNode(at);
}
