/** A model that the CLI may use, and where it is really asked. */
import type { Price } from '../../../domain/run/ledger.ts';

export interface ClaudeModel {
  /** Name in the pool. */
  pool: string;
  provider: string;
  /** The provider's model id. */
  id: string;
  /** Undefined means unknown, never free. */
  price: Price | undefined;
  /** Of an endpoint that speaks Anthropic's Messages API, without `/v1`. */
  baseUrl: string;
  /** Stays in this process: the CLI gets a token of its run. */
  apiKey: string;
}
