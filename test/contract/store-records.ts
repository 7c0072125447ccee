/** What every store promises of its records: the log, the counts, the ledger, and what is pruned. */
import { describe, expect, test } from 'vitest';
import type { Store } from '../../src/ports/store.ts';
import { verifies } from '../verifies.ts';
import { call, effect, idle, startLog, timer } from './store-words.ts';
import { waitUntil } from '../helpers/wait-until.ts';

export interface RecordsPlace {
  /** The store that is open now. */
  store: () => Store;
  /** Closes it and opens the same data again. */
  reopen: (options?: { retentionMs?: number }) => Promise<void>;
}

export function describeRecords({ store: current, reopen }: RecordsPlace): void {
  describe('records', () => {
    test('the log is in the order in which events were reduced, what waits comes last', async () => {
      await current().append([timer('x', 'k1'), timer('y', 'k2')]);
      const log = await startLog(current());
      await idle(current());
      await log.stop();
      await current().append([timer('z', 'k1')]);
      const ids = async (filter: { key?: string; run?: string; newestFirst?: boolean }) =>
        (await current().records.events({ limit: 9, ...filter })).map(({ id }) => id);
      expect((await ids({})).at(-1)).toBe('z');
      expect((await ids({ newestFirst: true }))[0]).toBe('z');
      expect(await ids({ key: 'k1' })).toEqual(['x', 'z']);
      expect(await ids({ run: 'run-k2' })).toEqual(['y']);
      expect(await current().records.events({ limit: 1 })).toHaveLength(1);
      const settled = await current().records.events({ status: 'done', limit: 9 });
      expect(settled[0]?.seq).toBeLessThan(settled[1]?.seq ?? 0);
    });

    test('records are found by a piece of what they hold, taken letter by letter, before the limit counts', async () => {
      await current().append([timer('x', 'k1'), timer('y', 'k2'), timer('z', 'k1')]);
      const ids = async (holds: string, limit = 9) =>
        (await current().records.events({ holds, limit })).map(({ id }) => id);
      expect(await ids('"run":"run-k2"', 1)).toEqual(['y']);
      expect(await ids('"timer":"z","run":"run-k1"')).toEqual(['z']);
      for (const none of ['"run":"run_k2"', '"run":"%"', String.raw`"run":"run\-k2"`])
        expect(await ids(none)).toEqual([]);
    });

    test('counts tell what waits and for how long', async () => {
      await current().append([timer('a', 'k'), timer('t', 'k', { delayMs: 60_000 })]);
      await waitUntil(async () => (await current().records.counts()).lagMs > 0);
      const log = await startLog(current());
      await waitUntil(async () => (await current().records.counts()).events.done === 1);
      await log.stop();
      const counts = await current().records.counts();
      expect(counts.events).toEqual({ pending: 1, done: 1, ignored: 0, parked: 0, dead: 0 });
      expect(counts.lagMs).toBe(0);
    });

    test('counts equal the log after every kind of ending, putting back, and a restart', async () => {
      const ends = ['done', 'ignored', 'parked', 'dead'] as const;
      await current().append(Array.from({ length: 12 }, (_, n) => timer(`e${n}`, `k${n % 5}`)));
      await current().append([timer('twin', 'k', { ignoredReason: 'nobody asked' })]);
      await startLog(current(), (work) => {
        const status = ends[Number(work.id.replaceAll(/\D/g, '')) % ends.length] ?? 'done';
        if (work.kind === 'event')
          return { kind: 'finish', status, effects: [effect(`f-${work.id}`)] };
        return { kind: 'finish', status: status === 'done' ? 'refused' : 'dead' };
      });
      await idle(current());
      await expectTrueCounts(current());
      await current().requeue({ status: 'dead' });
      await expectTrueCounts(current());
      await reopen();
      await expectTrueCounts(current());
    });

    test('a cost that is no amount is unknown, and breaks no sum', async () => {
      const { records } = current();
      const odd = [Number.NaN, Number.POSITIVE_INFINITY, -5];
      await records.settleCall('r0', [
        call('c0', { costUsd: 0.25 }),
        ...odd.map((costUsd, n) => call(`odd${n}`, { costUsd })),
      ]);
      expect(await records.spent({})).toEqual({ usd: 0.25, unknownCalls: 3, calls: 4 });
    });

    test('a reservation counts until it is settled by what really happened', async () => {
      const { records } = current();
      await records.reserve(call('r1', { costUsd: 1 }));
      await records.reserve(call('r1', { costUsd: 1 }));
      expect(await records.spent({})).toEqual({ usd: 1, unknownCalls: 0, calls: 1 });
      const real = [call('c1', { costUsd: 0.25 }), call('c2', { costUsd: undefined })];
      await records.settleCall('r1', real);
      await records.settleCall('r1', real);
      expect(await records.spent({})).toEqual({ usd: 0.25, unknownCalls: 1, calls: 2 });
      expect(await records.spent({ since: '1970-01-01T00:00:00Z' })).toEqual(
        await records.spent({}),
      );
      await records.reserve(
        call('r2', { at: '2026-02-01T00:00:00+02:00', key: 'k', run: 'r', repositoryId: 8 }),
      );
      await records.settleCall('r2', [
        call('r2', { at: '2026-02-01T00:00:00+02:00', key: 'k', run: 'r', repositoryId: 8 }),
      ]);
      const one = { usd: 0.25, unknownCalls: 0, calls: 1 };
      expect(await records.spent({ repositoryId: 8 })).toEqual(one);
      expect(await records.spent({ key: 'k' })).toEqual(one);
      await records.reserve(call('r3', { key: 'task:9/1-2' }));
      await records.reserve(call('r4', { key: 'a task:9/1-2' }));
      expect((await records.spent({ keyStart: 'task:' })).calls).toBe(1);
      expect((await records.spent({ keyStart: 'task:9/2' })).calls).toBe(0);
      expect((await records.spent({ person: 7 })).calls).toBe(0);
      await records.reserve(call('r5', { person: 7, repositoryId: 9, costUsd: 0.25 }));
      expect(await records.spent({ repositoryId: 9, person: 7 })).toEqual(one);
      expect((await records.spent({ person: 8 })).calls).toBe(0);
      const sums = {
        before: await records.spent({}),
        host: { exceptPayer: 'repository' } as const,
      };
      expect(await records.spent(sums.host)).toEqual(sums.before);
      await records.settleCall('r6', [call('r6', { payer: 'repository', costUsd: 9 })]);
      await records.settleCall('r7', [call('r7', { persona: '"payer":"repository"', costUsd: 1 })]);
      // A persona may be called anything.
      expect((await records.spent(sums.host)).usd).toBe(sums.before.usd + 1);
      expect((await records.spent({})).usd).toBe(sums.before.usd + 10);
      expect(await records.spent({ run: 'r', since: '2026-01-31T21:59:59Z' })).toEqual(one);
      expect((await records.spent({ since: '2026-01-31T22:00:01Z' })).calls).toBe(0);
    });

    verifies(
      'CB-13',
      'money is summed by installation, and what an older version wrote counts in total',
      async () => {
        const { records } = current();
        await records.reserve(call('a1', { installationId: 1, repositoryId: 11, costUsd: 1 }));
        await records.settleCall('none', [
          call('a2', { installationId: 1, repositoryId: 12, costUsd: 2 }),
          call('b1', { installationId: 2, repositoryId: 21, costUsd: 4 }),
          call('b2', { installationId: 2, repositoryId: 21, costUsd: undefined }),
          call('old', { repositoryId: 11, costUsd: 8 }),
        ]);
        const usd = async (filter: Parameters<typeof records.spent>[0]) =>
          (await records.spent(filter)).usd;
        const since = '1970-01-01T00:00:00Z';
        expect(await usd({ installationId: 1 })).toBe(3);
        expect(await records.spent({ installationId: 2, since })).toEqual({
          usd: 4,
          unknownCalls: 1,
          calls: 2,
        });
        expect(await usd({ installationId: 1, repositoryId: 12 })).toBe(2);
        expect(await usd({ repositoryId: 11, since })).toBe(9);
        expect(await usd({ since })).toBe(15);
        expect(await records.topSpenders({ by: 'installation', since, limit: 9 })).toEqual([
          { id: 2, usd: 4 },
          { id: 1, usd: 3 },
        ]);
        await records.settleCall('none', [
          call('own', {
            installationId: 1,
            repositoryId: 12,
            costUsd: 90,
            payer: 'repository',
            at: '2100-01-01T00:00:00Z',
          }),
        ]);
        const own = { since: '2100-01-01T00:00:00Z', by: 'repository', limit: 9 } as const;
        expect(await records.topSpenders(own)).toEqual([{ id: 12, usd: 90 }]);
        expect(await records.topSpenders({ ...own, exceptPayer: 'repository' })).toEqual([]);
        expect(
          await records.topSpenders({
            by: 'repository',
            since,
            exceptPayer: 'repository',
            limit: 1,
          }),
        ).toEqual([{ id: 11, usd: 9 }]);
        expect(
          await records.topSpenders({ by: 'repository', since: '2200-01-01T00:00:00Z', limit: 1 }),
        ).toEqual([]);
      },
    );

    verifies('CB-13', 'the settled calls of a stream are read oldest first', async () => {
      const { records } = current();
      const [first, second] = ['2026-02-01T00:00:00.000Z', '2026-02-01T00:00:01.000Z'] as const;
      const kept = [
        call('b', { key: 'k', at: first, costUsd: undefined }),
        call('c', { key: 'k', at: first, person: 7 }),
        call('a', { key: 'k', at: second }),
      ];
      await records.settleCall('none', [...kept.toReversed(), call('d', { key: 'k2' })]);
      await records.reserve(call('open', { key: 'k', at: first }));
      expect(await records.calls({ key: 'k', limit: 9 })).toEqual(kept);
      expect(await records.calls({ key: 'k', limit: 1 })).toEqual(kept.slice(0, 1));
      expect(await records.calls({ key: 'k', since: second, limit: 9 })).toEqual(kept.slice(2));
      expect(await records.calls({ key: 'none', limit: 9 })).toEqual([]);
    });

    verifies(
      'CB-13',
      'a second reservation of an id replaces the first one, and never what is settled',
      async () => {
        const { records } = current();
        await records.reserve(call('r1', { costUsd: 5 }));
        await records.reserve(call('r1', { costUsd: 2 }));
        expect(await records.spent({})).toEqual({ usd: 2, unknownCalls: 0, calls: 1 });
        await records.settleCall('r1', [call('r1', { costUsd: 1 })]);
        await records.reserve(call('r1', { costUsd: 9 }));
        expect(await records.spent({})).toEqual({ usd: 1, unknownCalls: 0, calls: 1 });
      },
    );

    verifies(
      'CB-14b',
      'a reservation beyond a limit is not kept, and what was reserved before it counts',
      async () => {
        const { records } = current();
        const limits = [
          { filter: { repositoryId: 7 }, capUsd: 5 },
          { filter: { key: 'k', exceptKeyStart: 'task:' }, capUsd: Infinity },
        ];
        const about = { key: 'k', repositoryId: 7 };
        expect(await records.reserve(call('r0', { ...about, costUsd: 1 }))).toEqual([]);
        expect(await records.reserve(call('r1', { ...about, costUsd: 4 }), limits)).toEqual([5, 5]);
        expect(await records.reserve(call('r2', { ...about, costUsd: 2 }), limits)).toEqual([7, 7]);
        expect((await records.spent({})).usd).toBe(5);
        // In place of its own, a smaller one fits, and one that does not fit takes it away.
        expect(await records.reserve(call('r1', { ...about, costUsd: 3 }), limits)).toEqual([4, 4]);
        expect(await records.reserve(call('r1', { ...about, costUsd: 9 }), limits)).toEqual([
          10, 10,
        ]);
        expect((await records.spent({})).usd).toBe(1);
        const task = call('r3', { ...about, key: 'task:9/1', costUsd: 3 });
        expect(await records.reserve(task, limits)).toEqual([4, 1]);
        expect((await records.spent({ exceptKeyStart: 'task:' })).usd).toBe(1);
        expect((await records.spent({ exceptKeyStart: 'k' })).usd).toBe(3);
      },
    );

    verifies(
      'CB-14b',
      'of reservations at the same moment as many are kept as fit, and never one more',
      async () => {
        const { records } = current();
        const limits = [{ filter: { repositoryId: 7 }, capUsd: 10 }];
        const costs = Array.from({ length: 24 }, (_, n) => 1 + (n % 3));
        const sums = await Promise.all(
          costs.map((costUsd, n) =>
            records.reserve(call(`r${n}`, { repositoryId: 7, costUsd }), limits),
          ),
        );
        const kept = sums.filter(([usd = 0]) => usd <= 10).map(([usd]) => usd);
        // Each saw all that was kept before it: no two of them can have come to one sum.
        expect(new Set(kept).size).toBe(kept.length);
        const { usd, calls } = await records.spent({ repositoryId: 7 });
        expect({ usd, calls }).toEqual({ usd: Math.max(...kept.map(Number)), calls: kept.length });
        // Whatever came first, the cheapest ones fill what is left.
        expect(usd).toBe(10);
      },
    );

    test('a store that is there answers', async () => {
      await expect(current().records.ping()).resolves.toBeUndefined();
    });

    test('old work loses its content, keeps its id, and dead work stays', async () => {
      await reopen({ retentionMs: 0 });
      const names = Array.from({ length: 450 }, (_, n) => `e${n}`);
      await current().append(names.map((name) => timer(name, name, { dedupKey: `d-${name}` })));
      await startLog(
        current(),
        ({ id }) =>
          id === 'e0'
            ? { kind: 'finish', status: 'dead' }
            : { kind: 'finish', status: 'done', effects: id === 'e1' ? [effect('f1')] : [] },
        8,
      );
      await idle(current());
      await waitUntil(async () => {
        // Each hundredth settlement looks at what may go.
        const now = `more-${Math.random()}`;
        await current().append(Array.from({ length: 100 }, (_, n) => timer(`${now}-${n}`, `${n}`)));
        await idle(current());
        const left = await current().records.events({ limit: 1000 });
        return left.length < 350 && !left.some(({ id }) => id === 'e1');
      });
      expect((await current().records.counts()).events.dead).toBe(1);
      await expectTrueCounts(current());
      expect(await current().append([timer('e1', 'k')])).toEqual(['duplicate']);
      expect(await current().append([timer('new', 'k', { dedupKey: 'd-e2' })])).toEqual([
        'duplicate',
      ]);
    });
  });
}

/** The counts are kept up to date by each write; here they are held against the rows themselves. */
async function expectTrueCounts(store: Store): Promise<void> {
  const { events, effects } = await store.records.counts();
  const rows = {
    events: await store.records.events({ limit: 5000 }),
    effects: await store.records.effects({ limit: 5000 }),
  };
  expect(events).toEqual(tally(events, rows.events));
  expect(effects).toEqual(tally(effects, rows.effects));
}

function tally(counts: object, rows: readonly { status: string }[]): object {
  const of = (status: string): number => rows.filter((row) => row.status === status).length;
  return Object.fromEntries(Object.keys(counts).map((status) => [status, of(status)]));
}
