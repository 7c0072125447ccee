/** The tables of the store on PostgreSQL, as numbered steps that are applied once each. */
import { storeNewer } from '../failures.ts';
import { number } from '../row.ts';
import type { Database, Sql } from './database.ts';
import { ENTRIES_BY_TOKEN } from './entries-by-token.ts';

/** The server's clock in milliseconds since the epoch: workers on several machines agree on it. */
export const NOW_MS = `(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;

/**
 * One step for each released shape, as one text or as its statements; `$S` is the schema. A step never changes after its release.
 *
 * `place` orders a lane and names the row's job; `token` is set while a worker holds the row. `data` of a
 * pruned row is empty; the row stays for a while so that its id is still known. `attempts` counts how often it was given
 * out; of these, `interruptions` ended with the process or its orderly stop, and cost nothing.
 */
export const MIGRATIONS: readonly (string | readonly string[])[] = [
  `CREATE SEQUENCE $S.places;
   CREATE SEQUENCE $S.log;
   CREATE TABLE $S.events (
     id text PRIMARY KEY,
     key text NOT NULL,
     run text,
     version integer NOT NULL,
     at text NOT NULL,
     data text NOT NULL,
     dedup_key text UNIQUE,
     status text NOT NULL,
     reason text,
     attempts integer NOT NULL DEFAULT 0,
     run_at bigint NOT NULL,
     is_timer boolean NOT NULL,
     place bigint NOT NULL DEFAULT nextval('$S.places'),
     token text,
     seq bigint UNIQUE,
     settled_at bigint
   );
   CREATE INDEX events_waiting ON $S.events (run_at) WHERE status = 'pending';
   CREATE INDEX events_timers ON $S.events (run_at) WHERE status = 'pending' AND is_timer;
   CREATE INDEX events_of_key ON $S.events (key, seq);
   CREATE TABLE $S.states (
     key text PRIMARY KEY,
     version bigint NOT NULL,
     value text NOT NULL
   );
   CREATE TABLE $S.effects (
     id text PRIMARY KEY,
     key text NOT NULL,
     run text NOT NULL,
     at text NOT NULL,
     lane text,
     slot text,
     data text NOT NULL,
     status text NOT NULL,
     reason text,
     attempts integer NOT NULL DEFAULT 0,
     run_at bigint NOT NULL,
     place bigint NOT NULL DEFAULT nextval('$S.places'),
     token text,
     github_calls text NOT NULL DEFAULT '{}',
     created_at bigint NOT NULL,
     settled_at bigint
   );
   CREATE INDEX effects_waiting ON $S.effects (run_at) WHERE status = 'pending';
   CREATE INDEX effects_slot ON $S.effects (key, slot) WHERE status = 'pending' AND slot IS NOT NULL;
   CREATE INDEX effects_of_key ON $S.effects (key, place);
   CREATE INDEX effects_of_run ON $S.effects (run, place);
   CREATE TABLE $S.ledger (
     id text PRIMARY KEY,
     at text NOT NULL,
     repository_id bigint NOT NULL,
     key text NOT NULL,
     run text NOT NULL,
     cost_usd double precision,
     entry text NOT NULL,
     is_settled boolean NOT NULL
   );`,
  `CREATE INDEX events_by_seq ON $S.events (run, seq) WHERE run IS NOT NULL;
   CREATE INDEX events_by_status ON $S.events (status, seq);
   CREATE INDEX effects_by_place ON $S.effects (place);
   CREATE INDEX effects_by_status ON $S.effects (status, place);
   CREATE INDEX events_to_prune ON $S.events ((data = ''), settled_at) WHERE status IN ('done', 'ignored');
   CREATE INDEX effects_to_prune ON $S.effects ((data = ''), settled_at)
     WHERE status IN ('done', 'superseded', 'refused');
   CREATE INDEX ledger_of_repository ON $S.ledger (repository_id, at);
   CREATE INDEX ledger_of_key ON $S.ledger (key);
   CREATE INDEX ledger_of_run ON $S.ledger (run);
   CREATE INDEX ledger_by_time ON $S.ledger (at);`,
  `ALTER TABLE $S.effects ADD COLUMN waits text;`,
  // What the store holds, kept up to date by triggers. Each change adds a row and none is updated, so that workers
  // never wait for each other; `foldTotals` sums the rows up.
  [
    `CREATE TABLE $S.totals (of text NOT NULL, name text NOT NULL, value double precision NOT NULL)`,
    `CREATE FUNCTION $S.count_status() RETURNS trigger LANGUAGE plpgsql AS $count$
     BEGIN
       IF TG_OP <> 'INSERT' AND OLD.data <> '' THEN
         INSERT INTO $S.totals VALUES (TG_TABLE_NAME, OLD.status, -1);
       END IF;
       IF TG_OP <> 'DELETE' AND NEW.data <> '' THEN
         INSERT INTO $S.totals VALUES (TG_TABLE_NAME, NEW.status, 1);
       END IF;
       RETURN NULL;
     END $count$`,
    `CREATE FUNCTION $S.count_calls() RETURNS trigger LANGUAGE plpgsql AS $count$
     DECLARE
       sign integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
       cost double precision := CASE TG_OP WHEN 'INSERT' THEN NEW.cost_usd ELSE OLD.cost_usd END;
     BEGIN
       INSERT INTO $S.totals VALUES ('ledger', 'calls', sign),
         ('ledger', CASE WHEN cost IS NULL THEN 'unpriced' ELSE 'usd' END, sign * coalesce(cost, 1));
       RETURN NULL;
     END $count$`,
    ...['events', 'effects'].flatMap((table) => [
      `CREATE TRIGGER count_added AFTER INSERT OR DELETE ON $S.${table}
       FOR EACH ROW EXECUTE FUNCTION $S.count_status()`,
      `CREATE TRIGGER count_changed AFTER UPDATE ON $S.${table} FOR EACH ROW
       WHEN (OLD.status <> NEW.status OR (OLD.data = '') <> (NEW.data = ''))
       EXECUTE FUNCTION $S.count_status()`,
      `INSERT INTO $S.totals
       SELECT '${table}', status, count(*) FROM $S.${table} WHERE data <> '' GROUP BY status`,
    ]),
    `CREATE TRIGGER count_calls AFTER INSERT OR DELETE ON $S.ledger
     FOR EACH ROW EXECUTE FUNCTION $S.count_calls()`,
    `INSERT INTO $S.totals SELECT 'ledger', 'calls', count(*) FROM $S.ledger`,
    `INSERT INTO $S.totals SELECT 'ledger', 'unpriced', count(*) - count(cost_usd) FROM $S.ledger`,
    `INSERT INTO $S.totals SELECT 'ledger', 'usd', coalesce(sum(cost_usd), 0) FROM $S.ledger`,
  ],
  ['events', 'effects'].map(
    (table) =>
      `ALTER TABLE $S.${table} ADD COLUMN interruptions integer NOT NULL DEFAULT 0, ADD COLUMN suspicion text`,
  ),
  // Whose work a row is: the queue shares its slots between installations. NULL in older rows, which share one group.
  ['events', 'effects'].map((table) => `ALTER TABLE $S.${table} ADD COLUMN installation bigint`),
  // Money is summed by installation too, and over all of a day, before each call of a model.
  `ALTER TABLE $S.ledger ADD COLUMN installation_id bigint;
   CREATE INDEX ledger_of_installation ON $S.ledger (installation_id, at, cost_usd);
   DROP INDEX $S.ledger_by_time;
   CREATE INDEX ledger_by_time ON $S.ledger (at, installation_id, repository_id, cost_usd);`,
  // When a state was last saved: a state that has not changed for long expires.
  [
    `ALTER TABLE $S.states ADD COLUMN saved_at bigint NOT NULL DEFAULT 0`,
    `UPDATE $S.states SET saved_at = ${NOW_MS}`,
    `CREATE INDEX states_by_time ON $S.states (saved_at)`,
  ],
  // The index of memory, a copy of each repository's memory branch at `head`.
  [
    `CREATE TABLE $S.memory_heads (repository bigint PRIMARY KEY, head text NOT NULL)`,
    `CREATE TABLE $S.memory_entries (
       ord bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
       repository bigint NOT NULL,
       id text NOT NULL,
       scope text NOT NULL,
       digest text NOT NULL,
       tokens tsvector NOT NULL,
       terms text NOT NULL,
       candidate text NOT NULL,
       UNIQUE (repository, id)
     )`,
    `CREATE INDEX memory_search ON $S.memory_entries USING gin (tokens) WITH (fastupdate = off)`,
    `CREATE TABLE $S.memory_terms (
       scope text NOT NULL,
       term text NOT NULL,
       entries integer NOT NULL,
       PRIMARY KEY (scope, term)
     )`,
  ],
  // Standups, their insights, and what a repository keeps from one to the next.
  `CREATE TABLE $S.standups (
     ord bigserial PRIMARY KEY,
     repository bigint NOT NULL,
     name text NOT NULL,
     run text NOT NULL,
     thread bigint,
     at text NOT NULL,
     data text NOT NULL,
     up integer NOT NULL DEFAULT 0,
     down integer NOT NULL DEFAULT 0,
     UNIQUE (repository, run)
   );
   CREATE INDEX standups_by_run ON $S.standups (run);
   CREATE INDEX standups_by_name ON $S.standups (name, repository);
   CREATE INDEX standups_by_time ON $S.standups (at);
   CREATE TABLE $S.insights (
     ord bigserial PRIMARY KEY,
     repository bigint NOT NULL,
     run text NOT NULL,
     at text NOT NULL,
     type text NOT NULL,
     data text NOT NULL
   );
   CREATE INDEX insights_of_repository ON $S.insights (repository, type, ord);
   CREATE INDEX insights_of_run ON $S.insights (run, type, ord);
   CREATE INDEX insights_by_type ON $S.insights (type, ord);
   CREATE INDEX insights_by_time ON $S.insights (at);
   CREATE TABLE $S.repository_values (
     repository bigint NOT NULL,
     name text NOT NULL,
     version bigint NOT NULL,
     value text NOT NULL,
     PRIMARY KEY (repository, name)
   )`,
  // The newest insights of a repository, of whatever type, without sorting all that it has.
  'CREATE INDEX insights_newest ON $S.insights (repository, ord)',
  // What an embedding model made of an entry, where one is set: kept with the entry, and gone with it.
  'ALTER TABLE $S.memory_entries ADD COLUMN vector text',
  ENTRIES_BY_TOKEN,
];

/**
 * Brings the tables to `upTo` (the newest by default) in one transaction. Two processes must not do so at once.
 * ConfigError `store-newer` when they are beyond it.
 */
export async function migratePostgres(
  db: Database,
  schema: string,
  upTo = MIGRATIONS.length,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await tx.query(
      `CREATE TABLE IF NOT EXISTS ${schema}.migrations (version integer PRIMARY KEY, applied_at bigint NOT NULL)`,
    );
    await applySteps(tx, schema, upTo);
  });
}

async function applySteps(tx: Sql, schema: string, upTo: number): Promise<void> {
  const found = await postgresShapeOf(tx, schema);
  if (found > upTo) throw storeNewer(found, upTo);
  for (let version = found + 1; version <= upTo; version += 1) {
    for (const statement of toStatements(MIGRATIONS[version - 1] ?? []))
      await tx.query(statement.replaceAll('$S', schema));
    await tx.query(
      `INSERT INTO ${schema}.migrations (version, applied_at) VALUES ($1, ${NOW_MS})`,
      [version],
    );
  }
}

/** A step that is one text holds no semicolon but those between its statements. */
function toStatements(step: string | readonly string[]): readonly string[] {
  if (typeof step !== 'string') return step;
  return step.split(';').filter((statement) => statement.trim() !== '');
}

/** The newest step that was applied; the table of the steps must be there. */
export async function postgresShapeOf(sql: Sql, schema: string): Promise<number> {
  const [row] = await sql.query(
    `SELECT coalesce(max(version), 0) AS version FROM ${schema}.migrations`,
  );
  return number(row ?? {}, 'version');
}
