/** Puts appends that arrive together into one transaction: a webhook waits for one commit, not for its turn. */
import type { NewEvent } from '../../../../domain/event/event.ts';
import { TransientError } from '../../../../domain/event/errors.ts';

type Outcome = 'queued' | 'duplicate';

interface Waiting {
  events: NewEvent[];
  resolve: (outcomes: Outcome[]) => void;
  reject: (error: unknown) => void;
}

/** Transactions at once: while one waits for the disk the next is filled. */
const LANES = 2;
const CALLS_AT_ONCE = 64;

export class AppendBatch {
  readonly #write: (events: NewEvent[]) => Promise<Outcome[]>;
  #waiting: Waiting[] = [];
  #writing = 0;

  constructor(write: (events: NewEvent[]) => Promise<Outcome[]>) {
    this.#write = write;
  }

  append(events: NewEvent[]): Promise<Outcome[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ events, resolve, reject });
      setImmediate(() => void this.#drain());
    });
  }

  async #drain(): Promise<void> {
    while (this.#writing < LANES && this.#waiting.length > 0) {
      this.#writing += 1;
      const batch = this.#waiting.splice(0, CALLS_AT_ONCE);
      await this.#writeTogether(batch);
      this.#writing -= 1;
    }
  }

  async #writeTogether(batch: Waiting[]): Promise<void> {
    try {
      const outcomes = await this.#write(batch.flatMap(({ events }) => events));
      let from = 0;
      for (const { events, resolve } of batch) {
        resolve(outcomes.slice(from, from + events.length));
        from += events.length;
      }
    } catch (error) {
      if (batch.length === 1 || error instanceof TransientError)
        for (const { reject } of batch) reject(error);
      else for (const one of batch) await this.#writeTogether([one]);
    }
  }
}
