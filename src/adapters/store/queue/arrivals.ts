/**
 * How a worker steps back while deliveries flood in: GitHub waits 10 seconds for an answer, and work can wait longer. Some
 * work goes on all the same, so that a flood without an end stops nobody.
 */

/** Arrivals are counted by windows of this length. */
const WINDOW_MS = 250;
/** As many in one window are a flood: 1,000 a second. One process answers about twice as many. */
const FLOOD = 250;
/** Between two starts of work in a flood: 100 a second take less than a tenth of a core. */
const START_EVERY_MS = 10;

/** How much work may start. */
export interface Pace {
  /** Until the next start. */
  waitMs: number;
  /** Pieces of work that may start together then. */
  most: number;
}

const FREE: Pace = { waitMs: 0, most: Infinity };

/** Times are in milliseconds by one clock, which may be set back. */
export class Arrivals {
  #window = 0;
  #count = 0;
  #startedAt = -Infinity;
  /** Of the last window that was a flood. */
  #flood = -Infinity;

  /** This many deliveries were written down. */
  note(count: number, now: number): void {
    const window = Math.floor(now / WINDOW_MS);
    if (window !== this.#window) this.#count = 0;
    this.#window = window;
    this.#count += count;
    if (this.#count >= FLOOD) this.#flood = window;
  }

  /** A flood lasts into the window after it, which has to be counted first. */
  pace(now: number): Pace {
    const since = Math.floor(now / WINDOW_MS) - this.#flood;
    if (since !== 0 && since !== 1) return FREE;
    const passed = now - this.#startedAt;
    const isTooSoon = passed >= 0 && passed < START_EVERY_MS;
    return { waitMs: isTooSoon ? START_EVERY_MS - passed : 0, most: 1 };
  }

  /** Work was given out. */
  started(now: number): void {
    this.#startedAt = now;
  }
}
