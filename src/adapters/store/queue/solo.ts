/** Whose turn it is in this process: everybody's, or that of one suspect alone. */
import {
  aloneMs,
  beginAlone,
  FIRST_ALONE_MS,
  MAX_ENDINGS,
  type Suspicion,
} from '../../../domain/event/suspicion.ts';

export type Turn<T> =
  /** Anything may be given out; a suspect is due at `until`. */
  | { kind: 'all'; until: number }
  /** Nothing may be given out before `until`, unless work ends. */
  | { kind: 'none'; until: number }
  /** The time alone of the suspect in hand is over: take that down, then call `outlive`. */
  | { kind: 'over'; token: string }
  /** Only this may be given out. */
  | { kind: 'alone'; item: T; suspicion: Suspicion };

interface Current {
  token: string;
  /** By our own clock. */
  until: number;
  aloneMs: number;
}

/** `T` says where a suspect is. Times are milliseconds by the clock that `now` is read from. */
export class Solo<T> {
  readonly #startedAt: number;
  readonly #waiting = new Map<T, Suspicion>();
  #current: Current | undefined;
  /** After an outlived time alone, others get as long before the next suspect. */
  #restUntil = 0;

  constructor(now: number) {
    this.#startedAt = now;
  }

  /** Suspects that wait for their turn. */
  get waiting(): T[] {
    return [...this.#waiting.keys()];
  }

  /** Whether one runs alone, or waits to. */
  get isTaken(): boolean {
    return this.#current !== undefined || this.#waiting.size > 0;
  }

  /** How long until this process is old enough for a suspect. */
  waitMs({ waitMs }: Suspicion, now: number): number {
    return Math.max(0, this.#startedAt + waitMs - now);
  }

  add(item: T, suspicion: Suspicion): void {
    this.#waiting.set(item, suspicion);
  }

  remove(item: T): void {
    this.#waiting.delete(item);
  }

  /**
   * @param begunAt - when each item under way began. Items that have run beside others for a while evidently do not
   * end the process at once. Waiting for a long session would stop everything.
   */
  turn(now: number, begunAt: () => Iterable<number>): Turn<T> {
    if (this.#current !== undefined) {
      const { token, until } = this.#current;
      return now < until ? { kind: 'none', until } : { kind: 'over', token };
    }
    const next = this.#next();
    if (next === undefined) return { kind: 'all', until: Infinity };
    const [item, suspicion] = next;
    const dueAt = Math.max(this.#startedAt + suspicion.waitMs, this.#restUntil);
    if (now < dueAt) return { kind: 'all', until: dueAt };
    const settledAt = Math.max(...begunAt()) + FIRST_ALONE_MS;
    if (now < settledAt) return { kind: 'none', until: settledAt };
    // What is only given out to be dead-lettered needs no time alone, and must not count again.
    if (suspicion.endings >= MAX_ENDINGS) return { kind: 'alone', item, suspicion };
    return { kind: 'alone', item, suspicion: beginAlone(suspicion, now - this.#startedAt) };
  }

  /** Those that may begin first come first. */
  #next(): [T, Suspicion] | undefined {
    let next: [T, Suspicion] | undefined;
    for (const entry of this.#waiting)
      if (next === undefined || entry[1].waitMs < next[1].waitMs) next = entry;
    return next;
  }

  begin(token: string, suspicion: Suspicion, now: number): void {
    const window = aloneMs(suspicion);
    this.#current = { token, until: now + window, aloneMs: window };
  }

  /** The work is not in hand any more. */
  end(token: string): void {
    if (this.#current?.token === token) this.#current = undefined;
  }

  outlive(now: number): void {
    this.#restUntil = now + (this.#current?.aloneMs ?? 0);
    this.#current = undefined;
  }
}
