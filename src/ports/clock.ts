/** Time and chance, injected so that a whole run can be repeated from a seed. */

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`, or rejects with the signal's reason when aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** A fresh identifier, unguessable in production. */
  id(): string;
}
