/** Takes entries out for good, and moves the folder of a persona that was renamed or removed. */
import { Handle } from '../persona/persona.ts';
import { removeParts } from './file/edit-memory-file.ts';
import { originsOf } from './join-entries.ts';
import type { MemoryOrigin } from './memory-entry.ts';
import type { MemoryFile, MemoryPart } from './file/memory-file.ts';
import type { MemoryUses } from './file/memory-use.ts';

/** What is to be forgotten: one entry, or everything that grew from a run or from an author's words. */
export type ForgetTarget =
  { kind: 'entry'; id: string } | { kind: 'run'; run: string } | { kind: 'author'; id: number };

export interface Forgotten {
  file: MemoryFile;
  /** Ids of what was taken out. */
  ids: string[];
}

/** Takes out what matches, made from several entries or skipped as malformed as well. */
export function forget(file: MemoryFile, target: ForgetTarget): Forgotten {
  const gone = file.parts.filter((part) => isMeant(part, target));
  const ids = gone.map(idOf).filter((id) => id !== undefined);
  const isGone = new Set<MemoryPart>(gone);
  return { file: removeParts(file, (part) => isGone.has(part)), ids: [...new Set(ids)] };
}

/** The counters without those of these entries. */
export function forgetUses(uses: MemoryUses, ids: readonly string[]): MemoryUses {
  const gone = new Set(ids);
  return Object.fromEntries(Object.entries(uses).filter(([id]) => !gone.has(id)));
}

function idOf(part: MemoryPart): string | undefined {
  if (part.kind === 'entry') return part.entry.id;
  return part.kind === 'skipped' ? part.id : undefined;
}

function isMeant(part: MemoryPart, target: ForgetTarget): boolean {
  if (target.kind === 'entry') return idOf(part) === target.id;
  return originsIn(part).some(({ source, author }) =>
    target.kind === 'run'
      ? source.kind === 'run' && source.run === target.run
      : author?.id === target.id,
  );
}

function originsIn(part: MemoryPart): MemoryOrigin[] {
  if (part.kind === 'entry') return originsOf([part.entry]);
  return part.kind === 'skipped' ? part.origins : [];
}

export interface Move {
  from: string;
  to: string;
}

const folderOf = (handle: string): string => `personas/${handle}/`;

/** All moves of a rename, for one commit. The text says why there are none. */
export function renameFolder(
  paths: readonly string[],
  from: string,
  to: string,
): Move[] | { refused: string } {
  const wrong = [from, to].find((handle) => !Handle.safeParse(handle).success);
  if (wrong !== undefined) return { refused: `\`${wrong}\` is not a handle` };
  const isTaken = paths.some((path) => path.startsWith(folderOf(to)));
  if (isTaken && from !== to) return { refused: `\`${to}\` has a memory already` };
  return from === to ? [] : movesOf(paths, folderOf(from), folderOf(to));
}

/** Moves the folder of a removed persona to the archive, beside those archived before under the same name. */
export function archiveFolder(paths: readonly string[], handle: string): Move[] {
  if (!Handle.safeParse(handle).success) return [];
  const isFree = (folder: string): boolean => !paths.some((path) => path.startsWith(folder));
  const name = (count: number): string =>
    `personas/.archived/${handle}${count === 1 ? '' : `-${count}`}/`;
  let count = 1;
  while (!isFree(name(count))) count += 1;
  return movesOf(paths, folderOf(handle), name(count));
}

function movesOf(paths: readonly string[], from: string, to: string): Move[] {
  return paths
    .filter((path) => path.startsWith(from))
    .map((path) => ({ from: path, to: `${to}${path.slice(from.length)}` }));
}
