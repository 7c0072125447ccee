/** Reads files of a repository whose lines begin with a pattern as git's ignore files have them. */
import ignore from 'ignore';
import { isMatchable, costReason } from './path-bounds.ts';
import type { PathMatcher } from './path-patterns.ts';

/** Lines of one file that count. */
const MAX_LINES = 5_000;

/**
 * Which paths a `.gitignore` leaves out, relative to the file's folder. A line that is too costly to match is left
 * out, and so is what comes after {@link MAX_LINES} lines.
 */
export function readIgnoreFile(text: string): PathMatcher {
  const all = text.split(/\r?\n/);
  const lines = all.slice(0, MAX_LINES).filter((line) => costReason(line) === undefined);
  const rules = ignore({ ignorecase: false }).add(lines.map((pattern) => ({ pattern })));
  return {
    fits: (path) => isMatchable(path) && rules.ignores(path),
    isWhole: lines.length === all.length,
  };
}

/** The lines of such a file that count. */
export function patternLines(text: string): string[] {
  return text.split(/\r?\n/).slice(0, MAX_LINES);
}

/** One pattern of a file that says more of a path than whether it is left out. */
export interface LinePattern {
  /** Whether it fits the path, or a folder that the path is in. */
  covers: (path: string) => boolean;
  /** Whether it fits this very path; what the path is in does not count. */
  names: (path: string) => boolean;
}

/** None for a comment, for what takes something back, and for what is too costly to match. */
export function toPattern(pattern: string): LinePattern[] {
  if (pattern.trim() === '' || /^[#!]/.test(pattern)) return [];
  if (costReason(pattern) !== undefined) return [];
  const rule = ignore({ ignorecase: false }).add([{ pattern }]);
  // Of a pattern that takes back, `unignored` tells whether it fits the path itself.
  const inverse = ignore({ ignorecase: false }).add([{ pattern: `!${pattern}` }]);
  return [
    {
      covers: (path) => isMatchable(path) && rule.ignores(path),
      names: (path) => isMatchable(path) && inverse.test(path).unignored,
    },
  ];
}
