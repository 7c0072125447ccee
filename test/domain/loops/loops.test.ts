/** When each loop is due, and that a period of it begins once however many hosts ask. */
import { describe, expect, test } from 'vitest';
import { dueInHost, LOOPS } from '../../../src/domain/loops/loops.ts';

const MINUTE = 60_000;
const at = (text: string): number => Date.parse(text);

describe('loops of a host', () => {
  test('begin once in each period', () => {
    const host = { reconcileEveryMs: 5 * MINUTE };
    const ids = (now: string): string[] => dueInHost(at(now), host).map(({ id }) => id);
    expect(ids('2026-11-27T04:01:00Z')).toEqual(ids('2026-11-27T04:04:59Z'));
    expect(ids('2026-11-27T04:05:00Z')[0]).not.toBe(ids('2026-11-27T04:04:59Z')[0]);
    expect(ids('2026-11-27T23:59:59Z')[1]).toBe(ids('2026-11-27T00:00:00Z')[1]);
  });

  test('have the ids that older versions stored', () => {
    const now = at('2026-11-27T04:01:00Z');
    expect(dueInHost(now, { reconcileEveryMs: 5 * MINUTE }).map(({ id }) => id)).toEqual([
      `tick:reconcile:${Math.floor(now / (5 * MINUTE))}`,
      `tick:purge:${Math.floor(now / (24 * 60 * MINUTE))}`,
    ]);
  });

  test('are off where the host looks for nothing', () => {
    expect(dueInHost(0, { reconcileEveryMs: 0 })).toEqual([]);
  });
});

test('every loop has a name of its own', () => {
  expect(new Set(LOOPS.map(({ name }) => name)).size).toBe(LOOPS.length);
});
