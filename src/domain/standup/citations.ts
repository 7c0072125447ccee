/** What a message cites of a repository: paths, lines and quoted text, every time that it does. */
import { readNames } from '../text/names.ts';

export interface Citation {
  path: string;
  /** 1-based. */
  line?: number;
  endLine?: number;
}

const BLOB =
  /https?:\/\/[^\s/]{1,100}\/[^\s/]{1,100}\/[^\s/]{1,100}\/blob\/[^\s/]{1,100}\/([^\s?)>\]`]{1,300})/g;
const URL = /\b[a-z]{2,10}:\/\/[^\s<>)\]`]{1,2000}/gi;
const TOKEN = /[^\s`"“”()[\]{}<>,;|*]+/g;
const CODE = /`([^`\n]{1,400})`/g;
/** A folder or file without an ending, written as code. */
const PLACE = /^(?:\.\/)?[\w@.-]{1,100}(?:\/[\w@.-]{1,100}){1,30}\/?$/;
const LINES = /\blines?\s{1,3}(\d{1,7})(?:\s{0,3}(?:-|–|to|and|through)\s{0,3}(\d{1,7}))?/gi;

interface Found extends Citation {
  at: number;
  /** Nobody writes it as a word: it has an ending that files have. */
  isFile: boolean;
}

/** Every place that a message cites, each once, in order. Lines in words go to the path beside them. */
export function readCitations(message: string): Citation[] {
  const found = withLines(message, filesIn(withoutUrls(message)));
  const seen = new Set<string>();
  return found.flatMap(({ path, line, endLine }) => {
    const key = `${path}:${line ?? ''}-${endLine ?? ''}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [toCitation(path, line, endLine)];
  });
}

function toCitation(path: string, line?: number, endLine?: number): Citation {
  return {
    path,
    ...(line === undefined ? {} : { line }),
    ...(endLine === undefined ? {} : { endLine }),
  };
}

function filesIn(text: string): Found[] {
  return Array.from(text.matchAll(TOKEN)).flatMap(({ 0: token, index }) => {
    const [name] = readNames(token).paths;
    if (name === undefined) return [];
    const { path, line, endLine } = name;
    return [{ ...toCitation(path, line, endLine), at: index, isFile: true }];
  });
}

/** Other addresses are not paths. Offsets stay as they are. */
function withoutUrls(message: string): string {
  return message
    .replaceAll(BLOB, (url, path: string) => path.padStart(url.length))
    .replaceAll(URL, (url) => ' '.repeat(url.length));
}

/** `line 12 of src/a.ts`, `src/a.ts, lines 3-5`: a line belongs to the path before it, else to the one behind it. */
function withLines(message: string, found: Found[]): Citation[] {
  const words = Array.from(message.matchAll(LINES)).flatMap(({ 1: from, 2: to, index }) => {
    const place = found.findLast(({ at }) => at < index) ?? found[0];
    if (place === undefined) return [];
    return [toCitation(place.path, Number(from), to === undefined ? undefined : Number(to))];
  });
  return [...found, ...words];
}

/** Whether a message names a line and no file that it could be in. */
export function hasStrayLine(message: string): boolean {
  return message.search(LINES) !== -1 && readCitations(message).length === 0;
}

/** Folders, or files without an ending, that a message writes as code. Branches and packages look the same. */
export function readFolders(message: string): string[] {
  const spans = Array.from(message.matchAll(CODE), ([, code = '']) => code.trim());
  return spans.filter((code) => PLACE.test(code) && readNames(code).paths.length === 0);
}

const MARKS: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ['“', '”'],
  ['«', '»'],
];
/** Shorter ones set a word off and quote nobody. */
const LEAST_WORDS = 3;
/** Signs that names and commands do not have. */
const CODE_SIGNS = /[(){}=;[\]]|&&|\|\|/;
const LEAST_CODE = 8;

/** Words in quotation marks, and code that is more than a name, a path or a command. */
export function readQuotes(message: string): string[] {
  const code = Array.from(message.matchAll(CODE), ([, text = '']) => text.trim()).filter(
    (text) => text.length >= LEAST_CODE && CODE_SIGNS.test(text) && !isCall(text),
  );
  // Quotation marks in code are code's own; a quote may have code in it.
  const prose = message.replaceAll(CODE, (span) => 'x'.repeat(span.length));
  const quoted = MARKS.flatMap((marks) => betweenMarks(prose, marks)).map(({ start, end }) =>
    message.slice(start, end).trim(),
  );
  return [...code, ...quoted.filter((text) => text.split(/\s+/).length >= LEAST_WORDS)];
}

/** `name()` is a name, and `src/a.ts(3)` a path. */
function isCall(text: string): boolean {
  return (
    /^[\w$.#:]{1,200}\(\)$/.test(text) || (!/\s/.test(text) && readNames(text).paths.length > 0)
  );
}

/** Ranges inside quotation marks. By hand: a pattern of this kind takes too long on a line of nothing but marks. */
function betweenMarks(
  prose: string,
  [open, close]: readonly [string, string],
): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  let from = prose.indexOf(open);
  while (from !== -1) {
    const end = prose.indexOf(close, from + 1);
    if (end === -1) break;
    found.push({ start: from + 1, end });
    from = prose.indexOf(open, end + 1);
  }
  return found;
}
