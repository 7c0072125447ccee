/** Backups of a store as docs/operations.md has them made and put back. */
import { execFile } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { createLog } from '../../src/hosts/create-log.ts';
import { openExistingStore } from '../../src/hosts/open-store.ts';
import { readHostSettings } from '../../src/hosts/environment/host-settings.ts';
import type { Store } from '../../src/ports/store.ts';
import { onPostgres, postgresUrl } from '../contract/postgres-place.ts';

const run = promisify(execFile);

export interface StorePlace {
  /** What the App's environment says of it. */
  env: Record<string, string>;
  backUp(dir: string): Promise<void>;
  /** While no App has it open. */
  restore(dir: string): Promise<void>;
  remove(): Promise<void>;
}

/** In `QUORUM_DATA`, which each call receives. */
export function embeddedStore(): StorePlace {
  const nothing = (): Promise<void> => Promise.resolve();
  const backup = (dir: string): string => path.join(dir, 'backup');
  return {
    env: {},
    backUp: async (dir) => {
      const db = new DatabaseSync(path.join(dir, 'quorum.db'));
      db.prepare('VACUUM INTO ?').run(backup(dir));
      db.close();
      await nothing();
    },
    restore: async (dir) => {
      for (const end of ['-wal', '-shm'])
        await rm(path.join(dir, `quorum.db${end}`), { force: true });
      await rename(backup(dir), path.join(dir, 'quorum.db'));
    },
    remove: nothing,
  };
}

const QUIET = '-c client_min_messages=warning';

/** In a database of its own. */
export async function postgresStore(): Promise<StorePlace> {
  const name = `quorum_test_${crypto.randomUUID().slice(0, 8)}`;
  await onPostgres(`CREATE DATABASE ${name}`);
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  const schemas = ['quorum', 'quorum_boss'];
  const backup = (dir: string): string => path.join(dir, 'backup');
  return {
    env: { DATABASE_URL: url.href },
    backUp: async (dir) => {
      const flags = schemas.flatMap((schema) => ['-n', schema]);
      await run('pg_dump', ['-Fc', ...flags, '-f', backup(dir), url.href]);
    },
    restore: async (dir) => {
      // `--clean` does not get past the queue's partitions.
      const drop = `DROP SCHEMA ${schemas.join(', ')} CASCADE`;
      await run('psql', ['-q', url.href, '-c', drop], {
        env: { ...process.env, PGOPTIONS: QUIET },
      });
      await run('pg_restore', ['-d', url.href, backup(dir)]);
    },
    remove: async () => void (await onPostgres(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  };
}

/** Looks into the store while no App has it open. */
export async function lookInto<T>(
  place: Pick<StorePlace, 'env'>,
  dir: string,
  read: (store: Store) => Promise<T>,
): Promise<T> {
  const log = createLog({ level: 'silent', format: 'json' });
  const store = await openExistingStore(readHostSettings({ ...place.env, QUORUM_DATA: dir }), {
    clock: systemClock,
    log,
  });
  try {
    return await read(store);
  } finally {
    await store.close();
  }
}
