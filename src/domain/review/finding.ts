/** What is wrong with a change, at a place in it, from any source: the vocabulary of a review. */
import { codeSpan } from '../text/code-span.ts';
import type { Side } from '../diff/diff.ts';
import type { Severity } from './signal.ts';

/** Worst first. */
export const SEVERITIES: readonly Severity[] = ['critical', 'high', 'medium', 'low', 'info'];

export interface Finding {
  /** Stable id of the rule, kebab-case; a model's own finding has `model/<lens>`. */
  ruleId: string;
  severity: Severity;
  /** At the head of the change; for removed lines, at its base. */
  path: string;
  /** 1-based, on `side`. */
  line: number;
  /** Last line, when there is more than one. */
  endLine?: number;
  side: Side;
  /** What it is about. Only `line` belongs on a line; the others go into the review's body. */
  scope: 'line' | 'file' | 'change';
  /** Handles of those who found it or whom it concerns, most concerned first. */
  personas: string[];
  /** What is wrong, one sentence. */
  title: string;
  /** What was seen: quoted code, a name, a count. Credentials are never quoted. */
  evidence: string;
  /** Whether `evidence` is no more than the code at the place: a comment on that code does not repeat it. */
  isQuote?: true;
  /** Why it matters, one sentence or two. */
  why?: string;
  /** Text that replaces the lines `line` to `endLine`, newline left off; empty deletes them. */
  suggestion?: string;
  /** What to do, where no replacement can be written. */
  advice?: string;
  /** Survives line moves, whitespace and renames inside the change. */
  fingerprint: string;
  /** Digest of the code it is about, to tell whether that code is still there. */
  context: string;
  source: 'signal' | 'model';
  /** Ids of remembered notes that led to it. */
  memory?: string[];
}

export function severityRank(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}

/** Whether a severity is as bad as a threshold, or worse. */
export function isAtLeast(severity: Severity, threshold: Severity): boolean {
  return severityRank(severity) <= severityRank(threshold);
}

/** Worst first, then what code found before what a model did, then by place: a total order. */
export function compareFindings(a: Finding, b: Finding): number {
  return (
    severityRank(a.severity) - severityRank(b.severity) ||
    Number(a.source === 'model') - Number(b.source === 'model') ||
    compareText(a.path, b.path) ||
    a.line - b.line ||
    compareText(a.ruleId, b.ruleId) ||
    compareText(a.fingerprint, b.fingerprint)
  );
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

export interface CappedFindings {
  shown: Finding[];
  /** The others, in order: nothing is dropped silently. */
  rest: Finding[];
}

/** The worst `max` findings, and the rest. */
export function capFindings(findings: readonly Finding[], max: number): CappedFindings {
  const ordered = findings.toSorted(compareFindings);
  return { shown: ordered.slice(0, max), rest: ordered.slice(max) };
}

/** `1 high, 2 medium`: how many of each severity, worst first; empty for none. */
export function countSeverities(found: readonly { severity: Severity }[]): string {
  return SEVERITIES.map((severity) => ({
    severity,
    count: found.filter((each) => each.severity === severity).length,
  }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => `${count} ${severity}`)
    .join(', ');
}

/** One line that names what was capped: how many of which severity, and where. */
export function renderRest(rest: readonly Finding[]): string {
  if (rest.length === 0) return '';
  const paths = [...new Set(rest.map(({ path }) => path))];
  const more = paths.length > 5 ? ` and ${paths.length - 5} more files` : '';
  const named = paths.slice(0, 5).map(codeSpan);
  return `${countSeverities(rest)} more in ${named.join(', ')}${more}`;
}
