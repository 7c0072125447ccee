/** What one process on a database learned of a failing model, the next one starts with (CB-15). */
import { describe, expect } from 'vitest';
import { missingPostgresReason } from '../contract/postgres-place.ts';
import { aDatabase } from '../helpers/a-database.ts';
import { aModel } from '../helpers/a-model.ts';
import { aWorld, READY_ISSUE, type TestWorld } from '../helpers/a-world.ts';
import { verifies } from '../verifies.ts';

const noPostgres = await missingPostgresReason();

async function verdictOf(world: TestWorld, title: string): Promise<string | undefined> {
  const number = await world.ask({ ...READY_ISSUE, title });
  await world.idle();
  return (await world.tell(number)).comments[0];
}

describe.skipIf(noPostgres !== undefined)('an App on PostgreSQL', () => {
  verifies('CB-15', 'asks no model that another process saw fail a minute ago', async () => {
    let isDown = true;
    const { server, env } = await aModel({
      position: () => (isDown ? { fault: { kind: 'status', status: 529 } } : { json: {} }),
    });
    const world = await aWorld({ env: { ...env, DATABASE_URL: await aDatabase() } });
    expect(await verdictOf(world, 'A first wish')).toContain('offline rules, no model');
    const asked = server.calls.length;
    expect(asked).toBeGreaterThan(0);
    await world.stopApp();
    isDown = false;
    await world.startApp();
    expect(await verdictOf(world, 'A second wish')).toContain('offline rules, no model');
    expect(server.calls).toHaveLength(asked);
  });
});
