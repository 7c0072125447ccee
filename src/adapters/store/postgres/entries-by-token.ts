/**
 * The step of the schema that lists the entries of memory by token. A search reads a few rows of lists, where a GIN index made
 * it read each entry.
 *
 * Triggers keep the lists, so that a process of the version before may go on writing entries until it is restarted. It still
 * searches the GIN index `memory_search`, and dropping that would wait for its searches: a later version drops it. A token names
 * its repository: writers of two repositories never meet in a row.
 */

/** Entries whose numbers may share a row, where two bytes tell each of them apart. */
export const PART_SIZE = 32_768;

/** `source`: rows of entries. Lists of theirs, newest first, as a search reads no more than some. */
function listsOf(source: string): string {
  return `SELECT token, ord / ${PART_SIZE} AS part,
      array_agg((ord % ${PART_SIZE})::smallint ORDER BY ord DESC) AS ords
    FROM ${source} CROSS JOIN LATERAL unnest(tsvector_to_array(tokens)) AS token GROUP BY 1, 2`;
}

export const ENTRIES_BY_TOKEN: readonly string[] = [
  // What is written before the triggers are there has to be among the entries that are listed. Searches go on.
  'LOCK TABLE $S.memory_entries IN SHARE ROW EXCLUSIVE MODE',
  `CREATE TABLE $S.memory_tokens (
     token text NOT NULL,
     part bigint NOT NULL,
     ords smallint[] NOT NULL,
     PRIMARY KEY (token, part)
   )`,
  `INSERT INTO $S.memory_tokens ${listsOf('$S.memory_entries')}`,
  `CREATE FUNCTION $S.list_entries() RETURNS trigger LANGUAGE plpgsql AS $list$
   BEGIN
     INSERT INTO $S.memory_tokens AS kept ${listsOf('added')}
     ON CONFLICT (token, part) DO UPDATE SET ords = excluded.ords || kept.ords;
     RETURN NULL;
   END $list$`,
  `CREATE FUNCTION $S.unlist_entries() RETURNS trigger LANGUAGE plpgsql AS $list$
   BEGIN
     WITH gone AS MATERIALIZED (${listsOf('removed')}),
     -- What a list holds decides, not how long it is: a wrong one may keep no token of entries that are gone.
     rest AS MATERIALIZED (
       SELECT kept.token, kept.part, CASE WHEN kept.ords = gone.ords THEN '{}' ELSE ARRAY(
         SELECT unnest(kept.ords) EXCEPT SELECT unnest(gone.ords) ORDER BY 1 DESC
       ) END AS ords
       FROM $S.memory_tokens AS kept JOIN gone ON kept.token = gone.token AND kept.part = gone.part
     ),
     emptied AS (
       DELETE FROM $S.memory_tokens AS kept USING rest
       WHERE kept.token = rest.token AND kept.part = rest.part AND rest.ords = '{}'
     )
     UPDATE $S.memory_tokens AS kept SET ords = rest.ords
     FROM rest WHERE kept.token = rest.token AND kept.part = rest.part AND rest.ords <> '{}';
     RETURN NULL;
   END $list$`,
  `CREATE TRIGGER list_entries AFTER INSERT ON $S.memory_entries REFERENCING NEW TABLE AS added
   FOR EACH STATEMENT EXECUTE FUNCTION $S.list_entries()`,
  `CREATE TRIGGER unlist_entries AFTER DELETE ON $S.memory_entries REFERENCING OLD TABLE AS removed
   FOR EACH STATEMENT EXECUTE FUNCTION $S.unlist_entries()`,
];
