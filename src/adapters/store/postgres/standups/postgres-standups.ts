/** Standups in the shared store. */
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
import { number, requireRepository, text } from '../../row.ts';
import { toEntry, toPage, toStandupRow } from '../../standup-rows.ts';
import type { Database, Sql } from '../database.ts';

export class PostgresStandups implements StandupStore {
  readonly #db: Database;
  readonly #schema: string;

  constructor(db: Database, schema: string) {
    this.#db = db;
    this.#schema = schema;
  }

  save(standup: KeptStandup): Promise<'saved' | 'known'> {
    const row = toStandupRow(standup);
    return this.#db.transaction(async (tx) => {
      const added = await tx.query(
        `INSERT INTO ${this.#schema}.standups (repository, name, run, thread, at, data)
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (repository, run) DO NOTHING RETURNING ord`,
        [row.repository, row.name, row.run, row.thread, row.at, row.data],
      );
      if (added.length === 0) return 'known';
      // Newest first is read backwards: then those of one answer are in their order.
      const insights = standup.insights.toReversed();
      await tx.query(
        `INSERT INTO ${this.#schema}.insights (repository, run, at, type, data)
         SELECT $1, $2, $3, type, data FROM unnest($4::text[], $5::text[])
           WITH ORDINALITY AS row (type, data, position) ORDER BY position`,
        [
          row.repository,
          row.run,
          row.at,
          insights.map(({ type }) => type),
          insights.map((insight) => JSON.stringify(insight)),
        ],
      );
      return 'saved';
    });
  }

  async rate(
    { repository, run }: { repository: number; run: string },
    { up, down }: Thumbs,
  ): Promise<void> {
    await this.#db.query(
      `UPDATE ${this.#schema}.standups SET up = $3, down = $4 WHERE repository = $1 AND run = $2`,
      [repository, run, up, down],
    );
  }

  async standups(filter: StandupFilter): Promise<StandupEntry[]> {
    const { where, values } = toWhere(filter);
    const rows = await this.#db.query(
      `SELECT data, up, down FROM ${this.#schema}.standups ${where}
       ORDER BY ord DESC LIMIT $${values.length + 1}`,
      [...values, filter.limit],
    );
    return rows.map(toEntry);
  }

  async insights(filter: InsightFilter): Promise<InsightPage> {
    const { where, values } = toWhere(filter);
    const rows = await this.#db.query(
      `SELECT ord, repository, at, type, data FROM ${this.#schema}.insights ${where}
       ORDER BY ord DESC LIMIT $${values.length + 1}`,
      [...values, filter.limit + 1],
    );
    const { before: _, ...whole } = filter;
    return toPage(rows, filter, await this.#count(this.#db, whole));
  }

  async #count(
    sql: Sql,
    filter: Omit<InsightFilter, 'before'>,
  ): Promise<{ total: number; noTension: number }> {
    const { where, values } = toWhere(filter);
    const rows = await sql.query(
      `SELECT type, count(*) AS n FROM ${this.#schema}.insights ${where} GROUP BY type`,
      values,
    );
    const counts = rows.map((row) => ({ type: text(row, 'type'), n: number(row, 'n') }));
    return {
      total: counts.reduce((sum, { n }) => sum + n, 0),
      noTension: counts.find(({ type }) => type === 'none')?.n ?? 0,
    };
  }

  async repositories(name: string): Promise<number[]> {
    const rows = await this.#db.query(
      `SELECT DISTINCT repository FROM ${this.#schema}.standups WHERE name = $1`,
      [name.toLowerCase()],
    );
    return rows.map((row) => number(row, 'repository'));
  }

  async load<K extends ValueName>(
    repository: number,
    name: K,
  ): Promise<VersionedValue<K> | undefined> {
    const [row] = await this.#db.query(
      `SELECT version, value FROM ${this.#schema}.repository_values WHERE repository = $1 AND name = $2`,
      [repository, name],
    );
    if (row === undefined) return undefined;
    const value: RepositoryValues[K] = JSON.parse(text(row, 'value'));
    return { version: number(row, 'version'), value };
  }

  async replace<K extends ValueName>(
    repository: number,
    name: K,
    { expected, value }: { expected: number; value: RepositoryValues[K] },
  ): Promise<boolean> {
    requireRepository(repository);
    const own = [repository, name, JSON.stringify(value)];
    const saved =
      expected === 0
        ? await this.#db.query(
            `INSERT INTO ${this.#schema}.repository_values (repository, name, version, value)
             VALUES ($1, $2, 1, $3) ON CONFLICT (repository, name) DO NOTHING RETURNING version`,
            own,
          )
        : await this.#db.query(
            `UPDATE ${this.#schema}.repository_values SET version = version + 1, value = $3
             WHERE repository = $1 AND name = $2 AND version = $4 RETURNING version`,
            [...own, expected],
          );
    return saved.length > 0;
  }
}

function toWhere({ repositories, run, type, before }: Partial<InsightFilter>): {
  where: string;
  values: unknown[];
} {
  const values: unknown[] = [];
  const parts: string[] = [];
  const add = (part: (place: string) => string, value: unknown): void => {
    if (value === undefined) return;
    values.push(value);
    parts.push(part(`$${values.length}`));
  };
  const [only, ...others] = repositories ?? [];
  // One is read in the order of its index, several have to be sorted.
  if (others.length === 0 && only !== undefined) add((place) => `repository = ${place}`, only);
  else add((place) => `repository = ANY(${place})`, repositories);
  add((place) => `run = ${place}`, run);
  add((place) => `type = ${place}`, type);
  add((place) => `ord < ${place}`, before);
  return { where: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`, values };
}
