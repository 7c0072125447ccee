/**
 * The step of the schema that lists the entries of memory by token. A search reads a few rows of lists, where a GIN index made
 * it read each entry.
 *
 * Triggers keep the lists, so that a process of the version before may go on writing entries until it is restarted. A token
 * names its repository: writers of two repositories never meet in a row.
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
  `CREATE TABLE $S.memory_tokens (
     token text NOT NULL,
     part bigint NOT NULL,
     ords smallint[] NOT NULL,
     PRIMARY KEY (token, part)
   )`,
  `INSERT INTO $S.memory_tokens ${listsOf('$S.memory_entries')}`,
  'DROP INDEX $S.memory_search',
  `CREATE FUNCTION $S.list_entries() RETURNS trigger LANGUAGE plpgsql AS $list$
   BEGIN
     INSERT INTO $S.memory_tokens AS kept ${listsOf('added')}
     ON CONFLICT (token, part) DO UPDATE SET ords = excluded.ords || kept.ords;
     RETURN NULL;
   END $list$`,
  `CREATE FUNCTION $S.unlist_entries() RETURNS trigger LANGUAGE plpgsql AS $list$
   BEGIN
     WITH gone AS MATERIALIZED (${listsOf('removed')}),
     emptied AS (
       DELETE FROM $S.memory_tokens AS kept USING gone
       WHERE kept.token = gone.token AND kept.part = gone.part
         AND cardinality(kept.ords) = cardinality(gone.ords)
     )
     UPDATE $S.memory_tokens AS kept SET ords = ARRAY(
       SELECT unnest(kept.ords) EXCEPT SELECT unnest(gone.ords) ORDER BY 1 DESC
     )
     FROM gone WHERE kept.token = gone.token AND kept.part = gone.part
       AND cardinality(kept.ords) > cardinality(gone.ords);
     RETURN NULL;
   END $list$`,
  `CREATE TRIGGER list_entries AFTER INSERT ON $S.memory_entries REFERENCING NEW TABLE AS added
   FOR EACH STATEMENT EXECUTE FUNCTION $S.list_entries()`,
  `CREATE TRIGGER unlist_entries AFTER DELETE ON $S.memory_entries REFERENCING OLD TABLE AS removed
   FOR EACH STATEMENT EXECUTE FUNCTION $S.unlist_entries()`,
];
