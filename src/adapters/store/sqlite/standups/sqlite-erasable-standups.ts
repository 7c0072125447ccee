/** Erasing standups and what is kept beside them, of whole repositories or a part of their text. */
import type { ErasableStandups, StandupText } from '../../kept-rows.ts';
import { number } from '../../row.ts';
import { toSaid, toValue } from '../../standup-rows.ts';
import type { MemoryParts } from '../memory/sqlite-erasable-memory.ts';
import type { GroupCommit } from '../group-commit.ts';
import { hasWord, type Sql } from '../sql.ts';

const BATCH = 500;
const LIST = '(SELECT value FROM json_each(?))';
const TABLES = ['standups', 'insights', 'repository_values'] as const;

export function erasableSqliteStandups({ sql, commits }: MemoryParts): ErasableStandups {
  const write = <T>(run: () => T): Promise<T> => writerOf(commits).submit({ run });
  return {
    repositories: async (among) => repositoriesIn(sql, among),
    count: async (repositories) =>
      TABLES.reduce((sum, table) => sum + countIn(sql, table, repositories), 0),
    async *rows(repositories) {
      for (const table of TABLES)
        for (const row of sql.all(
          `SELECT * FROM ${table} WHERE repository IN ${LIST}`,
          JSON.stringify(repositories),
        ))
          yield { table, row };
    },
    erase: async (repositories) => {
      let all = 0;
      for (const repository of repositories)
        for (;;) {
          const deleted = await write(() => eraseSome(sql, repository));
          all += deleted;
          if (deleted === 0) break;
        }
      return all;
    },
    with: async (texts) => (texts.length === 0 ? [] : textsWith(sql, texts)),
    ofThread: async (of) => textsOfThread(sql, of),
    write: async (texts) =>
      texts.length === 0 ? 0 : write(() => texts.reduce((sum, each) => sum + put(sql, each), 0)),
  };
}

function writerOf(commits: GroupCommit | undefined): GroupCommit {
  if (commits === undefined) throw new TypeError('A store that is only read erases nothing.');
  return commits;
}

function repositoriesIn(sql: Sql, among: readonly number[]): number[] {
  const list = JSON.stringify(among);
  return sql
    .all(
      TABLES.map((table) => `SELECT repository FROM ${table} WHERE repository IN ${LIST}`).join(
        ' UNION ',
      ),
      ...TABLES.map(() => list),
    )
    .map((row) => number(row, 'repository'));
}

function countIn(sql: Sql, table: string, repositories: readonly number[]): number {
  const row = sql.get(
    `SELECT count(*) AS n FROM ${table} WHERE repository IN ${LIST}`,
    JSON.stringify(repositories),
  );
  return number(row ?? {}, 'n');
}

function eraseSome(sql: Sql, repository: number): number {
  const of = (table: string): number =>
    sql.run(
      `DELETE FROM ${table} WHERE ord IN (SELECT ord FROM ${table} WHERE repository = ? LIMIT ${BATCH})`,
      repository,
    );
  return (
    of('insights') +
    of('standups') +
    sql.run('DELETE FROM repository_values WHERE repository = ?', repository)
  );
}

function textsWith(sql: Sql, texts: readonly string[]): StandupText[] {
  const words = JSON.stringify(texts.map((each) => each.toLowerCase()));
  const said = (['standups', 'insights'] as const).flatMap((table) =>
    sql
      .all(`SELECT ord, data FROM ${table} WHERE ${hasWord('data')}`, words)
      .map((row) => toSaid(table, row)),
  );
  const values = sql.all(
    `SELECT repository, name, value FROM repository_values WHERE ${hasWord('repository_values.value')}`,
    words,
  );
  return [...said, ...values.map(toValue)];
}

function textsOfThread(sql: Sql, of: { repositoryId: number; number: number }): StandupText[] {
  const place = [of.repositoryId, of.number] as const;
  const standups = sql.all(
    'SELECT ord, data FROM standups WHERE repository = ? AND thread = ?',
    ...place,
  );
  if (standups.length === 0) return [];
  const insights = sql.all(
    `SELECT ord, data FROM insights WHERE repository = ?1 AND run IN
       (SELECT run FROM standups WHERE repository = ?1 AND thread = ?2)`,
    ...place,
  );
  const values = sql.all(
    `SELECT repository, name, value FROM repository_values WHERE repository = ? AND name = 'tensions'`,
    of.repositoryId,
  );
  return [
    ...standups.map((row) => toSaid('standups', row)),
    ...insights.map((row) => toSaid('insights', row)),
    ...values.map(toValue),
  ];
}

function put(sql: Sql, { table, ord, repository, name, read, written }: StandupText): number {
  if (table === 'repository_values')
    return sql.run(
      `UPDATE repository_values SET value = ?, version = version + 1
       WHERE repository = ? AND name = ? AND value = ?`,
      written ?? read,
      repository ?? null,
      name ?? null,
      read,
    );
  if (written === undefined) return sql.run(`DELETE FROM ${table} WHERE ord = ?`, ord ?? null);
  return sql.run(
    `UPDATE ${table} SET data = ? WHERE ord = ? AND data = ?`,
    written,
    ord ?? null,
    read,
  );
}
