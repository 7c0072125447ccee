/** Reads YAML that strangers may have written: bounded, plain data only, every problem with its line and column. */
import type { ErrorCode } from '../event/error-codes.ts';
import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Document, YAMLError } from 'yaml';

/** Counted from 1. */
interface Place {
  line: number;
  column: number;
}

/** One thing wrong in a file, told so that a person can fix it. */
export interface FileProblem extends Place {
  file: string;
  /** Dotted path of the key, empty for the file as a whole. */
  key: string;
  code: ErrorCode;
  /** What is wrong, as a sentence. */
  message: string;
  /** What would be right, when that can be said. */
  expected?: string;
  /** The key or value that was probably meant. */
  nearest?: string;
  /** An error keeps the file from being used; a warning does not. */
  severity: 'error' | 'warning';
}

export interface YamlSource {
  file: string;
  text: string;
  /** Line of the file at which `text` starts, when it is a part of it. */
  firstLine?: number;
}

export type YamlPath = readonly (string | number)[];

export interface YamlReading {
  value: Record<string, unknown>;
  /** The place of a key, or of its nearest ancestor in the file. */
  placeOf: (path: YamlPath) => Place;
}

export type YamlResult =
  { ok: true; reading: YamlReading } | { ok: false; problems: FileProblem[] };

/** A configuration or front matter beyond this is a mistake or an attack. */
export const MAX_YAML_BYTES = 64 * 1024;
const MAX_ALIASES = 20;
const MAX_DEPTH = 32;
/** Nodes after expanding aliases. */
const MAX_NODES = 20_000;
const MAX_PROBLEMS = 20;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** Reads one mapping. Never throws; an empty text is an empty mapping. */
export function readYaml(source: YamlSource): YamlResult {
  const early = refuseEarly(source);
  if (early !== undefined) return { ok: false, problems: [early] };
  const lines = new LineCounter();
  const document = parseDocument(source.text.replace(/^\uFEFF/, ''), {
    lineCounter: lines,
    prettyErrors: false,
    strict: true,
    uniqueKeys: true,
    version: '1.2',
  });
  const at = (offset: number) => toPlace(source, lines, offset);
  const found = [...document.errors, ...document.warnings];
  const problems =
    found.length > 0
      ? found.map((error) => toProblem(source.file, error, at(error.pos[0])))
      : shapeProblems(source.file, document, at);
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, MAX_PROBLEMS) };
  return {
    ok: true,
    reading: {
      value: toRecord(document.toJS({ maxAliasCount: -1 })),
      placeOf: (path) => at(offsetOf(document, path)),
    },
  };
}

/** A problem of a whole file, at its first line. */
export function fileProblem(file: string, code: ErrorCode, message: string): FileProblem {
  return { file, key: '', code, message, line: 1, column: 1, severity: 'error' };
}

/** `file:line:column: key: message (did you mean …?)`, for terminals and logs. */
export function renderProblem(problem: FileProblem): string {
  const key = problem.key === '' ? '' : `\`${problem.key}\` `;
  const expected = problem.expected === undefined ? '' : `; expected ${problem.expected}`;
  const hint = problem.nearest === undefined ? expected : `; did you mean \`${problem.nearest}\`?`;
  return `${problem.file}:${problem.line}:${problem.column}: ${key}${problem.message}${hint}`;
}

function refuseEarly(source: YamlSource): FileProblem | undefined {
  const { file, text, firstLine = 1 } = source;
  if (Buffer.byteLength(text) > MAX_YAML_BYTES)
    return fileProblem(file, 'too-large', `has more than ${MAX_YAML_BYTES / 1024} KB of YAML`);
  const deep = tooDeepLine(text);
  if (deep === undefined) return undefined;
  const message = `nests more than ${MAX_DEPTH} levels`;
  return { ...fileProblem(file, 'too-deep', message), line: deep + firstLine - 1 };
}

/** Looks before the parser does, which recurses: a bound on levels by brackets and by `- - -`. */
function tooDeepLine(text: string): number | undefined {
  let brackets = 0;
  for (const [index, line] of text.split('\n').entries()) {
    const indicators = /^[\s?:-]*/.exec(line)?.[0].replace(/\s/g, '').length ?? 0;
    for (const character of line) {
      if (character === '[' || character === '{') brackets += 1;
      if (character === ']' || character === '}') brackets = Math.max(0, brackets - 1);
      if (brackets > MAX_DEPTH) return index + 1;
    }
    // `---` separates documents; more is a rule somebody drew or a bomb, and neither is data.
    if (indicators > MAX_DEPTH) return index + 1;
  }
  return undefined;
}

type Complain = (node: unknown, code: ErrorCode, message: string) => FileProblem;

/** What is wrong with the tree though the syntax is right. */
function shapeProblems(
  file: string,
  document: Document,
  at: (offset: number) => Place,
): FileProblem[] {
  const { contents } = document;
  const complain: Complain = (node, code, message) => ({
    ...fileProblem(file, code, message),
    ...at(startOf(node)),
  });
  if (contents === null || (isScalar(contents) && contents.value === null)) return [];
  if (!isMap(contents))
    return [complain(contents, 'not-a-mapping', 'must be a mapping of keys to values')];
  const problems: FileProblem[] = [];
  let aliases = 0;
  for (const step of walk(contents, 0)) {
    if (step.depth > MAX_DEPTH)
      return [complain(step.node, 'too-deep', `nests more than ${MAX_DEPTH} levels`)];
    if (isAlias(step.node)) aliases += 1;
    problems.push(...stepProblems(step, document, complain));
  }
  const isTooFar = aliases > MAX_ALIASES || expandedSize(contents, document, new Map()) > MAX_NODES;
  if (!isTooFar) return problems;
  const message = `has more than ${MAX_ALIASES} aliases, or they expand to more than ${MAX_NODES} values`;
  return [...problems, complain(contents, 'too-many-aliases', message)];
}

function stepProblems({ node, key }: Step, document: Document, complain: Complain): FileProblem[] {
  const problems: FileProblem[] = [];
  if (isAlias(node) && node.resolve(document) === undefined)
    problems.push(
      complain(node, 'unknown-alias', `names \`${node.source}\`, which is not defined above`),
    );
  const fault = key === undefined ? undefined : keyFault(key);
  if (fault !== undefined) problems.push(complain(key, 'bad-key', fault));
  return problems;
}

interface Step {
  node: unknown;
  key: unknown;
  depth: number;
}

/** Every value with its key; stops going down just past the depth limit. */
function* walk(node: unknown, depth: number): Generator<Step> {
  if (depth > MAX_DEPTH) return;
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      yield { node: value, key, depth: depth + 1 };
      yield* walk(value, depth + 1);
    }
  }
  if (!isSeq(node)) return;
  for (const item of node.items) {
    yield { node: item, key: undefined, depth: depth + 1 };
    yield* walk(item, depth + 1);
  }
}

/** How many values a node stands for once its aliases are followed; endless for one that contains itself. */
function expandedSize(node: unknown, document: Document, known: Map<unknown, number>): number {
  const before = known.get(node);
  if (before !== undefined) return before;
  if (isAlias(node)) return 1 + expandedSize(node.resolve(document), document, known);
  const children = isMap(node)
    ? node.items.map((pair) => pair.value)
    : isSeq(node)
      ? node.items
      : [];
  if (children.length === 0) return 1;
  known.set(node, Infinity);
  const size = children.reduce<number>(
    (sum, child) => sum + expandedSize(child, document, known),
    1,
  );
  known.set(node, size);
  return size;
}

function keyFault(key: unknown): string | undefined {
  if (!isScalar(key) || typeof key.value !== 'string') return 'a key must be plain text';
  return FORBIDDEN_KEYS.has(key.value) ? `the key \`${key.value}\` is not allowed` : undefined;
}

/** The parser's codes that people meet, in words that say how to fix them. */
const SYNTAX: Readonly<Record<string, { code: ErrorCode; message: string }>> = {
  DUPLICATE_KEY: { code: 'duplicate-key', message: 'the same key occurs twice' },
  TAB_AS_INDENT: { code: 'tab', message: 'tabs cannot indent YAML; use spaces' },
  MULTIPLE_DOCS: {
    code: 'multiple-documents',
    message: 'only one document is allowed; remove `---`',
  },
  TAG_RESOLVE_FAILED: {
    code: 'tag',
    message: 'tags such as `!!js` are not allowed; plain data only',
  },
};

function toProblem(file: string, error: YAMLError, place: Place): FileProblem {
  const known = SYNTAX[error.code];
  const { code, message } = known ?? {
    code: 'yaml-syntax',
    message: `is not YAML: ${error.message}`,
  };
  return { ...fileProblem(file, code, message), ...place };
}

function toPlace(source: YamlSource, lines: LineCounter, offset: number): Place {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line) + (source.firstLine ?? 1) - 1, column: Math.max(1, col) };
}

function offsetOf(document: Document, path: YamlPath): number {
  let node: unknown = document.contents;
  let offset = startOf(node);
  for (const segment of path) {
    const step = childOf(isAlias(node) ? node.resolve(document) : node, segment);
    if (step === undefined) return offset;
    offset = startOf(step.key ?? step.value);
    node = step.value;
  }
  return offset;
}

function childOf(
  node: unknown,
  segment: string | number,
): { key: unknown; value: unknown } | undefined {
  if (isSeq(node)) return { key: undefined, value: node.items[Number(segment)] };
  if (!isMap(node)) return undefined;
  return node.items.find(({ key }) => isScalar(key) && key.value === String(segment));
}

function startOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}

function toRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/** Whether a value is a plain mapping. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
