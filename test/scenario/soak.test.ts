/** A day with trouble: one call and one delivery in twenty goes wrong, in every way, and nothing is lost or said twice. */
import { expect } from 'vitest';
import { DEFAULT_BUDGETS } from '../../src/adapters/github/client/github-options.ts';
import type { Fault, HookFaultRule } from '../../src/emulator/github/behave/faults.ts';
import { aLeapWorld, type LeapWorld } from '../helpers/a-leap-world.ts';
import { READY_ISSUE, REPO } from '../helpers/a-world.ts';
import { verifies } from '../verifies.ts';

const MINUTE = 60_000;
const ISSUES = 40;
const EVERY_MS = (24 * 60 * MINUTE) / ISSUES;
/** Of a hundred: 5 % of all calls and deliveries. */
const RATE = 5;
const CALLS = 8_000;
const DELIVERIES = 700;

const FAULTS: readonly Fault[] = [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 502 },
  { kind: 'effect-then-fail', status: 502 },
  { kind: 'effect-then-fail', reset: true },
  { kind: 'reset' },
  { kind: 'truncated' },
  { kind: 'stale' },
  { kind: 'status', status: 429, headers: { 'retry-after': '20' } },
];
const HOOK_FAULTS: readonly HookFaultRule['fault'][] = [
  { kind: 'lost' },
  { kind: 'lost', recorded: false },
  { kind: 'duplicate' },
  { kind: 'reorder' },
  { kind: 'delay', ms: 20 * MINUTE },
];

/** Chance from a seed: the same day every time. */
function createChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function pick<T>(list: readonly T[], chance: () => number): T {
  const found = list[Math.floor(chance() * list.length)];
  if (found === undefined) throw new Error('an empty list');
  return found;
}

function spoil(world: LeapWorld, chance: () => number): void {
  for (let nth = 1; nth <= CALLS; nth += 1)
    if (chance() * 100 < RATE) world.emulator.faults.add({ nth, fault: pick(FAULTS, chance) });
  for (let nth = 1; nth <= DELIVERIES; nth += 1)
    if (chance() * 100 < RATE)
      world.emulator.faults.addHook({ nth, fault: pick(HOOK_FAULTS, chance) });
}

verifies(
  ['P1', 'P2', 'P7', 'DUR-09', 'LIM-04'],
  'forty issues in 24 hours with 5 % of everything failing: one comment each, nothing dead, budgets kept',
  async () => {
    const world = await aLeapWorld({
      app: { budgets: DEFAULT_BUDGETS, reconcileEveryMs: 15 * MINUTE },
    });
    await world.pass(MINUTE);
    spoil(world, createChance(20_260_105));
    const numbers: number[] = [];
    for (let n = 1; n <= ISSUES; n += 1) {
      const title = `Wish ${n}: say ${n} with --say-${n}`;
      numbers.push(await world.ask({ title, body: READY_ISSUE.body }));
      await world.pass(EVERY_MS);
    }
    const hits = world.emulator.faults.hits().filter((each) => each > 0).length;
    world.emulator.faults.clear();
    // Two reconcile passes after the trouble is over.
    await world.pass(32 * MINUTE);
    expect(hits).toBeGreaterThan(40);
    const { events, effects } = await world.store.records.counts();
    expect(events).toMatchObject({ dead: 0, parked: 0 });
    expect(effects).toMatchObject({ dead: 0, refused: 0 });
    for (const number of numbers) {
      const told = await world.tell(number);
      expect([number, told.comments.length]).toEqual([number, 1]);
      expect(told.comments[0]).toMatch(/^### (?!Discussing|Stopped)/);
    }
    const created = world.emulator.requests.filter(
      (each) => each.method === 'POST' && each.path.startsWith(`/repos/${REPO}/issues/`),
    );
    const hours = new Map<string, number>();
    for (const { at } of created) hours.set(at.slice(0, 13), (hours.get(at.slice(0, 13)) ?? 0) + 1);
    expect(Math.max(...hours.values())).toBeLessThanOrEqual(250);
  },
);
