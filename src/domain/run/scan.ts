/** Scans of text that strangers wrote: what is given to them, and what they bring. Persisted as part of results. */
import type { Evidence } from './evidence.ts';
import type { Finding } from '../review/finding.ts';
import type { PullView } from '../review/review.ts';
import type { Persona } from '../persona/persona.ts';
import type { Viewed } from '../standup/inventions.ts';
import type { StandupRecord } from '../standup/look-back/record.ts';
import type { StandupAnswer } from '../standup/standup-answer.ts';
import type { IssueView } from './view.ts';
import type { WatchedCode, WatchFindings } from '../repository/watched-code.ts';

/** What is scanned of a pull request. */
export type ScannedChange = Pick<
  PullView,
  'diff' | 'basePaths' | 'head' | 'secrets' | 'attributes'
> & { config: Pick<PullView['config'], 'paths'> };

/** What rules find in a change. */
export interface ChangeSignals {
  /** Worst first. */
  findings: Finding[];
  /** Files that were not read, each with why, and problems of the diff itself. */
  notRead: string[];
}

/** What each kind of scan is given, and what it brings. */
export interface Scans {
  /** An issue against its repository; `about` is a question, or a wish, that is looked for too. */
  issue: { input: { view: IssueView; about?: string }; output: IssueScan };
  change: { input: ScannedChange; output: ChangeSignals };
  code: { input: { code: WatchedCode; limit: number }; output: WatchFindings };
  /** What rules find in a run that is over, as each participant would answer, by handle. */
  standup: {
    input: { record: StandupRecord; viewed: Viewed; team: readonly StandupVoice[] };
    output: Record<string, StandupAnswer>;
  };
}

/** What rules go by to decide whose a tension is. */
export type StandupVoice = Pick<Persona, 'handle' | 'role' | 'lens' | 'domains' | 'overwatch'>;

export type ScanKind = keyof Scans;

/** The evidence of a deliberation, a plan and an answer differ in what they look for: each has its own. */
export interface IssueScan {
  evidence: Evidence;
  /** With the wish in front of the issue, where there was one. */
  wished?: Evidence;
  /** About the question alone, where there was one. */
  asked?: Evidence;
}

/** What became of a scan. One that was not read says nothing of what it was given: it must never pass for no findings. */
export type Scanned<T> = { kind: 'read'; found: T } | { kind: 'not-read'; reason: string };
