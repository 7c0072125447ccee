/** A tiny chaos run: `npm run chaos` is the long one. */
import { expect, test } from 'vitest';
import { verifies } from '../verifies.ts';
import { createChance } from './chance.ts';
import { runChaos } from './chaos.ts';
import { renderTable, sumUp } from './table.ts';

verifies(['P1', 'P2'], 'two kills with faults: nothing lost, nothing duplicated', async () => {
  const { seen, kills, isSettled } = await runChaos({
    seed: 3,
    kills: 2,
    limitMs: 120_000,
    hasPlan: false,
    env: {},
    tell: () => undefined,
  });
  expect([kills, isSettled, renderTable(seen)]).toEqual([2, true, expect.any(String)]);
  expect({ ...sumUp(seen), seen }).toMatchObject({ lost: 0, duplicated: 0 });
});

test('the same seed is the same chance', () => {
  const numbers = (seed: number) => {
    const chance = createChance(seed);
    return Array.from({ length: 5 }, () => chance.next());
  };
  expect(numbers(7)).toEqual(numbers(7));
  expect(numbers(7)).not.toEqual(numbers(8));
});

test('what was lost and what was duplicated is counted apart', () => {
  const seen = [
    { effect: 'comment', where: '#1', wanted: 1, found: 0 },
    { effect: 'comment', where: '#2', wanted: 1, found: 3 },
  ];
  expect(sumUp(seen)).toEqual({ lost: 1, duplicated: 2 });
  expect(renderTable(seen)).toContain('comment at #2: 3, not 1');
});
