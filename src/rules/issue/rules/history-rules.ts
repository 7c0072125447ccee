/** Rules about past issues: the same thing asked before, refused before, or fixed before. */
import type { PastIssue } from '../../../domain/run/view.ts';
import type { Reading } from '../read-issue.ts';
import { isSame, SAME } from '../related.ts';
import type { Related } from '../related.ts';
import type { Finding, IssueRule } from '../issue-rule.ts';

const SAYS_DUPLICATE =
  /\b(?:duplicate(?: of)?|same (?:as|issue as|problem as)|dup(?:e)? of|already (?:reported|tracked) (?:in|as|at))\s{0,9}:?\s{0,9}#(\d{1,7})/i;
const REFUSED =
  /^(?:wontfix|won't fix|declined|rejected|not[ -]planned|invalid|out[ -]of[ -]scope)$/i;

function isRefused({ stateReason, labels }: PastIssue): boolean {
  return stateReason === 'not_planned' || labels.some((label) => REFUSED.test(label));
}

/** The older one keeps its place; an issue is never the duplicate of a later one. */
function same(reading: Reading): Related[] {
  return reading.related.filter(
    (one) => isSame(one) && one.issue.number < reading.view.issue.number,
  );
}

/** A duplicate that a person with a say, or the author, names. */
function declared({ said, view }: Reading): PastIssue | undefined {
  const number = Number(SAYS_DUPLICATE.exec(said)?.[1]);
  return view.pastIssues.find((issue) => issue.number === number && number !== view.issue.number);
}

function toFinding({ issue, sharedTerms }: Related, title: string): Finding {
  return {
    title,
    evidence: `"${issue.title}"; both say ${sharedTerms
      .slice(0, 5)
      .map((term) => `"${term}"`)
      .join(', ')}`,
    issue,
  };
}

function duplicates(reading: Reading, state: 'open' | 'closed'): Finding[] {
  const said = declared(reading);
  if (said?.state === state && !said.isPull)
    return [
      {
        title: `The text itself calls this a duplicate of #${said.number}.`,
        evidence: `"${said.title}"`,
        issue: said,
      },
    ];
  return same(reading)
    .filter(({ issue }) => issue.state === state && !issue.isPull)
    .filter(({ issue }) => state === 'open' || (!isRefused(issue) && reading.subject !== 'bug'))
    .slice(0, 1)
    .map((one) =>
      toFinding(
        one,
        state === 'open'
          ? `#${one.issue.number} is open and asks for the same.`
          : `#${one.issue.number} asked for the same and was completed.`,
      ),
    );
}

export const HISTORY_RULES: readonly IssueRule[] = [
  {
    id: 'duplicate-open-issue',
    severity: 'high',
    concerns: ['carlos', 'priya', 'dev', 'product'],
    explanation: 'Two open issues for one thing split what is known about it.',
    find: (reading) => duplicates(reading, 'open'),
  },
  {
    id: 'duplicate-closed-issue',
    severity: 'medium',
    concerns: ['carlos', 'priya', 'dev', 'product'],
    explanation: 'What was asked for has been done before.',
    find: (reading) => duplicates(reading, 'closed'),
  },
  {
    id: 'refused-before',
    severity: 'high',
    concerns: ['carlos', 'priya', 'dev', 'product', 'architecture'],
    explanation: 'The same was closed as not planned; without a new reason the answer is the same.',
    find: (reading) =>
      same(reading)
        .filter(({ issue }) => issue.state === 'closed' && !issue.isPull && isRefused(issue))
        .slice(0, 1)
        .map((one) =>
          toFinding(one, `#${one.issue.number} asked for the same and was closed as not planned.`),
        ),
  },
  {
    id: 'fixed-before',
    severity: 'medium',
    concerns: ['priya', 'dev', 'quality'],
    explanation: 'A bug like a fixed one has returned, or the version is old.',
    find: (reading) =>
      same(reading)
        .filter(
          ({ issue }) =>
            reading.subject === 'bug' &&
            issue.state === 'closed' &&
            !isRefused(issue) &&
            declared(reading) === undefined,
        )
        .slice(0, 1)
        .map((one) => ({
          ...toFinding(one, `#${one.issue.number} was the same fault and was closed as fixed.`),
          suggestion: `whether it happens on a version with the fix of #${one.issue.number}`,
        })),
  },
  {
    id: 'pull-request-open',
    severity: 'medium',
    concerns: ['carlos', 'dev'],
    explanation: 'Somebody may be at work on it already.',
    find: ({ related }) =>
      related
        .filter(
          ({ issue, score }) => issue.isPull && issue.state === 'open' && score >= SAME - 0.05,
        )
        .slice(0, 1)
        .map((one) => toFinding(one, `Pull request #${one.issue.number} seems to be about this.`)),
  },
  {
    id: 'related-issue',
    severity: 'info',
    concerns: ['carlos', 'dev'],
    explanation: 'Worth reading before the work starts.',
    find: (reading) => {
      const taken = new Set(same(reading).map(({ issue }) => issue.number));
      return reading.related
        .filter((one) => !taken.has(one.issue.number) && one.score >= 0.4 && !one.issue.isPull)
        .slice(0, 2)
        .map((one) => toFinding(one, `#${one.issue.number} is related.`));
    },
  },
];
