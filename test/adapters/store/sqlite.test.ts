/** The embedded store keeps the contract, its directory to itself, and what it acknowledged. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite.ts';
import { realClock as clock } from '../../contract/real-clock.ts';
import { storeContract } from '../../contract/store.ts';

storeContract(async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'quorum-store-'));
  return {
    open: (options) => openSqliteStore({ dir, clock, ...options }),
    remove: () => rm(dir, { recursive: true }),
    shared: { dir },
    dump: async () => {
      const names = (await readdir(dir)).filter((name) => name.startsWith('quorum.db'));
      const files = await Promise.all(names.map((name) => readFile(path.join(dir, name))));
      return Buffer.concat(files).toString('latin1');
    },
    endClaims: () => Promise.resolve(),
  };
});
