/** What a look found in memory for the matter at hand, and what a run keeps of it. */
import { citedMemories } from './render-memory.ts';
import type { MemoryEntry } from '../memory-entry.ts';

export interface RecalledMemory {
  /** Head of the memory branch; undefined while it does not exist. */
  head: string | undefined;
  /** Verified entries, most relevant first, by the handle of the persona that may use them. */
  notes: Readonly<Record<string, readonly MemoryEntry[]>>;
  /** Each persona's own file, `self.md`, by handle; absent where nobody has one, or it is switched off. */
  selves?: Readonly<Record<string, string>>;
}

/** A note that voices of a run were shown. */
export type ShownNote = Pick<MemoryEntry, 'id' | 'persona' | 'text'>;

/** What voices of a run may have been shown, each once. */
export function notesOf(
  { notes }: Pick<RecalledMemory, 'notes'>,
  handles: readonly string[],
): ShownNote[] {
  const all = handles.flatMap((handle) => notes[handle] ?? []);
  return [...new Map(all.map(({ id, persona, text }) => [id, { id, persona, text }])).values()];
}

/** Takes the marks of cited notes out of a text: they are for code. */
export function takeCitations(text: string): { text: string; cited: string[] } {
  const cited = citedMemories(text);
  if (cited.length === 0) return { text, cited };
  return { text: text.replaceAll(/ ?\[m:[0-9a-f]{10}\]/g, ''), cited };
}
