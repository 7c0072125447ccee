/** Tells the other processes on this database that there is work: a hint only, as everyone also looks from time to time. */
import type { Client } from 'pg';
import type { Clock } from '../../../../ports/clock.ts';
import type { OnTrouble } from '../../../../ports/store.ts';
import type { Sql } from '../database.ts';

/** Before another connection is tried. */
const RECONNECT_MS = 2000;

/** Between two rings: what is committed in this time shares one. */
const PAUSE_MS = 10;

export interface BellParts {
  db: Sql;
  /** A new, unconnected client. */
  connect: () => Client;
  channel: string;
  /** Tells this process's own rings apart. */
  self: string;
  clock: Clock;
  /** Somebody else rang, or may have while we were away. */
  onRing: () => void;
  onTrouble: OnTrouble;
}

export class Bell {
  readonly #parts: BellParts;
  readonly #closed = new AbortController();
  #client: Client | undefined;
  #isWanted = false;
  #isRinging = false;

  constructor(parts: BellParts) {
    this.#parts = parts;
  }

  /**
   * Rings soon, once for everything that was committed meanwhile. Never inside a transaction that writes: PostgreSQL
   * commits one such transaction at a time. Each would wait for the disk of the one before.
   */
  ring(): void {
    this.#isWanted = true;
    if (!this.#isRinging) void this.#ringOut();
  }

  async #ringOut(): Promise<void> {
    const { db, channel, self, clock } = this.#parts;
    this.#isRinging = true;
    while (this.#isWanted && !this.#closed.signal.aborted) {
      this.#isWanted = false;
      // Nobody waits for it: others also look by themselves.
      await db
        .query('SELECT pg_notify($1, $2)', [channel, self])
        .catch((error: unknown) => this.#tell(error, 'wake other workers'));
      await clock.sleep(PAUSE_MS, this.#closed.signal).catch(() => undefined);
    }
    this.#isRinging = false;
  }

  /** Listens until closed; connects again when the connection is lost. */
  async listen(): Promise<void> {
    const client = this.#parts.connect();
    this.#client = client;
    client.on('error', () => undefined);
    client.on('end', () => void this.#listenLater());
    client.on('notification', ({ payload }) => {
      if (payload !== this.#parts.self) this.#parts.onRing();
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${this.#parts.channel}`);
    } catch (error) {
      this.#tell(error, 'listen for work of other processes');
      await client.end().catch(() => undefined);
      return;
    }
    this.#parts.onRing();
  }

  /** What fails because it is closing is no trouble. */
  #tell(error: unknown, doing: string): void {
    if (!this.#closed.signal.aborted) this.#parts.onTrouble(error, doing);
  }

  async #listenLater(): Promise<void> {
    const { signal } = this.#closed;
    if (signal.aborted) return;
    try {
      await this.#parts.clock.sleep(RECONNECT_MS, signal);
    } catch {
      return;
    }
    await this.listen();
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#client?.end().catch(() => undefined);
  }
}
