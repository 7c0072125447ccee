/** The claims of suspects in this process: one waits until it can run alone, others are put off. */
import type { Suspicion } from '../../../../domain/event/suspicion.ts';
import type { Clock } from '../../../../ports/clock.ts';
import type { OnTrouble, Work } from '../../../../ports/store.ts';
import { Solo } from '../../queue/solo.ts';
import type { Database } from '../database.ts';
import type { Claim, Jobs } from './jobs.ts';
import type { Suspects } from './suspects.ts';
import { toWork } from './work.ts';

/** Before a suspect that cannot begin in this process is looked at again, by any process. */
const LEAST_DEFERRAL_MS = 1000;
const LONGEST_DEFERRAL_MS = 5000;

export interface AloneParts {
  db: Database;
  jobs: Jobs;
  suspects: Suspects;
  clock: Clock;
  onTrouble: OnTrouble;
}

export class AloneClaims {
  readonly solo: Solo<Claim>;
  readonly #parts: AloneParts;
  readonly #onDeferred: (delayMs: number) => void;

  constructor(parts: AloneParts, onDeferred: (delayMs: number) => void) {
    this.#parts = parts;
    this.#onDeferred = onDeferred;
    this.solo = new Solo(parts.clock.now());
  }

  /** Of claims that were not taken, suspects wait; the rows of the others have ended, and their jobs go. */
  async keep(claims: readonly Claim[]): Promise<void> {
    if (claims.length === 0) return;
    const { db, jobs, suspects, clock } = this.#parts;
    const found = new Map(await db.transaction((tx) => suspects.find(tx, claims)));
    await jobs.remove(
      db,
      claims.filter((claim) => !found.has(claim)),
    );
    for (const [claim, suspicion] of found) {
      const waitMs = this.solo.waitMs(suspicion, clock.now());
      if (waitMs === 0 && !this.solo.isTaken) this.solo.add(claim, suspicion);
      else await this.#defer(claim, waitMs);
    }
  }

  /** The work of a suspect whose turn it is; undefined when another claim was first. */
  async take(claim: Claim, suspicion: Suspicion): Promise<Work | undefined> {
    this.solo.remove(claim);
    const row = await this.#parts.suspects.take(this.#parts.db, claim, suspicion);
    return row && toWork(row, claim, suspicion);
  }

  /** Suspects that this process will not begin any more. */
  async deferAll(): Promise<void> {
    for (const claim of this.solo.waiting) {
      this.solo.remove(claim);
      // When this cannot be written the claim runs out.
      await this.#defer(claim, 0).catch((error: unknown) =>
        this.#parts.onTrouble(error, 'give back a suspect'),
      );
    }
  }

  async #defer(claim: Claim, waitMs: number): Promise<void> {
    const { db, jobs, suspects } = this.#parts;
    const delayMs = Math.min(Math.max(waitMs, LEAST_DEFERRAL_MS), LONGEST_DEFERRAL_MS);
    await db.transaction(async (tx) => {
      const runAt = await suspects.defer(tx, claim, delayMs);
      if (runAt !== undefined) await jobs.postpone(tx, claim, runAt);
    });
    this.#onDeferred(delayMs);
  }
}
