/** The session of Bluesky in both stores. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe } from 'vitest';
import { openPostgresStore } from '../../../src/adapters/store/postgres/open-postgres.ts';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite.ts';
import { keptSessionContract } from '../../contract/kept-session.ts';
import {
  dropSchema,
  dumpSchemas,
  missingPostgresReason,
  newSchema,
  postgresUrl as url,
} from '../../contract/postgres-place.ts';
import { realClock as clock } from '../../contract/real-clock.ts';

describe('in the embedded store', () => {
  keptSessionContract(async () => {
    const dir = await mkdtemp(path.join(tmpdir(), 'quorum-session-'));
    return {
      open: () => openSqliteStore({ dir, clock }),
      remove: () => rm(dir, { recursive: true }),
      dump: async () => {
        const names = (await readdir(dir)).filter((name) => name.startsWith('quorum.db'));
        const files = await Promise.all(names.map((name) => readFile(path.join(dir, name))));
        return Buffer.concat(files).toString('latin1');
      },
    };
  });
});

const missing = await missingPostgresReason();

describe.skipIf(missing !== undefined)(
  `on PostgreSQL${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    keptSessionContract(async () => {
      const schema = newSchema();
      return {
        open: () => openPostgresStore({ url, schema, clock }),
        remove: () => dropSchema(schema),
        dump: () => dumpSchemas([schema]),
      };
    });
  },
);
