/** The reconcile pass: since when it looks, and for what. */
import { expect, test } from 'vitest';
import { decideTick } from '../../src/decide/sweep.ts';
import type { Event } from '../../src/domain/event.ts';

const HOUR = 3_600_000;
const START = Date.parse('2026-11-23T10:00:00.000Z');
const iso = (ms: number): string => new Date(ms).toISOString();

function tick(now: number): Event {
  const trigger = { kind: 'tick', loop: 'reconcile' } as const;
  const data = { kind: 'trigger', trigger } as const;
  return { id: `tick:${now}`, key: 'tick:reconcile', version: 1, at: iso(now), data };
}

/** One pass that ends well at once; what it looked for, and the state after it. */
function pass(before: unknown, now: number) {
  const begun = decideTick(before, tick(now), { now });
  const [effect] = begun.effects;
  if (effect?.data.kind !== 'reconcile') throw new Error('no pass began');
  const data = {
    kind: 'done',
    effectKind: 'reconcile',
    result: { redelivered: 0, started: 0 },
    effectId: effect.id,
    run: effect.run,
  } as const;
  const ended: Event = { ...tick(now), id: `${effect.id}:done`, data };
  const { state } = decideTick(begun.state, ended, { now });
  const { since, foundSince } = effect.data;
  return { since, foundSince, state };
}

test('looks for nothing that happened before the first pass', () => {
  const first = pass(undefined, START);
  expect(first.foundSince).toBe(iso(START));
  const second = pass(first.state, START + 5 * 60_000);
  expect(second.foundSince).toBe(iso(START));
});

test('looks an hour back behind the last pass that ended well, and three days at most', () => {
  const first = pass(undefined, START);
  const second = pass(first.state, START + 6 * HOUR);
  expect(second.foundSince).toBe(iso(START));
  const third = pass(second.state, START + 7 * HOUR);
  expect(third.foundSince).toBe(iso(START + 5 * HOUR));
  const late = pass(third.state, START + 24 * 10 * HOUR);
  expect(late.foundSince).toBe(iso(START + 24 * 7 * HOUR));
});

test('goes on from the last pass of a version that looked for labels only', () => {
  const { foundSince } = pass({ v: 1, doneSince: iso(START) }, START + 5 * 60_000);
  expect(foundSince).toBe(iso(START));
});
