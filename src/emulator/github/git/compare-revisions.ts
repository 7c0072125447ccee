/** Differences between two revisions, with counts and patches as GitHub lists them. */
import { gitOutput, gitOutputBytes } from './git-process.ts';
import { mergeBase, readCommits, type Commit } from './objects.ts';

export interface FileChange {
  filename: string;
  previousFilename: string | undefined;
  status: 'added' | 'removed' | 'modified' | 'renamed' | 'copied' | 'changed';
  sha: string;
  additions: number;
  deletions: number;
  /** Without the header lines; absent for binary files. */
  patch: string | undefined;
}

const STATUS: Record<string, FileChange['status']> = {
  A: 'added',
  D: 'removed',
  M: 'modified',
  R: 'renamed',
  C: 'copied',
  T: 'changed',
};
/** The tree that has nothing in it: what a root commit is compared with. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

export async function diffFiles(
  gitDir: string,
  from: string | undefined,
  to: string,
): Promise<FileChange[]> {
  const base = from ?? EMPTY_TREE;
  const raw = await gitOutput(gitDir, ['diff', '--raw', '-z', '--no-abbrev', '-M', base, to]);
  if (raw === '') return [];
  const changes = parseRaw(raw);
  const patch = await gitOutput(gitDir, [
    'diff',
    '-p',
    '-M',
    '--no-color',
    '--src-prefix=a/',
    '--dst-prefix=b/',
    base,
    to,
  ]);
  const patches = splitPatches(patch);
  for (const [index, change] of changes.entries()) addPatch(change, patches[index] ?? '');
  return changes;
}

function parseRaw(raw: string): FileChange[] {
  const parts = raw.split('\0').filter((part) => part !== '');
  const changes: FileChange[] = [];
  for (let index = 0; index < parts.length;) {
    const [info = '', first = '', second = ''] = parts.slice(index, index + 3);
    const isMove = /^[RC]/.test(info.split(' ')[4] ?? '');
    changes.push(
      toChange(info, isMove ? { from: first, to: second } : { from: undefined, to: first }),
    );
    index += isMove ? 3 : 2;
  }
  return changes;
}

/** One line of `git diff --raw`: modes, hashes and a letter. */
function toChange(info: string, path: { from: string | undefined; to: string }): FileChange {
  const [, , oldSha = '', newSha = '', letter = 'M'] = info.split(' ');
  return {
    filename: path.to,
    previousFilename: path.from,
    status: STATUS[letter.charAt(0)] ?? 'changed',
    sha: letter === 'D' ? oldSha : newSha,
    additions: 0,
    deletions: 0,
    patch: undefined,
  };
}

/** One text per file, in the order of `--raw`. */
function splitPatches(patch: string): string[] {
  return patch === '' ? [] : patch.split(/^(?=diff --git )/m);
}

function addPatch(change: FileChange, text: string): void {
  const start = text.search(/^@@ /m);
  if (start < 0) return;
  const body = text.slice(start).replace(/\n$/, '');
  for (const line of body.split('\n')) {
    if (line.startsWith('+')) change.additions += 1;
    if (line.startsWith('-')) change.deletions += 1;
  }
  change.patch = body;
}

export interface Comparison {
  mergeBaseSha: string;
  status: 'identical' | 'ahead' | 'behind' | 'diverged';
  aheadBy: number;
  behindBy: number;
  /** Commits of head that base lacks, oldest first. */
  commits: Commit[];
  files: FileChange[];
}

/** Three-dot comparison; `undefined` when the two share no history. */
export async function compareRevisions(
  gitDir: string,
  base: string,
  head: string,
): Promise<Comparison | undefined> {
  const common = await mergeBase(gitDir, base, head);
  if (common === undefined) return undefined;
  const [commits, behind, files] = await Promise.all([
    readCommits(gitDir, ['--reverse', '--topo-order', `${base}..${head}`]),
    gitOutput(gitDir, ['rev-list', '--count', `${head}..${base}`]),
    diffFiles(gitDir, common, head),
  ]);
  const counts = { aheadBy: commits.length, behindBy: Number(behind) };
  return { mergeBaseSha: common, status: toStatus(counts), ...counts, commits, files };
}

function toStatus(counts: { aheadBy: number; behindBy: number }): Comparison['status'] {
  if (counts.aheadBy > 0 && counts.behindBy > 0) return 'diverged';
  if (counts.aheadBy > 0) return 'ahead';
  return counts.behindBy > 0 ? 'behind' : 'identical';
}

/** A whole diff or mail-formatted patch series, for the `.diff` and `.patch` media types. */
export async function rawDiff(
  gitDir: string,
  range: { from: string; to: string },
  format: 'diff' | 'patch',
): Promise<Buffer> {
  if (format === 'diff') return gitOutputBytes(gitDir, ['diff', '-M', range.from, range.to]);
  return gitOutputBytes(gitDir, ['format-patch', '--stdout', `${range.from}..${range.to}`]);
}
