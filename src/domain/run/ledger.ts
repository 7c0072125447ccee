/** Money and calls: one entry for every model call, and what GitHub was asked. */
import type { ErrorCode } from '../event/error-codes.ts';

export interface Usage {
  /** Input tokens billed in full. */
  inputTokens: number;
  outputTokens: number;
  /** Input tokens read from the provider's cache. */
  cacheReadTokens: number;
  /** Input tokens written to the provider's cache. */
  cacheWriteTokens: number;
}

/** US dollars for a million tokens. */
export interface Rates {
  input: number;
  output: number;
  cacheWrite: number;
  cacheRead: number;
}

/** What a model costs; some cost more, for every token of a call, once its prompt is long. */
export interface Price extends Rates {
  longPrompt?: (Rates & { overTokens: number }) | undefined;
}

export type CallOutcome = 'ok' | 'error' | 'refused' | 'timed-out' | 'aborted' | 'invalid';

/** One round trip to a model. */
export interface ModelCall {
  provider: string;
  /** Name in the pool. */
  pool: string;
  /** The provider's model id. */
  model: string;
  usage: Usage;
  /** Undefined means unknown, never free. */
  costUsd: number | undefined;
  latencyMs: number;
  outcome: CallOutcome;
  /** How many times the call was repeated inside the client before this outcome. */
  retries: number;
  /** The model that was meant to answer, where this one had to stand in for it. */
  insteadOf?: MissedModel;
}

/** A model that was meant to answer and did not. */
export interface MissedModel {
  /** Name in the pool, or the alias that leads to it. */
  name: string;
  /** Code of why not. */
  code: ErrorCode;
}

/** What an outcome had to do without. */
export interface Missed extends MissedModel {
  /** Provider's id of the model that answered instead; offline rules when absent. */
  answeredBy?: string;
  /** Not the last answer, but one that it rests on. */
  isEarlier?: true;
}

/** A call as the ledger keeps it. */
export interface LedgerEntry extends ModelCall {
  id: string;
  at: string;
  /** Absent in what was written before installations were counted: such a call counts for its repository and in total. */
  installationId?: number;
  repositoryId: number;
  /** Stream key of the thread. */
  key: string;
  run: string;
  role: string;
  persona: string;
  /** Number of the account that asked, where the repository caps what one person may spend. */
  person?: number;
  /** The repository's own key paid for it: the caps of the host do not count it. Absent: the host paid. */
  payer?: 'repository';
  /** Nobody could tell what it cost: this is the most that it was allowed. */
  isEstimate?: true;
}

/** Cost by the price table; unknown stays unknown. */
export function costUsd(usage: Usage, price: Price | undefined): number | undefined {
  if (price === undefined) return undefined;
  const rates = ratesFor(usage, price);
  const micro =
    usage.inputTokens * rates.input +
    usage.outputTokens * rates.output +
    usage.cacheWriteTokens * rates.cacheWrite +
    usage.cacheReadTokens * rates.cacheRead;
  return micro / 1_000_000;
}

function ratesFor(usage: Usage, price: Price): Rates {
  const prompt = usage.inputTokens + usage.cacheWriteTokens + usage.cacheReadTokens;
  const long = price.longPrompt;
  return long !== undefined && prompt > long.overTokens ? long : price;
}

/** Adds up usage. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
  };
}

export const NO_USAGE: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};

/** Total of known costs, and whether some part of it is unknown. */
export interface Cost {
  usd: number;
  isPartlyUnknown: boolean;
}

/** Sums the costs of calls without turning an unknown into zero. */
export function sumCost(calls: readonly Pick<ModelCall, 'costUsd'>[]): Cost {
  let usd = 0;
  let isPartlyUnknown = false;
  for (const call of calls) {
    if (call.costUsd === undefined) isPartlyUnknown = true;
    else usd += call.costUsd;
  }
  return { usd, isPartlyUnknown };
}

/** The sum of calls that are not listed any more. */
export interface Spent extends Cost {
  calls: number;
  /** Names, in the order in which they were first called. */
  models: string[];
}

export function addSpent(
  before: Spent | undefined,
  calls: readonly Pick<ModelCall, 'costUsd' | 'model'>[],
): Spent {
  const { usd, isPartlyUnknown } = sumCost(calls);
  return {
    calls: (before?.calls ?? 0) + calls.length,
    usd: (before?.usd ?? 0) + usd,
    isPartlyUnknown: before?.isPartlyUnknown === true || isPartlyUnknown,
    models: [...new Set([...(before?.models ?? []), ...calls.map(({ model }) => model)])],
  };
}

/** Of prompts and answers; what came from a provider's cache counts as well. */
export function sumTokens(calls: readonly Pick<ModelCall, 'usage'>[]): number {
  return calls.reduce(
    (sum, { usage }) =>
      sum + usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens,
    0,
  );
}

/** GitHub calls made for one effect, by operation. */
export type CallCounts = Record<string, number>;

/** Adds counts to a running total, in place. */
export function addCalls(total: CallCounts, more: CallCounts): void {
  for (const [operation, n] of Object.entries(more)) total[operation] = (total[operation] ?? 0) + n;
}

/** The ledger's entry for a call until its cost is known. */
export function reservedCall(pool: string, usd: number | undefined): ModelCall {
  return {
    provider: 'reserved',
    pool,
    model: pool,
    usage: NO_USAGE,
    costUsd: usd,
    latencyMs: 0,
    outcome: 'ok',
    retries: 0,
  };
}
