/** Long work of a task under a clock that is moved by hand: its hold lives as long as the work does. */
import { describe, expect, test } from 'vitest';
import { whileHeld } from '../../../src/act/task/lease/hold.ts';
import { releaseLease, takeLease } from '../../../src/act/task/lease/take-lease.ts';
import { leasePlace } from '../../../src/act/task/coder/coding-runtime.ts';
import type { ActPorts } from '../../../src/act/ports.ts';
import { CLOCK_SKEW_MS, type Lease } from '../../../src/domain/plan/lease.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Leases } from '../../../src/ports/github/leases.ts';
import type { WorkSession } from '../../../src/ports/github/work.ts';
import { createMemoryRefs } from '../../helpers/memory-leases.ts';
import { verifies } from '../../verifies.ts';

const MINUTE = 60_000;
const THREAD = { installationId: 1, repositoryId: 7, owner: 'acme', repo: 'tidy', number: 4 };
const LEASE_AT = { namespace: 'refs/quorum/leases', lastsMs: 30 * MINUTE };
const PLACE = leasePlace({ thread: THREAD, task: 1, leaseAt: LEASE_AT }, 'base');

interface HoldWorld {
  clock: Clock;
  leases: Leases;
  /** What the holder asked of GitHub, in its order. */
  calls: string[];
  /** GitHub does not answer the holder. */
  outage: (isOut: boolean) => void;
  stop: () => void;
  take: (holder: string) => Promise<Lease>;
  /** Lets time pass in small steps, for code that sleeps. */
  pass: (ms: number) => Promise<void>;
  hold: <T>(lease: Lease, work: (signal: AbortSignal) => Promise<T>, hasPull?: true) => Promise<T>;
}

/** @param codingRuntime - of a job that an App sent, which has no stream */
function createWorld(codingRuntime?: object): HoldWorld {
  let now = Date.parse('2026-03-02T09:00:00Z');
  let isOut = false;
  let stopped: object = {};
  const sleepers = new Set<{ due: number; wake: () => void }>();
  const clock: Clock = {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const sleeper = { due: now + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => resolve());
      }),
  };
  const refs = createMemoryRefs();
  const calls: string[] = [];
  const own = refs.open((what) => {
    calls.push(what.split(' ')[0] ?? '');
    return isOut ? Promise.reject(new Error('away')) : Promise.resolve();
  });
  const store = { load: () => Promise.resolve({ state: { run: { id: 'run-1', ...stopped } } }) };
  const ports = { clock, store, codingRuntime } as unknown as ActPorts;
  const session = { leases: own } as unknown as WorkSession;
  return {
    clock,
    leases: refs.open(),
    calls,
    outage: (is) => void (isOut = is),
    stop: () => void (stopped = { cancelled: { by: 'ana', why: '' } }),
    take: async (holder) => {
      const wanted = { issue: 4, task: 1, holder, digest: 'd1', lastsMs: LEASE_AT.lastsMs };
      const taken = await takeLease({ leases: refs.open(), clock }, PLACE, wanted);
      if (taken.outcome !== 'taken') throw new Error(taken.outcome);
      return taken.lease;
    },
    pass: async (ms) => {
      for (const until = now + ms; now < until; now += 30_000) {
        for (const each of [...sleepers].filter(({ due }) => due <= now)) {
          sleepers.delete(each);
          each.wake();
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    hold: (lease, work, hasPull) =>
      whileHeld(
        { thread: THREAD, task: 1, lease, leaseAt: LEASE_AT },
        { ports, session, run: 'run-1', ...(hasPull && { hasPull }) },
        work,
      ),
  };
}

async function expiry({ leases }: HoldWorld): Promise<number> {
  return (await leases.read(PLACE))?.lease?.expiresAt ?? 0;
}

/** Ends with an error when it is aborted, as a command does. */
function untilStopped(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')));
  });
}

describe('long work', () => {
  verifies('TG-4', 'has its hold renewed for as long as it lasts', async () => {
    const world = createWorld();
    const lease = await world.take('a');
    await world.hold(lease, async (signal) => {
      for (let hour = 0; hour < 4; hour += 1) {
        await world.pass(60 * MINUTE);
        expect(await expiry(world)).toBeGreaterThan(world.clock.now());
      }
      expect(signal.aborted).toBe(false);
    });
    const after = world.calls.length;
    await world.pass(60 * MINUTE);
    expect(world.calls).toHaveLength(after);
    expect(world.calls.filter((call) => call === 'move').length).toBeLessThan(30);
  });

  test('asks GitHub for nothing while the hold is young', async () => {
    const world = createWorld();
    await world.hold(await world.take('a'), () => world.pass(9 * MINUTE));
    expect(world.calls).toEqual([]);
  });

  verifies('TG-4', 'that begins when the hold has run out has it back at once', async () => {
    const world = createWorld();
    const lease = await world.take('a');
    await world.pass(5 * 60 * MINUTE);
    await world.hold(lease, () => world.pass(MINUTE));
    expect(await expiry(world)).toBeGreaterThan(world.clock.now());
    expect((await world.leases.read(PLACE))?.lease).toMatchObject({ holder: 'a', fence: 1 });
  });

  verifies('TG-4', 'that is sent back at once, again and again, keeps its hold', async () => {
    const world = createWorld();
    const lease = await world.take('a');
    const busy = (): Promise<never> => Promise.reject(new Error('busy'));
    for (let tries = 0; tries < 60; tries += 1) {
      await world.pass(MINUTE);
      await expect(world.hold(lease, busy)).rejects.toThrow('busy');
      expect(await expiry(world)).toBeGreaterThan(world.clock.now());
    }
  });

  test('outlives a GitHub that is away for longer than a hold lasts, and asks it seldom', async () => {
    const world = createWorld();
    await world.hold(await world.take('a'), async (signal) => {
      world.outage(true);
      await world.pass(90 * MINUTE);
      expect([signal.aborted, world.calls.length < 200]).toEqual([false, true]);
      world.outage(false);
      await world.pass(2 * MINUTE);
    });
    expect(await expiry(world)).toBeGreaterThan(world.clock.now());
  });

  verifies('TG-4', 'ends when somebody has taken the task over, whose hold it is', async () => {
    const world = createWorld();
    const lease = await world.take('a');
    await world.pass(LEASE_AT.lastsMs + 2 * CLOCK_SKEW_MS);
    await world.take('b');
    const work = world.hold(lease, untilStopped);
    const ended = work.catch((error: unknown) => error);
    await world.pass(MINUTE);
    expect(await ended).toMatchObject({ code: 'lease-lost' });
    expect((await world.leases.read(PLACE))?.lease).toMatchObject({ holder: 'b', fence: 2 });
  });

  test('on a pull request continues no matter who has the hold', async () => {
    const world = createWorld();
    const lease = await world.take('a');
    await world.pass(LEASE_AT.lastsMs + 2 * CLOCK_SKEW_MS);
    await world.take('b');
    const work = async (signal: AbortSignal): Promise<boolean> => {
      await world.pass(MINUTE);
      return signal.aborted;
    };
    expect(await world.hold(lease, work, true)).toBe(false);
  });

  verifies('TG-4', 'ends when a person stops the task', async () => {
    const world = createWorld();
    const work = world.hold(await world.take('a'), untilStopped);
    const ended = work.catch((error: unknown) => error);
    world.stop();
    await world.pass(MINUTE);
    expect(await ended).toMatchObject({ code: 'lease-lost' });
    expect(world.calls).toEqual([]);
  });
});

describe('work in a job that an App sent', () => {
  const JOB = { isDispatched: true, keepsLeases: true };

  test('goes on without a stream, and only reads the lease, twice a minute', async () => {
    const world = createWorld(JOB);
    world.stop();
    await world.hold(await world.take('a'), async (signal) => {
      await world.pass(4 * MINUTE);
      expect(signal.aborted).toBe(false);
    });
    expect(new Set(world.calls)).toEqual(new Set(['read']));
    expect(world.calls.length).toBeGreaterThan(5);
    expect(world.calls.length).toBeLessThan(10);
  });

  test('stops within a minute after the App gave the task back', async () => {
    const world = createWorld(JOB);
    const lease = await world.take('a');
    const working = world.hold(lease, untilStopped);
    working.catch(() => undefined);
    await world.pass(MINUTE);
    await releaseLease({ leases: world.leases }, PLACE, lease);
    await world.pass(MINUTE);
    await expect(working).rejects.toMatchObject({ code: 'lease-lost' });
  });

  test('goes on when the App is away and the hold runs out, and leaves it as it is', async () => {
    const world = createWorld(JOB);
    const lease = await world.take('a');
    await world.hold(lease, async (signal) => {
      await world.pass(LEASE_AT.lastsMs + 30 * MINUTE);
      expect(signal.aborted).toBe(false);
    });
    expect(new Set(world.calls)).toEqual(new Set(['read']));
    expect(await expiry(world)).toBe(lease.expiresAt);
  });

  test('stops within a minute after somebody else took the hold that had run out', async () => {
    const world = createWorld(JOB);
    const working = world.hold(await world.take('a'), untilStopped);
    working.catch(() => undefined);
    await world.pass(LEASE_AT.lastsMs + 2 * CLOCK_SKEW_MS);
    await world.take('b');
    await world.pass(MINUTE);
    await expect(working).rejects.toMatchObject({ code: 'lease-lost' });
    expect((await world.leases.read(PLACE))?.lease).toMatchObject({ holder: 'b', fence: 2 });
  });
});
