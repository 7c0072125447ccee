/** Finds what a persona remembers of the matter at hand. A copy of the memory branch that can be made again at any time. */

export interface MemoryIndex {
  /**
   * Brings the index of one repository to this head of the memory branch; does nothing where it is there already. Entries
   * that did not change are not written again. Of two calls at once the later one wins.
   */
  put(repository: number, head: string, entries: readonly IndexedEntry[]): Promise<void>;
  /**
   * The ids of the best entries for what is at hand, best first. `undefined` where the index has no such head: then put it
   * first. Erased with its repository, see `ports/erasure.ts`.
   */
  find(query: MemoryQuery): Promise<string[] | undefined>;
  /**
   * What was kept of these entries as they are now, by id: an entry whose text changed since has none. Vectors of another
   * model are left out.
   */
  vectors(of: VectorsOf, entries: readonly IndexedEntry[]): Promise<Map<string, string>>;
  /** Keeps vectors until their entry changes or goes. An entry that is not there as it is given is passed over. */
  keepVectors(
    of: VectorsOf,
    vectors: readonly { entry: IndexedEntry; vector: string }[],
  ): Promise<void>;
}

export interface VectorsOf {
  repository: number;
  /** Which model made them. */
  model: string;
}

export interface IndexedEntry {
  /** Unique in its repository; of two with the same one, the last counts. */
  id: string;
  /** A persona's handle, or `team`: found for everybody. */
  persona: string;
  text: string;
  /** Search words that were written with it. */
  words: readonly string[];
  /** Files that it cites. */
  paths: readonly string[];
}

export interface MemoryQuery {
  repository: number;
  /** Of the memory branch. */
  head: string;
  persona: string;
  /** Files at hand, such as those that a change touches. */
  paths: readonly string[];
  /** Texts, words or identifiers as they are: they are split, and words that say nothing are left out. */
  terms: readonly string[];
  limit: number;
}
