/** Turns a schema's complaints about a file into problems with line, expectation and the nearest key. */
import type { ErrorCode } from '../event/error-codes.ts';
import type { z } from 'zod';
import { nearest } from '../text/nearest.ts';
import { UNANSWERED_PROVIDER } from './config-limits.ts';
import { keysAt } from './schema-keys.ts';
import { fileProblem, isRecord } from './yaml.ts';
import type { FileProblem, YamlPath, YamlReading } from './yaml.ts';

type Issue = z.core.$ZodIssue;

interface Context {
  file: string;
  reading: YamlReading;
  schema: z.core.$ZodType;
}

/** Every complaint, in the order of the file. */
export function schemaProblems(context: Context, issues: readonly Issue[]): FileProblem[] {
  return issues
    .flatMap((issue) => toProblems(context, issue))
    .toSorted((a, b) => a.line - b.line || a.column - b.column);
}

function toProblems(context: Context, issue: Issue): FileProblem[] {
  const path = toPath(issue.path);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => unknownKey(context, path, key));
  if (issue.code === 'invalid_key')
    return [unknownKey(context, path.slice(0, -1), String(path.at(-1)))];
  if (issue.code === 'invalid_union') return [unionProblem(context, issue, path)];
  return [valueProblem(context, issue, path)];
}

function unknownKey(context: Context, parent: YamlPath, key: string): FileProblem {
  const path = [...parent, key];
  const known = keysAt(context.schema, parent);
  const hint = nearest(key, known);
  return {
    ...fileProblem(context.file, 'unknown-key', 'is not a known key'),
    ...context.reading.placeOf(path),
    key: path.join('.'),
    ...(known.length === 0 ? {} : { expected: `one of ${known.join(', ')}` }),
    ...(hint === undefined ? {} : { nearest: hint }),
  };
}

/** The branch of a union that the value came closest to says most. */
function unionProblem(
  context: Context,
  issue: Issue & { code: 'invalid_union' },
  path: YamlPath,
): FileProblem {
  const inner = issue.errors
    .filter((branch) =>
      branch.every((each) => each.code !== 'invalid_type' || each.path.length > 0),
    )
    .flat()[0];
  if (inner === undefined) return valueProblem(context, issue, path);
  const full = { ...inner, path: [...path, ...inner.path] };
  return toProblems(context, full)[0] ?? valueProblem(context, issue, path);
}

function valueProblem(context: Context, issue: Issue, path: YamlPath): FileProblem {
  const found = valueAt(context.reading.value, path);
  const choices = issue.code === 'invalid_value' ? issue.values.map(String) : [];
  const hint = typeof found === 'string' ? nearest(found, choices) : undefined;
  return {
    ...fileProblem(
      context.file,
      codeOf(issue, found),
      found === undefined ? 'is missing' : `is ${shown(found)}`,
    ),
    ...context.reading.placeOf(path),
    key: path.join('.'),
    expected: expectation(issue),
    ...(hint === undefined ? {} : { nearest: hint }),
  };
}

function codeOf(issue: Issue, found: unknown): ErrorCode {
  if (found === undefined) return 'missing-key';
  if (issue.code === 'invalid_value') return 'unknown-value';
  if (issue.code === 'invalid_type' || issue.code === 'invalid_union') return 'wrong-type';
  return issue.code === 'too_big' || issue.code === 'too_small' ? 'out-of-range' : 'bad-value';
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
};

function expectation(issue: Issue): string {
  if (issue.code === 'invalid_type') return TYPE_WORDS[issue.expected] ?? issue.expected;
  if (issue.code === 'invalid_value') {
    const offered = issue.values.filter((value) => value !== UNANSWERED_PROVIDER);
    return `${offered.length > 1 ? 'one of ' : ''}${offered.map(String).join(', ')}`;
  }
  if (issue.code === 'too_big') return `at most ${issue.maximum}${sizeWord(issue.origin)}`;
  if (issue.code === 'too_small') return `at least ${issue.minimum}${sizeWord(issue.origin)}`;
  if (issue.code === 'invalid_format' || issue.code === 'custom')
    return issue.message === 'Invalid URL' ? 'an https address' : issue.message;
  return 'another kind of value';
}

function sizeWord(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' entries' : '';
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (isRecord(value)) return 'a mapping';
  if (value === null) return 'empty';
  return JSON.stringify(typeof value === 'string' ? value.slice(0, 60) : value);
}

function toPath(path: readonly PropertyKey[]): YamlPath {
  return path.map((segment) => (typeof segment === 'symbol' ? String(segment) : segment));
}

function valueAt(value: unknown, path: YamlPath): unknown {
  let current = value;
  for (const segment of path) {
    if (Array.isArray(current)) current = current[Number(segment)];
    else if (isRecord(current) && Object.hasOwn(current, segment)) current = current[segment];
    else return undefined;
  }
  return current;
}
