/** Which insights of the past planning reads (LS-9): actionable, alike, recent, and at most twenty. */
import type { Insight } from './insight.ts';
import type { DatedInsight, Theme } from './trends.ts';
import { corpusOf, cosine, vectorOf } from '../tension/tf-idf.ts';

export type PastInsight = DatedInsight & Pick<Insight, 'actionable' | 'from'>;

const MAX_PAST = 20;
const HALF_LIFE_DAYS = 30;
const DAY_MS = 86_400_000;

export interface Recalled extends PastInsight {
  /** How often its theme was seen; themes seen more than once are to be addressed. */
  times: number;
}

/** The most relevant for what is planned, best first. */
export function recallInsights(
  past: readonly PastInsight[],
  { wish, themes, now }: { wish: string; themes: readonly Theme[]; now: number },
): Recalled[] {
  const open = themes.filter(({ isResolved }) => !isResolved);
  const times = new Map(
    open.flatMap(({ insights, count }) => insights.map((id) => [id, count] as const)),
  );
  const resolved = new Set(
    themes.filter(({ isResolved }) => isResolved).flatMap(({ insights }) => insights),
  );
  const usable = past.filter(
    ({ id, type, actionable }) => actionable && type !== 'none' && !resolved.has(id),
  );
  const corpus = corpusOf([wish, ...usable.map(({ message }) => message)]);
  const wanted = vectorOf(wish, corpus);
  return usable
    .map((insight) => {
      const ageDays = Math.max(0, now - Date.parse(insight.at)) / DAY_MS;
      const count = times.get(insight.id) ?? 1;
      const recent = 0.5 ** (ageDays / HALF_LIFE_DAYS);
      const score = cosine(wanted, vectorOf(insight.message, corpus)) + 0.3 * recent + 0.1 * count;
      return { insight: { ...insight, times: count }, score };
    })
    .toSorted((a, b) => b.score - a.score || (a.insight.id < b.insight.id ? -1 : 1))
    .slice(0, MAX_PAST)
    .map(({ insight }) => insight);
}
