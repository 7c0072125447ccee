/** A file of workflows on the memory branch: read, and changed by compare-and-swap. */
import { RefusedError } from '../../../domain/event/errors.ts';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import type { GitHubMemory, MemoryUpdate } from '../../../ports/github/memory-branch.ts';

export interface StatePlace {
  github: GitHubMemory;
  repository: RepositoryRef;
  branch: string;
}

export interface KeptFile<T> {
  path: string;
  /** Undefined for a text that this version does not read; `text` is undefined where there is no file. */
  parse: (text: string | undefined) => T | undefined;
  /** What is wrong with a text that is not read: `… on the memory branch is` and this. */
  isNot: string;
  /** What to do about it. */
  details: string;
}

/** @throws RefusedError `action-state-unreadable` */
export async function readKeptFile<T>(
  place: StatePlace,
  file: KeptFile<T>,
): Promise<{ kept: T; text: string | undefined }> {
  const { github, repository, branch } = place;
  const { memory } = github.at(repository);
  const { files } = await memory.read({ repository, branch }, { paths: [file.path] });
  const text = files.get(file.path);
  return { kept: parseFile(file, text), text };
}

/**
 * Writes what `change` returns for the file as it is at that moment; undefined leaves it. `change` may be called several
 * times. After a write whose answer was lost it sees its own text.
 *
 * @throws RefusedError `action-state-unreadable`
 */
export async function updateKeptFile<T>(
  place: StatePlace,
  file: KeptFile<T>,
  {
    message,
    change,
  }: { message: string; change: (before: T, text: string | undefined) => string | undefined },
): Promise<boolean> {
  let isWritten = false;
  await updateKeptFiles(place, [file.path], {
    message,
    change: (files) => {
      const text = files.get(file.path);
      const after = change(parseFile(file, text), text);
      isWritten = after !== undefined;
      return after === undefined ? new Map() : new Map([[file.path, after]]);
    },
  });
  return isWritten;
}

/** Several files in one commit, as {@link updateKeptFile}: `change` is given their texts, and returns new ones by path. */
export async function updateKeptFiles(
  { github, repository, branch }: StatePlace,
  paths: readonly string[],
  update: Pick<MemoryUpdate, 'message' | 'change'>,
): Promise<void> {
  const { memory } = github.at(repository);
  await memory.update({ repository, branch }, { paths, ...update });
}

/** @throws RefusedError `action-state-unreadable` */
export function parseFile<T>(
  { path, parse, isNot, details }: KeptFile<T>,
  text: string | undefined,
): T {
  const kept = parse(text);
  if (kept !== undefined) return kept;
  throw new RefusedError({
    code: 'action-state-unreadable',
    message: `${path} on the memory branch is ${isNot}.`,
    details,
  });
}
