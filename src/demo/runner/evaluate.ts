/** Expressions of workflows, by GitHub's own parser and evaluator. */
import { data, Evaluator, Lexer, Parser } from '@actions/expressions';

export type Contexts = Readonly<Record<string, unknown>>;

/** What came of the jobs or steps before: `success()` and its sisters ask for it. */
export interface StatusBefore {
  isFailed: boolean;
  isCancelled: boolean;
}

const STATUS = /\b(?:success|failure|always|cancelled)\s*\(/;

/** Whether a job or step runs. A condition that does not mention the status implies `success()`. */
export function evaluateCondition(
  condition: string | undefined,
  contexts: Contexts,
  before: StatusBefore,
): boolean {
  const bare = (condition ?? '')
    .trim()
    .replace(/^\$\{\{([\s\S]*)\}\}$/, '$1')
    .trim();
  const isFine = !before.isFailed && !before.isCancelled;
  if (bare === '') return isFine;
  const asked = STATUS.test(bare) ? bare : `success() && (${bare})`;
  return isTruthy(evaluate(asked, contexts, before));
}

function isTruthy(value: data.ExpressionData): boolean {
  const text = value.coerceString();
  return text !== '' && text !== 'false' && text !== '0';
}

/** Replaces each `${{ … }}` of a text. */
export function interpolate(text: string, contexts: Contexts): string {
  const before = { isFailed: false, isCancelled: false };
  const [head = '', ...parts] = text.split('${{');
  const replaced = parts.map((part) => {
    const end = part.indexOf('}}');
    if (end === -1) return `\${{${part}`;
    const value = evaluate(part.slice(0, end).trim(), contexts, before).coerceString();
    return value + part.slice(end + 2);
  });
  return head + replaced.join('');
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
