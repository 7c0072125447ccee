/** What a syntax tree tells that lines do not: what is reached, used, long, empty, or asserted. */
import { isTestPath } from '../../../domain/repository/paths.ts';
import { declarationsIn } from './declarations.ts';
import {
  FUNCTIONS,
  functionName,
  nameOfNode,
  nodesBelow,
  parseScript,
  toNode,
  toNodes,
  toSpan,
} from './script-tree.ts';
import type { ScriptNode, ScriptTree, Span } from './script-tree.ts';
import { testsIn, waitsIn } from './test-facts.ts';
import type { TestFacts } from './test-facts.ts';

export interface ScriptFacts {
  /** Handlers of errors that do nothing and say nothing. */
  emptyCatches: readonly Span[];
  /** Statements behind one that always leaves. */
  unreachable: readonly Span[];
  unusedImports: readonly (Span & { name: string; isOnly: boolean })[];
  functions: readonly (Span & { name: string | undefined })[];
  tests: readonly TestFacts[];
  /** Where a test itself waits for a fixed time. */
  waits: readonly Span[];
  /** Statements that only declare: types, interfaces, overloads, schemas. */
  declarations: readonly Span[];
}

const LEAVES = new Set([
  'ReturnStatement',
  'ThrowStatement',
  'ContinueStatement',
  'BreakStatement',
]);
/** Code after such a statement that takes effect all the same, or does nothing. */
const HOISTED =
  /^(?:FunctionDeclaration|ClassDeclaration|EmptyStatement|BreakStatement|TS\w+|ExportNamedDeclaration|ImportDeclaration)$/;

/** Undefined when the text does not parse. Linear. */
export function readScriptFacts(text: string, path: string): ScriptFacts | undefined {
  const tree = parseScript(text, path);
  if (tree === undefined) return undefined;
  const nodes = [...nodesBelow(tree.root)];
  return {
    emptyCatches: emptyCatches(nodes, tree),
    unreachable: nodes.flatMap(unreachableIn),
    unusedImports: unusedImports(nodes, tree),
    functions: nodes
      .filter(({ type }) => FUNCTIONS.has(type))
      .map((node) => ({ ...toSpan(node), name: functionName(node) })),
    tests: isTestPath(path) ? testsIn(nodes, path) : [],
    waits: isTestPath(path) ? waitsIn(tree.root) : [],
    declarations: declarationsIn(tree.root),
  };
}

/** A block without statements and without a comment that says why. */
function isEmptyBlock(block: ScriptNode | undefined, { comments }: ScriptTree): boolean {
  if (block?.type !== 'BlockStatement' || toNodes(block.fields['body']).length > 0) return false;
  return !comments.some(({ start, end }) => start >= block.start && end <= block.end);
}

/** Letting go of something that may be gone already: nothing could be done about a failure. */
const LETTING_GO =
  /^(?:end|close|stop|destroy|kill|cancel|abort|terminate|disconnect|dispose|release|shutdown|unlink|unlinkSync|rm|rmSync|rollback|unlock)$/;

function emptyCatches(nodes: readonly ScriptNode[], tree: ScriptTree): Span[] {
  const forgiven = new Set(
    nodes
      .filter(({ type, fields }) => type === 'TryStatement' && onlyLetsGo(toNode(fields['block'])))
      .map(({ fields }) => toNode(fields['handler'])?.start),
  );
  return nodes
    .filter((node) => isEmptyHandler(node, tree) && !forgiven.has(node.start))
    .map(toSpan);
}

function onlyLetsGo(block: ScriptNode | undefined): boolean {
  const [only, ...others] = toNodes(block?.fields['body']);
  if (only?.type !== 'ExpressionStatement' || others.length > 0) return false;
  const expression = toNode(only.fields['expression']);
  const isAwait = expression?.type === 'AwaitExpression';
  return isLettingGo(isAwait ? toNode(expression.fields['argument']) : expression);
}

/** A statement that ends what a connection holds. */
const TAKING_BACK = /^\s*(?:rollback|unlisten|deallocate)\b/i;

function isLettingGo(node: ScriptNode | undefined): boolean {
  const isCall = node?.type === 'CallExpression' || node?.type === 'OptionalCallExpression';
  const callee = isCall ? toNode(node.fields['callee']) : undefined;
  if (LETTING_GO.test(nameOfNode(toNode(callee?.fields['property']) ?? callee) ?? '')) return true;
  return toNodes(isCall ? node.fields['arguments'] : []).some(
    ({ fields: { value } }) => typeof value === 'string' && TAKING_BACK.test(value),
  );
}

const KEPT = new Set(['Identifier', 'MemberExpression', 'OptionalMemberExpression']);

function isEmptyHandler(node: ScriptNode, tree: ScriptTree): boolean {
  if (node.type === 'CatchClause') return isEmptyBlock(toNode(node.fields['body']), tree);
  if (node.type !== 'CallExpression') return false;
  const callee = toNode(node.fields['callee']);
  const [handler] = toNodes(node.fields['arguments']);
  const isCatch = nameOfNode(toNode(callee?.fields['property'])) === 'catch';
  const promise = toNode(callee?.fields['object']);
  // A promise that is kept under a name is waited for elsewhere; this only says that somebody does.
  if (KEPT.has(promise?.type ?? '') || isLettingGo(promise)) return false;
  return (
    isCatch &&
    handler !== undefined &&
    FUNCTIONS.has(handler.type) &&
    isEmptyBlock(toNode(handler.fields['body']), tree)
  );
}

function unreachableIn(node: ScriptNode): Span[] {
  const body = toNodes(
    node.type === 'SwitchCase' ? node.fields['consequent'] : node.fields['body'],
  );
  const leaving = body.findIndex(({ type }) => LEAVES.has(type));
  if (leaving === -1) return [];
  const dead = body
    .slice(leaving + 1)
    .filter((each) => !HOISTED.test(each.type) && !isBareVar(each));
  const [first, last] = [dead[0], dead.at(-1)];
  return first === undefined || last === undefined
    ? []
    : [{ line: first.line, endLine: last.endLine }];
}

function isBareVar({ type, fields }: ScriptNode): boolean {
  if (type !== 'VariableDeclaration' || fields['kind'] !== 'var') return false;
  return toNodes(fields['declarations']).every((each) => toNode(each.fields['init']) === undefined);
}

/** Names that are imported and stand nowhere else, comments and types included. */
function unusedImports(
  nodes: readonly ScriptNode[],
  { comments }: ScriptTree,
): ScriptFacts['unusedImports'] {
  const imports = nodes.filter(({ type }) => type === 'ImportDeclaration');
  const specifiers = imports.flatMap((node) =>
    toNodes(node.fields['specifiers']).map((each) => ({
      node,
      local: toNode(each.fields['local']),
      each,
    })),
  );
  if (specifiers.length === 0) return [];
  const own = new Set(
    specifiers.flatMap(({ each, local }) => [
      each.start,
      local?.start ?? -1,
      toNode(each.fields['imported'])?.start ?? -1,
    ]),
  );
  const used = new Set<string>();
  for (const node of nodes) {
    const name = own.has(node.start) ? undefined : nameOfNode(node);
    if (name !== undefined) used.add(name);
  }
  const said = comments.map(({ text }) => text).join('\n');
  return specifiers.flatMap(({ node, local, each }) => {
    const name = nameOfNode(local);
    if (name === undefined || name === 'React' || used.has(name) || said.includes(name)) return [];
    return [
      {
        name,
        line: each.line,
        endLine: each.endLine,
        isOnly: toNodes(node.fields['specifiers']).length === 1 && node.line === node.endLine,
      },
    ];
  });
}
