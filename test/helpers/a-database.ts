/** A database of its own on the PostgreSQL that tests may use, for one test. */
import { onTestFinished } from 'vitest';
import { onPostgres, postgresUrl } from '../contract/postgres-place.ts';

/** Its address, as `DATABASE_URL` takes it. It is dropped at the end of the test. */
export async function aDatabase(): Promise<string> {
  const database = `quorum_test_${crypto.randomUUID().slice(0, 8)}`;
  await onPostgres(`CREATE DATABASE ${database}`);
  onTestFinished(async () => {
    await onPostgres(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
  });
  const url = new URL(postgresUrl);
  url.pathname = `/${database}`;
  return url.href;
}
