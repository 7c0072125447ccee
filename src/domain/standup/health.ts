/** Whether standups are worth their money (LS-11): figures of a repository, from what was kept. */
import { sumCost, type Cost } from '../run/ledger.ts';
import { isTension, type Insight } from './insight.ts';
import {
  standingByPersona,
  standingByType,
  standingOf,
  type Standing,
} from '../tension/standing.ts';
import type { InsightType } from './insight.ts';
import type { TensionBook } from '../tension/tension.ts';

export interface HealthInput {
  insights: readonly Insight[];
  book: TensionBook;
  /** Reactions to insights by people. */
  thumbs: { up: number; down: number };
  /** Insights that were dropped for citing what does not exist. */
  invented: number;
  /** Participants without a readable answer. */
  skipped: number;
  /** Of every run, oldest first. */
  runs: readonly { run: string; at: string; fixCycles: number }[];
}

export interface StandupHealth {
  runs: number;
  answers: number;
  /** 0 to 1; undefined without an answer. Healthy from 0.3 to 0.5. */
  noTensionRate: number | undefined;
  verdict: 'too-few' | 'inventing' | 'healthy' | 'fair' | 'not-looking';
  /** Words per insight. */
  words: number | undefined;
  /** 👍 of all 👍 and 👎. */
  usefulShare: number | undefined;
  /** Rejected of all that were judged. */
  dismissedShare: number | undefined;
  invented: number;
  skipped: number;
  cost: Cost;
  total: Standing;
  byPersona: Record<string, Standing>;
  byType: Partial<Record<InsightType, Standing>>;
  /** Of a run on average: of all of them, and of the newer half. */
  fixCycles: { all: number | undefined; recent: number | undefined };
}

const MIN_ANSWERS = 10;

export function healthOf(input: HealthInput): StandupHealth {
  const { insights, book, thumbs, invented, skipped, runs } = input;
  const tensions = insights.filter(isTension);
  const answers = new Set(insights.map(({ run, from }) => `${run}\n${from}`)).size;
  const noTensionRate = share(insights.length - tensions.length, answers);
  const total = standingOf(book.tensions);
  return {
    runs: runs.length,
    answers,
    noTensionRate,
    verdict: verdictOf(noTensionRate, answers),
    words: mean(tensions.map(({ message }) => message.split(/\s+/).length)),
    usefulShare: share(thumbs.up, thumbs.up + thumbs.down),
    dismissedShare: share(total.rejected, total.rejected + total.accepted),
    invented,
    skipped,
    cost: sumCost(insights),
    total,
    byPersona: standingByPersona(book),
    byType: standingByType(book),
    fixCycles: {
      all: mean(runs.map(({ fixCycles }) => fixCycles)),
      recent: mean(runs.slice(Math.floor(runs.length / 2)).map(({ fixCycles }) => fixCycles)),
    },
  };
}

function verdictOf(rate: number | undefined, answers: number): StandupHealth['verdict'] {
  if (rate === undefined || answers < MIN_ANSWERS) return 'too-few';
  if (rate < 0.1) return 'inventing';
  if (rate > 0.7) return 'not-looking';
  return rate >= 0.3 && rate <= 0.5 ? 'healthy' : 'fair';
}

function share(part: number, all: number): number | undefined {
  return all === 0 ? undefined : part / all;
}

function mean(values: readonly number[]): number | undefined {
  return share(
    values.reduce((sum, value) => sum + value, 0),
    values.length,
  );
}
