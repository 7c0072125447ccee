/** The workers' ends of a queue: who has room for more, and who waits for its last piece of work. */
import type { Clock } from '../../../ports/clock.ts';
import type { WorkerOptions } from '../../../ports/store.ts';

export class Consumer {
  readonly options: WorkerOptions;
  #inHand = 0;
  #drained: () => void = () => undefined;

  constructor(options: WorkerOptions) {
    this.options = options;
  }

  get inHand(): number {
    return this.#inHand;
  }

  begin(): void {
    this.#inHand += 1;
  }

  end(): void {
    this.#inHand -= 1;
    if (this.#inHand === 0) this.#drained();
  }

  /** Waits until nothing is in hand, for at most `timeoutMs`. */
  async drain(timeoutMs: number, clock: Clock): Promise<'drained' | 'abandoned'> {
    if (this.#inHand === 0) return 'drained';
    const over = new AbortController();
    const drained = new Promise<'drained'>((resolve) => {
      this.#drained = () => resolve('drained');
    });
    const late = clock.sleep(timeoutMs, over.signal).then(
      () => 'abandoned' as const,
      () => drained,
    );
    const end = await Promise.race([drained, late]);
    over.abort();
    return end;
  }
}

/** Each consumer as often as it can take one more. */
export function withRoom(consumers: Iterable<Consumer>): Consumer[] {
  const free: Consumer[] = [];
  for (const consumer of consumers)
    for (let n = consumer.inHand; n < consumer.options.concurrency; n += 1) free.push(consumer);
  return free;
}
