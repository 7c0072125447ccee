/** Paths as diffs write them: quoted, prefixed, followed by a date, or absent. */

const ESCAPES: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  '\\': 92,
};
/** Prefixes that git puts before the old and the new side (`diff.mnemonicPrefix` has more than a and b). */
const PREFIX = /^[abciow12]\//;
export const NOWHERE = '/dev/null';

/** Reads a path in git's C quotes; undefined when the quote does not end. `rest` is what follows it. */
export function unquotePath(text: string): { path: string; rest: string } | undefined {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(text);
  if (quoted === null) return undefined;
  const parts = (quoted[1] ?? '').match(/\\[0-3][0-7]{2}|\\.|[^\\]+/gs) ?? [];
  const bytes = parts.map((part) => (part.startsWith('\\') ? unescape(part) : Buffer.from(part)));
  return {
    path: Buffer.concat(bytes).toString(),
    rest: text.slice(quoted[0].length).trimStart(),
  };
}

/** One escape: an octal byte, a letter that stands for a control character, or the character itself. */
function unescape(part: string): Buffer {
  const code = part.slice(1);
  if (/^[0-3][0-7]{2}$/.test(code)) return Buffer.from([Number.parseInt(code, 8)]);
  const known = ESCAPES[code];
  return known === undefined ? Buffer.from(code) : Buffer.from([known]);
}

/** One path of a header such as `--- a/x` or `rename from x`, quotes and a trailing date taken off. */
export function readPath(text: string): string {
  if (text.startsWith('"')) return unquotePath(text)?.path ?? text;
  const tab = text.indexOf('\t');
  return (tab === -1 ? text : text.slice(0, tab)).replace(/\r$/, '');
}

/** Takes `a/` and `b/` off where both sides have such a prefix, or the one that exists. */
export function stripPrefixes(before: string, after: string): { before: string; after: string } {
  const isPrefixed = [before, after].every((path) => path === NOWHERE || PREFIX.test(path));
  if (!isPrefixed) return { before, after };
  return { before: strip(before), after: strip(after) };
}

function strip(path: string): string {
  return path === NOWHERE ? path : path.slice(2);
}

/**
 * Both paths of `diff --git a/x b/x`. The line is ambiguous when a path has spaces. It is then read as the same path
 * twice. That is right unless other headers name the two (renames, copies, `---` and `+++`).
 */
export function readGitHeader(rest: string): { before: string; after: string } | undefined {
  const pair = splitHeader(rest.replace(/\r$/, ''));
  return pair === undefined ? undefined : stripPrefixes(pair.before, pair.after);
}

function splitHeader(text: string): { before: string; after: string } | undefined {
  if (text.startsWith('"')) {
    const first = unquotePath(text);
    return first === undefined || first.rest === ''
      ? undefined
      : { before: first.path, after: readPath(first.rest) };
  }
  const middle = (text.length - 1) / 2;
  if (text[middle] === ' ' && text.slice(1, middle) === text.slice(middle + 2))
    return { before: text.slice(0, middle), after: text.slice(middle + 1) };
  const space = text.search(/ (?:"|[abciow12]\/)/);
  const at = space === -1 ? text.indexOf(' ') : space;
  if (at < 1) return undefined;
  return { before: text.slice(0, at), after: readPath(text.slice(at + 1)) };
}
