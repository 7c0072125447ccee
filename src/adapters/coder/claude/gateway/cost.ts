/** What the CLI says that a session cost; it counts from the session's beginning, however often it goes on. */
import type { ModelCall } from '../../../../domain/run/ledger.ts';
import type { ResultEvent } from '../events.ts';

/** Total of a session in US dollars; undefined where it is not said, or guessed for a model that the CLI does not know. */
export function totalUsdOf(result: ResultEvent | undefined): number | undefined {
  if (typeof result?.total_cost_usd !== 'number') return undefined;
  const bases = Object.values(result.modelUsage ?? {}).map(({ costBasis }) => costBasis);
  const isKnown = bases.length > 0 && bases.every((basis) => basis === 'list');
  return isKnown ? result.total_cost_usd : undefined;
}

/** What one run of a session cost: its total less the total before. Unknown when either is. */
export function runCost(
  result: ResultEvent | undefined,
  before: number | undefined,
): number | undefined {
  const total = totalUsdOf(result);
  if (total === undefined || before === undefined) return undefined;
  return Math.max(0, total - before);
}

/**
 * The calls with what the run cost in place of prices that nobody has, shared out by their tokens. Calls that have a
 * price keep it; an unknown cost leaves all as they are.
 */
export function shareOut(calls: readonly ModelCall[], runUsd: number | undefined): ModelCall[] {
  if (runUsd === undefined || calls.some(({ costUsd }) => costUsd !== undefined && costUsd > 0))
    return [...calls];
  const all = calls.reduce((sum, call) => sum + tokensOf(call), 0);
  if (all === 0) return [...calls];
  return calls.map((call) => ({ ...call, costUsd: (runUsd * tokensOf(call)) / all }));
}

function tokensOf({ usage }: ModelCall): number {
  return usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}
