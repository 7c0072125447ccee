/** Files that agents change only where a person has named each of them in the plan that was approved (TG-5). */
import { isMatchable } from '../path-bounds.ts';
import { compilePatterns } from '../path-patterns.ts';
import { foldPath, isShortened } from './fold-path.ts';

/** Who may do what, what runs in whose name, who the team is, and what agents are told. Patterns as in a `.gitignore`. */
const PROTECTED: readonly string[] = [
  '/.github',
  '/personas',
  'CODEOWNERS',
  'AGENTS.md',
  'CLAUDE.md',
  'CLAUDE.local.md',
  '.claude',
  '.mcp.json',
];

/**
 * What no yes lets an agent change: what GitHub runs, which the App has no right to push anyway, and what its own bounds
 * and its own team rest on.
 */
const FOR_PEOPLE: readonly string[] = [
  '/.github/workflows',
  '/.github/actions',
  '/.github/quorum.yml',
  '/.github/quorum.yaml',
  '/.github/quorum',
  '/personas',
  '.gitmodules',
  '.lfsconfig',
];

/** Files that make git, or those who clone, run something. */
const HOOKS: readonly string[] = [
  '/.husky',
  '/.githooks',
  '/lefthook.yml',
  '/lefthook.yaml',
  '/.lefthook.yml',
  '/.lefthook.yaml',
  '/.pre-commit-config.yaml',
  '/.gitmodules',
  '/.lfsconfig',
];

/**
 * Fails closed: where a pattern cannot be used every path fits, and so does a path that is too long to be matched or
 * that a file system may read as another one.
 */
function matching(patterns: readonly string[]): (path: string) => boolean {
  const { fits, isWhole } = compilePatterns(
    patterns.map((pattern) => pattern.normalize('NFKC')),
    { ignoresCase: true },
  );
  return (path) =>
    !isWhole ||
    isShortened(path) ||
    [path, foldPath(path)].some((spelling) => !isMatchable(spelling) || fits(spelling));
}

const isBuiltIn = matching(PROTECTED);

/** Which paths are protected, by what is built in or by what was configured. */
export function protectionBy(configured: readonly string[]): (path: string) => boolean {
  const isConfigured = matching(configured);
  return (path) => isForPeople(path) || isBuiltIn(path) || isConfigured(path);
}

/** Whether only people change it, whatever was approved. */
export const isForPeople: (path: string) => boolean = matching(FOR_PEOPLE);

export const isHook: (path: string) => boolean = matching(HOOKS);

/** Of the paths that an approved task names, those that the yes is good for: files, one by one, and no folders. */
export function approvedPaths(named: readonly string[]): string[] {
  return named.filter((path) => !path.endsWith('/') && !isForPeople(path));
}
