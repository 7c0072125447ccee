/** What PostgreSQL keeps about work whose holder ended: its row has a token still when its job is fetched again. */
import { afterEnd, type Suspicion } from '../../../../domain/event/suspicion.ts';
import type { Work } from '../../../../ports/store.ts';
import { workLost } from '../../failures.ts';
import { number, type Row } from '../../row.ts';
import { suspicionOf } from '../../rows.ts';
import type { Sql } from '../database.ts';
import type { Claim } from './jobs.ts';
import { NOW_MS } from '../postgres-schema.ts';
import { toToken } from './jobs.ts';

type RowOf = Pick<Claim, 'kind' | 'id'>;

export class Suspects {
  readonly #schema: string;

  constructor(schema: string) {
    this.#schema = schema;
  }

  /** Of claims that {@link Tables.take} left out: the suspects, each with what is known now. Gives back the attempt of a holder that ended. */
  async find(tx: Sql, claims: readonly Claim[]): Promise<[Claim, Suspicion][]> {
    const found: [Claim, Suspicion][] = [];
    for (const claim of claims) {
      const [row] = await tx.query(
        `SELECT token, suspicion FROM ${this.#table(claim)} WHERE id = $1 AND status = 'pending' FOR UPDATE`,
        [claim.id],
      );
      if (row !== undefined) found.push([claim, await this.#mark(tx, claim, row)]);
    }
    return found;
  }

  async #mark(tx: Sql, claim: Claim, row: Row): Promise<Suspicion> {
    const before = suspicionOf(row);
    // Somebody has marked it before.
    if (row['token'] === null && before !== undefined) return before;
    const suspicion = afterEnd(before);
    await tx.query(
      `UPDATE ${this.#table(claim)} SET token = NULL, interruptions = interruptions + 1, suspicion = $2 WHERE id = $1`,
      [claim.id, JSON.stringify(suspicion)],
    );
    return suspicion;
  }

  /** Marks the row as held by this claim; undefined when another claim was first. */
  async take(sql: Sql, claim: Claim, suspicion: Suspicion): Promise<Row | undefined> {
    const [row] = await sql.query(
      `UPDATE ${this.#table(claim)} SET attempts = attempts + 1, token = $2, suspicion = $3
       WHERE id = $1 AND status = 'pending' AND token IS NULL RETURNING *`,
      [claim.id, toToken(claim), JSON.stringify(suspicion)],
    );
    return row;
  }

  /** Keeps what is known of a suspect in hand. */
  async keep(sql: Sql, work: Work, suspicion: Suspicion): Promise<void> {
    await sql.query(
      `UPDATE ${this.#table(work)} SET suspicion = $3 WHERE id = $1 AND status = 'pending' AND token = $2`,
      [work.id, work.token, JSON.stringify(suspicion)],
    );
  }

  /**
   * Lets go of work that did not end, and gives its attempt back; returns when it is due. Without a suspicion it stays as
   * suspect as it was.
   */
  async interrupt(tx: Sql, work: Work, suspicion?: Suspicion): Promise<number> {
    const [row] = await tx.query(
      `UPDATE ${this.#table(work)} SET token = NULL, interruptions = interruptions + 1, run_at = ${NOW_MS},
         suspicion = coalesce($3, suspicion)
       WHERE id = $1 AND status = 'pending' AND token = $2 RETURNING run_at`,
      [work.id, work.token, suspicion === undefined ? null : JSON.stringify(suspicion)],
    );
    if (row === undefined) throw workLost(work.id);
    return number(row, 'run_at');
  }

  /** Puts off a suspect that nobody holds; returns until when, in milliseconds by the server's clock. */
  async defer(tx: Sql, claim: Claim, delayMs: number): Promise<number | undefined> {
    const [row] = await tx.query(
      `UPDATE ${this.#table(claim)} SET run_at = ${NOW_MS} + $2::bigint
       WHERE id = $1 AND status = 'pending' AND token IS NULL RETURNING run_at`,
      [claim.id, Math.ceil(delayMs)],
    );
    return row && number(row, 'run_at');
  }

  #table({ kind }: RowOf): string {
    return `${this.#schema}.${kind}s`;
  }
}
