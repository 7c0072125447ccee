/** What is in the store that the last process of a killed App left. */
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { tallyOf, toPrecisionState } from '../../src/domain/review/precision.ts';
import type { KilledApp } from './a-killed-app.ts';
import { REPO } from './a-world.ts';

/** Everything that the store keeps, as JSON. */
export async function rowsIn({ dir, world }: KilledApp): Promise<string> {
  const store = await openSqliteStore({ dir, clock: systemClock });
  const { records } = store;
  const rows = JSON.stringify([
    await records.events({ limit: 1000 }),
    await records.effects({ limit: 1000 }),
    await store.load(`thread:${world.emulator.repository(REPO).id}/1`),
  ]);
  await store.close();
  return rows;
}

/** What was counted of what people said. */
export async function tallyIn({ dir, world }: KilledApp) {
  const { id } = (await world.emulator.as('ana').request('GET', `/repos/${REPO}`)) as {
    id: number;
  };
  const store = await openSqliteStore({ dir, clock: systemClock });
  const kept = toPrecisionState((await store.load(`precision:${id}`))?.state);
  await store.close();
  return kept === undefined ? {} : tallyOf(kept, Date.now());
}

/** The tensions of the repository. */
export async function tensionsIn({ dir, world }: Pick<KilledApp, 'dir' | 'world'>) {
  const store = await openSqliteStore({ dir, clock: systemClock });
  const { id } = world.emulator.repository(REPO);
  const book = await store.standups.load(id, 'tensions');
  await store.close();
  return book?.value.tensions;
}
