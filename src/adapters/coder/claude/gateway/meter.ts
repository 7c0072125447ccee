/** Reserves what each request of one run can cost, settles it by what was used, and keeps the run below its caps. */
import {
  costUsd,
  NO_USAGE,
  sumCost,
  type CallOutcome,
  type ModelCall,
  type Usage,
} from '../../../../domain/run/ledger.ts';
import type { Clock } from '../../../../ports/clock.ts';
import type { ClaudeModel } from '../claude-model.ts';

/** The most tokens that one request can use. */
export interface TokenBound {
  input: number;
  /** `max_tokens` of the request. */
  output: number;
}

export interface CallEnd {
  outcome: CallOutcome;
  /** What the answer said so far; undefined when it said nothing. */
  usage: Usage | undefined;
  /**
   * `final`: the usage is complete. `partial`: the answer ended early, so that its output counts as `max_tokens`.
   * `none`: the provider did not take the request, which costs nothing.
   */
  known: 'final' | 'partial' | 'none';
}

export interface OpenCall {
  /** Resolves when the reservation is written down. */
  reserved: Promise<void>;
  end: (how: CallEnd) => void;
}

export interface Refusal {
  /** Why, as the middle of a sentence. */
  why: string;
  by: 'money' | 'turns' | 'busy';
}

export interface Meter {
  /** For the ledger, in the order in which they ended. */
  readonly calls: readonly ModelCall[];
  /** Answers of the model: its turns. */
  answers: () => number;
  /** Reserves one call, or says why it must not be made. */
  begin: (most: TokenBound) => OpenCall | Refusal;
  /** The same for a request that counts tokens and costs nothing; the function that is returned ends it. */
  beginCount: () => (() => void) | Refusal;
}

/** The CLI makes one call at a time; after a broken stream the call before it may still be read to its end. */
const MAX_AT_ONCE = 4;
/** Requests for one answer: the CLI tries again four times. */
const MAX_TRIES = 5;
/** Answers beyond the turns that the CLI counts: one after a fault in a stream, one nudge for the result. */
const SPARE_ANSWERS = 5;

export interface MeterOptions {
  model: ClaudeModel;
  limits: { turns: number; usd: number };
  clock: Clock;
  /** Receives each call as it ends. */
  onCall?: ((call: ModelCall) => void) | undefined;
  /** Receives what the open calls can cost together, in US dollars, each time when that changes. */
  onReserved?: ((usd: number) => Promise<void>) | undefined;
}

export function createMeter({ model, limits, clock, onCall, onReserved }: MeterOptions): Meter {
  const calls: ModelCall[] = [];
  const open = new Set<{ usd: number | undefined }>();
  let counts = 0;
  let openCounts = 0;
  const most = (limits.turns + SPARE_ANSWERS) * MAX_TRIES;
  const answers = (): number => calls.filter(({ outcome }) => outcome === 'ok').length;
  const openUsd = (): number => sumCost([...open].map(({ usd }) => ({ costUsd: usd }))).usd;
  const tellReserved = async (): Promise<void> => onReserved?.(openUsd());
  const usedUp = (): Refusal | undefined => {
    const isOver = answers() >= limits.turns + SPARE_ANSWERS || calls.length + open.size >= most;
    if (isOver) return { by: 'turns', why: `${limits.turns} turns are used up` };
    return open.size + openCounts >= MAX_AT_ONCE
      ? { by: 'busy', why: `${open.size + openCounts} requests are under way` }
      : undefined;
  };
  return {
    calls,
    answers,
    begin: (bound) => {
      const held = { usd: boundUsd(bound, model) };
      const refusal =
        overBudget({ spent: sumCost(calls).usd, open: openUsd(), cap: limits.usd }, held.usd) ??
        usedUp();
      if (refusal !== undefined) return refusal;
      const started = clock.now();
      open.add(held);
      return {
        reserved: tellReserved(),
        end: (how) => {
          if (!open.delete(held)) return;
          const call = toCall(model, { how, bound, latencyMs: clock.now() - started });
          calls.push(call);
          onCall?.(call);
          // The next reservation, or the end of the session, writes it again.
          tellReserved().catch(() => undefined);
        },
      };
    },
    beginCount: () => {
      if (counts >= most) return { by: 'turns', why: `${most} token counts are used up` };
      const refusal = usedUp();
      if (refusal !== undefined) return refusal;
      counts += 1;
      openCounts += 1;
      return () => {
        openCounts -= 1;
      };
    },
  };
}

/** A model without a price has no cap in dollars: its turns bound it. */
function overBudget(
  { spent, open, cap }: { spent: number; open: number; cap: number },
  wanted: number | undefined,
): Refusal | undefined {
  if (spent >= cap) return { by: 'money', why: `the budget of $${cap} is used up` };
  if (wanted === undefined || spent + open + wanted <= cap) return undefined;
  const left = `${figure(Math.max(0, cap - spent - open))} of the budget of $${cap} is left`;
  return { by: 'money', why: `it could cost ${figure(wanted)}, and ${left}` };
}

function figure(usd: number): string {
  return `$${usd.toFixed(4)}`;
}

/** The dearest way to be billed for that many tokens: as plain input, or as a write to the cache, or a read from it. */
function boundUsd({ input, output }: TokenBound, { price }: ClaudeModel): number | undefined {
  if (price === undefined) return undefined;
  const kinds = ['inputTokens', 'cacheWriteTokens', 'cacheReadTokens'] as const;
  return Math.max(
    ...kinds.map(
      (kind) => costUsd({ ...NO_USAGE, [kind]: input, outputTokens: output }, price) ?? 0,
    ),
  );
}

function toCall(
  model: ClaudeModel,
  { how, bound, latencyMs }: { how: CallEnd; bound: TokenBound; latencyMs: number },
): ModelCall {
  return {
    provider: model.provider,
    pool: model.pool,
    model: model.id,
    usage: how.usage ?? NO_USAGE,
    costUsd: settledUsd(how, bound, model),
    latencyMs,
    outcome: how.outcome,
    retries: 0,
  };
}

/** What is not known counts as it was reserved: all of it, or the output where the answer named its input. */
function settledUsd(
  { usage, known }: CallEnd,
  bound: TokenBound,
  model: ClaudeModel,
): number | undefined {
  if (known === 'none') return 0;
  if (usage === undefined) return boundUsd(bound, model);
  if (known === 'final') return costUsd(usage, model.price);
  const outputTokens = Math.max(usage.outputTokens, bound.output);
  return costUsd({ ...usage, outputTokens }, model.price);
}
