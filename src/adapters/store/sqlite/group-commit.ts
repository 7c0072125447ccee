/** Makes what arrives together durable together: one transaction, and one sync of the disk, for many small writes. */
import type { DatabaseSync } from 'node:sqlite';
import { storeDown } from '../failures.ts';
import { isAway } from './sql.ts';
import type { Disk } from './files/wal-file.ts';

/** A write that is all or nothing by itself, inside a transaction that it shares. */
export interface Write<T> {
  /** Runs inside the transaction; when it throws, only this write is undone. */
  run: () => T;
  /** Called once the transaction is durable, before anybody hears of it. */
  committed?: (value: T) => void;
  /** False: may be lost with the machine's power (never with the process). */
  durable?: boolean;
}

interface Waiting {
  /** Runs inside the transaction; what it returns is reported once that is durable. */
  run: () => Outcome;
  durable: boolean;
  reject: (error: unknown) => void;
}

/** What a write came to; told with the reason when it did not become durable. */
type Outcome = (failure?: unknown) => void;

/** Writes in one transaction: keeps the event loop free between batches (a batch took 1 to 5 ms here). */
const BATCH = 64;

export class GroupCommit {
  readonly #db: DatabaseSync;
  readonly #disk: Disk | undefined;
  #waiting: Waiting[] = [];
  /** Committed, and not yet on the disk. */
  #unsynced: Outcome[] = [];
  #isScheduled = false;
  #isSyncing = false;
  #isClosed = false;

  /** With a `disk` the loop goes on while it works; without one each commit waits for the disk itself. */
  constructor(db: DatabaseSync, disk?: Disk) {
    this.#db = db;
    this.#disk = disk;
    db.exec(`PRAGMA synchronous = ${disk === undefined ? 'FULL' : 'NORMAL'}`);
  }

  /** Resolves once the write is durable; TransientError `store-down` when it could not be written. */
  submit<T>(write: Write<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(storeDown('it is closed'));
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({
        run: () => {
          const value = write.run();
          return (failure) => {
            // It is in the database even when the disk failed: a worker that waits for such work must see it.
            write.committed?.(value);
            if (failure === undefined) resolve(value);
            else reject(failure);
          };
        },
        durable: write.durable ?? true,
        reject,
      });
      this.#schedule();
    });
  }

  /** Writes down what was submitted, and takes nothing more. */
  close(): void {
    this.#isClosed = true;
    while (this.#waiting.length > 0) this.#commitBatch();
    let failure: unknown;
    try {
      this.#disk?.close();
    } catch (error) {
      failure = storeDown(error);
    }
    tell(this.#unsynced.splice(0), failure);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#commitBatch();
      if (this.#waiting.length > 0) this.#schedule();
    });
  }

  #commitBatch(): void {
    const batch = this.#waiting.splice(0, BATCH);
    if (batch.length === 0) return;
    try {
      this.#db.exec('BEGIN IMMEDIATE');
      const outcomes = batch.map((write) => this.#runOne(write));
      this.#db.exec('COMMIT');
      this.#settle(batch, outcomes);
    } catch (error) {
      this.#rollback();
      const failure = isAway(error) ? storeDown(error) : error;
      for (const write of batch) write.reject(failure);
    }
  }

  /** What need not be durable is reported at once, unless it may rest on something that still has to become so. */
  #settle(batch: readonly Waiting[], outcomes: readonly Outcome[]): void {
    const isWaiting = this.#isSyncing || batch.some((write) => write.durable);
    if (this.#disk === undefined || !isWaiting) return tell(outcomes);
    this.#unsynced.push(...outcomes);
    if (!this.#isSyncing && !this.#isClosed) void this.#sync(this.#disk);
  }

  /** One sync at a time; what is committed meanwhile shares the next one. */
  async #sync(disk: Disk): Promise<void> {
    this.#isSyncing = true;
    while (this.#unsynced.length > 0) {
      const committed = this.#unsynced.splice(0);
      const failure = await disk.sync().then(
        () => undefined,
        (error: unknown) => storeDown(error),
      );
      tell(committed, failure);
    }
    this.#isSyncing = false;
  }

  #runOne(write: Waiting): Outcome {
    this.#db.exec('SAVEPOINT one');
    try {
      const outcome = write.run();
      this.#db.exec('RELEASE one');
      return outcome;
    } catch (error) {
      if (isAway(error)) throw error;
      this.#db.exec('ROLLBACK TO one; RELEASE one');
      return () => write.reject(error);
    }
  }

  #rollback(): void {
    try {
      if (this.#db.isOpen && this.#db.isTransaction) this.#db.exec('ROLLBACK');
    } catch {
      // The connection is gone: the next open rolls back.
    }
  }
}

function tell(outcomes: readonly Outcome[], failure?: unknown): void {
  for (const outcome of outcomes) outcome(failure);
}
