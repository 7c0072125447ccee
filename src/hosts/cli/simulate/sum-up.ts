/** What came of a simulation, and its form for machines. */
import type { ErrorCode } from '../../../domain/event/error-codes.ts';
import type { PastPull } from '../../../adapters/local/past-pulls.ts';
import { toReviewJson } from '../../../domain/review/review-output.ts';
import type { Reviewed } from '../review/run-review.ts';
import type { Estimate } from './stand-in.ts';

export interface SimulatedPull extends Estimate {
  pull: PastPull;
  changedLines: number;
  /** Questions that models would have been asked. */
  modelCalls: number;
  /** Of this machine; models would take longer. */
  seconds: number;
  /** Absent when it could not be reviewed; `error` says why. */
  review?: Reviewed;
  error?: { code: ErrorCode; message: string };
}

export interface Simulation {
  branch: string;
  /** Newest first. */
  pulls: SimulatedPull[];
  /** Labels of the models whose prices count. */
  models: string[];
}

/** Sums of what is known; a price that is not known makes the sum unknown. */
export function sumUp({ pulls }: Simulation): Estimate & { findings: number } {
  const sum = (of: (pull: SimulatedPull) => number | null): number | null =>
    pulls.reduce<number | null>((all, pull) => {
      const one = of(pull);
      return all === null || one === null ? null : all + one;
    }, 0);
  return {
    findings: sum(({ review }) => review?.findings.length ?? 0) ?? 0,
    estimatedUsd: sum(({ estimatedUsd }) => estimatedUsd),
    atMostUsd: sum(({ atMostUsd }) => atMostUsd),
  };
}

export function toSimulationJson(simulation: Simulation) {
  const { branch, models, pulls } = simulation;
  return { branch, models, pulls: pulls.map(toPullJson), ...sumUp(simulation) };
}

function toPullJson({ pull, review, error, ...figures }: SimulatedPull) {
  const { number, ...facts } = pull;
  const base = { number: number ?? null, ...facts, ...figures };
  if (review === undefined) return { ...base, error };
  const { verdict, findings, notRead } = toReviewJson(review);
  return { ...base, verdict, headline: review.headline, findings, notRead };
}
