/** The full text index of memory: taking entries out of it, merging what it keeps, and rebuilding it. */
import { number, text } from '../../row.ts';
import type { GroupCommit } from '../group-commit.ts';
import type { Sql } from '../sql.ts';

/** Pages that one transaction merges: a few milliseconds. */
const MERGED_PAGES = 16;
/** Fewer changes than this, FTS5 says, and there was nothing left to merge. */
const LEAST_CHANGES = 2;
/** The counter that is there from the first entry that was removed until the index is rebuilt. */
const REMOVED = 'memory-removed';

/** Removes entries with all that a search finds of them, and notes that {@link rebuildSearch} is due; returns how many. */
export function deleteSqliteEntries(
  sql: Sql,
  where: string,
  values: readonly (number | string)[],
): number {
  sql.run(
    `INSERT INTO memory_search (memory_search, rowid, tokens)
     SELECT 'delete', ord, tokens FROM memory_entries WHERE ${where}`,
    ...values,
  );
  const removed = sql.all(
    `DELETE FROM memory_entries WHERE ${where} RETURNING scope, terms`,
    ...values,
  );
  for (const row of removed) {
    const place = [text(row, 'scope'), text(row, 'terms')] as const;
    sql.run(
      `UPDATE memory_terms SET entries = entries - 1
       WHERE scope = ? AND term IN (SELECT value FROM json_each(?))`,
      ...place,
    );
    sql.run(
      `DELETE FROM memory_terms WHERE entries < 1
       AND scope = ? AND term IN (SELECT value FROM json_each(?))`,
      ...place,
    );
  }
  if (removed.length > 0)
    sql.run('INSERT OR IGNORE INTO counters (name, value) VALUES (?, 1)', REMOVED);
  return removed.length;
}

/**
 * Puts together what FTS5 keeps in several places, so that a search looks for a token in few of them. A place of each size
 * stays: what is merged is at most doubled, so that a small change rewrites little.
 */
export async function mergeSearch(sql: Sql, commits: GroupCommit): Promise<void> {
  for (;;) {
    const changes = await commits.submit({
      run: () => {
        const before = totalChanges(sql);
        sql.run(
          `INSERT INTO memory_search (memory_search, rank) VALUES ('merge', ${MERGED_PAGES})`,
        );
        return totalChanges(sql) - before;
      },
      // Lost, it is done again after the next change.
      durable: false,
    });
    if (changes < LEAST_CHANGES) return;
  }
}

/** Whether entries were removed since the index was rebuilt last. */
export function isSearchLoose(sql: Sql): boolean {
  return sql.get('SELECT 1 FROM counters WHERE name = ?', REMOVED) !== undefined;
}

/**
 * Builds the index from the entries that are there. FTS5 keeps a term for each page, to tell it from the page
 * before. It does not delete that term with the last entry that has it, and merging drops it only from the parts that it merges.
 */
export function rebuildSearch(sql: Sql): void {
  sql.run(`INSERT INTO memory_search (memory_search) VALUES ('rebuild')`);
}

/** To be called once nothing of what was removed is left in the files: until then a crash has it built again. */
export function noteRebuilt(sql: Sql): void {
  sql.run('DELETE FROM counters WHERE name = ?', REMOVED);
}

function totalChanges(sql: Sql): number {
  return number(sql.get('SELECT total_changes() AS n') ?? {}, 'n');
}
