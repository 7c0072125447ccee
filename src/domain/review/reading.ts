/** A change that is too large for one prompt is read in parts: one after the other, each by everybody who is asked. */
import type { Position, Purpose, VerdictWord } from '../run/council.ts';
import type { Refutation } from './refutation.ts';

/** What a part shows of a file: these of the pieces into which its hunks are cut, by their index. */
export interface ShownFile {
  path: string;
  pieces: number[];
}

export interface Reading {
  /** Most risky first. Files in none of them are shown to no voice. */
  parts: ShownFile[][];
  /** UTF-16 units of a diff that a part has at most; pieces were cut by it. */
  size: number;
  /** The one that is asked about, from 0. */
  at: number;
  /** Who is asked about each of them in this turn. */
  asked: { handle: string; purpose: Purpose }[];
  /** Which of them somebody has given a position on. */
  heard: number[];
  /** How many calls the run had made before it asked about this one. */
  callsBefore: number;
  money?: MoneyLeft;
  /** Why no further part is asked about. */
  stopped?: 'budget';
}

/** What the caps leave after a call, in dollars, and what a verdict on as much may cost at most, where prices tell. */
export interface MoneyLeft {
  leftUsd: number;
  verdictUsd?: number;
}

/** The one that holds more back comes first. */
const CAUTION: readonly VerdictWord[] = ['CHANGES', 'DRAFT', 'HUMAN', 'CLOSE', 'READY', 'APPROVE'];
const MAX_REASONS = 4_000;
const MAX_QUESTIONS = 3;

/** What one voice says of a whole, from what it says of two parts. */
export function joinPositions(one: Position, two: Position): Position {
  const [lead, other] = caution(two.vote) < caution(one.vote) ? [two, one] : [one, two];
  const isSame = one.vote === two.vote;
  const isGo = caution(lead.vote) >= caution('READY');
  const sure = isGo ? Math.min : Math.max;
  return {
    ...lead,
    // A voice that passes both parts is as sure of the whole as of the part it is least sure of.
    confidence: isSame ? sure(one.confidence, two.confidence) : lead.confidence,
    reasons: joinTexts([one.reasons, two.reasons]),
    findings: [...one.findings, ...two.findings],
    questions: [...new Set([...lead.questions, ...other.questions])].slice(0, MAX_QUESTIONS),
    ...joinRefutations(one, two),
  };
}

function joinRefutations(one: Position, two: Position): { refutes?: Refutation[] } {
  const all = [one, two].flatMap((each) => ('refutes' in each ? (each.refutes ?? []) : []));
  return all.length === 0 ? {} : { refutes: all };
}

/** Of two votes on parts of one matter, that on the whole. */
export function joinVotes(one: VerdictWord | undefined, two: VerdictWord): VerdictWord {
  return one === undefined || caution(two) < caution(one) ? two : one;
}

function caution(vote: VerdictWord): number {
  return CAUTION.indexOf(vote);
}

function joinTexts(texts: readonly string[]): string {
  return [...new Set(texts)].join('\n\n').slice(0, MAX_REASONS);
}
