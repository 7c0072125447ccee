/** How hard participants are asked to look, in three steps that follow how often they see nothing (LS-11). */

/** `open`: look harder. `strict`: say less. */
export const STRICTNESS = ['open', 'even', 'strict'] as const;
export type Strictness = (typeof STRICTNESS)[number];

/** Answers since the last move. */
export interface Answered {
  answers: number;
  noTension: number;
}

/** A move, for the log. */
export interface StrictnessMove {
  from: Strictness;
  to: Strictness;
  /** Share of answers without a tension, 0 to 1. */
  rate: number;
  answers: number;
  why: 'inventing' | 'not-looking';
}

/** Below it participants invent, above the other they do not look. Between 30 and 50 % is healthy. */
const INVENTING_BELOW = 0.1;
const NOT_LOOKING_ABOVE = 0.7;
/** Fewer say nothing about a rate. */
const MIN_ANSWERS = 20;

/** The move that is due; undefined when none is, or no step is left. The count begins again after a move. */
export function moveStrictness(
  from: Strictness,
  { answers, noTension }: Answered,
): StrictnessMove | undefined {
  if (answers < MIN_ANSWERS) return undefined;
  const rate = noTension / answers;
  if (rate >= INVENTING_BELOW && rate <= NOT_LOOKING_ABOVE) return undefined;
  const why = rate < INVENTING_BELOW ? 'inventing' : 'not-looking';
  const to = STRICTNESS[STRICTNESS.indexOf(from) + (why === 'inventing' ? 1 : -1)];
  return to === undefined ? undefined : { from, to, rate, answers, why };
}
