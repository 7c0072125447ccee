/** Finding, exporting and erasing what is kept of an installation, a repository, a person, a thread or a comment. */
import type { ErasedRows, ErasureTarget } from '../domain/tenant/erasure-target.ts';

/** One row as the store has it: column names with their values, JSON columns parsed. */
export interface KeptRow {
  table: 'events' | 'effects' | 'states' | 'ledger' | 'memory' | StandupTable;
  row: Readonly<Record<string, unknown>>;
}

type StandupTable = 'standups' | 'insights' | 'repository_values';

/** A name that people know, for which the store knows numeric ids. */
export type KnownName = { repository: string } | { login: string };

/** What the store has of something. */
export interface KeptData {
  /** Keys of all streams that have a row, or of those whose key begins so. */
  keys(start?: string): Promise<string[]>;
  /** Numeric ids of what was ever called so, upper and lower case alike. */
  find(name: KnownName): Promise<number[]>;
  /** Every login under which this person was seen. */
  logins(userId: number): Promise<string[]>;
  /** The rows that {@link Erasure.erase} would delete or change. */
  count(target: ErasureTarget): Promise<ErasedRows>;
  /** Everything that is kept of it. */
  rows(target: ErasureTarget): AsyncIterable<KeptRow>;
}

/** Erases permanently: the store's own copies only, not backups. */
export interface Erasure {
  /**
   * Deletes the rows of a repository's streams, waiting ones too; a worker that holds one is refused when it settles
   * it. Elsewhere (shared streams, a person, a comment) finished rows lose their content. Waiting rows and states lose
   * only the text. Repeating it is safe.
   */
  erase(target: ErasureTarget): Promise<ErasedRows>;
  /** Deletes what is older than its retention; returns how many rows. */
  expire(): Promise<number>;
  /**
   * Gives the space of what was deleted back, so that no free page, index or log has any of it. Entries of memory that
   * went with a new head are covered. Takes long in a large store, and does nothing where nothing was deleted since.
   */
  compact(): Promise<void>;
}

/** What is on this machine's disk for a repository: its mirror, its worktrees, and what was installed for it. */
export interface KeptFiles {
  /** Numeric ids of the repositories that have any. */
  repositories(): Promise<number[]>;
  of(repositoryId: number): Promise<{ path: string; bytes: number }[]>;
  /** Returns how many folders were removed. */
  erase(repositoryId: number): Promise<number>;
}
