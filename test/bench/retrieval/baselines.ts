/** What retrieval is compared with: the files alone, and every term of the diff in one plain full text search. */
import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { IndexedEntry, MemoryQuery } from '../../../src/ports/memory-index.ts';

export type Find = (query: MemoryQuery) => Promise<string[]>;

function isVisible(entry: IndexedEntry, query: MemoryQuery): boolean {
  return entry.persona === 'team' || entry.persona === query.persona;
}

/** Who cites a file of the diff, in an order that has nothing to do with what they are. */
export function byPath(entries: readonly IndexedEntry[]): Find {
  return async (query) => {
    const paths = new Set(query.paths);
    return entries
      .filter((entry) => isVisible(entry, query) && entry.paths.some((each) => paths.has(each)))
      .map(({ id }) => id)
      .toSorted((a, b) => (hash(a) < hash(b) ? -1 : 1))
      .slice(0, query.limit);
  };
}

/** FTS5 as it comes, with an OR of all terms. */
export function byAllTerms(entries: readonly IndexedEntry[]): Find {
  const db = new DatabaseSync(':memory:');
  db.exec('CREATE VIRTUAL TABLE plain USING fts5 (text, words)');
  db.exec('BEGIN');
  const insert = db.prepare('INSERT INTO plain (rowid, text, words) VALUES (?, ?, ?)');
  for (const [at, { text, words }] of entries.entries()) insert.run(at, text, words.join(' '));
  db.exec('COMMIT');
  const search = db.prepare('SELECT rowid FROM plain WHERE plain MATCH ? ORDER BY rank');
  return async (query) => {
    const match = query.terms.map((term) => `"${term.replaceAll('"', '')}"`).join(' OR ');
    return search
      .all(match)
      .map((row) => entries[Number(row['rowid'])])
      .filter((entry) => entry !== undefined && isVisible(entry, query))
      .map((entry) => entry?.id ?? '')
      .slice(0, query.limit);
  };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
