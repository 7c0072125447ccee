/** When a repository's week ends: by the clock alone, so that the same moment is always in the same week. */
import { Cron } from 'croner';
import type { Config } from '../config/config.ts';

/** Day, hour and time zone at which a week ends. */
export type WeekSetting = Config['standup']['week'];

/** From its first moment to the end, which belongs to the next; milliseconds since the epoch. */
export interface WeekSpan {
  from: number;
  until: number;
}

/** Until the configuration was read. */
export const DEFAULT_WEEK: WeekSetting = { weekday: 'monday', hour: 9, timeZone: 'UTC' };

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** The week that a moment is in. */
export function weekAt(now: number, { weekday, hour, timeZone }: WeekSetting): WeekSpan {
  const pattern = `0 ${hour} * * ${WEEKDAYS.indexOf(weekday)}`;
  const cron = new Cron(pattern, { timezone: timeZone, paused: true });
  const [last] = cron.previousRuns(1, new Date(now + 1_000));
  const next = cron.nextRun(new Date(now));
  if (last === undefined || next === null) throw new Error(`${pattern} never comes`);
  return { from: last.getTime(), until: next.getTime() };
}

export function isSameWeek(one: WeekSetting, other: WeekSetting): boolean {
  return (
    one.weekday === other.weekday && one.hour === other.hour && one.timeZone === other.timeZone
  );
}
