/** Deletes what is older than its retention. */
import type { Upkeep } from '../store-erasure.ts';
import { EXPIRING_STREAMS, PRUNE_BATCH, type Retention } from '../retention.ts';
import type { Database, Sql } from './database.ts';
import { NOW_MS } from './postgres-schema.ts';
import type { Tables } from './postgres-tables.ts';

const VACUUMED = [
  'events',
  'effects',
  'states',
  'ledger',
  'totals',
  'memory_heads',
  'memory_entries',
  'memory_terms',
  'memory_tokens',
  'standups',
  'insights',
  'repository_values',
];

export interface UpkeepParts {
  db: Database;
  schema: string;
  tables: Tables;
  retention: Retention;
}

export function createPostgresUpkeep(parts: UpkeepParts): Upkeep {
  const { db, schema } = parts;
  return {
    expire: async () => {
      let all = 0;
      for (;;) {
        const expired = await expireSome(parts);
        all += expired;
        if (expired === 0) return all;
      }
    },
    compact: async () => {
      for (const table of VACUUMED) await db.query(`VACUUM ${schema}.${table}`);
    },
  };
}

async function expireSome({ db, schema, tables, retention }: UpkeepParts): Promise<number> {
  let expired = await tables.prune(db, retention.settledMs);
  const isExpiring = EXPIRING_STREAMS.map((kind) => `key ^@ '${kind}:'`).join(' OR ');
  const isIdle = (table: string) =>
    `NOT EXISTS (SELECT 1 FROM ${schema}.${table} w WHERE w.key = s.key AND w.status = 'pending')`;
  const statements: [string, number][] = [
    ...['events', 'effects'].map((table): [string, number] => [
      `DELETE FROM ${schema}.${table} WHERE id IN (SELECT id FROM ${schema}.${table}
         WHERE status IN ('dead', 'parked') AND settled_at < ${NOW_MS} - $1::bigint LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING id`,
      retention.deadMs,
    ]),
    [
      `DELETE FROM ${schema}.states WHERE key IN (SELECT key FROM ${schema}.states s
         WHERE saved_at < ${NOW_MS} - $1::bigint AND (${isExpiring}) AND ${isIdle('events')} AND ${isIdle('effects')}
         LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING key`,
      retention.statesMs,
    ],
  ];
  for (const table of ['insights', 'standups'])
    statements.push([
      `DELETE FROM ${schema}.${table} WHERE ord IN (SELECT ord FROM ${schema}.${table}
         WHERE at < ${timeBefore('$1')} LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING ord`,
      retention.standupsMs,
    ]);
  for (const [statement, olderThan] of statements)
    expired += (await db.query(statement, [olderThan, PRUNE_BATCH])).length;
  return expired + (await db.transaction((tx) => expireCalls(tx, schema, retention.ledgerMs)));
}

/** What was spent in all does not become less: the trigger takes it off the totals, and it is put back. */
async function expireCalls(tx: Sql, schema: string, olderThan: number): Promise<number> {
  const expired = await tx.query(
    `DELETE FROM ${schema}.ledger WHERE id IN (SELECT id FROM ${schema}.ledger
       WHERE is_settled AND at < ${timeBefore('$1')}
       LIMIT $2 FOR UPDATE SKIP LOCKED)
     RETURNING cost_usd`,
    [olderThan, PRUNE_BATCH],
  );
  if (expired.length === 0) return 0;
  const prices = expired.map((row) => row['cost_usd']).filter((usd) => usd !== null);
  const usd = prices.reduce((sum: number, price) => sum + Number(price), 0);
  await tx.query(
    `INSERT INTO ${schema}.totals VALUES ('ledger', 'calls', $1), ('ledger', 'unpriced', $2), ('ledger', 'usd', $3)`,
    [expired.length, expired.length - prices.length, usd],
  );
  return expired.length;
}

/** So many milliseconds before now, as ISO 8601. */
function timeBefore(ms: string): string {
  return `to_char(to_timestamp((${NOW_MS} - ${ms}::bigint) / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
