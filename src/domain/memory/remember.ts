/** What a person asks to remember becomes an entry that cites the comment. */
import { categoryOf } from './file/entry-line.ts';
import { memoryId, type MemoryCategory, type MemoryEntry } from './memory-entry.ts';
import { faultOfText } from './memory-text.ts';

export interface Remembered extends Pick<MemoryEntry, 'persona' | 'author' | 'trust'> {
  source: Extract<MemoryEntry['source'], { kind: 'comment' }>;
  /** ISO 8601 date. */
  today: string;
}

/**
 * The entry for a person's words, or why there is no entry. A category in brackets may come first; a decision is
 * assumed. The words of somebody with write access hold at once, also as an instruction; those of others wait for
 * approval.
 */
export function rememberWords(
  words: string,
  { persona, author, trust, source, today }: Remembered,
): MemoryEntry | { refused: string } {
  const { category, rest } = splitCategory(words);
  const text = rest.trim().replaceAll(/[ \t]+/g, ' ');
  const refused =
    faultOfText(text) ?? (/\(refs?:/.test(text) ? 'it has a place in brackets' : undefined);
  if (refused !== undefined) return { refused };
  return {
    id: memoryId(persona, text),
    persona,
    category: category ?? 'DECISION',
    text,
    refs: [],
    words: [],
    source,
    author,
    trust,
    createdAt: today,
    state: trust === 'maintainer' ? 'active' : 'quarantined',
  };
}

/** The category in brackets that words may begin with, and what is behind it. */
export function splitCategory(words: string): {
  category: MemoryCategory | undefined;
  rest: string;
} {
  const [, tag, rest = ''] = /^\s*\[([A-Za-z]{1,20})\](.*)$/s.exec(words) ?? [];
  const category = categoryOf(tag);
  return { category, rest: category === undefined ? words : rest };
}
