/** Turns texts into vectors: texts that mean the same get vectors that point the same way. Texts leave this host. */
import type { ModelCall } from '../domain/run/ledger.ts';

export interface EmbeddingRequest {
  /** Not empty. */
  texts: readonly string[];
  timeoutMs: number;
}

export interface Embeddings {
  /** The provider's name of the model: vectors of two models cannot be compared. */
  readonly model: string;
  /** The most that these texts are likely to cost, in dollars; undefined when the price is unknown. */
  estimateUsd(texts: readonly string[]): number | undefined;
  /**
   * One request, which is not repeated. Vectors are in the order of the texts. Errors carry the call that they cost, see
   * `callsOf`.
   */
  embed(request: EmbeddingRequest): Promise<{ vectors: number[][]; call: ModelCall }>;
}
