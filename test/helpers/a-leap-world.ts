/** A world whose days pass in seconds: the leaping clock, and a store that tells what its workers hold. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite.ts';
import { systemRandom } from '../../src/adapters/system/system-clock.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Store } from '../../src/ports/store.ts';
import { createLeapClock, type LeapClock } from './a-leap-clock.ts';
import { aWorld, type TestWorld } from './a-world.ts';

export interface LeapWorld extends TestWorld {
  clock: LeapClock;
  /** Pieces of work that workers hold. */
  inHand(): number;
  /** Lets so much of the world's time pass: slowly while there is work, otherwise in leaps. */
  pass(ms: number): Promise<void>;
}

/** A restarted App finds the same open store; `aWorld` with a leaping clock opens it again instead. */
export async function aLeapWorld({
  speed,
  ...over
}: Parameters<typeof aWorld>[0] & { speed?: number } = {}): Promise<LeapWorld> {
  const clock = createLeapClock(undefined, speed);
  const watched = await aWatchedStore(clock);
  const world = await aWorld({
    clock,
    random: systemRandom,
    ...over,
    app: { reconcileEveryMs: 5 * 60_000, store: watched.store, ...over.app },
  });
  const leaping: LeapWorld = Object.assign(Object.create(world) as TestWorld, {
    clock,
    inHand: () => watched.inHand(),
    pass: (ms: number) => passTime(leaping, ms),
  });
  return leaping;
}

interface WatchedStore {
  store: Store;
  /** Pieces of work that workers hold. */
  inHand(): number;
}

/** The embedded store, with an eye on what its workers hold. Closed and removed at the test's end. */
async function aWatchedStore(clock: Clock): Promise<WatchedStore> {
  const dir = await mkdtemp(path.join(tmpdir(), 'quorum-watched-'));
  const real = await openSqliteStore({ dir, clock });
  onTestFinished(async () => {
    await real.close();
    await rm(dir, { recursive: true, force: true });
  });
  let held = 0;
  const store: Store = {
    append: (events) => real.append(events),
    load: (key) => real.load(key),
    settle: (work, settlement) => real.settle(work, settlement),
    work: ({ concurrency, consume }) =>
      real.work({
        concurrency,
        consume: (work) => {
          held += 1;
          return consume(work).finally(() => {
            held -= 1;
          });
        },
      }),
    requeue: (filter) => real.requeue(filter),
    close: () => real.close(),
    records: real.records,
    erasure: real.erasure,
    standups: real.standups,
    memory: real.memory,
  };
  return { store, inHand: () => held };
}

const PATIENCE_MS = 20;

/** What moves while anything is under way: calls, deliveries, and what became of the work. */
async function pulse(world: LeapWorld): Promise<{ said: string; isDue: boolean }> {
  // A delivery that a fault holds back for hours is waited for by the clock, not here.
  await Promise.race([world.emulator.settled(), wait(PATIENCE_MS)]);
  const { lagMs, ...counts } = await world.store.records.counts();
  const { requests, deliveries } = world.emulator;
  const isDue = lagMs > 0;
  return { said: JSON.stringify([counts, isDue, requests.length, deliveries.length]), isDue };
}

const LOOK_EVERY_MS = 5;
const LOOKS_TO_BELIEVE = 5;
/** While something is due that nobody has taken: a busy machine takes its time, and what waits for its lane stays due. */
const LOOKS_WHILE_DUE = 60;
/** A guard against hangs only, of the wall's time. */
const LIMIT_MS = 400_000;

async function passTime(world: LeapWorld, ms: number): Promise<void> {
  const { clock } = world;
  const late = Date.now() + LIMIT_MS;
  const until = clock.now() + ms;
  let last = '';
  let quiet = 0;
  let enough = LOOKS_TO_BELIEVE;
  // What is in hand gets the time it takes, on a busy machine also beyond that moment.
  while (clock.now() < until || quiet < enough) {
    const { said, isDue } = await pulse(world);
    // Its naps pass by themselves, faster than the wall's.
    const isStill = said === last && world.inHand() === 0;
    quiet = isStill ? quiet + 1 : 0;
    last = said;
    enough = isDue ? LOOKS_WHILE_DUE : LOOKS_TO_BELIEVE;
    if (quiet >= enough && clock.now() < until) {
      clock.leap(until);
      quiet = 0;
    }
    if (Date.now() > late)
      throw new Error(`Work is still under way after ${LIMIT_MS / 1000} s: ${said}`);
    await wait(LOOK_EVERY_MS);
  }
}
