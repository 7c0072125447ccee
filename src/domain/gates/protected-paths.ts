/** Files that agents change only where a person has named each of them in the plan that was approved (TG-5). */
import { readIgnoreFile } from '../ignore-file.ts';

/** Who may do what, what runs in whose name, who the team is, and what agents are told. Patterns as in a `.gitignore`. */
const PROTECTED: readonly string[] = [
  '.github/**',
  'personas/**',
  'CODEOWNERS',
  'AGENTS.md',
  'CLAUDE.md',
  'CLAUDE.local.md',
  '.claude/**',
  '.mcp.json',
];

/**
 * What no yes lets an agent change: what GitHub runs, which the App has no right to push anyway, and what its own bounds
 * and its own team rest on.
 */
const FOR_PEOPLE: readonly string[] = [
  '.github/workflows/**',
  '.github/actions/**',
  '.github/quorum.yml',
  '.github/quorum/**',
  'personas/**',
  '.gitmodules',
  '.lfsconfig',
];

/** Files that make git, or those who clone, run something. */
const HOOKS: readonly string[] = [
  '/.husky/**',
  '/.githooks/**',
  '/lefthook.yml',
  '/lefthook.yaml',
  '/.lefthook.yml',
  '/.lefthook.yaml',
  '/.pre-commit-config.yaml',
  '/.gitmodules',
  '/.lfsconfig',
];

const matching = (patterns: readonly string[]): ((path: string) => boolean) => {
  const isOne = readIgnoreFile(plain(patterns.join('\n')));
  return (path) => isOne(plain(path));
};

/** Whether it is protected, by what is built in or by what was configured. */
export function isProtected(path: string, configured: readonly string[]): boolean {
  return matching([...PROTECTED, ...configured])(path);
}

/** Whether only people change it, whatever was approved. */
export const isForPeople: (path: string) => boolean = matching(FOR_PEOPLE);

export const isHook: (path: string) => boolean = matching(HOOKS);

/** Of the paths that an approved task names, those that the yes is good for: files, one by one, and no folders. */
export function approvedPaths(named: readonly string[]): string[] {
  return named.filter((path) => !path.endsWith('/') && !isForPeople(path));
}

/** Letters of any case and form: some file systems do not tell them apart. */
function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
