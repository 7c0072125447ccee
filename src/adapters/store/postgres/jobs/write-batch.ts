/** Puts writes that arrive together into one transaction: each waits for one commit, not for its turn. */
import { TransientError } from '../../../../domain/event/errors.ts';

interface Waiting<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

/** Transactions at once: while one waits for the disk the next is filled. */
const LANES = 2;
const ITEMS_AT_ONCE = 64;

export class WriteBatch<T, R> {
  readonly #write: (items: readonly T[]) => Promise<readonly R[]>;
  #waiting: Waiting<T, R>[] = [];
  #writing = 0;

  /** @param write - all of them or, when it throws, none; one result for each item, in their order */
  constructor(write: (items: readonly T[]) => Promise<readonly R[]>) {
    this.#write = write;
  }

  /** An item that cannot be written fails alone: the others of its batch are written without it. */
  add(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      setImmediate(() => void this.#drain());
    });
  }

  async #drain(): Promise<void> {
    while (this.#writing < LANES && this.#waiting.length > 0) {
      this.#writing += 1;
      const batch = this.#waiting.splice(0, ITEMS_AT_ONCE);
      await this.#writeTogether(batch);
      this.#writing -= 1;
    }
  }

  async #writeTogether(batch: Waiting<T, R>[]): Promise<void> {
    try {
      const results = await this.#write(batch.map(({ item }) => item));
      for (const [at, result] of results.entries()) batch[at]?.resolve(result);
    } catch (error) {
      if (batch.length === 1 || error instanceof TransientError)
        for (const { reject } of batch) reject(error);
      else for (const one of batch) await this.#writeTogether([one]);
    }
  }
}
