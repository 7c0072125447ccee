/** Merges what we changed in a memory file with what others wrote to it meanwhile, entry by entry. */
import { addEntries, removeEntries, replaceEntries } from './edit-memory-file.ts';
import { renderEntryLine } from './entry-line.ts';
import type { MemoryEntry } from '../memory-entry.ts';
import {
  entriesOf,
  parseMemoryFile,
  renderMemoryFile,
  type MemoryFileContext,
} from './memory-file.ts';

export interface ThreeFiles {
  /** What both began from; empty when the file was new. */
  base: string;
  /** What we want to write. */
  ours: string;
  /** What is on the branch now: another writer's, or a person's. */
  theirs: string;
}

export interface MergedFile {
  text: string;
  /** Entries that both sides changed, or that we changed and they removed: theirs hold. */
  overruled: string[];
}

/**
 * Applies what we added, changed and removed to their file. Additions of both stay. What they changed or removed holds
 * against ours, since it may be a person's, and so does every byte of theirs that is no entry.
 */
export function mergeMemoryFile(
  { base, ours, theirs }: ThreeFiles,
  context: MemoryFileContext,
): MergedFile {
  if (ours === theirs || ours === base) return { text: theirs, overruled: [] };
  if (theirs === base) return { text: ours, overruled: [] };
  const [before, mine, now] = [base, ours, theirs].map((text) => byId(text, context));
  if (before === undefined || mine === undefined || now === undefined)
    return { text: theirs, overruled: [] };
  const changes = changesOf(before, mine);
  const isTouched = (id: string): boolean => lineOf(now.get(id)) !== lineOf(before.get(id));
  const free = changes.changed.filter(({ id }) => !isTouched(id));
  const gone = changes.removed.filter((id) => !isTouched(id));
  const added = changes.added.filter(({ id }) => !now.has(id));
  const file = parseMemoryFile(theirs, context);
  const merged = addEntries(removeEntries(replaceEntries(file, free), new Set(gone)), added);
  const overruled = [...changes.changed.map(({ id }) => id), ...changes.removed].filter(
    (id) => isTouched(id) && lineOf(now.get(id)) !== lineOf(mine.get(id)),
  );
  return { text: renderMemoryFile(merged), overruled };
}

type ById = ReadonlyMap<string, MemoryEntry>;

function byId(text: string, context: MemoryFileContext): ById {
  return new Map(entriesOf(parseMemoryFile(text, context)).map((entry) => [entry.id, entry]));
}

/** All that an entry is, as text; nothing for one that is not there. */
function lineOf(entry: MemoryEntry | undefined): string {
  return entry === undefined ? '' : renderEntryLine(entry, '');
}

interface Changes {
  added: MemoryEntry[];
  changed: MemoryEntry[];
  removed: string[];
}

function changesOf(before: ById, mine: ById): Changes {
  const list = [...mine.values()];
  return {
    added: list.filter(({ id }) => !before.has(id)),
    changed: list.filter((entry) => {
      const known = before.get(entry.id);
      return known !== undefined && lineOf(known) !== lineOf(entry);
    }),
    removed: [...before.keys()].filter((id) => !mine.has(id)),
  };
}
