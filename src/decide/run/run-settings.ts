/** The part of a repository's configuration that a run keeps between two looks, within the bounds of the spec. */
import type { Config } from '../../domain/config/config.ts';
import { personCap } from '../../domain/run/caps.ts';
import type { Run } from '../../domain/run/state/run-record.ts';
import type { CouncilSettings } from '../../domain/run/state/run-base.ts';
import type { Actor } from '../../domain/run/thread-ref.ts';
import { DEFAULT_LABELS, type Label } from '../../domain/repository/labels.ts';

// NW-5b: bounds that configuration may lower and never raise.
const MAX_ROUNDS = 2;
const MAX_CONTRIBUTIONS = 6;
const MAX_CONTRIBUTORS = 3;
/** After so many runs in which the council changed nothing, one reviewer is cheaper (03, value meter). */
export const UNCHANGED_RUNS_TO_TELL = 20;

export interface Surroundings {
  /** Who is asked when nobody is configured. */
  owner: string;
  /** Who asked for the run. */
  asker: Actor;
  unchangedRuns: number;
}

export function readSettings(
  config: Config,
  { owner, asker, unchangedRuns }: Surroundings,
): CouncilSettings {
  const { council, budget, review } = config;
  const person = personCap(config, asker);
  const fallsBack = council.fallBackToSingle && unchangedRuns >= UNCHANGED_RUNS_TO_TELL;
  return {
    mode: fallsBack ? 'single' : council.mode,
    style: council.style,
    maxRounds: Math.min(council.maxRounds, MAX_ROUNDS),
    maxContributions: Math.min(council.maxContributions, MAX_CONTRIBUTIONS),
    maxContributors: Math.min(council.maxContributors, MAX_CONTRIBUTORS),
    required: review.requiredPersonas,
    debounceMs: council.debounceSeconds * 1000,
    cooldownMs: council.cooldownMinutes * 60_000,
    pauseMs: council.pauseSeconds * 1000,
    caps: {
      threadUsd: budget.council.perThreadUsd,
      dayUsd: budget.council.perDayUsd,
      repositoryDayUsd: budget.perDayUsd,
      ...(person !== undefined && { person }),
    },
    labels: { ...DEFAULT_LABELS, ...config.labels },
    owner: config.access.owner ?? owner,
  };
}

/** Whether a hold keeps this run from beginning; what has begun comes to its end. */
export function isHeldBack(run: Run, labels: readonly string[]): boolean {
  const isStarting = run.phase.kind === 'looking' && run.phase.next === 'start';
  return isStarting && labels.includes(labelName(run.settings, 'hold'));
}

/** The name that a default label has in this repository. */
export function labelName(settings: Pick<CouncilSettings, 'labels'>, label: Label): string {
  return settings.labels[label] ?? label;
}
