/** What a language model does for Quorum, independent of the provider. One call is one round trip. */
import type { PromptText } from '../domain/prompt/prompt-text.ts';
import type { ModelCall } from '../domain/run/ledger.ts';

/** A piece of the prompt. Blocks that several personas share come first, byte-identical, so that providers can cache them. */
export interface PromptBlock {
  text: PromptText;
  /** Ends a prefix worth caching; providers that have cache breakpoints set one here. */
  cache?: boolean;
}

export type Message =
  | { role: 'user'; content: PromptBlock[] }
  | { role: 'assistant'; text: string; toolCalls?: ToolCall[]; continuation?: unknown }
  | { role: 'tool'; results: ToolResult[] };

export interface Tool {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  parameters: Record<string, unknown>;
}

export interface ToolCall {
  id: string;
  name: string;
  /** Parsed arguments; undefined when the model wrote something that is no JSON. */
  args: unknown;
}

export interface ToolResult {
  id: string;
  text: PromptText;
  isError?: boolean;
}

export interface ModelRequest {
  /** A name or alias of the pool; an adapter gets the provider's own model id. */
  model: string;
  /** Alias that answers where the pool has no such model; `standard` when absent. */
  tier?: string;
  /** Whose request it is: breakers and turns are fair between installations. */
  installation?: number;
  system: PromptBlock[];
  messages: Message[];
  tools?: Tool[];
  /** Asks for JSON that fits this schema. The caller validates. */
  output?: { name: string; schema: Record<string, unknown> };
  /** The facts behind the prompt as values: the offline model judges from these, others ignore them. */
  evidence?: unknown;
  maxOutputTokens: number;
  temperature?: number;
  /** Bounds the whole call, its repetitions included. */
  timeoutMs: number;
  /**
   * How long a call may wait for its turn before it fails with `model-busy`. When absent, a moment, because the queue
   * retries it. The next turn of a conversation waits as long as `timeoutMs`, because a retry starts the conversation
   * over.
   */
  maxWaitMs?: number;
  /**
   * Tries before this one that failed with {@link MODEL_AGAIN}; 0 for none. Where this is given, the caller is given back to
   * the queue between two tries. Without it, and for the next turn of a conversation, the adapter waits.
   */
  earlierTries?: number;
  signal?: AbortSignal;
  /** Told once, when the first byte of an answer arrives: from then on the prompt's prefix is in the provider's cache. */
  onStart?: () => void;
}

/** Code of a failure after which the same request has tries left. `retryAfterMs` says when the next one is due. */
export const MODEL_AGAIN = 'model-again' as const;

/** Whether the model has had a turn already: to ask again would mean to begin, and to pay, from the start. */
export function hasBegun({ messages }: Pick<ModelRequest, 'messages'>): boolean {
  return messages.some(({ role }) => role === 'assistant');
}

export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'refusal';

export interface ModelAnswer {
  text: string;
  toolCalls: ToolCall[];
  finishReason: FinishReason;
  /**
   * What the provider wants back, unread, with this turn in the next request of a tool loop (its reasoning blocks).
   * Plain JSON. An adapter ignores what another provider or model wrote.
   */
  continuation?: unknown;
  /** Every call made to get this answer, the failed ones of a fallback included; the last is the one that answered. */
  calls: ModelCall[];
}

/**
 * A model, or a pool made of models.
 *
 * Errors carry the calls that were made: {@link callsOf}. TransientError: 429, 5xx, time-outs, dropped connections, no
 * turn. ConfigError: key, credits, unknown model, a request that the provider does not accept. RefusedError: a content
 * filter, a firewall. InvalidOutputError: a protocol answer that cannot be read. AbortError: the call was aborted.
 */
export interface Model {
  readonly name: string;
  generate(request: ModelRequest): Promise<ModelAnswer>;
}

/** Calls that led to a thrown error, oldest first; empty when none was made. The ledger counts these too. */
export function callsOf(error: unknown): readonly ModelCall[] {
  return carriesCalls(error) ? error.calls : [];
}

function carriesCalls(error: unknown): error is Error & { calls: readonly ModelCall[] } {
  return error instanceof Error && 'calls' in error && Array.isArray(error.calls);
}

/** Puts calls before those that the error already carries, and returns the same error. */
export function withCalls<E extends Error>(error: E, calls: readonly ModelCall[]): E {
  // Not enumerable: a log of the error shows what went wrong, the ledger shows the calls.
  Object.defineProperty(error, 'calls', {
    value: [...calls, ...callsOf(error)],
    enumerable: false,
    configurable: true,
  });
  return error;
}
