/** The shared store keeps the contract on a real PostgreSQL. */
import { describe } from 'vitest';
import { openPostgresStore } from '../../../src/adapters/store/postgres/open-postgres.ts';
import {
  dropSchema,
  dumpSchemas,
  newSchema,
  onPostgres,
  postgresUrl as url,
  missingPostgresReason,
} from '../../contract/postgres-place.ts';
import { realClock as clock } from '../../contract/real-clock.ts';
import { storeContract } from '../../contract/store.ts';

const missing = await missingPostgresReason();

describe.skipIf(missing !== undefined)(
  `on PostgreSQL${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    storeContract(async () => {
      const schema = newSchema();
      return {
        open: (options) => openPostgresStore({ url, schema, clock, ...options }),
        remove: () => dropSchema(schema),
        shared: { url, schema },
        dump: () => dumpSchemas([schema, `${schema}_boss`]),
        endClaims: async () => {
          await onPostgres(
            `UPDATE ${schema}_boss.job SET heartbeat_on = now() - interval '1 minute' WHERE state = 'active'`,
          );
        },
      };
    });
  },
);
