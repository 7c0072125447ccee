/** Several entries become one: it keeps where each came from, and is trusted no more than the least of them. */
import type { Trust } from '../prompt/quarantine.ts';
import {
  MAX_ORIGINS,
  MAX_REFS,
  MAX_WORDS,
  memoryId,
  type MemoryCategory,
  type MemoryEntry,
  type MemoryOrigin,
} from './memory-entry.ts';
import { refName } from './file/entry-line.ts';
import { isOrder } from './memory-text.ts';

const LEAST_FIRST: readonly Trust[] = ['stranger', 'contributor', 'maintainer'];

/** What to write in their place. */
export interface JoinedAs {
  category: MemoryCategory;
  text: string;
  /** ISO 8601 date. */
  createdAt: string;
}

/**
 * Joins entries, newest first, into one. Undefined without entries, or where they have more origins than a line can
 * name. An origin that is not named could not be forgotten.
 */
export function joinEntries(
  entries: readonly MemoryEntry[],
  { category, text, createdAt }: JoinedAs,
): MemoryEntry | undefined {
  const [newest] = entries;
  const origins = originsOf(entries);
  if (newest === undefined || origins.length > MAX_ORIGINS) return undefined;
  const { persona, source, author } = newest;
  const ranks = entries.map(({ trust }) => LEAST_FIRST.indexOf(trust));
  const isUsable = entries.every(({ state }) => state === 'active') && !isOrder(text);
  return {
    id: memoryId(persona, text),
    persona,
    category,
    text,
    refs: unique(
      entries.flatMap(({ refs }) => refs),
      refName,
    ).slice(0, MAX_REFS),
    words: [...new Set(entries.flatMap(({ words }) => words))].slice(0, MAX_WORDS),
    source,
    author,
    trust: LEAST_FIRST[Math.min(...ranks)] ?? 'stranger',
    createdAt,
    state: isUsable ? 'active' : 'quarantined',
    grewFrom: origins,
  };
}

/** Where entries come from, those included that they were made of. */
export function originsOf(entries: readonly MemoryEntry[]): MemoryOrigin[] {
  const all = entries.flatMap(({ source, author, grewFrom = [] }) => [
    { source, author },
    ...grewFrom,
  ]);
  return unique(all, (origin) => JSON.stringify(origin));
}

function unique<T>(all: readonly T[], keyOf: (each: T) => string): T[] {
  const seen = new Set<string>();
  return all.filter((each) => {
    const key = keyOf(each);
    return !seen.has(key) && seen.add(key);
  });
}
