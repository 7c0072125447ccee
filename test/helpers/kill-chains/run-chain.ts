/** Kills the App around each kind of effect of a chain, and lets it end. */
import { expect } from 'vitest';
import { DatabaseSync } from 'node:sqlite';
import { databaseFile } from '../../../src/adapters/store/sqlite/files/data-directory.ts';
import { aKilledApp, POINTS } from '../a-killed-app.ts';
import type { Chain } from './chain.ts';

const DAY_MS = 24 * 3_600_000;

export function titleOf({ title, kinds }: Chain): string {
  return `${title}, ${kinds.length * POINTS.length} times, around ${kinds.join(', ')}: the same end, nothing twice`;
}

export async function runChain({
  kinds,
  files = {},
  env = {},
  before,
  act,
  expectEnd,
  isMissed,
}: Chain) {
  const app = await aKilledApp(files, { env, ...(isMissed ? { reconcileMs: DAY_MS } : {}) });
  if (before !== undefined) await app.runToRest(() => before(app));
  if (isMissed) await act(app);
  let isBegun = isMissed;
  for (const kind of kinds)
    for (const point of POINTS) {
      await app.startUntil({ kind, nth: 1, point });
      if (!isBegun) await act(app);
      isBegun = true;
      await app.killed();
      forgetSuspicion(app.dir);
    }
  await app.runToRest();
  await expectEnd(app);
  expect(app.world.openApi.violations).toEqual([]);
}

/**
 * Each kill is the first that the store knows of: after a second one, the work would wait for half a minute
 * (domain/event/suspicion.ts). What becomes of work that ends processes again and again: test/contract/store-suspects.ts.
 */
function forgetSuspicion(dir: string): void {
  const db = new DatabaseSync(databaseFile(dir));
  for (const table of ['events', 'effects']) db.exec(`UPDATE ${table} SET suspicion = NULL`);
  db.close();
}
