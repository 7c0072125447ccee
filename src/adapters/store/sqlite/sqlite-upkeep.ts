/** Deletes what is older than its retention, and leaves nothing of what was deleted in the files. */
import type { Clock } from '../../../ports/clock.ts';
import type { Upkeep } from '../store-erasure.ts';
import { EXPIRING_STREAMS, PRUNE_BATCH, type Retention } from '../retention.ts';
import { number } from '../row.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Sql } from './sql.ts';
import { isSearchLoose, noteRebuilt, rebuildSearch } from './memory/sqlite-memory-search.ts';
import type { Tables } from './sqlite-tables.ts';

export interface UpkeepParts {
  sql: Sql;
  tables: Tables;
  commits: GroupCommit;
  clock: Clock;
  retention: Retention;
}

export function createSqliteUpkeep(parts: UpkeepParts): Upkeep {
  return {
    expire: async () => {
      let all = 0;
      for (;;) {
        const expired = await parts.commits.submit({ run: () => expireSome(parts) });
        all += expired;
        if (expired === 0) return all;
      }
    },
    compact: async () => compact(parts),
    isLoose: () => isSearchLoose(parts.sql),
  };
}

function expireSome({ sql, tables, clock, retention }: UpkeepParts): number {
  const now = clock.now();
  let expired = tables.prune(now, retention.settledMs);
  for (const table of ['events', 'effects'])
    expired += sql.run(
      `DELETE FROM ${table} WHERE ord IN (SELECT ord FROM ${table}
         WHERE status IN ('dead', 'parked') AND settled_at < ? LIMIT ?)`,
      now - retention.deadMs,
      PRUNE_BATCH,
    );
  const isExpiring = EXPIRING_STREAMS.map((kind) => `instr(key, '${kind}:') = 1`).join(' OR ');
  expired += sql.run(
    `DELETE FROM states WHERE key IN (SELECT key FROM states s WHERE saved_at < ? AND (${isExpiring})
       AND NOT EXISTS (SELECT 1 FROM events e WHERE e.key = s.key AND e.status = 'pending')
       AND NOT EXISTS (SELECT 1 FROM effects e WHERE e.key = s.key AND e.status = 'pending') LIMIT ?)`,
    now - retention.statesMs,
    PRUNE_BATCH,
  );
  for (const table of ['insights', 'standups'])
    expired += sql.run(
      `DELETE FROM ${table} WHERE ord IN (SELECT ord FROM ${table} WHERE at < ? LIMIT ?)`,
      new Date(now - retention.standupsMs).toISOString(),
      PRUNE_BATCH,
    );
  return expired + expireCalls(sql, now - retention.ledgerMs);
}

/** What was spent in all does not become less: the triggers take it off the totals, and it is put back. */
function expireCalls(sql: Sql, before: number): number {
  const totals = () =>
    sql.all(`SELECT name, value FROM totals WHERE of = 'ledger'`).map((row) => ({ ...row }));
  const kept = totals();
  const expired = sql.run(
    'DELETE FROM ledger WHERE id IN (SELECT id FROM ledger WHERE at < ? AND is_settled = 1 LIMIT ?)',
    new Date(before).toISOString(),
    PRUNE_BATCH,
  );
  if (expired === 0) return 0;
  for (const row of kept)
    sql.run(
      `UPDATE totals SET value = ? WHERE of = 'ledger' AND name = ?`,
      number(row, 'value'),
      String(row['name']),
    );
  return expired;
}

/** Free pages of an earlier version may hold text still, and so does the log until it is cut. */
function compact({ sql }: UpkeepParts): void {
  const isLoose = isSearchLoose(sql);
  if (isLoose) rebuildSearch(sql);
  sql.db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  if (isLoose) noteRebuilt(sql);
}
