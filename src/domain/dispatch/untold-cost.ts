/** A session in a workflow whose cost nobody can tell: the run was cancelled, or its result is missing or refused. */
import { NO_USAGE, type ModelCall } from '../run/ledger.ts';

/** Stands for all its calls. */
export function untoldCall(latencyMs: number): ModelCall {
  return {
    provider: 'actions',
    pool: 'coder',
    model: 'unknown',
    usage: NO_USAGE,
    costUsd: undefined,
    latencyMs,
    outcome: 'error',
    retries: 0,
  };
}

/** A call of a model without a known price is no such call. */
export function isUntold({ provider, costUsd }: ModelCall): boolean {
  return provider === 'actions' && costUsd === undefined;
}
