/** Hours in which nothing speaks unprompted. */
import type * as z from 'zod';
import type { QuietHoursConfig } from '../../config/config-limits.ts';

export type QuietHours = z.infer<typeof QuietHoursConfig>;

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/**
 * Whether it is quiet at this moment, in the zone of the setting. From 23 to 7 spans midnight; with equal hours it is
 * never quiet.
 */
export function isQuietHour(now: number, hours: QuietHours): boolean {
  if (!hours.enabled || hours.from === hours.to) return false;
  const { hour } = localTime(now, hours.timeZone);
  return hours.from < hours.to
    ? hour >= hours.from && hour < hours.to
    : hour >= hours.from || hour < hours.to;
}

/** The first moment from `now` on that is not quiet. Steps of a quarter of an hour, because zones shift by as little. */
export function endOfQuiet(now: number, hours: QuietHours): number {
  if (!isQuietHour(now, hours)) return now;
  const { minute } = localTime(now, hours.timeZone);
  const quarter = Math.floor(now / MINUTE_MS) * MINUTE_MS + (15 - (minute % 15)) * MINUTE_MS;
  for (let at = quarter; at < now + 26 * HOUR_MS; at += 15 * MINUTE_MS)
    if (!isQuietHour(at, hours)) return at;
  return now + 24 * HOUR_MS;
}

const FORMATS = new Map<string, Intl.DateTimeFormat>();

function localTime(now: number, timeZone: string): { hour: number; minute: number } {
  const format =
    FORMATS.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', {
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone,
    });
  FORMATS.set(timeZone, format);
  const parts = new Map(format.formatToParts(now).map(({ type, value }) => [type, Number(value)]));
  return { hour: parts.get('hour') ?? 0, minute: parts.get('minute') ?? 0 };
}
