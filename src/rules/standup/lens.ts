/** What a rule of a standup finds: a true sentence about one run, with where it is seen. */
import type { InsightRef, InsightType } from '../../domain/standup/insight.ts';
import type { Viewed } from '../../domain/standup/inventions.ts';
import type { StandupRecord } from '../../domain/standup/look-back/record.ts';

export const LENSES = [
  'retried-gate',
  'slow-test',
  'crowded-file',
  'answered-question',
  'passed-estimate',
  'overruled-review',
  'todo-left',
] as const;
export type LensName = (typeof LENSES)[number];

export interface LensInput {
  record: StandupRecord;
  /** Files at the run's head. */
  viewed: Viewed;
}

/** A tension that a rule found. */
export interface Sighted {
  lens: LensName;
  type: Exclude<InsightType, 'none'>;
  message: string;
  refs: InsightRef[];
  actionable: boolean;
  /** Handle of the persona whose work it is about; never the one who tells it. */
  about?: string;
  /** How much it is worth somebody's time, compared with others of its lens. */
  weight: number;
}

/** One rule. Words say whose it is: they are looked for in what personas look for. */
export interface Lens {
  name: LensName;
  words: string;
  find: (input: LensInput) => Sighted[];
}

const MAX_QUOTE = 160;

/**
 * Other people's words inside a sentence: one line, cut at a word, and nothing in it closes the marks around it. What is
 * cut has no sign of it, so that it remains a quote.
 */
export function toQuote(text: string): string {
  const line = text.replaceAll(/["“”«»`\s]+/g, ' ').trim();
  if (line.length <= MAX_QUOTE) return line;
  return line.slice(0, line.lastIndexOf(' ', MAX_QUOTE)).toWellFormed().trim();
}

/** A quote at the end of a sentence: its own full stop ends that as well. */
export function endQuote(text: string): string {
  const quote = toQuote(text);
  return /[.!?]$/.test(quote) ? `"${quote}"` : `"${quote}".`;
}

/** `1, 2 and 4`. */
export function listOf(items: readonly (string | number)[]): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
