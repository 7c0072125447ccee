/** Finding and erasing rows of the embedded store. */
import type { ErasedRows } from '../../../domain/tenant/erasure-target.ts';
import type { KeptRow } from '../../../ports/erasure.ts';
import {
  ANONYMOUS,
  losesInstallation,
  NO_REPOSITORY,
  withoutNames,
  type CallsOf,
  type Changes,
  type ErasableMemory,
  type ErasableRows,
  type ErasableStandups,
  type StreamRows,
} from '../kept-rows.ts';
import { number, text, textOrNone, type Row } from '../row.ts';
import { erasableSqliteMemory } from './memory/sqlite-erasable-memory.ts';
import { erasableSqliteStandups } from './standups/sqlite-erasable-standups.ts';
import type { GroupCommit } from './group-commit.ts';
import { hasWord, type Sql } from './sql.ts';

const WORK = ['events', 'effects'] as const;
const LIST = '(SELECT value FROM json_each(?))';

export interface ErasableParts {
  sql: Sql;
  /** Absent in a store that is only read. */
  commits?: GroupCommit;
}

export class SqliteErasable implements ErasableRows {
  readonly memory: ErasableMemory;
  readonly standups: ErasableStandups;
  readonly #parts: ErasableParts;

  constructor(parts: ErasableParts) {
    this.#parts = parts;
    this.memory = erasableSqliteMemory(parts);
    this.standups = erasableSqliteStandups(parts);
  }

  async keys(start: string): Promise<string[]> {
    const rows = this.#parts.sql.all(
      `${from('events')} UNION ${from('effects')} UNION ${from('states')}`,
      start,
      `${start}\u{10ffff}`,
    );
    return rows.map((row) => text(row, 'key'));
  }

  async keysWith(texts: readonly string[]): Promise<string[]> {
    if (texts.length === 0) return [];
    const words = JSON.stringify(texts.map((each) => each.toLowerCase()));
    const rows = this.#parts.sql.all(
      `SELECT key FROM events WHERE ${hasWord('data')} OR ${hasWord("coalesce(reason, '')")}
       UNION SELECT key FROM effects WHERE ${hasWord('data')} OR ${hasWord("coalesce(reason, '')")}
       UNION SELECT key FROM states WHERE ${hasWord('states.value')}`,
      words,
    );
    return rows.map((row) => text(row, 'key'));
  }

  async read(key: string): Promise<StreamRows> {
    const { sql } = this.#parts;
    const work = WORK.flatMap((table) =>
      sql
        .all(`SELECT id, key, status, data, reason FROM ${table} WHERE key = ? AND data <> ''`, key)
        .map((row) => ({
          table,
          id: text(row, 'id'),
          key: text(row, 'key'),
          status: text(row, 'status'),
          data: text(row, 'data'),
          reason: textOrNone(row, 'reason') ?? null,
        })),
    );
    const states = sql
      .all('SELECT key, version, value FROM states WHERE key = ?', key)
      .map((row) => ({
        key: text(row, 'key'),
        version: number(row, 'version'),
        value: text(row, 'value'),
      }));
    return { work, states };
  }

  async count(keys: readonly string[], calls: CallsOf): Promise<ErasedRows> {
    const of = (table: string): number => {
      const row = this.#parts.sql.get(
        `SELECT count(*) AS n FROM ${table} WHERE key IN ${LIST}`,
        JSON.stringify(keys),
      );
      return row === undefined ? 0 : number(row, 'n');
    };
    return {
      events: of('events'),
      effects: of('effects'),
      states: of('states'),
      ledger: this.#calls(calls).length,
    };
  }

  async *rows(keys: readonly string[], calls: CallsOf): AsyncIterable<KeptRow> {
    for (const key of keys)
      for (const table of [...WORK, 'states'] as const)
        for (const row of this.#parts.sql.all(`SELECT * FROM ${table} WHERE key = ?`, key))
          yield { table, row };
    for (const row of this.#calls(calls)) yield { table: 'ledger', row };
  }

  #calls({ repositories, installations }: CallsOf): Row[] {
    if (repositories.length + installations.length === 0) return [];
    return this.#parts.sql.all(
      `SELECT * FROM ledger WHERE repository_id IN ${LIST}
       OR (repository_id = ${NO_REPOSITORY} AND installation_id IN ${LIST})`,
      JSON.stringify(repositories),
      JSON.stringify(installations),
    );
  }

  write(changes: Changes): Promise<ErasedRows> {
    const { commits } = this.#parts;
    if (commits === undefined) throw new TypeError('A store that is only read erases nothing.');
    return commits.submit({ run: () => this.#write(changes) });
  }

  #write(changes: Changes): ErasedRows {
    const written = this.#delete(changes);
    const { sql } = this.#parts;
    for (const { table, id } of changes.blanked)
      written[table] += sql.run(
        `UPDATE ${table} SET data = '', reason = NULL WHERE id = ? AND status <> 'pending'`,
        id,
      );
    for (const { table, id, data, reason } of changes.rewritten)
      written[table] += sql.run(
        `UPDATE ${table} SET data = ?, reason = ? WHERE id = ? AND data <> ''`,
        data,
        reason,
        id,
      );
    for (const { key, version, value } of changes.states)
      written.states += sql.run(
        'UPDATE states SET version = version + 1, value = ? WHERE key = ? AND version = ?',
        value,
        key,
        version,
      );
    written.ledger = this.#anonymise(changes.calls);
    return written;
  }

  #delete({ streams, droppedStates }: Changes): ErasedRows {
    const of = (table: string, keys: readonly string[]): number =>
      keys.length === 0
        ? 0
        : this.#parts.sql.run(`DELETE FROM ${table} WHERE key IN ${LIST}`, JSON.stringify(keys));
    return {
      events: of('events', streams),
      effects: of('effects', streams),
      states: of('states', [...streams, ...droppedStates]),
      ledger: 0,
    };
  }

  /** The amounts stay: what was spent in all is no text of anybody. */
  #anonymise(calls: CallsOf): number {
    const rows = this.#calls(calls);
    const installation = losesInstallation(calls) ? 'NULL' : 'installation_id';
    for (const row of rows)
      this.#parts.sql.run(
        `UPDATE ledger SET id = ?, repository_id = ${NO_REPOSITORY}, installation_id = ${installation},
           key = '${ANONYMOUS}', run = '${ANONYMOUS}', entry = ? WHERE id = ?`,
        `${ANONYMOUS}:${crypto.randomUUID()}`,
        withoutNames(text(row, 'entry'), calls),
        text(row, 'id'),
      );
    return rows.length;
  }
}

/** A range, so that the indexes of the keys are used: no key has the last character there is. */
function from(table: string): string {
  return `SELECT key FROM ${table} WHERE key >= ?1 AND key < ?2`;
}
