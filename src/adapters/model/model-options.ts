/** What every adapter of a language model is built from. */
import type { Price } from '../../domain/run/ledger.ts';
import type { Clock, Random } from '../../ports/clock.ts';
import type { RetryRules } from './round-trip.ts';

/** Where a provider is and the key for it. */
export interface Endpoint {
  apiKey: string;
  /** The provider's own address when absent. */
  baseUrl?: string | undefined;
}

/** How a server is asked for JSON: by a schema that it enforces, or by words and `json_object`. */
export type StructuredMode = 'json_schema' | 'json_object';

/** One model at one endpoint. */
export interface ModelOptions {
  /** Name in the pool. */
  name: string;
  /** The provider's model id. */
  model: string;
  /** Undefined means unknown. */
  price: Price | undefined;
  clock: Clock;
  random: Random;
  retry?: RetryRules | undefined;
  effort?: 'low' | 'medium' | 'high' | undefined;
  /** Tokens for thinking on top of `maxOutputTokens`. */
  thinkingTokens?: number | undefined;
  structured?: StructuredMode | undefined;
}

/** The error as a cause, or only its words when they repeat the key: causes end up in logs. */
export function toCause(error: Error, endpoint: Endpoint): Error {
  const isSafe = endpoint.apiKey === '' || !error.message.includes(endpoint.apiKey);
  return isSafe ? error : new Error(scrubKey(error.message, endpoint));
}

/** A provider's words for people: short, one paragraph, and without the key, which some providers repeat. */
export function scrubKey(text: string | undefined, endpoint: Endpoint): string | undefined {
  if (text === undefined || text === '') return undefined;
  const clean = endpoint.apiKey === '' ? text : text.replaceAll(endpoint.apiKey, '[key removed]');
  return clean.replaceAll(/\s+/g, ' ').slice(0, 300);
}
