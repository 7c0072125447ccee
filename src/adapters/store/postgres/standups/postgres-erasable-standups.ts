/** Erasing standups and what is kept beside them, of whole repositories or a part of their text. */
import type { ErasableStandups, StandupText } from '../../kept-rows.ts';
import { number } from '../../row.ts';
import { toSaid, toValue } from '../../standup-rows.ts';
import type { Database, Sql } from '../database.ts';

const TABLES = ['standups', 'insights', 'repository_values'] as const;
/** Rows of one read. */
const PAGE = 500;

interface Place {
  db: Database;
  schema: string;
}

export function erasablePostgresStandups(place: Place): ErasableStandups {
  const { db, schema } = place;
  return {
    repositories: async (among) => {
      const each = TABLES.map(
        (table) => `SELECT repository FROM ${schema}.${table} WHERE repository = ANY($1)`,
      );
      const rows = await db.query(each.join(' UNION '), [among]);
      return rows.map((row) => number(row, 'repository'));
    },
    count: async (repositories) => {
      const each = TABLES.map(
        (table) => `(SELECT count(*) FROM ${schema}.${table} WHERE repository = ANY($1))`,
      );
      const [row] = await db.query(`SELECT ${each.join(' + ')} AS n`, [repositories]);
      return number(row ?? {}, 'n');
    },
    async *rows(repositories) {
      for (const table of TABLES) {
        const order = table === 'repository_values' ? 'repository, name' : 'ord';
        for (let from = 0; ; from += PAGE) {
          const rows = await db.query(
            `SELECT * FROM ${schema}.${table} WHERE repository = ANY($1) ORDER BY ${order} LIMIT ${PAGE} OFFSET $2`,
            [repositories, from],
          );
          for (const row of rows) yield { table, row };
          if (rows.length < PAGE) break;
        }
      }
    },
    erase: (repositories) => erase(place, repositories),
    with: (texts) => textsWith(place, texts),
    ofThread: (of) => textsOfThread(place, of),
    write: async (texts) => {
      if (texts.length === 0) return 0;
      return db.transaction(async (tx) => {
        let all = 0;
        for (const each of texts) all += await put(tx, schema, each);
        return all;
      });
    },
  };
}

async function erase({ db, schema }: Place, repositories: readonly number[]): Promise<number> {
  if (repositories.length === 0) return 0;
  return db.transaction(async (tx) => {
    let all = 0;
    for (const table of TABLES) {
      const rows = await tx.query(
        `DELETE FROM ${schema}.${table} WHERE repository = ANY($1) RETURNING repository`,
        [repositories],
      );
      all += rows.length;
    }
    return all;
  });
}

async function textsWith({ db, schema }: Place, texts: readonly string[]): Promise<StandupText[]> {
  if (texts.length === 0) return [];
  const words = [texts.map((each) => each.toLowerCase())];
  const found: StandupText[] = [];
  for (const table of ['standups', 'insights'] as const) {
    const rows = await db.query(
      `SELECT ord, data FROM ${schema}.${table} WHERE ${has('data')}`,
      words,
    );
    found.push(...rows.map((row) => toSaid(table, row)));
  }
  const values = await db.query(
    `SELECT repository, name, value FROM ${schema}.repository_values WHERE ${has('value')}`,
    words,
  );
  return [...found, ...values.map(toValue)];
}

async function textsOfThread(
  { db, schema }: Place,
  of: { repositoryId: number; number: number },
): Promise<StandupText[]> {
  const place = [of.repositoryId, of.number];
  const standups = await db.query(
    `SELECT ord, data FROM ${schema}.standups WHERE repository = $1 AND thread = $2`,
    place,
  );
  if (standups.length === 0) return [];
  const insights = await db.query(
    `SELECT ord, data FROM ${schema}.insights WHERE repository = $1 AND run IN
       (SELECT run FROM ${schema}.standups WHERE repository = $1 AND thread = $2)`,
    place,
  );
  const values = await db.query(
    `SELECT repository, name, value FROM ${schema}.repository_values
     WHERE repository = $1 AND name = 'tensions'`,
    [of.repositoryId],
  );
  return [
    ...standups.map((row) => toSaid('standups', row)),
    ...insights.map((row) => toSaid('insights', row)),
    ...values.map(toValue),
  ];
}

async function put(
  tx: Sql,
  schema: string,
  { table, ord, repository, name, read, written }: StandupText,
): Promise<number> {
  if (table === 'repository_values') {
    const saved = await tx.query(
      `UPDATE ${schema}.repository_values SET value = $1, version = version + 1
       WHERE repository = $2 AND name = $3 AND value = $4 RETURNING version`,
      [written ?? read, repository, name, read],
    );
    return saved.length;
  }
  const rows =
    written === undefined
      ? await tx.query(`DELETE FROM ${schema}.${table} WHERE ord = $1 RETURNING ord`, [ord])
      : await tx.query(
          `UPDATE ${schema}.${table} SET data = $1 WHERE ord = $2 AND data = $3 RETURNING ord`,
          [written, ord, read],
        );
  return rows.length;
}

/** Whether a column has one of the words of the first parameter. */
function has(column: string): string {
  return `EXISTS (SELECT 1 FROM unnest($1::text[]) AS word WHERE strpos(lower(${column}), word) > 0)`;
}
