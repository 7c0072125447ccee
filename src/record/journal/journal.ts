/** The journal of a thread as a value: who said and did what, in the order in which it happened. */
import type { CostRow } from '../costs.ts';

export interface Journal {
  /** `owner/repo#12`. */
  thread: string;
  title: string;
  state: 'open' | 'closed';
  /** ISO 8601, of the first and the last entry. */
  from: string;
  to: string;
  /** Where earlier events were deleted: when the first one that is left happened. */
  missingBefore?: string;
  /** Logins whose approval work rests on. */
  approvedBy: string[];
  branches: string[];
  pulls: JournalPull[];
  /** Provider's ids, in the order of their first use. */
  models: string[];
  entries: JournalEntry[];
  costs: CostRow[];
}

export interface JournalPull {
  number: number;
  task?: number;
  isMerged: boolean;
}

export interface JournalEntry {
  /** ISO 8601. */
  at: string;
  /** What it is about, for readers that look for one kind. */
  kind: EntryKind;
  /** One or two sentences, Markdown. */
  text: string;
  /** Lines of a list below it, Markdown. */
  lines?: string[];
  /** Somebody's own words, cleaned. */
  quote?: string;
}

export type EntryKind =
  | 'person'
  | 'planning'
  | 'approval'
  | 'model'
  | 'discussion'
  | 'task'
  | 'question'
  | 'gates'
  | 'pull'
  | 'review'
  | 'merge'
  | 'memory'
  | 'failure'
  | 'close';
