/** Erasing the index of memory of whole repositories. */
import type { ErasableMemory } from '../kept-rows.ts';
import { number } from '../row.ts';
import type { Database } from './database.ts';
import { deletePostgresEntries, lockMemory } from './postgres-memory-index.ts';

/** Rows of one read. */
const PAGE = 500;

export function erasablePostgresMemory({
  db,
  schema,
}: {
  db: Database;
  schema: string;
}): ErasableMemory {
  return {
    repositories: async (among) => {
      const rows = await db.query(
        `SELECT repository FROM ${schema}.memory_heads WHERE repository = ANY($1)
         UNION SELECT repository FROM ${schema}.memory_entries WHERE repository = ANY($1)`,
        [among],
      );
      return rows.map((row) => number(row, 'repository'));
    },
    count: async (repositories) => {
      const [row] = await db.query(
        `SELECT count(*) AS n FROM ${schema}.memory_entries WHERE repository = ANY($1)`,
        [repositories],
      );
      return number(row ?? {}, 'n');
    },
    async *rows(repositories) {
      for (let after = 0; ;) {
        const rows = await db.query(
          `SELECT * FROM ${schema}.memory_entries WHERE repository = ANY($1) AND ord > $2 ORDER BY ord LIMIT ${PAGE}`,
          [repositories, after],
        );
        for (const row of rows) yield { table: 'memory', row };
        const last = rows.at(-1);
        if (last === undefined || rows.length < PAGE) return;
        after = number(last, 'ord');
      }
    },
    erase: async (repositories) => {
      let all = 0;
      for (const repository of repositories)
        all += await db.transaction(async (tx) => {
          await lockMemory(tx, schema, repository);
          await tx.query(`DELETE FROM ${schema}.memory_heads WHERE repository = $1`, [repository]);
          return deletePostgresEntries(tx, schema, { repository });
        });
      return all;
    },
  };
}
