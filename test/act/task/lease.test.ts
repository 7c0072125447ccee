/** Claims under every schedule: whatever order the instances’ calls arrive in, no task has two holders. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { releaseLease, renewLease, takeLease } from '../../../src/act/task/lease/take-lease.ts';
import {
  CLOCK_SKEW_MS,
  leaseRef,
  parseLease,
  renderLease,
  type Lease,
  type LeaseEnd,
} from '../../../src/domain/plan/lease.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { LeasePlace, Leases } from '../../../src/ports/github/leases.ts';
import { describeLeases, wantedBy, type LeaseWorld } from '../../contract/leases.ts';
import { createMemoryRefs } from '../../helpers/memory-leases.ts';
import { verifies } from '../../verifies.ts';

const REPOSITORY = { installationId: 1, repositoryId: 7, owner: 'acme', repo: 'tidy' };

function placeOf(task: number): LeasePlace {
  const ref = leaseRef('refs/quorum/leases', { issue: 7, task });
  return { repository: REPOSITORY, ref, baseSha: 'base' };
}

function createClock(): Clock & { advance(ms: number): void } {
  let now = Date.parse('2026-03-02T09:00:00Z');
  return { now: () => now, sleep: () => Promise.resolve(), advance: (ms) => void (now += ms) };
}

function openMemory(): Promise<LeaseWorld> {
  const refs = createMemoryRefs();
  let count = -1;
  // The effect has happened when the next operation begins; its caller never hears of it.
  const open = () => {
    const leases = refs.open();
    const losing = <T>(call: () => Promise<T>): Promise<T> => {
      count -= 1;
      return count === 0 ? call().then(() => Promise.reject(new Error('lost'))) : call();
    };
    return {
      read: (place: LeasePlace) => losing(() => leases.read(place)),
      create: (place: LeasePlace, lease: Lease) => losing(() => leases.create(place, lease)),
      move: (place: LeasePlace, from: string, lease: Lease) =>
        losing(() => leases.move(place, from, lease)),
    };
  };
  return Promise.resolve({
    open,
    place: placeOf,
    races: 50,
    clock: createClock(),
    loseAnswer: (nth) => void (count = nth),
  });
}

describeLeases('memory', openMemory);

describe('a lease that was given back', () => {
  const ENDS = ['pending', 'blocked', 'completed'] as const;
  const endOf = (status: (typeof ENDS)[number]): LeaseEnd => ({ status, reason: status });

  async function givenBack(): Promise<{ own: Lease; leases: Leases; place: LeasePlace }> {
    const [leases, place] = [createMemoryRefs().open(), placeOf(1)];
    const wanted = { issue: 7, task: 1, holder: 'here/run', digest: 'abc', lastsMs: 60_000 };
    const taken = await takeLease({ leases, clock: createClock() }, place, wanted);
    if (taken.outcome !== 'taken') throw new Error('not taken');
    return { own: taken.lease, leases, place };
  }

  for (const before of ENDS)
    for (const after of ENDS) {
      const stays = before === 'completed' || after !== 'completed' ? before : after;
      verifies(
        ['TG-4', 'DUR-08'],
        `as ${before} is ${stays} when a restored store gives it back as ${after}`,
        async () => {
          const { own, leases, place } = await givenBack();
          for (const status of [before, after])
            await releaseLease({ leases }, place, { ...own, end: endOf(status) });
          expect((await leases.read(place))?.lease?.end).toEqual(endOf(stays));
        },
      );
    }
});

describe('a lease', () => {
  test('is read from its message as it was written', () => {
    const anyLease = fc.record({
      issue: fc.nat(),
      task: fc.nat(),
      fence: fc.nat(),
      holder: fc.stringMatching(/^[\w./:-]{1,40}$/),
      digest: fc.stringMatching(/^[0-9a-f]{12}$/),
      issuedAt: fc.integer({ min: 0, max: 4e12 }),
      expiresAt: fc.integer({ min: 0, max: 4e12 }),
      isReleased: fc.boolean(),
    });
    fc.assert(
      fc.property(anyLease, (lease) => {
        expect(parseLease(renderLease(lease))).toEqual(lease);
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseLease(text)).toBeUndefined();
      }),
    );
  });

  verifies('TG-4', 'is given back although one copy does not show it yet', async () => {
    const leases = createMemoryRefs().open();
    const place = placeOf(1);
    const taken = await takeLease({ leases, clock: createClock() }, place, wantedBy('ana/1', 1));
    if (taken.outcome !== 'taken') throw new Error('nobody holds it');
    let reads = 0;
    const lagging = {
      ...leases,
      read: (at: LeasePlace) => {
        reads += 1;
        return reads === 1 ? Promise.resolve(undefined) : leases.read(at);
      },
    };
    expect(await releaseLease({ leases: lagging }, place, taken.lease)).toBe('released');
    expect(await releaseLease({ leases }, placeOf(2), taken.lease)).toBe('not-ours');
  });

  verifies('TG-4', 'is given back although its own renewal comes in between', async () => {
    const refs = createMemoryRefs();
    const clock = createClock();
    const place = placeOf(1);
    const taken = await takeLease({ leases: refs.open(), clock }, place, wantedBy('ana/1', 1));
    if (taken.outcome !== 'taken') throw new Error('nobody holds it');
    const long = 2 * (taken.lease.expiresAt - clock.now());
    const renewal = { own: taken.lease, lastsMs: long, atLeastMs: long };
    let isRenewed = false;
    const leases = refs.open(async (what) => {
      if (isRenewed || !what.startsWith('move')) return;
      isRenewed = true;
      await renewLease({ leases: refs.open(), clock }, place, renewal);
    });
    expect(await releaseLease({ leases }, place, taken.lease)).toBe('released');
    expect(isRenewed).toBe(true);
    expect((await refs.open().read(place))?.lease?.isReleased).toBe(true);
  });
});

interface Hold {
  holder: string;
  fence: number;
}

describe('instances that race', () => {
  verifies(
    'DUR-03',
    'under thousands of schedules no task has two holders, and each is done once',
    async () => {
      let schedules = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.scheduler(),
          fc.integer({ min: 1, max: 3 }),
          async (scheduler, tasks) => {
            schedules += 1;
            const refs = createMemoryRefs();
            const clock = createClock();
            const done = new Map<number, string[]>();
            const holding = new Map<number, Hold[]>();
            const work = async (holder: string): Promise<void> => {
              const leases = refs.open((what) =>
                scheduler.schedule(Promise.resolve(), `${holder} ${what}`),
              );
              for (let task = 1; task <= tasks; task += 1) {
                const place = placeOf(task);
                const taken = await takeLease({ leases, clock }, place, wantedBy(holder, task));
                if (taken.outcome !== 'taken') continue;
                const here = holding.get(task) ?? [];
                holding.set(task, [...here, { holder, fence: taken.lease.fence }]);
                expect(holding.get(task)).toHaveLength(1);
                // Work that is done is known by the plan; a released lease of one is not taken for work.
                if (!done.has(task)) done.set(task, [holder]);
                holding.set(
                  task,
                  (holding.get(task) ?? []).filter((each) => each.holder !== holder),
                );
                await releaseLease({ leases }, place, taken.lease);
              }
            };
            const all = Promise.all(Array.from({ length: 8 }, (_, n) => work(`instance-${n}`)));
            await scheduler.waitFor(all);
            expect([...done.keys()].toSorted((a, b) => a - b)).toEqual(
              Array.from({ length: tasks }, (_, n) => n + 1),
            );
          },
        ),
        { numRuns: 1_000 },
      );
      expect(schedules).toBe(1_000);
    },
  );

  verifies(
    'DUR-03',
    'a holder that slept through its lease acts only until another instance takes over, whichever it is and at any time',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.scheduler(),
          fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 4, maxLength: 12 }),
          async (scheduler, naps) => {
            const refs = createMemoryRefs();
            const clock = createClock();
            const place = placeOf(1);
            const acted: Hold[] = [];
            const work = async (holder: string): Promise<void> => {
              const leases = refs.open((what) =>
                scheduler.schedule(Promise.resolve(), `${holder} ${what}`),
              );
              for (const minutes of naps) {
                const taken = await takeLease({ leases, clock }, place, wantedBy(holder, 1));
                clock.advance(minutes * 60_000);
                if (taken.outcome !== 'taken') continue;
                const { lease: own } = taken;
                const wanted = { own, lastsMs: 30 * 60_000, atLeastMs: 0 };
                const held = await renewLease({ leases, clock }, place, wanted);
                if (held !== undefined) acted.push({ holder, fence: held.fence });
              }
            };
            await scheduler.waitFor(Promise.all(['a', 'b', 'c'].map((holder) => work(holder))));
            // Numbers never go back, and each number has one holder.
            const fences = acted.map(({ fence }) => fence);
            expect(fences).toEqual(fences.toSorted((a, b) => a - b));
            const byFence = new Map<number, Set<string>>();
            for (const { holder, fence } of acted)
              byFence.set(fence, (byFence.get(fence) ?? new Set()).add(holder));
            for (const holders of byFence.values()) expect(holders.size).toBe(1);
          },
        ),
        { numRuns: 1_000 },
      );
      expect(CLOCK_SKEW_MS).toBeGreaterThan(0);
    },
  );
});
