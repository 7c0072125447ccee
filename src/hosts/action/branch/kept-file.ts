/** A file of workflows on the memory branch: read, and changed by compare-and-swap. */
import { RefusedError } from '../../../domain/event/errors.ts';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import type {
  ChecksOn,
  GitHubMemory,
  MemorySnapshot,
  MemoryUpdate,
} from '../../../ports/github/memory-branch.ts';

export interface StatePlace {
  github: GitHubMemory;
  repository: RepositoryRef;
  branch: string;
  /** With it, what was read is not read again before it is written: a commit is made on its head alone. */
  seen?: SeenFiles;
}

/** Files as this job read them last, with what it wrote since. */
export interface SeenFiles {
  last?: MemorySnapshot & { paths: readonly string[] };
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
  const { files } = await readKeptFiles(place, [file.path]);
  const text = files.get(file.path);
  return { kept: parseFile(file, text), text };
}

/** Their texts by path, of those that are there, and check runs where they are asked for. */
export async function readKeptFiles(
  { github, repository, branch, seen }: StatePlace,
  paths: readonly string[],
  checksOn?: ChecksOn,
): Promise<Pick<MemorySnapshot, 'files' | 'checks'>> {
  // What this job writes later stays known with it.
  const all = [...new Set([...(seen?.last?.paths ?? []), ...paths])];
  const { memory } = github.at(repository);
  const snapshot = await memory.read(
    { repository, branch },
    { paths: all, ...(checksOn !== undefined && { checksOn }) },
  );
  if (seen !== undefined) seen.last = { ...snapshot, paths: all };
  return snapshot;
}

/** As this job knows them: read again only where somebody else has written since. */
export async function readKnownFiles(
  place: StatePlace,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return seenOf(place, paths)?.files ?? (await readKeptFiles(place, paths)).files;
}

function seenOf({ seen }: StatePlace, paths: readonly string[]): SeenFiles['last'] {
  return paths.every((path) => seen?.last?.paths.includes(path)) ? seen?.last : undefined;
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
  place: StatePlace,
  paths: readonly string[],
  { message, change }: Pick<MemoryUpdate, 'message' | 'change'>,
): Promise<void> {
  const { github, repository, branch, seen } = place;
  const { memory } = github.at(repository);
  const last = seenOf(place, paths);
  let changes: ReturnType<typeof change> = new Map();
  const { head, base } = await memory.update(
    { repository, branch },
    {
      paths,
      message,
      ...(last !== undefined && { seen: last }),
      change: (files) => (changes = change(files)),
    },
  );
  if (seen === undefined) return;
  delete seen.last;
  if (last !== undefined && base === last.head)
    seen.last = { ...last, head, files: withChanges(last.files, changes) };
}

function withChanges(
  files: MemorySnapshot['files'],
  changes: ReadonlyMap<string, string | undefined>,
): MemorySnapshot['files'] {
  const entries = [...new Map<string, string | undefined>([...files, ...changes])];
  return new Map(entries.flatMap(([path, text]) => (text === undefined ? [] : [[path, text]])));
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
