/** The embedded store keeps the contract, its directory to itself, and what it acknowledged. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open.ts';
import { realClock as clock } from '../../contract/real-clock.ts';
import { storeContract } from '../../contract/store.ts';

storeContract(async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'quorum-store-'));
  return {
    open: (options) => openSqliteStore({ dir, clock, ...options }),
    remove: () => rm(dir, { recursive: true }),
    shared: { dir },
    endClaims: () => Promise.resolve(),
  };
});
