/** Expressions of workflows, by GitHub's own parser and evaluator. */
import { data, Evaluator, Lexer, Parser } from '@actions/expressions';

export type Contexts = Readonly<Record<string, unknown>>;

/** What came of the jobs or steps before: `success()` and its sisters ask for it. */
export interface StatusBefore {
  isFailed: boolean;
  isCancelled: boolean;
}

const STATUS = new Set(['success', 'failure', 'always', 'cancelled']);

/** Whether a job or step runs. A condition that does not mention the status implies `success()`. */
export function evaluateCondition(
  condition: string | undefined,
  contexts: Contexts,
  before: StatusBefore,
): boolean {
  return isTruthy(evaluate(toFullCondition(condition), contexts, before));
}

/** The condition that GitHub evaluates: without a call that asks for the status, `success()` comes before it. */
export function toFullCondition(condition = ''): string {
  const bare = condition
    .trim()
    .replace(/^\$\{\{([\s\S]*)\}\}$/, '$1')
    .trim();
  if (bare === '') return 'success()';
  return asksForStatus(bare) ? bare : `success() && (${bare})`;
}

/** By its tokens: a text in quotes is no call. */
function asksForStatus(expression: string): boolean {
  const { tokens } = new Lexer(expression).lex();
  return tokens.some(
    ({ lexeme }, at) => STATUS.has(lexeme.toLowerCase()) && tokens[at + 1]?.lexeme === '(',
  );
}

function isTruthy(value: data.ExpressionData): boolean {
  const text = value.coerceString();
  return text !== '' && text !== 'false' && text !== '0';
}

const OPEN = '${{';
const CLOSE = '}}';

/**
 * Replaces each `${{ … }}` of a text.
 *
 * @throws Error for one that is not closed, and for what is no expression
 */
export function interpolate(text: string, contexts: Contexts): string {
  const before = { isFailed: false, isCancelled: false };
  let filled = '';
  let rest = text;
  for (let at = rest.indexOf(OPEN); at !== -1; at = rest.indexOf(OPEN)) {
    const from = at + OPEN.length;
    const end = endOfExpression(rest, from);
    const value = evaluate(rest.slice(from, end).trim(), contexts, before).coerceString();
    filled += rest.slice(0, at) + value;
    rest = rest.slice(end + CLOSE.length);
  }
  return filled + rest;
}

/** Two braces in quotes do not close it; a quote in quotes is written twice. */
function endOfExpression(text: string, from: number): number {
  let isQuoted = false;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "'") isQuoted = !isQuoted;
    else if (!isQuoted && text.startsWith(CLOSE, at)) return at;
  }
  throw new Error(`An expression is not closed: ${text.slice(from - OPEN.length)}`);
}

/** The same for each value. */
export function fillWith(
  texts: Readonly<Record<string, string>>,
  contexts: Contexts,
): Record<string, string> {
  const filled = Object.entries(texts).map(
    ([name, text]) => [name, interpolate(text, contexts)] as const,
  );
  return Object.fromEntries(filled);
}

function evaluate(expression: string, contexts: Contexts, before: StatusBefore) {
  const functions = statusFunctions(before);
  const { tokens } = new Lexer(expression).lex();
  const tree = new Parser(tokens, Object.keys(contexts), functions).parse();
  const pairs = Object.entries(contexts).map(([key, value]) => ({ key, value: toData(value) }));
  const known = new Map(functions.map((one) => [one.name, one]));
  return new Evaluator(tree, new data.Dictionary(...pairs), known).evaluate();
}

function toData(value: unknown): data.ExpressionData {
  if (typeof value === 'string') return new data.StringData(value);
  if (typeof value === 'number') return new data.NumberData(value);
  if (typeof value === 'boolean') return new data.BooleanData(value);
  if (Array.isArray(value)) return new data.Array(...value.map(toData));
  if (typeof value !== 'object' || value === null) return new data.Null();
  const pairs = Object.entries(value).map(([key, inner]) => ({ key, value: toData(inner) }));
  return new data.Dictionary(...pairs);
}

function statusFunctions({ isFailed, isCancelled }: StatusBefore) {
  const answers = {
    success: !isFailed && !isCancelled,
    failure: isFailed,
    always: true,
    cancelled: isCancelled,
  };
  return Object.entries(answers).map(([name, is]) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(is),
  }));
}
