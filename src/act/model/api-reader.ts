/** Reads a commit through GitHub's API, where there is no git: files and lines, and no history (CB-3). */
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import { isSourcePath } from '../../domain/repository/paths.ts';
import type { GitHubSession } from '../../ports/github/github.ts';
import type { BaseReader } from '../../ports/git.ts';

const MAX_FILE_BYTES = 500_000;
const MAX_PATHS = 20_000;
/** Of all files that are searched. */
const MAX_SEARCHED_BYTES = 4_000_000;

export function apiReader(session: GitHubSession, ref: RepositoryRef, sha: string): BaseReader {
  let all: Promise<string[]> | undefined;
  const below = async (path: string): Promise<string[]> => {
    all ??= session.read.paths(ref, sha, MAX_PATHS).then(({ paths }) => paths);
    const folder = path.replace(/(?<!\/)\/+$/, '');
    return (await all).filter(
      (each) => folder === '' || each === folder || each.startsWith(`${folder}/`),
    );
  };
  return {
    file: async (path) => {
      const wanted = { paths: [path], maxBytes: MAX_FILE_BYTES };
      const [found] = await session.read.files(ref, sha, wanted);
      return found?.text ?? '';
    },
    grep: async (text, path) => {
      const paths = (await below(path)).toSorted(sourcesFirst);
      const limits = { maxBytes: MAX_FILE_BYTES, totalBytes: MAX_SEARCHED_BYTES };
      const files = await session.code.texts(ref, sha, { paths, ...limits });
      const left = paths.length - files.length;
      return [
        ...files.flatMap((file) => linesWith(text, file)),
        ...(left > 0 ? [`(${left} files were not searched: too large, or no text)`] : []),
      ].join('\n');
    },
    paths: async (path) => (await below(path)).join('\n'),
  };
}

function sourcesFirst(a: string, b: string): number {
  return Number(isSourcePath(b)) - Number(isSourcePath(a));
}

function linesWith(wanted: string, { path, text }: { path: string; text: string }): string[] {
  return text
    .split('\n')
    .flatMap((line, at) => (line.includes(wanted) ? [`${path}:${at + 1}:${line}`] : []));
}
