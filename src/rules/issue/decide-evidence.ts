/** Turns what was read of an issue and its repository into the facts that every voice rests on. */
import type { Evidence } from '../../domain/run/evidence.ts';
import type { Signal } from '../../domain/review/signal.ts';
import type { IssueView } from '../../domain/run/view.ts';
import { toLine } from './quote.ts';
import { readIssue } from './read-issue.ts';
import type { Reading } from './read-issue.ts';
import type { Finding, IssueRule } from './issue-rule.ts';
import { CLARITY_RULES } from './rules/clarity-rules.ts';
import { HISTORY_RULES } from './rules/history-rules.ts';
import { REPORT_RULES } from './rules/report-rules.ts';
import { REPOSITORY_RULES } from './rules/repository-rules.ts';
import { RISK_RULES } from './rules/risk-rules.ts';
import { decideSize, SIZE_RULES } from './size.ts';

/** Every rule about issues, each id once. */
export const ISSUE_RULES: readonly IssueRule[] = [
  ...REPORT_RULES,
  ...CLARITY_RULES,
  ...REPOSITORY_RULES,
  ...HISTORY_RULES,
  ...RISK_RULES,
  ...SIZE_RULES,
];

const ORDER = ['critical', 'high', 'medium', 'low', 'info'] as const;
const MAX_EXCERPT = 600;
const MAX_ANSWERS = 20;

function toSignal(rule: IssueRule, finding: Finding): Signal {
  const { issue, severity, evidence, ...rest } = finding;
  return {
    ruleId: rule.id,
    severity: severity ?? rule.severity,
    concerns: [...rule.concerns],
    ...rest,
    // A quote inside a sentence ends without its own full stop.
    evidence: evidence.replace(/\."$/, '"'),
    ...(issue === undefined
      ? {}
      : { issue: { number: issue.number, title: toLine(issue.title, 120), state: issue.state } }),
  };
}

function signalsOf(reading: Reading): Signal[] {
  const found = ISSUE_RULES.flatMap((rule) => rule.find(reading).map((one) => toSignal(rule, one)));
  return found.toSorted((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
}

/** What was asked for is read with the issue: code looks for its files too. */
export function withWish(view: IssueView, wish: string): IssueView {
  if (wish === '') return view;
  return { ...view, issue: { ...view.issue, body: `${wish}\n\n${view.issue.body}` } };
}

/**
 * Reads an issue against its repository and its past issues. Pure, deterministic, linear in what was read.
 * Only visible text counts, and no credential is ever repeated.
 */
export function decideEvidence(view: IssueView): Evidence {
  const reading = readIssue(view);
  const { ground } = reading;
  return {
    subject: reading.subject,
    number: view.issue.number,
    title: toLine(reading.title, 200),
    excerpt: toLine(reading.prose, MAX_EXCERPT),
    ...(reading.decision === undefined ? {} : { decision: reading.decision }),
    hidden: reading.hidden,
    signals: signalsOf(reading),
    files: ground.files,
    symbols: ground.symbols,
    tests: ground.tests,
    missing: [...ground.missingPaths.map(({ path }) => path), ...ground.missingSymbols],
    relatedIssues: reading.related.map(({ issue, score, sharedTerms }) => ({
      number: issue.number,
      title: toLine(issue.title, 120),
      state: issue.state,
      score,
      sharedTerms,
    })),
    size: decideSize(reading),
    answers: reading.answers.slice(-MAX_ANSWERS),
    positions: [],
    notRead: view.notRead,
  };
}
