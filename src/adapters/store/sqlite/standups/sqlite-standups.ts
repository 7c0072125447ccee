/** Standups in the embedded store. */
import type {
  KeptStandup,
  RepositoryValues,
  StandupEntry,
  Thumbs,
  ValueName,
} from '../../../../domain/standup/kept-standup.ts';
import type {
  InsightFilter,
  InsightPage,
  StandupFilter,
  StandupStore,
  VersionedValue,
} from '../../../../ports/standup-store.ts';
import { storeDown } from '../../failures.ts';
import { number, requireRepository, text } from '../../row.ts';
import { toEntry, toPage, toStandupRow } from '../../standup-rows.ts';
import type { GroupCommit } from '../group-commit.ts';
import { isAway, type Sql } from '../sql.ts';

export class SqliteStandups implements StandupStore {
  readonly #sql: Sql;
  readonly #commits: GroupCommit | undefined;

  /** Without `commits` it is only read. */
  constructor({ sql, commits }: { sql: Sql; commits?: GroupCommit }) {
    this.#sql = sql;
    this.#commits = commits;
  }

  save(standup: KeptStandup): Promise<'saved' | 'known'> {
    const { repository, name, run, thread, at, data } = toStandupRow(standup);
    return this.#write(() => {
      const added = this.#sql.run(
        `INSERT INTO standups (repository, name, run, thread, at, data) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (repository, run) DO NOTHING`,
        repository,
        name,
        run,
        thread,
        at,
        data,
      );
      if (added === 0) return 'known';
      // Newest first is read backwards: then those of one answer are in their order.
      for (const insight of standup.insights.toReversed())
        this.#sql.run(
          'INSERT INTO insights (repository, run, at, type, data) VALUES (?, ?, ?, ?, ?)',
          repository,
          run,
          at,
          insight.type,
          JSON.stringify(insight),
        );
      return 'saved';
    });
  }

  rate({ repository, run }: { repository: number; run: string }, thumbs: Thumbs): Promise<void> {
    return this.#write(() => {
      this.#sql.run(
        'UPDATE standups SET up = ?, down = ? WHERE repository = ? AND run = ?',
        thumbs.up,
        thumbs.down,
        repository,
        run,
      );
    });
  }

  async standups(filter: StandupFilter): Promise<StandupEntry[]> {
    const { where, values } = toWhere(filter);
    return read(() =>
      this.#sql
        .all(
          `SELECT data, up, down FROM standups ${where} ORDER BY ord DESC LIMIT ?`,
          ...values,
          filter.limit,
        )
        .map(toEntry),
    );
  }

  async insights(filter: InsightFilter): Promise<InsightPage> {
    return read(() => {
      const page = toWhere(filter);
      const rows = this.#sql.all(
        `SELECT ord, repository, at, type, data FROM insights ${page.where} ORDER BY ord DESC LIMIT ?`,
        ...page.values,
        filter.limit + 1,
      );
      const { before: _, ...whole } = filter;
      return toPage(rows, filter, this.#count(whole));
    });
  }

  #count(filter: Omit<InsightFilter, 'before'>): { total: number; noTension: number } {
    const { where, values } = toWhere(filter);
    const rows = this.#sql.all(
      `SELECT type, count(*) AS n FROM insights ${where} GROUP BY type`,
      ...values,
    );
    const counts = rows.map((row) => ({ type: text(row, 'type'), n: number(row, 'n') }));
    return {
      total: counts.reduce((sum, { n }) => sum + n, 0),
      noTension: counts.find(({ type }) => type === 'none')?.n ?? 0,
    };
  }

  async repositories(name: string): Promise<number[]> {
    return read(() =>
      this.#sql
        .all('SELECT DISTINCT repository FROM standups WHERE name = ?', name.toLowerCase())
        .map((row) => number(row, 'repository')),
    );
  }

  async load<K extends ValueName>(
    repository: number,
    name: K,
  ): Promise<VersionedValue<K> | undefined> {
    return read(() => {
      const row = this.#sql.get(
        'SELECT version, value FROM repository_values WHERE repository = ? AND name = ?',
        repository,
        name,
      );
      if (row === undefined) return undefined;
      const value: RepositoryValues[K] = JSON.parse(text(row, 'value'));
      return { version: number(row, 'version'), value };
    });
  }

  replace<K extends ValueName>(
    repository: number,
    name: K,
    { expected, value }: { expected: number; value: RepositoryValues[K] },
  ): Promise<boolean> {
    requireRepository(repository);
    const json = JSON.stringify(value);
    return this.#write(() => {
      const saved =
        expected === 0
          ? this.#sql.run(
              `INSERT INTO repository_values (repository, name, version, value) VALUES (?, ?, 1, ?)
               ON CONFLICT (repository, name) DO NOTHING`,
              repository,
              name,
              json,
            )
          : this.#sql.run(
              `UPDATE repository_values SET version = version + 1, value = ?
               WHERE repository = ? AND name = ? AND version = ?`,
              json,
              repository,
              name,
              expected,
            );
      return saved > 0;
    });
  }

  #write<T>(run: () => T): Promise<T> {
    if (this.#commits === undefined)
      throw new TypeError('A store that is only read keeps nothing.');
    return this.#commits.submit({ run });
  }
}

function toWhere({ repositories, run, type, before }: Partial<InsightFilter>): {
  where: string;
  values: (string | number)[];
} {
  const parts: [string, string | number][] = [];
  const [only, ...others] = repositories ?? [];
  // One is read in the order of its index, several have to be sorted.
  if (only !== undefined && others.length === 0) parts.push(['repository = ?', only]);
  else if (repositories !== undefined)
    parts.push(['repository IN (SELECT value FROM json_each(?))', JSON.stringify(repositories)]);
  if (run !== undefined) parts.push(['run = ?', run]);
  if (type !== undefined) parts.push(['type = ?', type]);
  if (before !== undefined) parts.push(['ord < ?', before]);
  return {
    where: parts.length === 0 ? '' : `WHERE ${parts.map(([part]) => part).join(' AND ')}`,
    values: parts.map(([, value]) => value),
  };
}

function read<T>(query: () => T): T {
  try {
    return query();
  } catch (error) {
    throw isAway(error) ? storeDown(error) : error;
  }
}
