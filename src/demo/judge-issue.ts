/** Holds what happened to an issue of the demonstration against what should have. */
import { isDiscussionRun, verdictOf, type Run } from '../domain/run/state/run-record.ts';
import type { Expectation } from './project/new-issues.ts';

/** An issue as GitHub shows it. */
export interface Seen {
  state: 'open' | 'closed';
  stateReason: string | null;
  labels: readonly string[];
  /** Comments by the App, oldest first. */
  ownComments: readonly string[];
  /** Reactions by the App. */
  ownReactions: readonly string[];
}

const OUTCOME_LABELS = ['ready', 'draft', 'needs-human'];

/** The team's one reaction: eyes while it is not done, also while it waits for a person's answer. */
const REACTIONS: Readonly<Record<string, string>> = {
  READY: 'rocket',
  DRAFT: '+1',
  CLOSE: '+1',
  HUMAN: 'eyes',
};

/** The one that is edited, and short ones of their own: that somebody is asked, and that it is settled. */
function commentsOf(run: Run): number {
  if (run.status === 'blocked') return 2;
  return isDiscussionRun(run) && run.answered !== undefined ? 3 : 1;
}

/** Says, in sentences, what is not as expected. */
export function judge(run: Run, seen: Seen, expected: Expectation): string[] {
  const verdict = verdictOf(run)?.verdict ?? 'none';
  const outcomes = seen.labels.filter((label) => OUTCOME_LABELS.includes(label));
  const wanted = expected.label ?? labelOf(verdict, expected);
  const checks: [boolean, string][] = [
    [
      expected.verdicts.some((word) => word === verdict),
      `the verdict is ${verdict} (expected ${expected.verdicts.join(' or ')})`,
    ],
    [seen.state === expected.state, `the issue is ${seen.state}`],
    [seen.stateReason === expected.reason, `the reason is ${seen.stateReason ?? 'none'}`],
    [
      outcomes.join() === (wanted ?? ''),
      `the outcome labels are ${outcomes.join(', ') || 'none'} (expected ${wanted ?? 'none'})`,
    ],
    [
      seen.ownComments.length === commentsOf(run),
      `${seen.ownComments.length} comments instead of ${commentsOf(run)}`,
    ],
    [
      seen.ownReactions.join() === REACTIONS[verdict],
      `the reactions are ${seen.ownReactions.join(', ') || 'none'}`,
    ],
    [
      run.status === 'blocked' || !seen.labels.includes('deliberate'),
      'the label deliberate is still on',
    ],
  ];
  return checks.filter(([isFine]) => !isFine).map(([, says]) => says);
}

function labelOf(verdict: string, { verdicts }: Expectation): string | undefined {
  if (verdicts.length < 2) return undefined;
  return verdict.toLowerCase();
}
