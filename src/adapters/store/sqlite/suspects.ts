/** What the embedded store keeps about work in hand: found again at an opening, it was in hand when the process ended. */
import { afterEnd, type Suspicion } from '../../../domain/event/suspicion.ts';
import type { Work } from '../../../ports/store.ts';
import { number } from '../row.ts';
import { suspicionOf } from '../rows.ts';
import type { OwnedLane } from './lanes.ts';
import type { Sql } from './sql.ts';
import { effectLane, eventLane } from './lanes.ts';

const TABLES = ['events', 'effects'] as const;

function tableOf({ kind }: Pick<Work, 'kind'>): (typeof TABLES)[number] {
  return kind === 'event' ? 'events' : 'effects';
}

/** Gives the attempt back to what was in hand when the last process ended, and marks it as suspect. */
export function markHeld(sql: Sql): void {
  for (const table of TABLES)
    for (const row of sql.all(`SELECT * FROM ${table} WHERE status = 'pending' AND held = 1`))
      sql.run(
        `UPDATE ${table} SET held = 0, interruptions = interruptions + 1, suspicion = ? WHERE ord = ?`,
        JSON.stringify(afterEnd(suspicionOf(row))),
        number(row, 'ord'),
      );
}

/** The lanes of the suspects. */
export function findSuspects(sql: Sql): (OwnedLane & { suspicion: Suspicion })[] {
  const rows = TABLES.flatMap((table) =>
    sql.all(
      `SELECT * FROM ${table} WHERE status = 'pending' AND suspicion IS NOT NULL ORDER BY place`,
    ),
  );
  return rows.flatMap((row) => {
    const suspicion = suspicionOf(row);
    if (suspicion === undefined) return [];
    return [{ ...('slot' in row ? effectLane(row) : eventLane(row)), suspicion }];
  });
}

/** Marks a row as held: suspects with what is known of them now. */
export function holdWork(
  sql: Sql,
  { kind, id }: Pick<Work, 'kind' | 'id'>,
  given: { attempts: number; suspicion: Suspicion | undefined },
): void {
  const table = tableOf({ kind });
  if (given.suspicion === undefined)
    sql.run(`UPDATE ${table} SET attempts = ?, held = 1 WHERE id = ?`, given.attempts, id);
  else
    sql.run(
      `UPDATE ${table} SET attempts = ?, held = 1, suspicion = ? WHERE id = ?`,
      given.attempts,
      JSON.stringify(given.suspicion),
      id,
    );
}

/** Keeps what is known of a suspect in hand. */
export function keepSuspicion(sql: Sql, { kind, id }: Work, suspicion: Suspicion): void {
  sql.run(
    `UPDATE ${tableOf({ kind })} SET suspicion = ? WHERE id = ? AND status = 'pending'`,
    JSON.stringify(suspicion),
    id,
  );
}

/** Lets go of work that did not end, and gives its attempt back. Without a suspicion it stays as suspect as it was. */
export function interrupt(sql: Sql, { kind, id, attempt }: Work, suspicion?: Suspicion): void {
  sql.run(
    `UPDATE ${tableOf({ kind })}
     SET held = 0, interruptions = interruptions + 1, suspicion = coalesce(?, suspicion)
     WHERE id = ? AND status = 'pending' AND held = 1 AND attempts - interruptions = ?`,
    suspicion === undefined ? null : JSON.stringify(suspicion),
    id,
    attempt,
  );
}

/** Its consumer threw: it is not in hand any more, and did not end the process. */
export function acquit(sql: Sql, { kind, id, attempt }: Work): void {
  sql.run(
    `UPDATE ${tableOf({ kind })} SET held = 0, suspicion = NULL
     WHERE id = ? AND status = 'pending' AND attempts - interruptions = ?`,
    id,
    attempt,
  );
}
