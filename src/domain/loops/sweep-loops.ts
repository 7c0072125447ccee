/** The loops that a workflow can run once, and those that need the App, each with its reason. */
import type { Config } from '../config/config.ts';
import { nearest } from '../text/nearest.ts';

export const SWEEP_LOOPS = [
  'reconcile',
  'stale-claims',
  'plans',
  'memory',
  'weekly',
  'code-watch',
] as const;
export type SweepLoop = (typeof SWEEP_LOOPS)[number];

/** A sentence for each loop that no workflow runs. The summary shows it. */
export const APP_LOOPS = {
  purge: 'A runner keeps nothing that could be erased.',
} as const satisfies Record<string, string>;
type AppLoop = keyof typeof APP_LOOPS;

export type LoopsWanted =
  | { kind: 'loops'; run: readonly SweepLoop[]; refused: readonly AppLoop[] }
  /** `meant`: the loop with the nearest name. */
  | { kind: 'unknown'; name: string; meant: string | undefined };

/** Names with commas between; all that a workflow can run where none is given. */
export function parseLoops(text: string): LoopsWanted {
  const names = text.split(',').map((name) => name.trim());
  const given = [...new Set(names.filter((name) => name !== ''))];
  if (given.length === 0) return { kind: 'loops', run: SWEEP_LOOPS, refused: [] };
  const unknown = given.find((name) => !isSweepLoop(name) && !isAppLoop(name));
  if (unknown !== undefined) {
    const meant = nearest(unknown, [...SWEEP_LOOPS, ...Object.keys(APP_LOOPS)]);
    return { kind: 'unknown', name: unknown, meant };
  }
  return { kind: 'loops', run: given.filter(isSweepLoop), refused: given.filter(isAppLoop) };
}

/** `last`: when a search of the code ended last, if one ever did; both in milliseconds since the epoch. */
export function isWatchDue(
  { enabled, everySeconds }: Pick<Config['sweeps']['codeWatch'], 'enabled' | 'everySeconds'>,
  { now, last }: { now: number; last: number | undefined },
): boolean {
  return enabled && (last === undefined || now - last >= everySeconds * 1_000);
}

/** Whether a search may begin after so many tokens of the last day. The one that passes the limit comes to its end. */
export function hasWatchTokens(
  { dailyTokens }: Pick<Config['sweeps']['codeWatch'], 'dailyTokens'>,
  used: number,
): boolean {
  return used < dailyTokens;
}

/** What a search may cost at most, as far as the limits tell: so much counts where its end is never known. */
export function mostOfSearch(
  { budget, sweeps }: Pick<Config, 'budget' | 'sweeps'>,
  used: number,
): { usd: number; tokens: number } {
  return {
    usd: mostOfDiscussion({ budget }),
    tokens: Math.max(0, sweeps.codeWatch.dailyTokens - used),
  };
}

/** What the models of one thread may cost at most, in US dollars. */
export function mostOfDiscussion({ budget }: Pick<Config, 'budget'>): number {
  const { perThreadUsd, perDayUsd } = budget.council;
  return Math.min(perThreadUsd, perDayUsd, budget.perDayUsd);
}

/**
 * Whether a week has ended that no digest tells of.
 *
 * @param since - until when weeks were read, ISO 8601
 * @param end - of the last week, in milliseconds since the epoch
 */
export function isWeekDue(since: string, end: number): boolean {
  return !(Date.parse(since) >= end);
}

/** No record tells when a hold ends, a claim runs out or a person closes a proposal. */
const LOOK_AGAIN_MS = 6 * 3_600_000;
const MINUTE_MS = 60_000;
/** GitHub begins the runs of a schedule late, so that two may be further apart. */
const LATE = 1.5;

/** What a pass has seen of the records of a loop, and when it saw them first. */
export interface RecordsSeen {
  /** Of the records. */
  digest: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/**
 * Whether a loop may find more to do: its records have changed since they were first seen, or a time to look again has come.
 * A look that finds them unchanged is not written down. So the time itself tells which pass looks again: about one in six
 * hours, where it is known how often passes begin, else each.
 *
 * @param everyMs - between two passes; undefined where nobody can tell
 */
export function areRecordsDue(
  now: RecordsSeen,
  last: RecordsSeen | undefined,
  everyMs: number | undefined,
): boolean {
  if (last === undefined || last.digest !== now.digest) return true;
  const ageMs = now.at - last.at;
  if (ageMs < LOOK_AGAIN_MS) return false;
  return everyMs === undefined || ageMs % LOOK_AGAIN_MS < everyMs * LATE;
}

/** The cursor after a look: as it was while the records are the same. */
export function noteRecordsSeen(before: string | undefined, seen: RecordsSeen): string {
  const isSame = before !== undefined && parseRecordsSeen(before)?.digest === seen.digest;
  return isSame ? before : renderRecordsSeen(seen);
}

/**
 * Time between the runs of a schedule in which each hour, or every so many hours, has one run or one every so many minutes.
 * Undefined for any other.
 */
export function intervalOfSchedule(cron: string): number | undefined {
  const [minute = '', hour = '', ...days] = cron.trim().split(' ');
  if (days.length !== 3 || days.some((day) => day !== '*')) return undefined;
  const minutes = stepOf(minute, 60);
  if (minutes !== undefined) return hour === '*' ? minutes * MINUTE_MS : undefined;
  const isOneMinute = minute !== '' && Number.isInteger(Number(minute));
  const hours = hour === '*' ? 1 : stepOf(hour, 24);
  return isOneMinute && hours !== undefined ? hours * 60 * MINUTE_MS : undefined;
}

/** Of a field whose steps are all alike. */
function stepOf(field: string, whole: number): number | undefined {
  const step = field.startsWith('*/') ? Number(field.slice(2)) : Number.NaN;
  return step > 0 && whole % step === 0 ? step : undefined;
}

/** As one cursor. */
export function renderRecordsSeen({ digest, at }: RecordsSeen): string {
  return `${digest} ${new Date(at).toISOString()}`;
}

/** Undefined for text that is no such cursor. */
export function parseRecordsSeen(text: string | undefined): RecordsSeen | undefined {
  const [digest = '', moment = ''] = (text ?? '').split(' ');
  const at = Date.parse(moment);
  return Number.isNaN(at) ? undefined : { digest, at };
}

function isSweepLoop(name: string): name is SweepLoop {
  return SWEEP_LOOPS.some((each) => each === name);
}

function isAppLoop(name: string): name is AppLoop {
  return Object.hasOwn(APP_LOOPS, name);
}
