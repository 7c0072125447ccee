/** The index of memory in the embedded store: FTS5 finds who shares terms or files, `rankMemory` decides. */
import { rankMemory, type Candidate } from '../../../../domain/memory/recall/rank-memory.ts';
import type {
  IndexedEntry,
  MemoryIndex,
  MemoryQuery,
  VectorsOf,
} from '../../../../ports/memory-index.ts';
import type { OnTrouble } from '../../../../ports/store.ts';
import { storeDown } from '../../failures.ts';
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
  type Probe,
  type Wanted,
} from '../../memory-rows.ts';
import { number, plain, requireRepository, text } from '../../row.ts';
import type { GroupCommit } from '../group-commit.ts';
import { isAway, type Sql } from '../sql.ts';
import { deleteSqliteEntries, mergeSearch } from './sqlite-memory-search.ts';

/** Entries of one transaction: the event loop is free between two of them. */
const BATCH = 100;

export interface MemoryIndexParts {
  sql: Sql;
  commits: GroupCommit;
  onTrouble: OnTrouble;
}

export class SqliteMemoryIndex implements MemoryIndex {
  readonly #sql: Sql;
  readonly #commits: GroupCommit;
  readonly #onTrouble: OnTrouble;
  /** The last call of each repository: a second one would mix its batches with those of the first. */
  readonly #puts = new Map<number, Promise<void>>();

  constructor({ sql, commits, onTrouble }: MemoryIndexParts) {
    this.#sql = sql;
    this.#commits = commits;
    this.#onTrouble = onTrouble;
  }

  async put(repository: number, head: string, entries: readonly IndexedEntry[]): Promise<void> {
    requireRepository(repository);
    const before = this.#puts.get(repository) ?? Promise.resolve();
    const mine = before.catch(() => undefined).then(() => this.#put(repository, head, entries));
    this.#puts.set(repository, mine);
    try {
      await mine;
    } finally {
      if (this.#puts.get(repository) === mine) this.#puts.delete(repository);
    }
  }

  async #put(repository: number, head: string, entries: readonly IndexedEntry[]): Promise<void> {
    if (read(() => this.#isAt(repository, head))) return;
    const wanted = byId(entries);
    const { gone, kept } = read(() => this.#compare(repository, wanted));
    const added = [...wanted.values()].filter((_, at) => !kept.has(at));
    const isChanged = gone.length + added.length > 0;
    // While it is between two heads it has neither.
    if (isChanged) await this.#write(() => this.#dropHead(repository));
    for (const ids of inBatches(gone)) await this.#write(() => this.#remove(repository, ids));
    for (const some of inBatches(added)) await this.#write(() => this.#add(repository, some));
    await this.#write(() => {
      this.#sql.run(
        `INSERT INTO memory_heads (repository, head) VALUES (?, ?)
         ON CONFLICT (repository) DO UPDATE SET head = excluded.head`,
        repository,
        head,
      );
    });
    if (isChanged) await this.#merge();
  }

  /** Failed, it is done again after the next change: the entries are there and are found all the same. */
  async #merge(): Promise<void> {
    try {
      await mergeSearch(this.#sql, this.#commits);
    } catch (error) {
      this.#onTrouble(error, 'merge the index of memory');
    }
  }

  #write(run: () => void): Promise<void> {
    return this.#commits.submit({ run });
  }

  #dropHead(repository: number): void {
    this.#sql.run('DELETE FROM memory_heads WHERE repository = ?', repository);
  }

  /** Rows that are not wanted as they are, and the positions of what need not be written. */
  #compare(
    repository: number,
    wanted: ReadonlyMap<string, IndexedEntry>,
  ): { gone: string[]; kept: Set<number> } {
    const places = new Map([...wanted.keys()].map((id, at) => [id, at]));
    const gone: string[] = [];
    const kept = new Set<number>();
    const rows = this.#sql.all(
      'SELECT id, digest FROM memory_entries WHERE repository = ?',
      repository,
    );
    for (const row of rows) {
      const id = text(row, 'id');
      const entry = wanted.get(id);
      if (entry !== undefined && digestOf(entry) === text(row, 'digest'))
        kept.add(places.get(id) ?? -1);
      else gone.push(id);
    }
    return { gone, kept };
  }

  #remove(repository: number, ids: readonly string[]): void {
    const list = JSON.stringify(ids);
    deleteSqliteEntries(this.#sql, 'repository = ? AND id IN (SELECT value FROM json_each(?))', [
      repository,
      list,
    ]);
  }

  #add(repository: number, entries: readonly IndexedEntry[]): void {
    for (const entry of entries) {
      const row = toMemoryRow(repository, entry);
      const tokens = row.tokens.join(' ');
      const terms = JSON.stringify(row.terms);
      const [{ ord = 0 } = {}] = this.#sql.all(
        `INSERT INTO memory_entries (repository, id, scope, digest, tokens, terms, candidate)
         VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING ord`,
        repository,
        row.id,
        row.scope,
        row.digest,
        tokens,
        terms,
        row.candidate,
      );
      this.#sql.run('INSERT INTO memory_search (rowid, tokens) VALUES (?, ?)', Number(ord), tokens);
      this.#sql.run(
        `INSERT INTO memory_terms (scope, term, entries) SELECT ?, value, 1 FROM json_each(?) WHERE TRUE
         ON CONFLICT (scope, term) DO UPDATE SET entries = entries + 1`,
        row.scope,
        terms,
      );
    }
  }

  async find(query: MemoryQuery): Promise<string[] | undefined> {
    return read(() => {
      if (!this.#isAt(query.repository, query.head)) return undefined;
      const wanted = toWanted(query);
      const matter = toMatter(wanted, this.#counts(wanted));
      const candidates = this.#candidates(this.#best(toProbes(wanted, matter)));
      return rankMemory(candidates, matter).slice(0, Math.max(0, query.limit));
    });
  }

  async vectors(
    { repository, model }: VectorsOf,
    entries: readonly IndexedEntry[],
  ): Promise<Map<string, string>> {
    const ids = JSON.stringify([...byId(entries).keys()]);
    const rows = read(() =>
      this.#sql.all(
        `SELECT id, digest, vector FROM memory_entries
         WHERE repository = ? AND vector IS NOT NULL AND id IN (SELECT value FROM json_each(?))`,
        repository,
        ids,
      ),
    );
    return toVectors(rows, { model, entries });
  }

  async keepVectors(
    { repository, model }: VectorsOf,
    vectors: readonly { entry: IndexedEntry; vector: string }[],
  ): Promise<void> {
    await this.#write(() => {
      for (const { entry, vector } of vectors)
        this.#sql.run(
          'UPDATE memory_entries SET vector = ? WHERE repository = ? AND id = ? AND digest = ?',
          toVectorText(model, vector),
          repository,
          plain(entry.id),
          digestOf(entry),
        );
    });
  }

  #isAt(repository: number, head: string): boolean {
    const row = this.#sql.get('SELECT head FROM memory_heads WHERE repository = ?', repository);
    return row !== undefined && text(row, 'head') === head;
  }

  #counts({ scopes, terms }: Wanted): Map<string, number> {
    const rows = this.#sql.all(
      `SELECT term, sum(entries) AS entries FROM memory_terms
       WHERE scope IN (SELECT value FROM json_each(?)) AND term IN (SELECT value FROM json_each(?)) GROUP BY term`,
      JSON.stringify(scopes),
      JSON.stringify(terms),
    );
    return new Map(rows.map((row) => [text(row, 'term'), number(row, 'entries')]));
  }

  /** Rows with the largest sums; FTS5's own ranking took five times as long. */
  #best(probes: readonly Probe[]): number[] {
    const sums = new Map<number, number>();
    for (const { tokens, weight, limit } of probes) {
      const rows = this.#sql.all(
        'SELECT rowid FROM memory_search WHERE memory_search MATCH ? ORDER BY rowid DESC LIMIT ?',
        anyOf(tokens),
        limit,
      );
      for (const row of rows) {
        const ord = number(row, 'rowid');
        sums.set(ord, (sums.get(ord) ?? 0) + weight);
      }
    }
    const best = [...sums].toSorted(([a, ofA], [b, ofB]) => ofB - ofA || b - a);
    return best.slice(0, CANDIDATES).map(([ord]) => ord);
  }

  #candidates(ords: readonly number[]): Candidate[] {
    return this.#sql
      .all(
        'SELECT candidate FROM memory_entries WHERE ord IN (SELECT value FROM json_each(?))',
        JSON.stringify(ords),
      )
      .map((row) => toCandidate(text(row, 'candidate')));
  }
}

/** Tokens are letters and digits; quoted, none of them is an operator. */
function anyOf(tokens: readonly string[]): string {
  return tokens.map((token) => `"${token}"`).join(' OR ');
}

function* inBatches<T>(list: readonly T[]): Iterable<T[]> {
  for (let from = 0; from < list.length; from += BATCH) yield list.slice(from, from + BATCH);
}

function read<T>(query: () => T): T {
  try {
    return query();
  } catch (error) {
    throw isAway(error) ? storeDown(error) : error;
  }
}
