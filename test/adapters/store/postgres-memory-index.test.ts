/** The index of memory in the shared store keeps the contract on a real PostgreSQL. */
import { describe } from 'vitest';
import { openPostgresStore } from '../../../src/adapters/store/postgres/open-postgres.ts';
import { memoryIndexContract } from '../../contract/memory-index.ts';
import {
  dropSchema,
  dumpSchemas,
  missingPostgresReason,
  newSchema,
  postgresUrl as url,
} from '../../contract/postgres-place.ts';
import { realClock as clock } from '../../contract/real-clock.ts';

const missing = await missingPostgresReason();

describe.skipIf(missing !== undefined)(
  `on PostgreSQL${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    memoryIndexContract(async () => {
      const schema = newSchema();
      return {
        open: () => openPostgresStore({ url, schema, clock }),
        remove: () => dropSchema(schema),
        dump: () => dumpSchemas([schema]),
      };
    });
  },
);
