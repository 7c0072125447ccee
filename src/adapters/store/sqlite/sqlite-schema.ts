/** The tables of the embedded store, as numbered steps that are applied once each. */
import type { DatabaseSync } from 'node:sqlite';
import { storeNewer } from '../failures.ts';

/**
 * One step for each released shape. A step never changes after its release.
 *
 * `place` is the position in a lane: an event without one is a timer that is not due. `data` of a pruned
 * row is empty; the row stays for a while so that its id is still known. `attempts` counts how often it was given out;
 * of these, `interruptions` ended with the process or its orderly stop, and cost nothing.
 */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE events (
     ord INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     key TEXT NOT NULL,
     run TEXT,
     version INTEGER NOT NULL,
     at TEXT NOT NULL,
     data TEXT NOT NULL,
     dedup_key TEXT UNIQUE,
     status TEXT NOT NULL,
     reason TEXT,
     attempts INTEGER NOT NULL DEFAULT 0,
     run_at INTEGER NOT NULL,
     place INTEGER,
     seq INTEGER UNIQUE,
     settled_at INTEGER
   ) STRICT;
   CREATE INDEX events_waiting ON events (key, place) WHERE status = 'pending';
   CREATE INDEX events_due ON events (run_at) WHERE status = 'pending';
   CREATE INDEX events_timers ON events (run_at) WHERE status = 'pending' AND place IS NULL;
   CREATE INDEX events_of_key ON events (key, seq);
   CREATE TABLE states (
     key TEXT PRIMARY KEY,
     version INTEGER NOT NULL,
     value TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE effects (
     ord INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     key TEXT NOT NULL,
     run TEXT NOT NULL,
     at TEXT NOT NULL,
     lane TEXT,
     slot TEXT,
     data TEXT NOT NULL,
     status TEXT NOT NULL,
     reason TEXT,
     attempts INTEGER NOT NULL DEFAULT 0,
     run_at INTEGER NOT NULL,
     place INTEGER NOT NULL,
     github_calls TEXT NOT NULL DEFAULT '{}',
     created_at INTEGER NOT NULL,
     settled_at INTEGER
   ) STRICT;
   CREATE INDEX effects_waiting ON effects (lane, place) WHERE status = 'pending';
   CREATE INDEX effects_due ON effects (run_at) WHERE status = 'pending';
   CREATE INDEX effects_slot ON effects (key, slot) WHERE status = 'pending' AND slot IS NOT NULL;
   CREATE INDEX effects_of_key ON effects (key, ord);
   CREATE INDEX effects_of_run ON effects (run, ord);
   CREATE TABLE ledger (
     id TEXT PRIMARY KEY,
     at TEXT NOT NULL,
     repository_id INTEGER NOT NULL,
     key TEXT NOT NULL,
     run TEXT NOT NULL,
     cost_usd REAL,
     entry TEXT NOT NULL,
     is_settled INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;`,
  `CREATE INDEX events_of_run ON events (run, seq) WHERE run IS NOT NULL;
   CREATE INDEX events_by_status ON events (status, seq);
   CREATE INDEX effects_by_status ON effects (status, ord);
   CREATE INDEX events_to_prune ON events (data = '', settled_at) WHERE status IN ('done', 'ignored');
   CREATE INDEX effects_to_prune ON effects (data = '', settled_at)
     WHERE status IN ('done', 'superseded', 'refused');
   CREATE INDEX ledger_of_repository ON ledger (repository_id, at);
   CREATE INDEX ledger_of_key ON ledger (key);
   CREATE INDEX ledger_of_run ON ledger (run);
   CREATE INDEX ledger_by_time ON ledger (at);`,
  `ALTER TABLE effects ADD COLUMN waits TEXT;`,
  // What the store holds, kept up to date by triggers: counting the rows took 1.5 s at 1,000,000 events.
  `CREATE TABLE totals (
     of TEXT NOT NULL,
     name TEXT NOT NULL,
     value REAL NOT NULL,
     PRIMARY KEY (of, name)
   ) STRICT, WITHOUT ROWID;
   ${['events', 'effects'].map(toStatusTotals).join('\n')}
   INSERT INTO totals VALUES ('ledger', 'calls', 0), ('ledger', 'unpriced', 0), ('ledger', 'usd', 0);
   UPDATE totals SET value = (SELECT count(*) FROM ledger) WHERE of = 'ledger' AND name = 'calls';
   UPDATE totals SET value = (SELECT count(*) FROM ledger WHERE cost_usd IS NULL)
     WHERE of = 'ledger' AND name = 'unpriced';
   UPDATE totals SET value = (SELECT coalesce(sum(cost_usd), 0.0) FROM ledger)
     WHERE of = 'ledger' AND name = 'usd';
   CREATE TRIGGER ledger_added AFTER INSERT ON ledger BEGIN ${toLedgerTotals('NEW', '+')} END;
   CREATE TRIGGER ledger_removed AFTER DELETE ON ledger BEGIN ${toLedgerTotals('OLD', '-')} END;`,
  // `held` is set while a worker has the row; what it is set for at an opening was in hand when the process ended.
  ['events', 'effects']
    .map(
      (table) => `ALTER TABLE ${table} ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE ${table} ADD COLUMN interruptions INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE ${table} ADD COLUMN suspicion TEXT;`,
    )
    .join('\n'),
  // Whose work a row is: the queue shares its slots between installations. NULL in older rows, which share one group.
  ['events', 'effects']
    .map((table) => `ALTER TABLE ${table} ADD COLUMN installation INTEGER;`)
    .join('\n'),
  // Money is summed by installation too, and over all of a day, before each call of a model.
  `ALTER TABLE ledger ADD COLUMN installation_id INTEGER;
   CREATE INDEX ledger_of_installation ON ledger (installation_id, at, cost_usd);
   DROP INDEX ledger_by_time;
   CREATE INDEX ledger_by_time ON ledger (at, installation_id, repository_id, cost_usd);`,
  // When a state was last saved: a state that has not changed for long expires.
  `ALTER TABLE states ADD COLUMN saved_at INTEGER NOT NULL DEFAULT 0;
   UPDATE states SET saved_at = unixepoch() * 1000;
   CREATE INDEX states_by_time ON states (saved_at);`,
  // The index of memory, a copy of each repository's memory branch at `head`. A search finds no term of what is
  // deleted. FTS5 may still have one to tell two pages apart, until the next compaction rebuilds the index.
  `CREATE TABLE memory_heads (
     repository INTEGER PRIMARY KEY,
     head TEXT NOT NULL
   ) STRICT;
   CREATE TABLE memory_entries (
     ord INTEGER PRIMARY KEY,
     repository INTEGER NOT NULL,
     id TEXT NOT NULL,
     scope TEXT NOT NULL,
     digest TEXT NOT NULL,
     tokens TEXT NOT NULL,
     terms TEXT NOT NULL,
     candidate TEXT NOT NULL,
     UNIQUE (repository, id)
   ) STRICT;
   CREATE TABLE memory_terms (
     scope TEXT NOT NULL,
     term TEXT NOT NULL,
     entries INTEGER NOT NULL,
     PRIMARY KEY (scope, term)
   ) STRICT, WITHOUT ROWID;
   CREATE VIRTUAL TABLE memory_search USING fts5 (
     tokens, content = 'memory_entries', content_rowid = 'ord', tokenize = 'ascii', detail = none, columnsize = 0
   );
   INSERT INTO memory_search (memory_search, rank) VALUES ('secure-delete', 1);`,
  // Standups, their insights, and what a repository keeps from one to the next.
  `CREATE TABLE standups (
     ord INTEGER PRIMARY KEY,
     repository INTEGER NOT NULL,
     name TEXT NOT NULL,
     run TEXT NOT NULL,
     thread INTEGER,
     at TEXT NOT NULL,
     data TEXT NOT NULL,
     up INTEGER NOT NULL DEFAULT 0,
     down INTEGER NOT NULL DEFAULT 0,
     UNIQUE (repository, run)
   ) STRICT;
   CREATE INDEX standups_by_run ON standups (run);
   CREATE INDEX standups_by_name ON standups (name, repository);
   CREATE INDEX standups_by_time ON standups (at);
   CREATE TABLE insights (
     ord INTEGER PRIMARY KEY,
     repository INTEGER NOT NULL,
     run TEXT NOT NULL,
     at TEXT NOT NULL,
     type TEXT NOT NULL,
     data TEXT NOT NULL
   ) STRICT;
   CREATE INDEX insights_of_repository ON insights (repository, type, ord);
   CREATE INDEX insights_of_run ON insights (run, type, ord);
   CREATE INDEX insights_by_type ON insights (type, ord);
   CREATE INDEX insights_by_time ON insights (at);
   CREATE TABLE repository_values (
     repository INTEGER NOT NULL,
     name TEXT NOT NULL,
     version INTEGER NOT NULL,
     value TEXT NOT NULL,
     PRIMARY KEY (repository, name)
   ) STRICT, WITHOUT ROWID;`,
  // The newest insights of a repository, of whatever type, without sorting all that it has.
  'CREATE INDEX insights_newest ON insights (repository, ord);',
  // What an embedding model made of an entry, where one is set: kept with the entry, and gone with it.
  'ALTER TABLE memory_entries ADD COLUMN vector TEXT;',
  // Two parts of one size are merged. What was removed from an index until now may have left terms: it is rebuilt.
  `INSERT INTO memory_search (memory_search, rank) VALUES ('usermerge', 2);
   INSERT INTO counters (name, value)
     SELECT 'memory-removed', 1 WHERE EXISTS (SELECT 1 FROM memory_search_idx);`,
];

/** Counts the rows of a table by status; a pruned row, whose `data` is empty, does not count. */
function toStatusTotals(table: string): string {
  const subtract = `UPDATE totals SET value = value - 1 WHERE of = '${table}' AND name = OLD.status AND OLD.data <> '';`;
  const add = `INSERT INTO totals SELECT '${table}', NEW.status, 1 WHERE NEW.data <> ''
    ON CONFLICT (of, name) DO UPDATE SET value = value + 1;`;
  return `INSERT INTO totals SELECT '${table}', status, count(*) FROM ${table} WHERE data <> '' GROUP BY status;
    CREATE TRIGGER ${table}_added AFTER INSERT ON ${table} BEGIN ${add} END;
    CREATE TRIGGER ${table}_changed AFTER UPDATE OF status, data ON ${table} BEGIN ${subtract} ${add} END;
    CREATE TRIGGER ${table}_removed AFTER DELETE ON ${table} BEGIN ${subtract} END;`;
}

function toLedgerTotals(row: 'NEW' | 'OLD', sign: '+' | '-'): string {
  const add = (name: string, value: string) =>
    `UPDATE totals SET value = value ${sign} ${value} WHERE of = 'ledger' AND name = '${name}';`;
  return [
    add('calls', '1'),
    add('unpriced', `(${row}.cost_usd IS NULL)`),
    add('usd', `coalesce(${row}.cost_usd, 0.0)`),
  ].join(' ');
}

/** Brings the tables to `upTo` (the newest by default), one transaction for each step. ConfigError `store-newer` when they are beyond it. */
export function migrateSqlite(db: DatabaseSync, now: number, upTo = MIGRATIONS.length): void {
  db.exec(
    'CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT',
  );
  const found = sqliteShapeOf(db);
  if (found > upTo) throw storeNewer(found, upTo);
  const insert = db.prepare('INSERT INTO migrations (version, applied_at) VALUES (?, ?)');
  for (let version = found + 1; version <= upTo; version += 1) {
    db.exec('BEGIN IMMEDIATE');
    try {
      db.exec(MIGRATIONS[version - 1] ?? '');
      insert.run(version, now);
      db.exec('COMMIT');
    } catch (error) {
      db.exec('ROLLBACK');
      throw error;
    }
  }
}

/** The newest step that was applied; 0 when the file holds no store. */
export function sqliteShapeOf(db: DatabaseSync): number {
  const isThere = db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'migrations'`).get();
  if (isThere === undefined) return 0;
  const row = db.prepare('SELECT coalesce(max(version), 0) AS version FROM migrations').get();
  return Number(row?.['version']);
}
