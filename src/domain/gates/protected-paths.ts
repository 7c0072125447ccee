/** Files that agents change only where a person has named each of them in the plan that was approved (TG-5). */
import { isMatchable } from '../repository/path-bounds.ts';
import { compilePatterns, type PathMatcher } from '../repository/path-patterns.ts';
import { foldPath, isShortened } from './fold-path.ts';

/**
 * Files that decide permissions, automation, the team, the instructions of agents, and what tools run when somebody
 * opens, installs or clones the repository. Patterns as in a `.gitignore`.
 */
const PROTECTED: readonly string[] = [
  // Folders that begin with a dot configure tools. The patterns below also fit deeper in the tree, and a file or link.
  '/.*/',
  '/.github',
  '/.quorum',
  '/personas',
  '/memory',
  'CODEOWNERS',
  // Agents.
  'AGENT.md',
  'AGENTS.md',
  'AGENTS.override.md',
  'CLAUDE.md',
  'CLAUDE.local.md',
  'GEMINI.md',
  '.agents',
  '.aider.conf.yml',
  '.claude',
  '.clinerules',
  '.codex',
  '.cursor',
  '.cursorrules',
  '.gemini',
  '.mcp.json',
  '.windsurf',
  '.windsurfrules',
  // Editors, git and package managers.
  '.devcontainer',
  '.devcontainer.json',
  '.envrc',
  '.gitattributes',
  '.idea',
  '.npmrc',
  '.pnpmfile.*',
  '.vscode',
  '.yarnrc',
  '.yarnrc.yml',
];

/**
 * Paths that an agent may not change even with approval. GitHub runs some of them, and the App has no right to push
 * those anyway. The agent's own limits and team rest on the others.
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
 * Fails closed: where a pattern cannot be used, every path matches. So does a path that is too long to match, or that a
 * file system may read as another one.
 */
function matching(patterns: readonly string[]): (path: string) => boolean {
  const { fits, isWhole } = compile(patterns);
  return (path) =>
    !isWhole ||
    isShortened(path) ||
    spellingsOf(path).some((spelling) => !isMatchable(spelling) || fits(spelling));
}

function compile(patterns: readonly string[]): PathMatcher {
  const normal = patterns.map((pattern) => pattern.normalize('NFKC'));
  return compilePatterns(normal, { ignoresCase: true });
}

function spellingsOf(path: string): string[] {
  return [path, foldPath(path)];
}

const isBuiltIn = matching(PROTECTED);

/** The part of `paths` in a configuration that is about protection. */
export interface PathProtection {
  protected: readonly string[];
  /** Takes out of the built-in list. Absent in a configuration that an earlier version stored. */
  unprotected?: readonly string[];
}

/** Which paths are protected. What is for people only stays so, and what the repository itself protects wins. */
export function protectionBy(paths: PathProtection): (path: string) => boolean {
  const isConfigured = matching(paths.protected);
  const { fits: isTakenOut } = compile(paths.unprotected ?? []);
  // Every spelling must be taken out: one of them may be a protected name.
  const isUnprotected = (path: string): boolean => spellingsOf(path).every(isTakenOut);
  return (path) =>
    isForPeople(path) || isConfigured(path) || (isBuiltIn(path) && !isUnprotected(path));
}

/** Whether a pattern of `paths.unprotected` fits something that only people change; it has no effect there. */
export function reachesForPeople(pattern: string): boolean {
  const { fits } = compile([pattern]);
  const examples = FOR_PEOPLE.flatMap((each) => [each, `${each}/any.yml`]);
  return [pattern, ...examples]
    .map((each) => each.replace(/^\//, ''))
    .some((path) => fits(path) && isForPeople(path));
}

/** Whether only people change it, whatever was approved. */
export const isForPeople: (path: string) => boolean = matching(FOR_PEOPLE);

export const isHook: (path: string) => boolean = matching(HOOKS);

/** Of the paths that an approved task names, those that the yes is good for: files, one by one, and no folders. */
export function approvedPaths(named: readonly string[]): string[] {
  return named.filter((path) => !path.endsWith('/') && !isForPeople(path));
}
