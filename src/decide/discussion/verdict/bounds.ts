/** What code does not let the lead decide (NW-8). */
import type { DiscussionRun } from '../../../domain/run/state/run-record.ts';
import type { Verdict } from '../../../domain/run/council.ts';
import { latestPositions } from './tally-votes.ts';

export interface Bounded {
  verdict: Verdict;
  /** What code changed and why, for people. */
  because?: string;
}

/** Holds the lead's verdict against what the team confirmed; a verdict that breaks a bound becomes a question to a person. */
export function boundVerdict(run: DiscussionRun, verdict: Verdict): Bounded {
  const critical = confirmedCritical(run);
  if (critical !== undefined && (verdict.verdict === 'READY' || verdict.verdict === 'APPROVE'))
    return toHuman(verdict, {
      because: `a critical finding is open: ${critical}`,
      question: `Should this go on although a critical finding is open (${critical})?`,
    });
  if (verdict.verdict === 'CLOSE') return boundClose(run, verdict);
  if (verdict.verdict === 'HUMAN' && (verdict.question ?? '').trim() === '')
    return {
      verdict: { ...verdict, question: `${verdict.headline} What should happen with this?` },
    };
  return { verdict };
}

/** Closing takes something away from a person: it needs a reason that can be checked, and nobody sure of the opposite. */
function boundClose(run: DiscussionRun, verdict: Verdict): Bounded {
  const original = verdict.duplicateOf;
  const isUnknown = original === undefined || !run.relatedIssues.includes(original);
  if (verdict.closeReason === 'duplicate' && isUnknown)
    return toHuman(verdict, {
      because: 'the named duplicate is not one of the issues that were read',
      question: 'Is this a duplicate, and of which issue?',
    });
  const isContradicted = latestPositions(run).some(
    ({ position }) => position?.vote === 'READY' && position.confidence >= 0.8,
  );
  if (!isContradicted) return { verdict };
  return toHuman(verdict, {
    because: 'somebody in the team is sure that this is ready',
    question: `Close this (${verdict.headline}), or go on with it?`,
  });
}

function toHuman(
  verdict: Verdict,
  { because, question }: { because: string; question: string },
): Bounded {
  return { because, verdict: { ...verdict, verdict: 'HUMAN', question } };
}

/** A critical finding is confirmed when two voices raise it in the same place, or when it rests on a rule's signal. */
function confirmedCritical(run: DiscussionRun): string | undefined {
  const raised = latestPositions(run).flatMap(({ handle, position }) =>
    (position?.findings ?? [])
      .filter((finding) => finding.severity === 'critical')
      .map((finding) => ({ handle, finding })),
  );
  const confirmed = raised.find(
    ({ handle, finding }) =>
      (finding.ruleId !== undefined && run.ruleIds.includes(finding.ruleId)) ||
      raised.some((other) => other.handle !== handle && sameMatter(other.finding, finding)),
  );
  return confirmed?.finding.title;
}

function sameMatter(
  a: { title: string; place?: { path: string } | undefined },
  b: { title: string; place?: { path: string } | undefined },
): boolean {
  if (a.place !== undefined && b.place !== undefined) return a.place.path === b.place.path;
  return a.title.toLowerCase() === b.title.toLowerCase();
}
