/** Timers join their lane when they are due, in whichever process looks first. */
import type { Clock } from '../../../../ports/clock.ts';
import type { Bell } from './bell.ts';
import type { Database } from '../database.ts';
import type { Jobs } from './jobs.ts';
import type { Tables } from '../postgres-tables.ts';

const BATCH = 100;
/** Looking a moment too early would cost a whole round: our clock and the server's are read at different times. */
const SLACK_MS = 5;
/** Before a timer that is late, as another process has it in hand, is looked for again. */
const LATE_MS = 100;

export interface TimerParts {
  db: Database;
  jobs: Jobs;
  tables: Tables;
  bell: Bell;
  clock: Clock;
}

export class Timers {
  readonly #parts: TimerParts;
  /** By our own clock. */
  #nextDueAt = 0;

  constructor(parts: TimerParts) {
    this.#parts = parts;
  }

  /** How long until the next look. */
  get waitMs(): number {
    return Math.max(0, this.#nextDueAt - this.#parts.clock.now());
  }

  /** Something will be due in `dueInMs`. */
  expect(dueInMs: number): void {
    this.#nextDueAt = Math.min(this.#nextDueAt, this.#parts.clock.now() + dueInMs + SLACK_MS);
  }

  async join(): Promise<void> {
    const { db, tables, jobs, bell } = this.#parts;
    if (this.waitMs > 0) return;
    this.#nextDueAt = Infinity;
    const claims = await jobs.fetchTimers(BATCH);
    if (claims.length > 0) {
      await db.transaction(async (tx) => {
        const tickets = await tables.joinTimers(
          tx,
          claims.map(({ id }) => id),
        );
        await jobs.remove(tx, claims);
        await jobs.send(tx, tickets);
      });
      bell.ring();
    }
    const wait = claims.length === BATCH ? 0 : await tables.nextDueInMs(db);
    this.expect(wait < 0 ? LATE_MS - SLACK_MS : wait);
  }
}
