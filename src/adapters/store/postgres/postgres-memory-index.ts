/** The index of memory in the shared store: lists of entries by token find who shares terms or files, `rankMemory` decides. */
import { rankMemory, type Candidate } from '../../../domain/memory/recall/rank-memory.ts';
import type {
  IndexedEntry,
  MemoryIndex,
  MemoryQuery,
  VectorsOf,
} from '../../../ports/memory-index.ts';
import {
  byId,
  CANDIDATES,
  digestOf,
  toCandidate,
  toMatter,
  toMemoryRow,
  toProbes,
  toVectors,
  toVectorText,
  toWanted,
  type MemoryRow,
  type Probe,
  type Wanted,
} from '../memory-rows.ts';
import { number, plain, requireRepository, text } from '../row.ts';
import type { Database, Sql } from './database.ts';
import { PART_SIZE } from './entries-by-token.ts';

/** Entries of one statement. Each writes the last rows of its lists again. */
const BATCH = 2_000;

export class PostgresMemoryIndex implements MemoryIndex {
  readonly #db: Database;
  readonly #schema: string;

  constructor(db: Database, schema: string) {
    this.#db = db;
    this.#schema = schema;
  }

  async put(repository: number, head: string, entries: readonly IndexedEntry[]): Promise<void> {
    requireRepository(repository);
    if (await this.#isAt(this.#db, repository, head)) return;
    const wanted = byId(entries);
    await this.#db.transaction(async (tx) => {
      await lockMemory(tx, this.#schema, repository);
      if (await this.#isAt(tx, repository, head)) return;
      const { gone, added } = await this.#compare(tx, repository, wanted);
      for (const ids of inBatches(gone))
        await deletePostgresEntries(tx, this.#schema, { repository, ids });
      const sums: Sums = new Map();
      for (const some of inBatches(added)) {
        const rows = some.map((entry) => toMemoryRow(repository, entry));
        await this.#add(tx, repository, rows);
        for (const row of rows) addUp(sums, row, 1);
      }
      // All at once: a row that is written again and again in one transaction leaves as many dead ones to be read.
      await writeSums(tx, this.#schema, sums);
      await tx.query(
        `INSERT INTO ${this.#schema}.memory_heads (repository, head) VALUES ($1, $2)
         ON CONFLICT (repository) DO UPDATE SET head = excluded.head`,
        [repository, head],
      );
    });
  }

  async #compare(
    tx: Sql,
    repository: number,
    wanted: ReadonlyMap<string, IndexedEntry>,
  ): Promise<{ gone: string[]; added: IndexedEntry[] }> {
    const added = new Map(wanted);
    const gone: string[] = [];
    const rows = await tx.query(
      `SELECT id, digest FROM ${this.#schema}.memory_entries WHERE repository = $1`,
      [repository],
    );
    for (const row of rows) {
      const id = text(row, 'id');
      const entry = wanted.get(id);
      if (entry !== undefined && digestOf(entry) === text(row, 'digest')) added.delete(id);
      else gone.push(id);
    }
    return { gone, added: [...added.values()] };
  }

  async #add(tx: Sql, repository: number, rows: readonly MemoryRow[]): Promise<void> {
    const column = (of: (row: MemoryRow) => string): string[] => rows.map(of);
    await tx.query(
      `INSERT INTO ${this.#schema}.memory_entries (repository, id, scope, digest, tokens, terms, candidate)
       SELECT $1, id, scope, digest, array_to_tsvector(string_to_array(tokens, ' ')), terms, candidate
       FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
         AS row (id, scope, digest, tokens, terms, candidate)`,
      [
        repository,
        column(({ id }) => id),
        column(({ scope }) => scope),
        column(({ digest }) => digest),
        column(({ tokens }) => tokens.join(' ')),
        column(({ terms }) => JSON.stringify(terms)),
        column(({ candidate }) => candidate),
      ],
    );
  }

  async find(query: MemoryQuery): Promise<string[] | undefined> {
    const wanted = toWanted(query);
    const counts = await this.#counts(query, wanted);
    if (counts === undefined) return undefined;
    const matter = toMatter(wanted, counts);
    const candidates = await this.#candidates(query, toProbes(wanted, matter));
    if (candidates === undefined) return undefined;
    return rankMemory(candidates, matter).slice(0, Math.max(0, query.limit));
  }

  async vectors(
    { repository, model }: VectorsOf,
    entries: readonly IndexedEntry[],
  ): Promise<Map<string, string>> {
    const rows = await this.#db.query(
      `SELECT id, digest, vector FROM ${this.#schema}.memory_entries
       WHERE repository = $1 AND vector IS NOT NULL AND id = ANY($2)`,
      [repository, [...byId(entries).keys()]],
    );
    return toVectors(rows, { model, entries });
  }

  async keepVectors(
    { repository, model }: VectorsOf,
    vectors: readonly { entry: IndexedEntry; vector: string }[],
  ): Promise<void> {
    // Rows are locked in their order, so that two writers never wait for each other.
    await this.#db.query(
      `UPDATE ${this.#schema}.memory_entries AS kept SET vector = row.vector
       FROM (SELECT e.ord, new.vector
             FROM unnest($2::text[], $3::text[], $4::text[]) AS new (id, digest, vector)
             JOIN ${this.#schema}.memory_entries AS e USING (id, digest)
             WHERE e.repository = $1 ORDER BY e.ord FOR UPDATE OF e) AS row
       WHERE kept.ord = row.ord`,
      [
        repository,
        vectors.map(({ entry }) => plain(entry.id)),
        vectors.map(({ entry }) => digestOf(entry)),
        vectors.map(({ vector }) => toVectorText(model, vector)),
      ],
    );
  }

  async #isAt(sql: Sql, repository: number, head: string): Promise<boolean> {
    const [row] = await sql.query(
      `SELECT head FROM ${this.#schema}.memory_heads WHERE repository = $1`,
      [repository],
    );
    return row !== undefined && text(row, 'head') === head;
  }

  /** Undefined where what is kept is of another head. One statement sees one state: a trip to the server is saved. */
  async #counts(
    { repository, head }: MemoryQuery,
    { scopes, terms }: Wanted,
  ): Promise<Map<string, number> | undefined> {
    const rows = await this.#db.query(
      `SELECT kept.term, kept.entries
       FROM ${this.#schema}.memory_heads AS now
       LEFT JOIN LATERAL (
         SELECT term, sum(entries) AS entries FROM ${this.#schema}.memory_terms
         WHERE scope = ANY($3) AND term = ANY($4) GROUP BY term
       ) AS kept ON true
       WHERE now.repository = $1 AND now.head = $2`,
      [repository, head, scopes, terms],
    );
    if (rows.length === 0) return undefined;
    const found = rows.filter((row) => row['term'] !== null);
    return new Map(found.map((row) => [text(row, 'term'), number(row, 'entries')]));
  }

  /**
   * Undefined where what is kept is of another head. Of the entries that have a token of a probe, the newest count, each
   * once. The probe says how many, as in the embedded store.
   */
  async #candidates(
    { repository, head }: MemoryQuery,
    probes: readonly Probe[],
  ): Promise<Candidate[] | undefined> {
    const rows = await this.#db.query(
      `SELECT found.candidate
       FROM ${this.#schema}.memory_heads AS now
       LEFT JOIN (
       SELECT e.candidate FROM (
         SELECT found.ord, sum(probe.weight) AS score
         FROM unnest($1::text[], $2::float8[], $3::int[]) AS probe (tokens, weight, most)
         CROSS JOIN LATERAL (
           SELECT DISTINCT part * ${PART_SIZE} + unnest(ords[1:probe.most]) AS ord
           FROM ${this.#schema}.memory_tokens WHERE token = ANY (string_to_array(probe.tokens, ' '))
           ORDER BY ord DESC LIMIT probe.most
         ) AS found
         GROUP BY found.ord ORDER BY score DESC, found.ord DESC LIMIT ${CANDIDATES}
       ) AS best JOIN ${this.#schema}.memory_entries AS e USING (ord)
       ) AS found ON true
       WHERE now.repository = $4 AND now.head = $5`,
      [
        probes.map(({ tokens }) => tokens.join(' ')),
        probes.map(({ weight }) => weight),
        probes.map(({ limit }) => limit),
        repository,
        head,
      ],
    );
    if (rows.length === 0) return undefined;
    const found = rows.filter((row) => row['candidate'] !== null);
    return found.map((row) => toCandidate(text(row, 'candidate')));
  }
}

/** Until the end of the transaction nobody else changes what is kept of this repository. */
export async function lockMemory(tx: Sql, schema: string, repository: number): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `memory ${schema} ${repository}`,
  ]);
}

/** Removes entries (all of the repository without `ids`) with all that the index has of them; returns how many. */
export async function deletePostgresEntries(
  tx: Sql,
  schema: string,
  { repository, ids }: { repository: number; ids?: readonly string[] },
): Promise<number> {
  const rows = await tx.query(
    `DELETE FROM ${schema}.memory_entries WHERE repository = $1 AND ($2::text[] IS NULL OR id = ANY($2))
     RETURNING scope, terms`,
    [repository, ids ?? null],
  );
  const sums: Sums = new Map();
  for (const row of rows) {
    const terms: string[] = JSON.parse(text(row, 'terms'));
    addUp(sums, { scope: text(row, 'scope'), terms }, -1);
  }
  await writeSums(tx, schema, sums);
  return rows.length;
}

/** In how many more or fewer entries a term is, by scope and term. */
type Sums = Map<string, { scope: string; term: string; by: number }>;

function addUp(sums: Sums, { scope, terms }: Pick<MemoryRow, 'scope' | 'terms'>, by: 1 | -1): void {
  for (const term of terms) {
    const key = `${scope} ${term}`;
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, { scope, term, by });
    else sum.by += by;
  }
}

async function writeSums(tx: Sql, schema: string, sums: Sums): Promise<void> {
  const rows = [...sums.values()];
  if (rows.length === 0) return;
  await tx.query(
    `INSERT INTO ${schema}.memory_terms AS kept (scope, term, entries)
     SELECT scope, term, by FROM unnest($1::text[], $2::text[], $3::int[]) AS row (scope, term, by)
     ON CONFLICT (scope, term) DO UPDATE SET entries = kept.entries + excluded.entries`,
    [rows.map(({ scope }) => scope), rows.map(({ term }) => term), rows.map(({ by }) => by)],
  );
  const scopes = [...new Set(rows.map(({ scope }) => scope))];
  if (rows.some(({ by }) => by < 0))
    await tx.query(`DELETE FROM ${schema}.memory_terms WHERE scope = ANY($1) AND entries < 1`, [
      scopes,
    ]);
}

function* inBatches<T>(list: readonly T[]): Iterable<T[]> {
  for (let from = 0; from < list.length; from += BATCH) yield list.slice(from, from + BATCH);
}
