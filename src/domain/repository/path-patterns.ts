/** Path patterns of a configuration: git's own rules for ignore files, with braces expanded first. */
import ignore from 'ignore';
import { expandBraces } from './expand-braces.ts';
import { isMatchable, costReason } from './path-bounds.ts';

/** Patterns in one list of a configuration. */
export const MAX_PATTERNS = 500;
/** What all patterns of a list together may stand for. */
const MAX_EXPANDED = 2_000;

/** Character classes that git knows. */
const CLASSES =
  /\[:(?:alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit):\]/g;

/** What is expected of one pattern that is wrong; undefined when it is right. */
export function patternProblem(pattern: string): string | undefined {
  const expanded = expandBraces(pattern);
  if (!expanded.ok) return expanded.expected;
  return expanded.patterns.map(lineProblem).find((why) => why !== undefined);
}

/** The first pattern of a list that makes it too long, and why; undefined when all may stay. */
export function findExcess(
  patterns: readonly string[],
): { index: number; expected: string } | undefined {
  if (patterns.length > MAX_PATTERNS)
    return { index: MAX_PATTERNS, expected: `at most ${MAX_PATTERNS} patterns` };
  let total = 0;
  for (const [index, pattern] of patterns.entries()) {
    const expanded = expandBraces(pattern);
    total += expanded.ok ? expanded.patterns.length : 1;
    if (total > MAX_EXPANDED)
      return { index, expected: `at most ${MAX_EXPANDED} patterns after braces are expanded` };
  }
  return undefined;
}

/** Each of these would be a line that git passes over, or that can match nothing. */
function lineProblem(line: string): string | undefined {
  if (line.trim() === '' || /^\/+$/.test(line)) return 'a path, or a pattern as in .gitignore';
  if (line.startsWith('!')) return 'a pattern without `!`; nothing can be taken back here';
  if (line.startsWith('#')) return 'a pattern; write \\# for a name that begins with #';
  if (/\p{Cc}/u.test(line)) return 'a pattern on one line, without control characters';
  const cost = costReason(line);
  if (cost !== undefined) return cost;
  const bare = line.replaceAll(/\\[^/]/g, 'a');
  if (bare.includes('\\')) return 'a character other than / after each \\';
  // Git's documentation and git differ about these.
  if (/[^/*]\*\*|\*\*[^/*]/.test(bare)) return 'only slashes next to `**`';
  return hasBadBracket(bare)
    ? 'a [ ] with an end, and of a class that git knows; write \\[ for the character'
    : undefined;
}

/**
 * Whether a bracket of a pattern, without its escapes, matches nothing in git. It does not end, holds a slash alone, or
 * names a class that git does not know.
 */
function hasBadBracket(bare: string): boolean {
  let rest = bare.replaceAll(CLASSES, 'a');
  for (let at = rest.indexOf('['); at !== -1; at = rest.indexOf('[')) {
    // What comes first in a bracket is a member, even `]`.
    const end = rest.indexOf(']', at + ('!^'.includes(rest.charAt(at + 1)) ? 3 : 2));
    if (end === -1) return true;
    const members = rest.slice(at + 1, end);
    if (members === '/' || (members.includes('[:') && members.endsWith(':'))) return true;
    rest = rest.slice(end + 1);
  }
  return false;
}

/** Answers whether a path, or a folder that it is in, fits one of the patterns. */
export interface PathMatcher {
  fits: (path: string) => boolean;
  /** False when a pattern was left out because it is wrong, or too costly to match. */
  isWhole: boolean;
}

export interface MatchOptions {
  /** Whether letters of another case are the same letters. */
  ignoresCase: boolean;
}

/** Never throws: a configuration that was stored earlier may hold patterns that are refused today. */
export function compilePatterns(
  patterns: readonly string[],
  { ignoresCase }: MatchOptions,
): PathMatcher {
  const kept = patterns.slice(0, MAX_PATTERNS).filter((each) => patternProblem(each) === undefined);
  const lines = kept.flatMap((pattern) => {
    const expanded = expandBraces(pattern);
    return expanded.ok ? expanded.patterns : [];
  });
  const rules = ignore({ ignorecase: ignoresCase });
  rules.add(lines.slice(0, MAX_EXPANDED).map((pattern) => ({ pattern })));
  return {
    fits: (path) => isMatchable(path) && rules.ignores(path),
    isWhole: kept.length === patterns.length && lines.length <= MAX_EXPANDED,
  };
}
