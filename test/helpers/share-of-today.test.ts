/** Which of a long list CI runs on a day. */
import { expect, test } from 'vitest';
import { shareOfToday } from './share-of-today.ts';

const DAY_MS = 24 * 3_600_000;
const ALL = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

test('all of a list where no share is asked for', () => {
  expect(shareOfToday(ALL, 1, 0)).toEqual(ALL);
});

test('each of a list once within as many days as the share says', () => {
  const days = [0, 1, 2].map((day) => shareOfToday(ALL, 3, 20_000 * DAY_MS + day * DAY_MS));
  expect(days.flat().toSorted()).toEqual(ALL);
  for (const day of days) expect(day.length).toBeGreaterThanOrEqual(2);
});

test('the same at every hour of a day, and other ones the next day', () => {
  const morning = shareOfToday(ALL, 3, 20_000 * DAY_MS);
  expect(shareOfToday(ALL, 3, 20_001 * DAY_MS - 1)).toEqual(morning);
  expect(shareOfToday(ALL, 3, 20_001 * DAY_MS)).not.toEqual(morning);
});

test('the whole of a list that is shorter than the share', () => {
  expect(shareOfToday(['a', 'b'], 3, 0)).toEqual(['a', 'b']);
});
