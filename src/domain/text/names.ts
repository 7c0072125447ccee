/** What a text names in a repository: paths, symbols, options, errors, stack frames and issues. */
import { knownExtension } from '../repository/paths.ts';

export interface NamedPath {
  path: string;
  line?: number;
  endLine?: number;
  /** Written as code, or with a folder: somebody meant a path. */
  isExplicit: boolean;
  /** Said to be made, moved or removed rather than to exist. */
  isProposed: boolean;
}

export interface NamedSymbol {
  name: string;
  /** Written as code, so that it stands for something in the source. */
  isCode: boolean;
  isProposed: boolean;
}

export interface StackFrame {
  path: string;
  line: number;
  symbol?: string;
}

/** Everything that a text names, each once, in order of appearance. */
export interface Names {
  paths: NamedPath[];
  symbols: NamedSymbol[];
  /** Command line options with their dashes. */
  options: string[];
  errorCodes: string[];
  /** Messages after an error's class name. */
  errorMessages: string[];
  frames: StackFrame[];
  issueNumbers: number[];
}

/** Bounds the lists, not the reading: a log may name thousands of things. */
const MAX_NAMES = 60;

/** Products whose names look like files. */
const PRODUCTS =
  /^(?:node|vue|next|nuxt|react|express|three|d3|socket|chart|moment|ember|backbone|discord|asp|bun|deno|alpine|nest|angular|p5)\.(?:js|io|net|sh|ts)$/i;
const PROPOSING =
  /\b(?:add|adds|adding|create|creates|creating|new|introduce|generate|generates|write|writes|output|save|saves|rename[sd]? to|move[sd]? to|called|named|implement|extract|provide|expose|export|into)\b[^.\n]{0,40}$/i;

const PATH_RUN = /[A-Za-z0-9_@.+\-/\\]{2,300}(?::\d{1,7}){0,2}(?:#L\d{1,7}(?:-L?\d{1,7})?)?/g;
const BLOB_URL =
  /https?:\/\/[^\s/]{1,100}\/[^\s/]{1,100}\/[^\s/]{1,100}\/blob\/[^\s/]{1,100}\/([^\s?)>\]]{1,300})/g;
const ANY_URL = /\b[a-z]{2,10}:\/\/[^\s<>)\]]{1,2000}/gi;

function lineOf(run: string): { bare: string; line?: number; endLine?: number } {
  const anchor = /#L(\d+)(?:-L?(\d+))?$/.exec(run);
  const colon = /:(\d+)(?::\d+)?$/.exec(run);
  const found = anchor ?? colon;
  if (found === null) return { bare: run };
  const bare = run.slice(0, found.index);
  const [line, endLine] = [
    Number(found[1]),
    anchor?.[2] === undefined ? undefined : Number(anchor[2]),
  ];
  return endLine === undefined ? { bare, line } : { bare, line, endLine };
}

/** Whether a run of path characters is a path: a folder and an ending, or a file name with a known ending. */
function isPathLike(bare: string): boolean {
  if (PRODUCTS.test(bare) || /^[\d.]+$/.test(bare)) return false;
  const name = bare.slice(bare.lastIndexOf('/') + 1);
  if (bare.includes('/'))
    return /^\.?[\w@+-][\w.@+-]*$/.test(name) && (name.includes('.') || bare.split('/').length > 2);
  return knownExtension(name) && /^\.?[\w@+-]/.test(name);
}

function isProposedAt(text: string, at: number): boolean {
  return PROPOSING.test(text.slice(Math.max(0, at - 60), at));
}

function pathsOf(text: string): NamedPath[] {
  const linked = text
    .replaceAll(BLOB_URL, (_url, path: string) => ` ${path} `)
    .replaceAll(ANY_URL, ' ');
  const found = new Map<string, NamedPath>();
  for (const match of linked.matchAll(PATH_RUN)) {
    const run = match[0].replaceAll('\\', '/').replace(/(?<![.,:/-])[.,:/-]+$/, '');
    const { bare, ...lines } = lineOf(run);
    const path = bare.replace(/^(?:\.\/)+/, '');
    if (!isPathLike(path) || found.has(path) || found.size >= MAX_NAMES) continue;
    const isQuoted = linked[match.index - 1] === '`';
    found.set(path, {
      path,
      ...lines,
      isExplicit: isQuoted || path.includes('/'),
      isProposed: isProposedAt(linked, match.index),
    });
  }
  return [...found.values()];
}

/** Inline code of one line; its length is bounded so that stray backticks cost nothing. */
const INLINE_CODE = /`([^`\n]{1,120})`/g;
const IDENTIFIER =
  /^(?:new\s+)?([A-Za-z_$][\w$]{1,60}(?:(?:\.|::|#)[A-Za-z_$][\w$]{0,60}){0,3})(?:\(.{0,60}\))?$/;
/** In running text only what nobody writes as a word counts: inner capitals, inner underscores, or a call. */
const PROSE_SYMBOL =
  /\b(?:[a-z][a-z0-9]{0,30}(?:[A-Z][a-z0-9]{1,30}){1,6}|[A-Z][a-z0-9]{1,30}(?:[A-Z][a-z0-9]{1,30}){1,6}|[A-Za-z][A-Za-z0-9]{0,30}(?:_[A-Za-z0-9]{1,30}){1,6}|[A-Za-z_$][\w$]{2,40}(?=\(\)))/g;
const PROPER_NAMES =
  /^(?:GitHub|GitLab|JavaScript|TypeScript|PostgreSQL|MySQL|SQLite|GraphQL|OpenAI|MacOS|macOS|iOS|iPhone|YouTube|LinkedIn|NodeJS|VSCode|CircleCI|OAuth|WebSocket|README|CHANGELOG|DevOps|PowerShell|FreeBSD|OpenSSL|BitBucket|StackOverflow)$/;
const LITERAL =
  /^(?:true|false|null|undefined|none|nil|main|master|npm|node|string|number|boolean|object|error|yes|no|latest)$/i;

function symbolsOf(text: string): NamedSymbol[] {
  const found = new Map<string, NamedSymbol>();
  const note = (name: string, at: number, isCode: boolean): void => {
    if (found.has(name) || found.size >= MAX_NAMES) return;
    if (PROPER_NAMES.test(name) || LITERAL.test(name)) return;
    found.set(name, { name, isCode, isProposed: isProposedAt(text, at) });
  };
  for (const match of text.matchAll(INLINE_CODE)) {
    const name = IDENTIFIER.exec((match[1] ?? '').trim())?.[1];
    if (name !== undefined && !knownExtension(name)) note(name, match.index, true);
  }
  for (const match of text.matchAll(PROSE_SYMBOL)) note(match[0], match.index, false);
  return [...found.values()];
}

const OPTION = /(?<![\w-])--[a-z][a-z0-9-]{1,40}\b/g;
const ERROR_CODE =
  /\b(?:ERR_[A-Z][A-Z_]{2,40}|E(?:NOENT|ACCES|PERM|CONNREFUSED|CONNRESET|TIMEDOUT|ADDRINUSE|XIST|ISDIR|NOTDIR|MFILE|PIPE|NOTFOUND|AI_AGAIN|NOSPC|NOTEMPTY|BUSY|INVAL|LOOP)|TS\d{4,5}|SQLITE_[A-Z]{3,20}|CVE-\d{4}-\d{4,7})\b/g;
const ERROR_MESSAGE =
  /\b(?:[A-Z][A-Za-z]{0,40}(?:Error|Exception)|panic|error|fatal): ([^\n`]{6,200})/g;
const ISSUE_NUMBER = /(?<![\w&/])#(\d{1,7})\b/g;
const FRAMES: readonly { pattern: RegExp; path: number; line: number; symbol: number }[] = [
  {
    pattern:
      /^[ \t]*at (?:async )?([\w$.<>[\] ]{1,80}) \((?:file:\/\/)?([^\s()]{1,300}):(\d{1,7}):\d{1,7}\)/gm,
    symbol: 1,
    path: 2,
    line: 3,
  },
  {
    pattern: /^[ \t]*at (?:async )?()(?:file:\/\/)?([^\s()]{1,300}):(\d{1,7}):\d{1,7}/gm,
    symbol: 1,
    path: 2,
    line: 3,
  },
  {
    pattern: /^[ \t]*File "([^"\n]{1,300})", line (\d{1,7})(?:, in (\S{1,80}))?/gm,
    path: 1,
    line: 2,
    symbol: 3,
  },
  {
    pattern: /^[ \t]*([^\s:]{1,300}\.go):(\d{1,7})(?: \+0x[0-9a-f]+)?()$/gm,
    path: 1,
    line: 2,
    symbol: 3,
  },
];

function framesOf(text: string): StackFrame[] {
  return FRAMES.flatMap(({ pattern, path, line, symbol }) =>
    Array.from(text.matchAll(pattern), (match): StackFrame => {
      const frame = { path: (match[path] ?? '').replaceAll('\\', '/'), line: Number(match[line]) };
      const name = match[symbol];
      return name === undefined || name === '' ? frame : { ...frame, symbol: name };
    }),
  ).slice(0, MAX_NAMES);
}

function unique(matches: Iterable<string>): string[] {
  return [...new Set(matches)].slice(0, MAX_NAMES);
}

/** Reads what a text names. Linear in its length. */
export function readNames(text: string): Names {
  return {
    paths: pathsOf(text),
    symbols: symbolsOf(text),
    options: unique(Array.from(text.matchAll(OPTION), (match) => match[0])),
    errorCodes: unique(Array.from(text.matchAll(ERROR_CODE), (match) => match[0])),
    errorMessages: unique(
      Array.from(text.matchAll(ERROR_MESSAGE), (match) => (match[1] ?? '').trim()),
    ),
    frames: framesOf(text),
    issueNumbers: [
      ...new Set(Array.from(text.matchAll(ISSUE_NUMBER), (match) => Number(match[1]))),
    ].slice(0, MAX_NAMES),
  };
}
