/** What a run keeps that asks personas, whether they discuss or not. */
import type { Cap } from '../caps.ts';
import type { Voice } from '../council.ts';
import type { ShownNote } from '../../memory/recall/recalled.ts';
import type { ModelCall } from '../ledger.ts';

/** What the voices were shown, for the readers of the verdict. */
export interface LookedAt {
  files: string[];
  pastIssues: number[];
  notRead: string[];
  hidden: number;
  /** What the team remembered; absent where nothing is remembered, and in what older workers wrote. */
  notes?: ShownNote[];
}

/** Who is asked, what they were shown, and what the model calls cost. */
export interface TeamState {
  lead: Voice | undefined;
  participants: Voice[];
  calls: ModelCall[];
  /** The share of a cap that was used, when people should know. */
  budgetUsed?: { share: number; cap: Cap };
  /** Asked personas whose call a cap refused. */
  isBudgetExhausted: boolean;
  /** The message to people where a limit of the operator refused a call. */
  hostCapNote?: string;
  /** Runs in a row in which the council left the lead's own vote as it was, before this one. */
  unchangedRuns: number;
  lookedAt: LookedAt;
  /** Delimits other people's words in all prompts of this run; never shown to anybody. */
  nonce?: string;
  /** Whether the model that answered was the offline one, for the footer. */
  isOffline: boolean;
  /** Names the model that closed the run, for the footer. */
  model?: string;
}
