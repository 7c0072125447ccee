/** The code watch's words: what code found in a whole repository, and what was read to find it. */
import type { ErrorCode } from '../event/error-codes.ts';
import type { Severity } from '../review/signal.ts';
import type { IssueOutcome } from '../github/issue-outcome.ts';
import type { SecretSighting } from '../secrets/secret-text.ts';
import type { SourceFile } from '../run/view.ts';

/** Files of a repository at one commit, as far as they were read, and what is known around them. */
export interface WatchedCode {
  /** Every path at the commit; possibly cut. */
  paths: readonly string[];
  files: readonly SourceFile[];
  /** Whether every file that matters was read whole: only then may a rule report that something is nowhere. */
  isWhole: boolean;
  /** What the detector of credentials found, by path. */
  secrets: Readonly<Record<string, readonly SecretSighting[]>>;
  /** Numbers of issues that are closed, as far as they were read. */
  closedIssues: readonly number[];
  /** ISO 8601, to tell which dates have passed. */
  today: string;
  /** File or folder that was asked about; everything when empty. */
  path: string;
  /** Names of findings that were raised or judged before. */
  known: readonly string[];
}

export interface CandidatePlace {
  path: string;
  line: number;
  endLine?: number;
  /** What is wrong there, one sentence. */
  title: string;
  /** What was seen: quoted code, a name, a count. */
  evidence: string;
}

/** Something in the code that may be worth an issue: findings of one kind in one file. */
export interface Candidate {
  /** Short names of the findings that it is made of: what was raised under one of them is not raised again. */
  names: string[];
  ruleId: string;
  severity: Severity;
  /** How often what the rule says is so, from 0 to 1. */
  certainty: number;
  /** One sentence, without its place. */
  title: string;
  /** Why it matters, and the smallest step, as the rule has them. */
  why: string;
  step: string;
  /** Handles of those whom it concerns, most concerned first. */
  personas: string[];
  /** Worst first. */
  places: CandidatePlace[];
  /** The code around the first places, credentials removed, for the model or person that judges it. */
  excerpts: { path: string; line: number; text: string }[];
  /** Whether telling it in public would hand something to strangers. */
  isConfidential: boolean;
}

/** What one severity is worth in another's: so much that certainty decides between neighbours only. */
const WEIGHT: Readonly<Record<Severity, number>> = {
  critical: 8,
  high: 4,
  medium: 2,
  low: 1,
  info: 0,
};

/** How much a finding is worth somebody's time, from 0 to 8: how bad it is, by how often such a rule is right. */
export function worthOf({
  severity,
  certainty,
}: Pick<Candidate, 'severity' | 'certainty'>): number {
  return WEIGHT[severity] * certainty;
}

/** What a search of the code brought. */
export interface WatchFindings {
  /** Best first: severity by certainty. */
  candidates: Candidate[];
  /** Candidates beyond the best, by rule. */
  left: { ruleId: string; count: number }[];
  /** Findings that were raised or judged before. */
  known: number;
  /** Files that were not searched, each with why. */
  notRead: string[];
}

/** Searches the code; the host lends the analysers, and lets other work through between two files. */
export type SearchCode = (code: WatchedCode, limit: number) => Promise<WatchFindings>;

/** An issue that the code watch opened before. */
export interface RaisedIssue {
  number: number;
  title: string;
  state: 'open' | 'closed';
  /** Labels, to count those that are open. */
  labels: string[];
}

/** What was read of a repository's code and found in it, and what was raised before. */
export interface CodeView extends WatchFindings {
  /** How many files were read, and how many of them are what was asked about. */
  files: number;
  asked: number;
  raised: RaisedIssue[];
}

/** What became of a candidate, when somebody judged it. */
export interface Judgement {
  /** APPROVE: worth an issue. CHANGES: not worth one. HUMAN: only a person can know. */
  word: 'APPROVE' | 'CHANGES' | 'HUMAN';
  /** 0 to 1. */
  confidence: number;
  headline: string;
  /** Why it matters, or why it does not. */
  reasons: string;
  /** The smallest step, as the judge has it. */
  step?: string;
  question?: string;
}

/** A candidate on its way: judged, then opened. */
export interface WatchedCandidate {
  candidate: Candidate;
  /** The effect that is waited for. */
  effectId: string;
  judgement?: Judgement;
  /** Why nobody judged it, or it was not opened: an error's code. */
  failure?: ErrorCode;
  /** The issue that is about it now; `full` when there was no room for one. */
  issue?: { outcome: IssueOutcome['outcome']; number?: number };
}

/** What only a run of the code watch keeps. */
export interface WatchState {
  /** File or folder that was asked about; everything when empty. */
  path: string;
  candidates: WatchedCandidate[];
  /** Issues that may be opened, when the run began. */
  room: number;
  /** Open issues of the code watch, when the run began. */
  open: RaisedIssue[];
  /** Candidates that are not told where everybody reads. */
  withheld: number;
  left: WatchFindings['left'];
  known: number;
  /** Files of what was asked about. */
  files: number;
}

/** The prefix before the names of findings in the key of an issue's marker. */
const KEY_START = 'watch-';

/** The key of the marker of an issue about a candidate. */
export function toWatchKey({ names }: Pick<Candidate, 'names'>): string {
  return KEY_START + names.join('.');
}

/** The names in the key of a marker; undefined for issues that are not the code watch's. */
export function namesInKey(key: string): string[] | undefined {
  return key.startsWith(KEY_START) ? key.slice(KEY_START.length).split('.') : undefined;
}
