/** Whether what a rule found in the code is worth an issue: by how bad it is, and how often such a rule is right. */
import type { OfflineBrief } from '../../../../domain/run/evidence.ts';
import { worthOf } from '../../../../domain/repository/watched-code.ts';
import { at, bare, cutAtWord } from '../cite.ts';
import type { ChangeConclusion } from '../shapes.ts';

/** A medium finding of a rule that is right in six of ten cases. */
const WORTH = 1.2;
/** What is surely so is worth its few minutes, however small. */
const SURE = 0.85;
const USUAL = 0.5;

/** Judges the one signal of the evidence. */
export function judgeCandidate({ evidence }: OfflineBrief): ChangeConclusion {
  const [signal] = evidence.signals;
  if (signal === undefined) return reject('Nothing was found', 'There is nothing to judge.');
  const { severity, certainty = USUAL, title, suggestion } = signal;
  const isWorth =
    severity !== 'info' && (worthOf({ severity, certainty }) >= WORTH || certainty >= SURE);
  if (!isWorth)
    return reject(
      cutAtWord(title, 160),
      `Of ${severity} severity, and the rule is only sure to ${certainty.toFixed(1)}: too little for an issue of its own.`,
    );
  return {
    verdict: 'APPROVE',
    confidence: Math.round(certainty * 20) / 20,
    headline: cutAtWord(bare(title), 160),
    reasons: cutAtWord(evidence.excerpt, 4000),
    changes: [
      {
        text: cutAtWord(
          `${suggestion === undefined ? 'look at it' : suggestion}${at(signal)}`,
          600,
        ),
        ...(signal.place === undefined ? {} : { place: signal.place }),
      },
    ],
    anotherRound: false,
  };
}

function reject(headline: string, reasons: string): ChangeConclusion {
  return {
    verdict: 'CHANGES',
    confidence: 0.6,
    headline,
    reasons,
    changes: [],
    anotherRound: false,
  };
}
