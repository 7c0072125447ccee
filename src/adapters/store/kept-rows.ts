/** The rows that an erasure works on, as both stores give them. */
import type { ErasedRows } from '../../domain/tenant/erasure-target.ts';
import type { KeptRow } from '../../ports/erasure.ts';

/** An event or effect that still has its content. */
export interface WorkRow {
  table: 'events' | 'effects';
  id: string;
  key: string;
  status: string;
  data: string;
  reason: string | null;
}

export interface StateRow {
  key: string;
  version: number;
  value: string;
}

export interface StreamRows {
  work: WorkRow[];
  states: StateRow[];
}

/** Calls of these repositories; of an installation also those whose repository was erased before. */
export interface CallsOf {
  repositories: number[];
  installations: number[];
}

/** What one transaction of an erasure writes. */
export interface Changes {
  /** Streams that are deleted. */
  streams: string[];
  /** Rows of the ledger that keep their amounts only. */
  calls: CallsOf;
  /** Settled rows that lose their content, as after their retention. */
  blanked: Pick<WorkRow, 'table' | 'id'>[];
  /** Rows with their new content. */
  rewritten: Pick<WorkRow, 'table' | 'id' | 'data' | 'reason'>[];
  /** Saved only where the version is still this one. */
  states: StateRow[];
  /** States that are deleted, of streams that stay. */
  droppedStates: string[];
  /** Repositories whose index of memory is deleted. */
  memory: number[];
  /** Repositories whose standups, and what is kept beside them, are deleted. */
  standups: number[];
  /** Rows of standups with their new content. */
  standupTexts: StandupText[];
}

/** A row of standups with text in it. It is written only where it still is what was read. */
export interface StandupText {
  table: 'standups' | 'insights' | 'repository_values';
  /** Of standups and insights. */
  ord?: number;
  /** Of a value that a repository keeps. */
  repository?: number;
  name?: string;
  read: string;
  /** Absent where the row is deleted. */
  written?: string;
}

/** What a store does for {@link StoreErasure}. */
export interface ErasableRows {
  /** Of all streams whose key begins so. */
  keys(start: string): Promise<string[]>;
  /** Keys of streams with a row that contains one of these texts, upper and lower case alike. */
  keysWith(texts: readonly string[]): Promise<string[]>;
  read(key: string): Promise<StreamRows>;
  /** Rows of these streams, and these calls of the ledger. */
  count(keys: readonly string[], calls: CallsOf): Promise<ErasedRows>;
  /** The same rows in full. */
  rows(keys: readonly string[], calls: CallsOf): AsyncIterable<KeptRow>;
  /** In one transaction. A state that moved on is left for the next round. Does not touch memory and standups. */
  write(changes: Changes): Promise<ErasedRows>;
  readonly memory: ErasableMemory;
  readonly standups: ErasableStandups;
}

/** The index of memory, by repository. */
export interface ErasableMemory {
  /** Those of these repositories that have any of it. */
  repositories(among: readonly number[]): Promise<number[]>;
  count(repositories: readonly number[]): Promise<number>;
  rows(repositories: readonly number[]): AsyncIterable<KeptRow>;
  /** Returns how many entries were deleted. */
  erase(repositories: readonly number[]): Promise<number>;
}

/** Standups and what is kept beside them, by repository. */
export interface ErasableStandups extends ErasableMemory {
  /** Rows that contain one of these texts, upper and lower case alike. */
  with(texts: readonly string[]): Promise<StandupText[]>;
  /** Standups of a thread with their insights, and the repository's tensions, where there are any. */
  ofThread(of: { repositoryId: number; number: number }): Promise<StandupText[]>;
  /** Returns how many rows were written or deleted. */
  write(texts: readonly StandupText[]): Promise<number>;
}

/** What the ledger keeps of a call whose repository was erased. */
export const ANONYMOUS = 'erased';

export const NO_CALLS: CallsOf = { repositories: [], installations: [] };

/** The repository of a call that was erased: no repository has this id. */
export const NO_REPOSITORY = 0;

/** Whether an installation is erased with all of its calls: else its caps go on counting what was spent. */
export function losesInstallation({ installations }: CallsOf): boolean {
  return installations.length > 0;
}

/** What a call cost, without where and for whom it was made. */
export function withoutNames(entry: string, calls: CallsOf): string {
  const { installationId, person: _, ...kept }: Record<string, unknown> = JSON.parse(entry);
  const names = {
    id: ANONYMOUS,
    repositoryId: NO_REPOSITORY,
    key: ANONYMOUS,
    run: ANONYMOUS,
    persona: ANONYMOUS,
  };
  const isKept = installationId !== undefined && !losesInstallation(calls);
  return JSON.stringify({ ...kept, ...names, ...(isKept && { installationId }) });
}
