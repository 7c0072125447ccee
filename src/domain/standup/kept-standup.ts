/** A standup as the store keeps it, and what a repository keeps from one standup to the next. */
import type { Stances } from '../relations/relations.ts';
import type { TensionBook } from '../tension/tension.ts';
import type { Insight } from './insight.ts';
import type { Answered, Strictness } from './strictness.ts';

/** Reactions of people to a standup's comment. */
export interface Thumbs {
  up: number;
  down: number;
}

/** One standup without its insights. */
export interface StandupEntry {
  /** Numeric id. */
  repository: number;
  /** `owner/name` when it was held, for people: a later name of the repository finds its own standups only. */
  name: string;
  run: string;
  /** Of the issue or pull request; absent where the standup belongs to none. */
  thread?: number;
  /** ISO 8601. */
  at: string;
  /** Commit that citations were checked at. */
  headSha?: string;
  /** Insights that were dropped for citing what does not exist (LS-12). */
  invented: number;
  /** Participants without a readable answer. */
  skipped: number;
  /** Fix cycles of the run that it looked back on. */
  fixCycles: number;
  thumbs: Thumbs;
}

export interface KeptStandup extends Omit<StandupEntry, 'thumbs'> {
  /** Of every participant who answered, type `none` included. */
  insights: readonly Insight[];
}

/** An insight with where and when it was said. */
export interface KeptInsight extends Insight {
  repository: number;
  /** ISO 8601. */
  at: string;
}

/** How hard participants are asked to look, and the answers since that was last changed (LS-11). */
export interface StrictnessRecord extends Answered {
  level: Strictness;
}

/** What is kept of a repository beside its standups, by name. Each is replaced as a whole. */
export interface RepositoryValues {
  tensions: TensionBook;
  relations: Stances;
  strictness: StrictnessRecord;
}

export type ValueName = keyof RepositoryValues;
