/** How often people found a voice or a rule right: what was judged, how sure that is, and when a voice goes quiet. */
import { isAtLeast, type Finding } from './finding.ts';
import { bodyDigest } from '../persona/digest.ts';

/** What became of a finding. Ignored: the change was merged unchanged, without a comment. */
export type Judgement = 'accepted' | 'declined' | 'ignored';
export type Counts = Record<Judgement, number>;

/** Counts by subject: `persona:maya`, `rule:js-eval`. */
export type Tally = Readonly<Record<string, Counts>>;

/** A judgement that was made, changed or taken back. */
export interface JudgedFinding {
  subjects: string[];
  /** Month of the first judgement, `2026-03`: a later one takes its place there. */
  month: string;
  from?: Judgement;
  to?: Judgement;
}

/** A repository's judgements, by month and subject. Plain sums, so that neither order nor company of events matters. */
export interface PrecisionState {
  v: number;
  months: Record<string, Record<string, Counts>>;
}

/** Months that count, this one included: what people thought long ago says little of today's prompts and models. */
const MONTHS = 6;

export const NO_PRECISION: PrecisionState = { v: 1, months: {} };

const NOTHING: Counts = { accepted: 0, declined: 0, ignored: 0 };

/** The stream that keeps a repository's judgements; apart from the repository's own, which every effect reads. */
export function precisionKey(repositoryId: number): string {
  return `precision:${repositoryId}`;
}

export function monthOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7);
}

/** Whose finding it is: everybody it names, and the rule when code found it. */
export function subjectsOf({ personas, ruleId }: Pick<Finding, 'personas' | 'ruleId'>): string[] {
  const own = personas.map((handle) => `persona:${handle}`);
  return ruleId.startsWith('model/') ? own : [...own, `rule:${ruleId}`];
}

/** Adds judgements to a state of one's own, and forgets the months that count for nobody any more. */
export function addJudgements(state: PrecisionState, judged: readonly JudgedFinding[]): void {
  for (const { subjects, month, from, to } of judged) {
    const counts = (state.months[month] ??= {});
    for (const subject of subjects) {
      const own = (counts[subject] ??= { ...NOTHING });
      if (from !== undefined) own[from] -= 1;
      if (to !== undefined) own[to] += 1;
    }
  }
  const newest = Math.max(...Object.keys(state.months).map(indexOf));
  for (const month of Object.keys(state.months))
    if (indexOf(month) <= newest - MONTHS) delete state.months[month];
}

/** Months since the year 0. */
function indexOf(month: string): number {
  const [year = '0', of = '1'] = month.split('-');
  return Number(year) * 12 + Number(of);
}

/** What counts at a moment. */
export function tallyOf(state: PrecisionState, now: number): Tally {
  const tally: Record<string, Counts> = {};
  const least = indexOf(monthOf(now)) - MONTHS;
  for (const [month, subjects] of Object.entries(state.months)) {
    if (indexOf(month) <= least) continue;
    for (const [subject, counts] of Object.entries(subjects))
      tally[subject] = sum(tally[subject], counts);
  }
  return tally;
}

function sum(a: Counts = NOTHING, b: Counts): Counts {
  return {
    accepted: a.accepted + b.accepted,
    declined: a.declined + b.declined,
    ignored: a.ignored + b.ignored,
  };
}

/** A stored value as this state; undefined when nothing, or something newer, is kept. */
export function toPrecisionState(value: unknown): PrecisionState | undefined {
  return isPrecisionState(value) ? value : undefined;
}

function isPrecisionState(value: unknown): value is PrecisionState {
  return typeof value === 'object' && value !== null && 'v' in value && value.v === NO_PRECISION.v;
}

/** Findings that people took a side on. Silence is no verdict. */
export function judgedOf({ accepted, declined }: Counts): number {
  return Math.max(0, accepted) + Math.max(0, declined);
}

/** The spec's value meter: the share of what was raised and came to an end that people accepted; undefined without any. */
export function acceptedShare(counts: Counts): number | undefined {
  const raised = judgedOf(counts) + Math.max(0, counts.ignored);
  return raised === 0 ? undefined : Math.max(0, counts.accepted) / raised;
}

/** Of a two-sided interval of 95 %. */
const Z = 1.96;

/**
 * The interval of the true precision, by Wilson's score (Journal of the American Statistical Association 22, 1927).
 * Brown, Cai and DasGupta (Statistical Science 16, 2001) recommend it for few trials. From 0 to 1; all of it when
 * nothing was judged.
 */
export function precisionInterval(counts: Counts): { low: number; high: number } {
  const n = judgedOf(counts);
  if (n === 0) return { low: 0, high: 1 };
  const p = Math.max(0, counts.accepted) / n;
  const middle = p + Z ** 2 / (2 * n);
  const spread = Z * Math.sqrt((p * (1 - p)) / n + Z ** 2 / (4 * n ** 2));
  const scale = 1 + Z ** 2 / n;
  return {
    low: Math.max(0, (middle - spread) / scale),
    high: Math.min(1, (middle + spread) / scale),
  };
}

/** When a voice or a rule goes quiet. */
export interface MuteRule {
  /** Of precision: the whole interval has to lie below it. 0 mutes nobody. */
  below: number;
  /** Judged findings that it takes. */
  after: number;
}

/** Pure in the counts, so that whatever brings them up brings the voice back. */
export function isBelowPrecision(counts: Counts, { below, after }: MuteRule): boolean {
  return judgedOf(counts) >= after && precisionInterval(counts).high < below;
}

/** Somebody who went quiet, with the counts that did it. */
export interface Muted extends Counts {
  subject: string;
}

export function mutedOf(tally: Tally, rule: MuteRule): Muted[] {
  return Object.entries(tally)
    .filter(([, counts]) => isBelowPrecision(counts, rule))
    .map(([subject, counts]) => ({ subject, ...counts }))
    .toSorted((a, b) => (a.subject < b.subject ? -1 : 1));
}

/** One in so many findings of a muted voice is shown all the same: else nobody could ever say that it got better. */
export const SHOWN_ANYWAY = 5;

/** Whether a finding gets no comment of its own. Never one that is high or critical, nor one that another voice shares. */
export function isMuted(finding: Finding, muted: readonly Muted[]): boolean {
  if (muted.length === 0 || isAtLeast(finding.severity, 'high')) return false;
  const quiet = new Set(muted.map(({ subject }) => subject));
  const isQuietVoice =
    finding.personas.length > 0 &&
    finding.personas.every((handle) => quiet.has(`persona:${handle}`));
  if (!isQuietVoice && !quiet.has(`rule:${finding.ruleId}`)) return false;
  return !isShownAnyway(finding.fingerprint);
}

/** By the finding alone, so that the same question gets the same answer. */
function isShownAnyway(fingerprint: string): boolean {
  const digest = Buffer.from(bodyDigest(fingerprint), 'base64url');
  return digest.readUInt32BE(0) % SHOWN_ANYWAY === 0;
}
