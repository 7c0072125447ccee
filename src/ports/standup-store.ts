/** Keeps standups with their insights, and what a repository carries from one to the next. Erased with the repository. */
import type { InsightType } from '../domain/standup/insight.ts';
import type {
  KeptInsight,
  KeptStandup,
  RepositoryValues,
  StandupEntry,
  Thumbs,
  ValueName,
} from '../domain/standup/kept-standup.ts';

export interface StandupStore {
  /** Durable when it resolves. `known`: this run has one already, and nothing is written. */
  save(standup: KeptStandup): Promise<'saved' | 'known'>;
  /** Replaces the reactions to a run's standup; does nothing for a run without one. */
  rate(of: { repository: number; run: string }, thumbs: Thumbs): Promise<void>;
  /** Newest first. */
  standups(filter: StandupFilter): Promise<StandupEntry[]>;
  /** Newest first; those of one answer in the order in which they were said. */
  insights(filter: InsightFilter): Promise<InsightPage>;
  /** Ids of the repositories that were called so when a standup was held, upper and lower case alike. */
  repositories(name: string): Promise<number[]>;
  /** Undefined when nothing was stored: its version counts as 0. */
  load<K extends ValueName>(repository: number, name: K): Promise<VersionedValue<K> | undefined>;
  /** Saves only where the stored version is still `expected`; false otherwise: then load it and change it again. */
  replace<K extends ValueName>(
    repository: number,
    name: K,
    change: { expected: number; value: RepositoryValues[K] },
  ): Promise<boolean>;
}

export interface VersionedValue<K extends ValueName> {
  version: number;
  value: RepositoryValues[K];
}

export interface StandupFilter {
  /** Of any of them; of all when absent. */
  repositories?: readonly number[];
  run?: string;
  limit: number;
}

export interface InsightFilter extends StandupFilter {
  type?: InsightType;
  /** Only those before this position: {@link InsightPage.next} of the page before. */
  before?: number;
}

export interface InsightPage {
  insights: KeptInsight[];
  /** Of the filter without its limit and position. */
  total: number;
  /** Of these, answers without a tension. */
  noTension: number;
  /** Position of the next page; absent on the last one. */
  next?: number;
}
