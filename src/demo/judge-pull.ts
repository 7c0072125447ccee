/** Holds what happened to a pull request of the demonstration against what should have. */
import type { VerdictWord } from '../domain/run/council.ts';
import type { FindingsLedger, FindingStatus, LedgerFinding } from '../domain/review/review.ts';
import type { PullExpectation } from './project/new-pulls.ts';

/** A pull request as GitHub shows it. */
export interface SeenPull {
  headSha: string;
  labels: readonly string[];
  /** `quorum / review` on the newest head. */
  check?: { conclusion: string; title: string; summary: string };
  /** Reviews by the App, oldest first. */
  reviews: readonly { body: string; state: string }[];
  /** Comments by the App on lines, oldest first. */
  comments: readonly { path: string; line?: number; body: string; isFolded: boolean }[];
  /** Comments by the App in the conversation itself. */
  ownWords: number;
}

/** What the judge wants to know of a review's run. */
interface Judged {
  verdict?: { verdict: VerdictWord };
  review?: { ledger: FindingsLedger };
}

/** Says, in sentences, what is not as expected. */
export function judgePull(run: Judged, seen: SeenPull, expected: PullExpectation): string[] {
  const verdict = run.verdict?.verdict ?? 'none';
  const conclusion = seen.check?.conclusion ?? 'missing';
  const hasLabel = seen.labels.includes('changes-requested');
  const checks: [boolean, string][] = [
    [verdict === expected.verdict, `the verdict is ${verdict} (expected ${expected.verdict})`],
    [conclusion === expected.check, `the check is ${conclusion} (expected ${expected.check})`],
    [hasLabel === (expected.verdict === 'CHANGES'), 'the label changes-requested is wrong'],
    [
      seen.ownWords === (expected.ownWords ?? 0),
      `${seen.ownWords} comments beside the review (expected ${expected.ownWords ?? 0})`,
    ],
    [
      seen.reviews.length === Math.min(1, expected.comments),
      `${seen.reviews.length} reviews (expected ${Math.min(1, expected.comments)})`,
    ],
    [
      seen.comments.length === expected.comments,
      `${seen.comments.length} comments on lines (expected ${expected.comments})`,
    ],
  ];
  return [
    ...checks.filter(([isFine]) => !isFine).map(([, says]) => says),
    ...judgeFindings(run.review?.ledger.findings ?? [], expected),
    ...judgeFolding(run.review?.ledger.findings ?? [], seen),
  ];
}

const STATUSES = ['open', 'fixed', 'dismissed'] as const;

function judgeFindings(findings: readonly LedgerFinding[], expected: PullExpectation): string[] {
  const rulesThatAre = (status: FindingStatus): string =>
    findings
      .filter((entry) => entry.status === status)
      .map(({ finding }) => finding.ruleId)
      .toSorted()
      .join(', ');
  return STATUSES.flatMap((status) => {
    const [are, should] = [rulesThatAre(status), expected[status].toSorted().join(', ')];
    return are === should
      ? []
      : [`${status} is ${are || 'nothing'} (expected ${should || 'nothing'})`];
  });
}

/** A conversation is folded away when what it is about was fixed, and only then. */
function judgeFolding(findings: readonly LedgerFinding[], { comments }: SeenPull): string[] {
  return findings.flatMap(({ finding, status }) => {
    const comment = comments.find(({ body }) => body.includes(`\`${finding.ruleId}\``));
    if (comment === undefined || comment.isFolded === (status === 'fixed')) return [];
    return [`the conversation about ${finding.ruleId} is ${comment.isFolded ? '' : 'not '}folded`];
  });
}
