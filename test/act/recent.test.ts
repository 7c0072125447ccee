import { expect, test } from 'vitest';
import { createRecent } from '../../src/act/recent.ts';

test('an answer is remembered for its time, and the oldest goes when there are too many', () => {
  let now = 0;
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  const recent = createRecent<number>(clock, { ttlMs: 100, most: 3 });
  for (const n of [1, 2, 3]) recent.set(`k${n}`, n);
  recent.set('k1', 11);
  recent.set('k4', 4);
  expect(['k1', 'k2', 'k3', 'k4'].map((key) => recent.get(key))).toEqual([11, undefined, 3, 4]);
  now = 99;
  expect(recent.get('k4')).toBe(4);
  now = 100;
  expect(recent.get('k4')).toBeUndefined();
  recent.set('k5', 5);
  now = 50;
  expect(['k1', 'k3', 'k4', 'k5'].map((key) => recent.get(key))).toEqual([
    undefined,
    undefined,
    undefined,
    5,
  ]);
});
