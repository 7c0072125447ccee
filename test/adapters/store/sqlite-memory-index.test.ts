/** The index of memory in the embedded store keeps the contract. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite.ts';
import { memoryIndexContract } from '../../contract/memory-index.ts';
import { realClock as clock } from '../../contract/real-clock.ts';

memoryIndexContract(async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'quorum-memory-'));
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
