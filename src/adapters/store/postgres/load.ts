/** The state of a stream, as it was last saved. */
import type { Snapshot } from '../../../ports/store.ts';
import { number, text } from '../row.ts';
import type { Sql } from './database.ts';

export async function loadSnapshot(
  sql: Sql,
  schema: string,
  key: string,
): Promise<Snapshot | undefined> {
  const [row] = await sql.query(`SELECT version, value FROM ${schema}.states WHERE key = $1`, [
    key,
  ]);
  if (row === undefined) return undefined;
  const state: unknown = JSON.parse(text(row, 'value'));
  return { version: number(row, 'version'), state };
}
