/** Reads a commit of the mirror and what led to it: objects only, so that no link leads anywhere and nothing is run. */
import type { CommitMade, TreeReader } from '../../ports/git.ts';
import { changedFiles, patchOf } from './compare-trees.ts';
import { runGit } from './run-git.ts';

const MAX_BYTES = 2_000_000;

export function createBaseReader(mirror: string, sha: string): TreeReader {
  const tryRead = async (args: readonly string[]): Promise<string | undefined> => {
    const env = { GIT_DIR: mirror, GIT_LITERAL_PATHSPECS: '1' };
    const { code, stdout, isCut } = await runGit({ dir: mirror, env, args, maxBytes: MAX_BYTES });
    return code === 0 || isCut ? stdout.toString() : undefined;
  };
  const read = async (args: readonly string[]): Promise<string> => (await tryRead(args)) ?? '';
  const diff = (from: string, path: string): Promise<string> =>
    read(['diff', '--no-ext-diff', '--no-textconv', '--end-of-options', from, sha, ...at(path)]);
  return {
    file: (path) => read(['cat-file', 'blob', `${sha}:${path}`]),
    // Fixed text: no pattern can keep it busy.
    grep: (text, path) => read(['grep', '-n', '-I', '-F', '-e', text, sha, ...at(path)]),
    mode: async (path) => (await tryRead(['ls-tree', sha, ...at(path)]))?.split(' ')[0],
    paths: (path) => read(['ls-tree', '-r', '--name-only', sha, ...at(path)]),
    history: {
      commit: () => readCommit(mirror, read, sha),
      log: (count, path) =>
        read(['log', `--max-count=${count}`, '--format=%h %as %s', sha, ...at(path)]),
      diff,
      ahead: async (of) => {
        const shared = (await read(['merge-base', '--end-of-options', of, sha])).trim();
        return shared === '' ? '' : diff(shared, '');
      },
    },
  };
}

async function readCommit(
  mirror: string,
  read: (args: readonly string[]) => Promise<string>,
  sha: string,
): Promise<CommitMade | undefined> {
  const told = await read(['log', '--max-count=1', '--format=%P%x00%at%x00%B', sha]);
  const [parents = '', seconds = '', message = ''] = told.split('\0');
  if (!/^[0-9a-f]{40}$/.test(parents)) return undefined;
  const range = { mirror, base: parents, head: sha };
  const patch = await patchOf(range, MAX_BYTES);
  if (patch === undefined) return undefined;
  const paths = (await changedFiles(range)).map(({ path }) => path);
  return { from: parents, message, at: Number(seconds) * 1000, patch, paths };
}

function at(path: string): string[] {
  return path === '' ? [] : ['--', path];
}
