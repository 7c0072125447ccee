/** Reads `.gitignore` files as far as it takes to say that a path is one of those that git leaves out. */

/** Patterns of one file that count; nobody writes more. */
const MAX_PATTERNS = 500;
const MAX_PATTERN = 200;

/** A pattern as git's ignore and attribute files have them. */
export interface PathPattern {
  /** Parts between slashes; a run of stars that is a part of its own stands for any number of them. */
  parts: string[];
  isAnchored: boolean;
}

/**
 * Whether the file's patterns, or what lies above, leave a path out. Paths are relative to the file's folder. Patterns
 * that take something back are not looked at: what they keep is in the repository and found there.
 */
export function readIgnoreFile(text: string): (path: string) => boolean {
  const patterns = patternLines(text).flatMap(toPattern);
  return (path) => {
    const parts = path.split('/');
    return patterns.some((pattern) => leavesOut(pattern, parts));
  };
}

/** The lines of such a file that count. */
export function patternLines(text: string): string[] {
  return text.split('\n').slice(0, MAX_PATTERNS);
}

/** None for a comment, for what takes something back, and for what is too long for a pattern. */
export function toPattern(line: string): PathPattern[] {
  const pattern = line.trim();
  if (pattern === '' || pattern.length > MAX_PATTERN || /^[#!]/.test(pattern)) return [];
  const bare = pattern.replace(/^\//, '').replace(/\/$/, '');
  return [{ parts: bare.split('/'), isAnchored: /\/./.test(pattern) }];
}

/** A folder that is left out takes everything below with it. */
function leavesOut(pattern: PathPattern, path: readonly string[]): boolean {
  const [only = ''] = pattern.parts;
  if (!pattern.isAnchored) return path.some((part) => fitsPart(only, part));
  return path.some((_, at) => fitsPath(pattern, path.slice(0, at + 1)));
}

/** Whether a pattern names this very path, its parts given; what lies above it does not count. */
export function fitsPath({ parts, isAnchored }: PathPattern, path: readonly string[]): boolean {
  if (!isAnchored) return fitsPart(parts[0] ?? '', path.at(-1) ?? '');
  return fits(parts, path, { isStar: (part) => part === '**', isSame: fitsPart });
}

function fitsPart(pattern: string, part: string): boolean {
  return fits(Array.from(pattern), Array.from(part), {
    isStar: (sign) => sign === '*',
    isSame: (wanted, sign) => wanted === '?' || wanted === sign,
  });
}

interface Fit {
  isStar: (wanted: string) => boolean;
  isSame: (wanted: string, item: string) => boolean;
}

/** A star takes as little as it can, and one more each time the rest does not fit: no more than pattern times items. */
function fits(pattern: readonly string[], items: readonly string[], fit: Fit): boolean {
  let [at, from] = [0, 0];
  let star: { at: number; from: number } | undefined;
  while (from < items.length) {
    const wanted = pattern[at];
    if (wanted !== undefined && fit.isStar(wanted)) star = { at: (at += 1), from };
    else if (wanted !== undefined && fit.isSame(wanted, items[from] ?? ''))
      [at, from] = [at + 1, from + 1];
    else if (star === undefined) return false;
    else {
      star.from += 1;
      [at, from] = [star.at, star.from];
    }
  }
  return pattern.slice(at).every(fit.isStar);
}
