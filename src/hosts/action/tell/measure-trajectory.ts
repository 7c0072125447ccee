/** How a run went, in figures that no model makes: for the job's summary. */
import type { Trajectory } from '../../../domain/actions/intents.ts';
import type { ModelCall } from '../../../domain/run/ledger.ts';

export function measureTrajectory(calls: readonly ModelCall[]): Trajectory {
  const prompts = calls.map(
    ({ usage }) => usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens,
  );
  const wasted = calls.filter(({ outcome }) => outcome !== 'ok');
  return {
    turns: calls.length,
    retries: calls.reduce((sum, { retries }) => sum + retries, 0),
    repeatedCalls: repeated(calls),
    firstPromptTokens: prompts[0] ?? 0,
    lastPromptTokens: prompts.at(-1) ?? 0,
    wastedUsd: wasted.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0),
  };
}

/** Calls of the same model with the same prompt and answer sizes as an earlier one: the same question, asked again. */
function repeated(calls: readonly ModelCall[]): number {
  const seen = new Set<string>();
  return calls.filter(({ model, usage }) => {
    // Offline rules count no tokens.
    if (usage.inputTokens + usage.outputTokens === 0) return false;
    const key = `${model} ${JSON.stringify(usage)}`;
    const isKnown = seen.has(key);
    seen.add(key);
    return isKnown;
  }).length;
}
