/** What a rule about changes is: a name, a weight, a reason, examples, and a function that looks. */
import type { Side } from '../../domain/diff/diff.ts';
import type { Severity } from '../../domain/review/signal.ts';
import type { Finding } from '../../domain/review/finding.ts';
import type { Change, ChangedFile } from './read-change.ts';

/** Areas by which the page of rules groups them. */
export const AREAS = [
  'secrets',
  'hidden text',
  'injection',
  'authentication',
  'cryptography',
  'workflow',
  'supply chain',
  'containers',
  'migrations',
  'error handling',
  'correctness',
  'tests',
  'size and scope',
  'duplication',
  'dead code',
  'leftovers',
  'documentation',
  'accessibility',
] as const;
export type Area = (typeof AREAS)[number];

/** Handles of the default team. */
export type Reviewer = 'maya' | 'priya' | 'dev' | 'carlos';

/** One thing that a rule saw. */
export interface Sighting {
  file: ChangedFile;
  line: number;
  endLine?: number;
  /** RIGHT unless it is about removed lines. */
  side?: Side;
  scope?: Finding['scope'];
  /** One sentence, concrete; without one, the rule's title. */
  title?: string;
  /** Without one, the first line it is about. */
  evidence?: string;
  /** Replacement of the lines, exactly. */
  suggestion?: string;
  severity?: Severity;
  /** What it is about, when that is not the text of its lines. */
  code?: string;
}

/** A change in which a rule finds something, or finds nothing. */
export interface RuleExample {
  /** Path → its lines as a diff shows them: `+` new, `-` removed, a blank for what stays. */
  change: Readonly<Record<string, string>>;
  /** Other files of the repository at the head; given ones make the paths known. */
  repository?: Readonly<Record<string, string>>;
}

/** A rule's name, weight and words. */
export interface RuleWords {
  /** Stable, kebab-case. */
  id: string;
  area: Area;
  severity: Severity;
  personas: readonly Reviewer[];
  /** What is wrong, one sentence; for findings that say no more. */
  title: string;
  /** Why it matters. */
  explanation: string;
  /** What to do about it. */
  advice: string;
}

export interface ReviewRule extends RuleWords {
  examples: { yes: readonly RuleExample[]; no: readonly RuleExample[] };
  /** Total and linear. Precision comes first: a rule that is unsure stays silent. */
  find: (change: Change) => readonly Sighting[];
}

/** An example in one file. */
export function inFile(path: string, marked: string): RuleExample {
  return { change: { [path]: marked } };
}
