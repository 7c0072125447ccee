/** Opens the store that the environment names. Its adapter is loaded only when it is used. */
import { toFailure } from '../domain/event/errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Store, StoreReader } from '../ports/store.ts';
import type { HostSettings } from './environment/host-settings.ts';
import { createTroubleLog } from './store-trouble.ts';

export type StoreSettings = Pick<HostSettings, 'databaseUrl' | 'dataDir' | 'keep'> &
  Partial<Pick<HostSettings, 'isOldDataDir'>>;

/** PostgreSQL when `DATABASE_URL` is set, else SQLite in the data directory. */
export async function openStore(
  settings: StoreSettings,
  basics: { clock: Clock; log: Log },
): Promise<Store> {
  const { clock } = basics;
  const { retention } = settings.keep;
  const { onTrouble } = createTroubleLog(basics);
  if (settings.databaseUrl !== undefined) {
    const { openPostgresStore } = await import('../adapters/store/postgres/open-postgres.ts');
    return openPostgresStore({ url: settings.databaseUrl, clock, retention, onTrouble });
  }
  if (settings.isOldDataDir === true)
    basics.log.info(
      { dir: settings.dataDir },
      'data directory .quorum is used, as it has a store; the default is .quorum-data now',
    );
  const { openSqliteStore } = await import('../adapters/store/sqlite/open-sqlite.ts');
  return openSqliteStore({ dir: settings.dataDir, clock, retention, onTrouble });
}

/** For work in a store that is there. ConfigError `store-missing`: none is made where the name of the place is wrong. */
export async function openExistingStore(
  settings: StoreSettings,
  basics: { clock: Clock; log: Log },
): Promise<Store> {
  try {
    await (await openStoreReader(settings)).close();
  } catch (error) {
    // An older one is brought up to date when it is opened.
    if (toFailure(error).code !== 'store-older') throw error;
  }
  return openStore(settings, basics);
}

/** The same store only to be looked at, also while the App has it open. ConfigError `store-missing`: none is made. */
export async function openStoreReader(
  settings: Pick<HostSettings, 'databaseUrl' | 'dataDir'>,
): Promise<StoreReader> {
  if (settings.databaseUrl !== undefined) {
    const { openPostgresReader } = await import('../adapters/store/postgres/postgres-reader.ts');
    return openPostgresReader({ url: settings.databaseUrl });
  }
  const { openSqliteReader } = await import('../adapters/store/sqlite/sqlite-reader.ts');
  return openSqliteReader({ dir: settings.dataDir });
}
