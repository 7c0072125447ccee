import { expect, test } from 'vitest';
import { createTtlCache } from '../../src/act/ttl-cache.ts';

const START = 1_700_000_000_000;

test('an answer is remembered for its time, and the oldest goes when there are too many', () => {
  let now = START;
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  const recent = createTtlCache<number>(clock, { ttlMs: 100, most: 3 });
  for (const n of [1, 2, 3]) recent.set(`k${n}`, n);
  recent.set('k1', 11);
  recent.set('k4', 4);
  expect(['k1', 'k2', 'k3', 'k4'].map((key) => recent.get(key))).toEqual([11, undefined, 3, 4]);
  now = START + 99;
  expect(recent.get('k4')).toBe(4);
  now = START + 101;
  expect(recent.get('k4')).toBeUndefined();
  recent.set('k4', 44);
  expect(recent.get('k4')).toBe(44);
});

test('what begins so is forgotten, also when it is too old', () => {
  let now = START;
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  const recent = createTtlCache<number>(clock, { ttlMs: 100, most: 10 });
  for (const key of ['1/a', '1/b', '11/a', '2/a']) recent.set(key, 1);
  recent.forget('1/');
  expect(['1/a', '1/b', '11/a', '2/a'].map((key) => recent.get(key))).toEqual([
    undefined,
    undefined,
    1,
    1,
  ]);
  now = START + 101;
  recent.set('2/b', 2);
  recent.forget('2/');
  now = START;
  expect(['11/a', '2/a', '2/b'].map((key) => recent.get(key))).toEqual(Array(3).fill(undefined));
});
