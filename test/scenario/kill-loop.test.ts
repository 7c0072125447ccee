/** An App that is killed again and again: by a supervisor, or by one of its own effects. */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { openSqliteReader } from '../../src/adapters/store/sqlite/sqlite-reader.ts';
import { threadKey } from '../../src/domain/run/thread-ref.ts';
import { aKilledApp, type KilledApp } from '../helpers/a-killed-app.ts';
import { REPO } from '../helpers/a-world.ts';
import { verifies } from '../verifies.ts';

/** Against hangs only: the App is started up to fourteen times. */
const GUARD = { timeout: 240_000 };
const KILLS = 12;
const BODY =
  'Running `tidy a b` prints nothing.\n\nExpected: each name is printed, as `cli.ts` says.';

async function openIssues(world: KilledApp['world'], titles: readonly string[]): Promise<number[]> {
  const numbers: number[] = [];
  for (const title of titles) numbers.push(await world.ask({ title, body: BODY }));
  return numbers;
}

async function endsOf({ dir }: KilledApp, status: string): Promise<(string | undefined)[]> {
  const store = await openSqliteReader({ dir });
  try {
    const filter = { status, limit: 100 };
    const all = [...(await store.records.effects(filter)), ...(await store.records.events(filter))];
    return all.map(({ reason }) => reason);
  } finally {
    await store.close();
  }
}

describe('an App that is killed again and again', GUARD, () => {
  verifies(
    ['P1', 'DUR-06'],
    'gives up no healthy work, whatever was in hand at twelve kills',
    async () => {
      const app = await aKilledApp({});
      const { world } = app;
      const numbers: number[] = [];
      // Every read takes longer than the App lives, so that the same work is in hand at each kill.
      world.emulator.faults.add({
        method: 'GET',
        path: /^\/repos\//,
        times: Infinity,
        fault: { kind: 'latency', ms: 60_000 },
      });
      const hits = (): number => world.emulator.faults.hits()[0] ?? 0;
      let inHand = 0;
      for (let n = 0; n < KILLS; n += 1) {
        const kill = await app.startToKill();
        const before = hits();
        if (n % 3 === 0) numbers.push(...(await openIssues(world, [`Print each name ${n}`])));
        // After an end alone it is not begun in a process as young as this.
        for (let look = 0; look < 40 && hits() === before; look += 1) await wait(50);
        inHand += hits() > before ? 1 : 0;
        await kill();
      }
      expect(inHand).toBeGreaterThanOrEqual(8);
      world.emulator.faults.clear();
      await app.runToRest();
      for (const number of numbers) expect((await world.tell(number)).comments).toHaveLength(1);
      expect([await endsOf(app, 'dead'), await endsOf(app, 'refused')]).toEqual([[], []]);
    },
  );

  verifies(
    'DUR-06',
    'gives up the effect that kills it, at the fourth start, and does the rest',
    async () => {
      const app = await aKilledApp({});
      const { world } = app;
      const repositoryId = world.emulator.repository(REPO).id;
      const key = threadKey({ repositoryId, number: 1 });
      const poison = { kind: 'look', nth: 1, point: 'before-effect', key } as const;
      await app.startUntil(poison);
      await openIssues(world, ['Print each name']);
      await app.killed();
      await app.startUntil(poison);
      await app.killed();
      // Before its second trial there is time for others.
      await app.startUntil(poison);
      const [second = 0] = await openIssues(world, ['Print how many were tidied']);
      await expect.poll(async () => (await world.tell(second)).comments, GUARD).toHaveLength(1);
      await app.killed();
      await app.startUntil(poison);
      await expect.poll(() => endsOf(app, 'dead'), GUARD).toHaveLength(1);
      expect(await endsOf(app, 'dead')).toEqual([expect.stringMatching(/^ends-the-process: /)]);
    },
  );
});
