/** Erasing the index of memory of whole repositories, a batch at a time. */
import type { ErasableMemory } from '../../kept-rows.ts';
import { number } from '../../row.ts';
import type { GroupCommit } from '../group-commit.ts';
import { deleteSqliteEntries } from './sqlite-memory-search.ts';
import type { Sql } from '../sql.ts';

const BATCH = 100;
const LIST = '(SELECT value FROM json_each(?))';

export interface MemoryParts {
  sql: Sql;
  /** Absent in a store that is only read. */
  commits?: GroupCommit;
}

export function erasableSqliteMemory({ sql, commits }: MemoryParts): ErasableMemory {
  return {
    repositories: async (among) =>
      sql
        .all(
          `SELECT repository FROM memory_heads WHERE repository IN ${LIST}
           UNION SELECT repository FROM memory_entries WHERE repository IN ${LIST}`,
          JSON.stringify(among),
          JSON.stringify(among),
        )
        .map((row) => number(row, 'repository')),
    count: async (repositories) => {
      const row = sql.get(
        `SELECT count(*) AS n FROM memory_entries WHERE repository IN ${LIST}`,
        JSON.stringify(repositories),
      );
      return number(row ?? {}, 'n');
    },
    async *rows(repositories) {
      for (let after = 0; ;) {
        const rows = sql.all(
          `SELECT * FROM memory_entries WHERE repository IN ${LIST} AND ord > ? ORDER BY ord LIMIT ${BATCH}`,
          JSON.stringify(repositories),
          after,
        );
        for (const row of rows) yield { table: 'memory', row };
        const last = rows.at(-1);
        if (last === undefined || rows.length < BATCH) return;
        after = number(last, 'ord');
      }
    },
    erase: async (repositories) => {
      if (commits === undefined) throw new TypeError('A store that is only read erases nothing.');
      let all = 0;
      for (const repository of repositories)
        for (;;) {
          const deleted = await commits.submit({ run: () => eraseSome(sql, repository) });
          all += deleted;
          if (deleted === 0) break;
        }
      return all;
    },
  };
}

function eraseSome(sql: Sql, repository: number): number {
  sql.run('DELETE FROM memory_heads WHERE repository = ?', repository);
  return deleteSqliteEntries(
    sql,
    `ord IN (SELECT ord FROM memory_entries WHERE repository = ? LIMIT ${BATCH})`,
    [repository],
  );
}
