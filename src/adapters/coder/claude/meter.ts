/** Counts what one run asks of its model, and says when it is enough. */
import {
  costUsd,
  NO_USAGE,
  sumCost,
  type CallOutcome,
  type ModelCall,
  type Usage,
} from '../../../domain/ledger.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { ClaudeModel } from './model.ts';

export interface Meter {
  /** For the ledger, in the order in which they ended. */
  readonly calls: readonly ModelCall[];
  /** Answers of the model: its turns. */
  answers: () => number;
  /** Why no further call is let through; undefined while one is. */
  refusal: () => string | undefined;
  /** Counts one call from now on; the function that is returned ends it. */
  begin: () => (outcome: CallOutcome, usage: Usage | undefined) => void;
}

/** The CLI asks one thing at a time. Whoever else has its token could spend the same dollar many times at once. */
const MAX_AT_ONCE = 2;
/** Requests for one answer: the CLI tries again four times. */
const MAX_TRIES = 5;
/** Answers beyond the turns that the CLI counts: one after a fault in a stream, one nudge for the result. */
const SPARE_ANSWERS = 5;

export function createMeter({
  model,
  limits,
  clock,
  onCall,
}: {
  model: ClaudeModel;
  limits: { turns: number; usd: number };
  clock: Clock;
  /** Is told of each call as it ends. */
  onCall?: ((call: ModelCall) => void) | undefined;
}): Meter {
  const calls: ModelCall[] = [];
  let open = 0;
  const answers = (): number => calls.filter(({ outcome }) => outcome === 'ok').length;
  return {
    calls,
    answers,
    // The last call may pass the cap, as none says before what it will cost.
    refusal: () => {
      const most = limits.turns + SPARE_ANSWERS;
      if (sumCost(calls).usd >= limits.usd) return `the budget of $${limits.usd} is used up`;
      if (answers() >= most || calls.length >= most * MAX_TRIES)
        return `${limits.turns} turns are used up`;
      return open >= MAX_AT_ONCE ? `${open} are under way` : undefined;
    },
    begin: () => {
      const started = clock.now();
      open += 1;
      return (outcome, usage) => {
        open -= 1;
        const call: ModelCall = {
          provider: model.provider,
          pool: model.pool,
          model: model.id,
          usage: usage ?? NO_USAGE,
          costUsd: priceOf(outcome, usage, model),
          latencyMs: clock.now() - started,
          outcome,
          retries: 0,
        };
        calls.push(call);
        onCall?.(call);
      };
    },
  };
}

/** A refused request costs nothing; an answer that does not say what it used costs nobody knows what. */
function priceOf(
  outcome: CallOutcome,
  usage: Usage | undefined,
  { price }: ClaudeModel,
): number | undefined {
  if (usage === undefined) return outcome === 'error' ? 0 : undefined;
  return costUsd(usage, price);
}
