/** A schema of its own on the PostgreSQL that tests may use: DATABASE_URL, or the one on this machine. */
import { Client } from 'pg';

export const postgresUrl = process.env['DATABASE_URL'] ?? 'postgres://root@127.0.0.1:5432/test';

/** Why PostgreSQL cannot be used here; undefined when it can. */
export async function missingPostgresReason(): Promise<string | undefined> {
  const client = new Client({ connectionString: postgresUrl, connectionTimeoutMillis: 2000 });
  try {
    await client.connect();
    await client.query('SELECT 1');
    return undefined;
  } catch (error) {
    return `no PostgreSQL at ${new URL(postgresUrl).host}: ${String(error)}`;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Runs one statement on a connection of its own. */
export async function onPostgres(
  statement: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    const result = await client.query<Record<string, unknown>>(statement, values);
    return result.rows;
  } finally {
    await client.end();
  }
}

/** A schema name that no other test uses. */
export function newSchema(): string {
  return `quorum_test_${crypto.randomUUID().slice(0, 8)}`;
}

/** Removes the schema and its queue's. */
export async function dropSchema(schema: string): Promise<void> {
  await onPostgres(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await onPostgres(`DROP SCHEMA IF EXISTS ${schema}_boss CASCADE`);
}

/** Every row of every table of these schemas, as JSON lines. */
export async function dumpSchemas(schemas: readonly string[]): Promise<string> {
  const tables = await onPostgres(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = ANY($1)`,
    [schemas],
  );
  const rows: unknown[] = [];
  for (const { name } of tables) rows.push(...(await onPostgres(`SELECT * FROM ${String(name)}`)));
  return rows.map((row) => JSON.stringify(row)).join('\n');
}
