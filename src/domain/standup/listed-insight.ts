/** Insights as people and machines read them: with what became of each. */
import type { TensionBook, TensionState } from '../tension/tension.ts';
import type { InsightRef, InsightType } from './insight.ts';
import type { KeptInsight } from './kept-standup.ts';

/** The pinned form of `quorum standup … --json`; the API adds what it was made with. */
export interface ListedInsight {
  id: string;
  run: string;
  from: string;
  role: string;
  /** Null where it is for nobody in particular. */
  to: string | null;
  type: InsightType;
  message: string;
  refs: InsightRef[];
  actionable: boolean;
  /** Of its tension. `open` without a tension. */
  state: TensionState;
  /** Runs in which its tension was said. */
  seen: number;
  /** ISO 8601. */
  at: string;
  model: string;
  /** US dollars; null means unknown, never free. */
  costUsd: number | null;
  tokens: number;
  ms: number;
}

/** `books`: by id of the repository. */
export function toListedInsight(
  insight: KeptInsight,
  books: ReadonlyMap<number, TensionBook>,
): ListedInsight {
  const { id, run, from, role, to, type, message, refs, actionable } = insight;
  const { at, model, costUsd, tokens, ms, repository } = insight;
  const tension = books.get(repository)?.tensions.findLast(({ insights }) => insights.includes(id));
  return {
    id,
    run,
    from,
    role,
    to: to ?? null,
    type,
    message,
    refs,
    actionable,
    state: tension?.state ?? 'open',
    seen: tension?.seen ?? 1,
    at,
    model,
    costUsd: costUsd ?? null,
    tokens,
    ms,
  };
}
