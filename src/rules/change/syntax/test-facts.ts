/** What a syntax tree tells of tests: whether they assert anything, and where they wait. */
import {
  listChildNodes,
  FUNCTIONS,
  functionName,
  nameOfNode,
  nodesBelow,
  rootName,
  toNode,
  toNodes,
  toSpan,
} from './script-tree.ts';
import { isTestPath } from '../../../domain/repository/paths.ts';
import { importedPath } from './imports.ts';
import type { ScriptNode, Span } from './script-tree.ts';

export interface TestFacts extends Span {
  title: string;
  isAsserting: boolean;
}

const TEST_CALL = /^(?:it|test|verifies|specify)$/;
const ASSERTING_PART = /expect|assert|should|verif|check|must|throws|rejects|snapshot|matches/i;
const ASSERTING_NAME =
  /^(?:ok|equal|deepEqual|is|not|true|false|truthy|falsy|like|same|deepSame|pass|fail|plan|toBe|done)$|^(?:waitFor|(?:get|find)(?:All)?By)|^(?:run|do|test)(?:[A-Z]\w*)?(?:Test|Case|Scenario)s?$/i;

function soundsAsserting(name: string): boolean {
  return ASSERTING_PART.test(name) || ASSERTING_NAME.test(name);
}

/** Tests with a body, in no promised order. */
export function testsIn(nodes: readonly ScriptNode[], path: string): TestFacts[] {
  const asserting = new Set([...assertingFunctions(nodes), ...importedHelpers(nodes, path)]);
  return nodes.flatMap((node) => testOf(node, asserting));
}

function testOf(node: ScriptNode, asserting: ReadonlySet<string>): TestFacts[] {
  if (node.type !== 'CallExpression') return [];
  const callee = toNode(node.fields['callee']);
  if (!TEST_CALL.test(nameOfNode(callee) ?? '')) return [];
  const args = toNodes(node.fields['arguments']);
  const title = args.find(({ type }) => type === 'StringLiteral')?.fields['value'];
  const run = args.find(({ type }) => FUNCTIONS.has(type));
  const body = toNode(run?.fields['body']);
  const isEmpty = body?.type !== 'BlockStatement' || toNodes(body.fields['body']).length === 0;
  if (typeof title !== 'string' || body === undefined || isEmpty) return [];
  const names = namesBelow(body);
  const given = new Set(namesOf(toNodes(run?.fields['params'])));
  const isAsserting = names.some(
    (name) => soundsAsserting(name) || asserting.has(name) || given.has(name),
  );
  return [{ ...toSpan(node), title, isAsserting }];
}

/** What a test takes out of what it is given: `({ same, end }) =>`. */
function namesOf(params: readonly ScriptNode[]): string[] {
  return params.flatMap((param) =>
    toNodes(param.fields['properties']).flatMap(
      ({ fields }) => nameOfNode(toNode(fields['value'])) ?? [],
    ),
  );
}

/** What other files of tests lend: whether they assert is not seen from here. */
function importedHelpers(nodes: readonly ScriptNode[], path: string): string[] {
  return nodes.flatMap(({ type, fields }) => {
    const from = toNode(fields['source'])?.fields['value'];
    if (type !== 'ImportDeclaration' || typeof from !== 'string') return [];
    const target = importedPath(path, from);
    if (target === undefined || !isTestPath(target)) return [];
    return toNodes(fields['specifiers']).flatMap(
      (each) => nameOfNode(toNode(each.fields['local'])) ?? [],
    );
  });
}

function namesBelow(node: ScriptNode): string[] {
  return [...nodesBelow(node)].map((each) => nameOfNode(each) ?? '').filter((name) => name !== '');
}

/** Functions of the file that hold an assertion, by name. */
function assertingFunctions(nodes: readonly ScriptNode[]): Set<string> {
  const named = nodes.flatMap((node) => {
    const isFunction = FUNCTIONS.has(node.type);
    const init = node.type === 'VariableDeclarator' ? toNode(node.fields['init']) : undefined;
    const isVariable = init !== undefined && FUNCTIONS.has(init.type);
    const name = isFunction || isVariable ? functionName(node) : undefined;
    return name === undefined ? [] : [{ name, node }];
  });
  return new Set(
    named.filter(({ node }) => namesBelow(node).some(soundsAsserting)).map(({ name }) => name),
  );
}

/** Whose callbacks are a test's own steps, and not another side's answers. */
const STEPS =
  /^(?:t|it|test|describe|suite|context|specify|verifies|before|after|setup|teardown)$|^(?:before|after|it|test)(?:Each|All|[A-Z]\w*)$/;
const SLEEP = /^(?:sleep|delay|wait|waitForTimeout|setTimeout|pause)$/;
/** Shorter ones let something else have its turn. */
const LONG_MS = 500;

/** Where a test's own steps wait for half a second or more. A server of the test may be slow, and a limit is no wait. */
export function waitsIn(program: ScriptNode): Span[] {
  const found: Span[] = [];
  const stack = [program];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === 'AwaitExpression' && isLongSleep(toNode(node.fields['argument'])))
      found.push(toSpan(node));
    const isStep = node.type === 'CallExpression' && STEPS.test(rootName(node) ?? '');
    stack.push(...listChildNodes(node).filter(({ type }) => isStep || !FUNCTIONS.has(type)));
  }
  return found;
}

function isLongSleep(node: ScriptNode | undefined): boolean {
  if (node === undefined) return false;
  const args = toNodes(node.fields['arguments']);
  if (node.type === 'CallExpression') {
    const callee = toNode(node.fields['callee']);
    const name = nameOfNode(toNode(callee?.fields['property']) ?? callee) ?? '';
    return SLEEP.test(name) && args.some(({ fields }) => Number(fields['value']) >= LONG_MS);
  }
  // new Promise((resolve) => setTimeout(resolve, 2000))
  const isPromise = node.type === 'NewExpression' && rootName(node) === 'Promise';
  return isPromise && args.some((each) => [...nodesBelow(each)].some(isLongSleep));
}
