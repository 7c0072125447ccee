/** When a week ends. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_WEEK, isSameWeek, weekAt } from '../../../src/domain/digest/week.ts';
import { verifies } from '../../verifies.ts';

const HOUR = 3_600_000;
const iso = (ms: number): string => new Date(ms).toISOString();

describe('a week', () => {
  test.each([
    ['before its hour', '2026-11-23T08:59:59Z', '2026-11-16T09:00:00.000Z'],
    ['at its hour', '2026-11-23T09:00:00Z', '2026-11-23T09:00:00.000Z'],
    ['in the middle', '2026-11-27T04:00:00Z', '2026-11-23T09:00:00.000Z'],
  ])('has begun %s', (_, now, from) => {
    const period = weekAt(Date.parse(now), DEFAULT_WEEK);
    expect(iso(period.from)).toBe(from);
    expect(period.until - period.from).toBe(7 * 24 * HOUR);
  });

  verifies('DUR-04: summer time', 'keeps its hour over a change of the clocks', () => {
    const madrid = { ...DEFAULT_WEEK, timeZone: 'Europe/Madrid' };
    const period = weekAt(Date.parse('2026-10-22T00:00:00Z'), madrid);
    expect(iso(period.from)).toBe('2026-10-19T07:00:00.000Z');
    expect(iso(period.until)).toBe('2026-10-26T08:00:00.000Z');
  });

  test('is another one with another day, hour or time zone', () => {
    expect(isSameWeek(DEFAULT_WEEK, { ...DEFAULT_WEEK })).toBe(true);
    expect(isSameWeek(DEFAULT_WEEK, { ...DEFAULT_WEEK, weekday: 'friday' })).toBe(false);
    expect(isSameWeek(DEFAULT_WEEK, { ...DEFAULT_WEEK, hour: 10 })).toBe(false);
    expect(isSameWeek(DEFAULT_WEEK, { ...DEFAULT_WEEK, timeZone: 'Asia/Tokyo' })).toBe(false);
  });
});
