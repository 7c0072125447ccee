/** Removes entries permanently. */
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
export function forgetEntries(file: MemoryFile, target: ForgetTarget): Forgotten {
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
