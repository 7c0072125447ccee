/** A person's own words for a note take the place of the old ones, and the note keeps what forgetting rests on. */
import { originsOf } from '../join-entries.ts';
import { MAX_ORIGINS, type MemoryEntry } from '../memory-entry.ts';
import { changeEntries } from './edit-memory-file.ts';
import type { MemoryChange } from './memory-change.ts';
import { entriesOf, type MemoryFile } from './memory-file.ts';

type Reword = Extract<MemoryChange, { kind: 'reword' }>;

export interface Reworded {
  memory: ReadonlyMap<string, MemoryFile>;
  /** The note as it is now; undefined where it was not reworded. */
  entry?: MemoryEntry;
  /** Why it was not reworded. */
  refused?: string;
}

/** Rewrites the line of the note. Its file, its category and what it cites stay. */
export function rewordEntry(memory: ReadonlyMap<string, MemoryFile>, change: Reword): Reworded {
  const all = [...memory.values()].flatMap((file) => entriesOf(file));
  const fault = faultOf(all, change);
  if (fault === 'done') return { memory };
  if (fault !== undefined)
    return { memory, refused: `The note ${change.id} was not reworded: ${fault}.` };
  const [old] = all.filter(({ id }) => id === change.id);
  if (old === undefined) return { memory };
  const entry = withWords(old, change);
  const files = [...memory].map(
    ([path, file]) =>
      [path, changeEntries(file, (each) => (each.id === old.id ? entry : each))] as const,
  );
  return { memory: new Map(files), entry };
}

function withWords(old: MemoryEntry, { entry, category }: Reword): MemoryEntry {
  const { persona, refs, words } = old;
  const named = category ?? old.category;
  return { ...entry, persona, refs, words, category: named, grewFrom: originsOf([old]) };
}

/** `done`: an earlier try of the same change has written it. */
function faultOf(all: readonly MemoryEntry[], { id, shown, entry }: Reword): string | undefined {
  const [old, ...others] = all.filter((each) => each.id === id);
  const same = all.find((each) => each.id === entry.id);
  if (old === undefined) return comesFrom(same, entry) ? 'done' : 'it is not there any more';
  if (others.length > 0) return 'several notes have this id';
  if (old.text !== shown) return 'its text changed after it was shown';
  if (same !== undefined) return tellTaken(same);
  return originsOf([old]).length > MAX_ORIGINS ? 'it grew from too many others' : undefined;
}

function comesFrom(found: MemoryEntry | undefined, { source }: MemoryEntry): boolean {
  return JSON.stringify(found?.source) === JSON.stringify(source);
}

const STATES: Readonly<Record<MemoryEntry['state'], string>> = {
  active: 'is in use',
  quarantined: 'waits for an approval',
  stale: 'is stale',
};

/** A note that has the wanted words already. */
export function tellTaken({ id, state }: Pick<MemoryEntry, 'id' | 'state'>): string {
  return `the note ${id} says this already, and it ${STATES[state]}`;
}
