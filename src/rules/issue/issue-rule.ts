/** What a rule about issues is: a name, a weight, a reason, and a function that looks. */
import type { Place, Severity } from '../../domain/review/signal.ts';
import type { PastIssue } from '../../domain/run/view.ts';
import type { Reading } from './read-issue.ts';

/** Handles of the default team and words that find others by their lens and domains. */
export type Concern =
  | 'maya'
  | 'priya'
  | 'dev'
  | 'carlos'
  | 'security'
  | 'quality'
  | 'implementation'
  | 'architecture'
  | 'product'
  | 'docs'
  | 'accessibility';

export interface Finding {
  /** One sentence, concrete. */
  title: string;
  /** What was seen. */
  evidence: string;
  place?: Place;
  issue?: PastIssue;
  suggestion?: string;
  /** When this finding weighs other than the rule. */
  severity?: Severity;
}

export interface IssueRule {
  /** Stable, kebab-case. */
  id: string;
  severity: Severity;
  concerns: readonly Concern[];
  /** Why it matters, for people who ask what the rule is for. */
  explanation: string;
  /** Total and linear. Precision comes first: a rule that is unsure stays silent. */
  find: (reading: Reading) => readonly Finding[];
}
