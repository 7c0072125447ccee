/** Transactions of PostgreSQL that clash: the whole transaction is repeated, and nothing of a failed attempt stays. */
import { Pool } from 'pg';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { Database, type Sql } from '../../../src/adapters/store/postgres/database.ts';
import {
  dropSchema,
  missingPostgresReason,
  newSchema,
  postgresUrl as url,
} from '../../contract/postgres-place.ts';
import { verifies } from '../../verifies.ts';

const missing = await missingPostgresReason();
describe.skipIf(missing !== undefined)(
  `transactions on PostgreSQL${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    let schema: string;
    let db: Database;

    beforeEach(async () => {
      schema = newSchema();
      db = new Database(new Pool({ connectionString: url }));
      await db.query(`CREATE SCHEMA ${schema}`);
      await db.query(`CREATE TABLE ${schema}.counts (id int, n int)`);
      await db.query(`INSERT INTO ${schema}.counts VALUES (1, 0), (2, 0)`);
    });

    afterEach(async () => {
      await db.close();
      await dropSchema(schema);
    });

    const raise = (tx: Sql, id: number) =>
      tx.query(`UPDATE ${schema}.counts SET n = n + 1 WHERE id = ${id}`);
    const counts = () => db.query(`SELECT n FROM ${schema}.counts ORDER BY id`);
    const clash = (tx: Sql) => tx.query('DO $$ BEGIN RAISE serialization_failure; END $$');

    verifies('DUR-05: clash', 'is repeated as a whole after a serialization failure', async () => {
      let attempts = 0;
      await db.transaction(async (tx) => {
        attempts += 1;
        await raise(tx, 1);
        if (attempts < 3) await clash(tx);
      });
      expect(attempts).toBe(3);
      expect(await counts()).toEqual([{ n: 1 }, { n: 0 }]);
    });

    verifies('DUR-05: clash', 'both succeed when the server ends a deadlock of two', async () => {
      const both = Promise.withResolvers<undefined>();
      let attempts = 0;
      const lockInTurn = (first: number, second: number) =>
        db.transaction(async (tx) => {
          await raise(tx, first);
          attempts += 1;
          if (attempts === 2) both.resolve(undefined);
          await both.promise;
          await raise(tx, second);
        });
      await Promise.all([lockInTurn(1, 2), lockInTurn(2, 1)]);
      // The one that is repeated can lock its row again before the other wakes, and the two wait for each other once more.
      expect(attempts).toBeGreaterThanOrEqual(3);
      expect(await counts()).toEqual([{ n: 2 }, { n: 2 }]);
    });

    verifies('DUR-05: clash', 'one that never stops clashing fails and keeps nothing', async () => {
      const never = db.transaction(async (tx) => {
        await raise(tx, 1);
        await clash(tx);
      });
      await expect(never).rejects.toThrow('serialization_failure');
      expect(await counts()).toEqual([{ n: 0 }, { n: 0 }]);
    });
  },
);
