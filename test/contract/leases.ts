/** Holds that instances agree on through one server: exactly one wins, and nobody else's hold is ever moved. */
import { beforeAll, describe, expect, test } from 'vitest';
import {
  releaseLease,
  renewLease,
  takeLease,
  type Taken,
} from '../../src/act/task/lease/take-lease.ts';
import { CLOCK_SKEW_MS, type Lease } from '../../src/domain/plan/lease.ts';
import { type LeaseWanted } from '../../src/policy/decide-lease.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { LeasePlace, Leases } from '../../src/ports/github/leases.ts';
import { verifies } from '../verifies.ts';

export interface LeaseWorld {
  /** A new client, as in another process: it remembers nothing. */
  open(): Leases;
  place(task: number): LeasePlace;
  clock: Clock & { advance(ms: number): void };
  /** For how many tasks eight instances race: each race is dozens of calls. */
  races: number;
  /** The n-th call from now has its effect and its answer is lost. */
  loseAnswer(nth: number): void;
}

const MINUTE = 60_000;
const LASTS_MS = 30 * MINUTE;

export function wantedBy(
  holder: string,
  task: number,
  over: Partial<LeaseWanted> = {},
): LeaseWanted {
  return { issue: 7, task, holder, digest: 'd1', lastsMs: LASTS_MS, ...over };
}

/** Which of several got it. */
export function winners(taken: readonly Taken[]): string[] {
  return taken.flatMap((each) => (each.outcome === 'taken' ? [each.lease.holder] : []));
}

export function describeLeases(server: string, make: () => Promise<LeaseWorld>): void {
  describe(`leases: ${server}`, () => {
    let world: LeaseWorld;
    let task = 0;
    beforeAll(async () => {
      world = await make();
    });
    const next = (): number => (task += 1);
    const take = (holder: string, of: number, over: Partial<LeaseWanted> = {}) =>
      takeLease(
        { leases: world.open(), clock: world.clock },
        world.place(of),
        wantedBy(holder, of, over),
      );
    const leaseOf = (taken: Taken): Lease => {
      if (taken.outcome !== 'taken') throw new Error('not taken');
      return taken.lease;
    };
    const release = (taken: Taken, of: number) =>
      releaseLease({ leases: world.open() }, world.place(of), leaseOf(taken));
    const renew = (taken: Taken, of: number) =>
      renewLease({ leases: world.open(), clock: world.clock }, world.place(of), {
        own: leaseOf(taken),
        lastsMs: LASTS_MS,
        atLeastMs: LASTS_MS / 2,
      });

    test('are not there before somebody takes one', async () => {
      expect(await world.open().read(world.place(next()))).toBeUndefined();
    });

    test('are held by one holder, whatever others ask, and renewed by that holder alone', async () => {
      const of = next();
      const first = await take('a', of);
      expect(first).toMatchObject({ outcome: 'taken', lease: { holder: 'a', fence: 1 } });
      expect(await take('b', of)).toMatchObject({ outcome: 'held', by: 'a' });
      world.clock.advance(20 * MINUTE);
      expect(await take('a', of)).toMatchObject({ outcome: 'taken', lease: { fence: 1 } });
      world.clock.advance(20 * MINUTE);
      expect(await take('b', of)).toMatchObject({ outcome: 'held', by: 'a' });
    });

    verifies(
      'DUR-04: clocks of two machines',
      'that ran out are taken over with a higher number, but not before clocks agree',
      async () => {
        const of = next();
        const first = await take('a', of);
        world.clock.advance(LASTS_MS + CLOCK_SKEW_MS / 2);
        expect(await take('b', of)).toMatchObject({ outcome: 'held', by: 'a' });
        world.clock.advance(CLOCK_SKEW_MS);
        expect(await take('b', of)).toMatchObject({
          outcome: 'taken',
          lease: { holder: 'b', fence: 2 },
        });
        expect(await release(first, of)).toBe('not-ours');
        expect(await take('a', of)).toMatchObject({ outcome: 'held', by: 'b' });
      },
    );

    verifies(
      'TG-4',
      'that ran out are renewed by their holder while nobody took them',
      async () => {
        const of = next();
        const first = await take('a', of);
        world.clock.advance(10 * MINUTE);
        expect(await renew(first, of)).toEqual(leaseOf(first));
        world.clock.advance(LASTS_MS + 2 * CLOCK_SKEW_MS);
        const expiresAt = world.clock.now() + LASTS_MS;
        expect(await renew(first, of)).toMatchObject({ holder: 'a', fence: 1, expiresAt });
        expect(await take('b', of)).toMatchObject({ outcome: 'held', by: 'a' });
      },
    );

    verifies('TG-4', 'that somebody took stay lost, also when they are free again', async () => {
      const of = next();
      const first = await take('a', of);
      world.clock.advance(LASTS_MS + 2 * CLOCK_SKEW_MS);
      const second = await take('b', of);
      expect(await renew(first, of)).toBeUndefined();
      await release(second, of);
      expect(await renew(first, of)).toBeUndefined();
      expect(await take('c', of)).toMatchObject({ outcome: 'taken', lease: { fence: 3 } });
    });

    test('that ran out go to one of the holder and of somebody else who ask at once', async () => {
      const of = next();
      const first = await take('a', of);
      world.clock.advance(LASTS_MS + 2 * CLOCK_SKEW_MS);
      const [renewed, taken] = await Promise.all([renew(first, of), take('b', of)]);
      const { lease } = (await world.open().read(world.place(of))) ?? {};
      const won = taken.outcome === 'taken' ? taken.lease : renewed;
      expect([renewed === undefined, lease]).toEqual([taken.outcome === 'taken', won]);
    });

    test('that are given back are free at once, and their numbers go on', async () => {
      const of = next();
      const first = await take('a', of);
      expect(await release(first, of)).toBe('released');
      expect(await release(first, of)).toBe('released');
      const second = await take('b', of);
      expect(second).toMatchObject({ outcome: 'taken', lease: { holder: 'b', fence: 2 } });
      expect(await release(first, of)).toBe('not-ours');
    });

    test('of a task that was edited are taken again with a new fence', async () => {
      const of = next();
      await take('a', of);
      expect(await take('a', of, { digest: 'd2' })).toMatchObject({
        outcome: 'taken',
        lease: { fence: 2, digest: 'd2' },
      });
    });

    verifies('P2', 'are ours after an answer was lost, and still one', async () => {
      for (const nth of [1, 2, 3, 4]) {
        const of = next();
        world.loseAnswer(nth);
        await take('a', of).catch(() => undefined);
        expect(await take('a', of).catch(() => take('a', of))).toMatchObject({
          outcome: 'taken',
          lease: { holder: 'a', fence: 1 },
        });
        expect(await take('b', of)).toMatchObject({ outcome: 'held', by: 'a' });
      }
    });

    test('whose commit says nothing of a lease stay where they are', async () => {
      const of = next();
      const place = world.place(of);
      const leases = world.open();
      const broken = {
        ...wantedBy('', of),
        fence: 1,
        issuedAt: 0,
        expiresAt: 0,
        isReleased: false,
      };
      await leases.create(place, broken);
      expect(await leases.read(place)).toMatchObject({ lease: undefined });
      expect(await take('a', of)).toMatchObject({ outcome: 'held', by: 'somebody unknown' });
    });

    test('are won by one of eight that ask at once, for each task', async () => {
      const tasks = Array.from({ length: world.races }, next);
      const holders = Array.from({ length: 8 }, (_, n) => `instance-${n}`);
      const clients = new Map(holders.map((holder) => [holder, world.open()]));
      const got: Taken[][] = [];
      for (const of of tasks) {
        // GitHub lets an installation write only so often.
        world.clock.advance(3 * MINUTE);
        const racing = holders.map((holder) => {
          const leases = clients.get(holder) ?? world.open();
          const wanted = wantedBy(holder, of);
          return takeLease({ leases, clock: world.clock }, world.place(of), wanted);
        });
        got.push(await Promise.all(racing));
      }
      expect(got.map((taken) => winners(taken).length)).toEqual(tasks.map(() => 1));
      const held = await Promise.all(tasks.map((of) => world.open().read(world.place(of))));
      expect(held.map((each) => [each?.lease?.holder, each?.lease?.fence])).toEqual(
        got.map((taken) => [winners(taken)[0], 1]),
      );
    });
  });
}
