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

/** What a pass has seen of the records of a loop, and when. */
export interface RecordsSeen {
  /** Of the records. */
  digest: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Whether a loop may find more to do: its records have changed since the last look, or that was long ago. */
export function areRecordsDue(now: RecordsSeen, last: RecordsSeen | undefined): boolean {
  return last === undefined || last.digest !== now.digest || now.at - last.at >= LOOK_AGAIN_MS;
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
