/** What code found in a change, in the words in which the council reads evidence. */
import type { Diff } from '../../../domain/diff/diff.ts';
import type { Evidence } from '../../../domain/run/evidence.ts';
import type { Signal } from '../../../domain/review/signal.ts';
import type { Finding } from '../../../domain/review/finding.ts';
import type { PullView, ReviewState } from '../../../domain/review/review.ts';
import { countTold } from '../../../domain/text/invisible.ts';
import { redactSecrets } from '../../../domain/secrets/secret-text.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import { knownFindings } from './ledger/reconcile-ledger.ts';

const MAX_SIGNALS = 60;
const MAX_FILES = 40;

/**
 * `diff` is what to judge: in a re-review only the changes since the last one. Findings that are still open are listed
 * with the new ones.
 */
export function toEvidence(
  view: PullView,
  diff: Diff,
  { fresh, ledger, hidden }: Pick<ReviewState, 'fresh' | 'ledger' | 'hidden'>,
): Evidence {
  const { pull } = view;
  const changed = diff.files.reduce((sum, file) => sum + file.additions + file.deletions, 0);
  const signals = [...fresh.map(toSignal), ...knownFindings(fresh, ledger).map(toKnown)];
  return {
    subject: 'chore',
    number: pull.number,
    title: visibleText(pull.title, 200).text,
    excerpt: redactSecrets(visibleText(pull.body, 600).text),
    signals: signals.slice(0, MAX_SIGNALS),
    files: diff.files.slice(0, MAX_FILES).map((file) => ({
      path: file.path,
      why: `${file.status}, +${file.additions} −${file.deletions}`,
      score: file.additions + file.deletions,
    })),
    symbols: [],
    missing: [],
    relatedIssues: [],
    tests: [],
    hidden: hiddenOf(pull.body, hidden),
    size: changed <= 60 ? 'small' : changed <= 400 ? 'medium' : 'large',
    answers: [],
    positions: [],
    notRead: signals.length > MAX_SIGNALS ? [`${signals.length - MAX_SIGNALS} more signals`] : [],
  };
}

/** What the description hides in markup, and every invisible character of the whole. */
function hiddenOf(body: string, all: ReviewState['hidden']): Record<string, number> {
  const { hidden } = visibleText(body);
  if (all === undefined) return hidden;
  const others = Object.entries(hidden).filter(([kind]) => countTold({ [kind]: 1 }) === 0);
  return { ...Object.fromEntries(others), 'invisible-character': all.count };
}

function toSignal(finding: Finding): Signal {
  return {
    ruleId: finding.ruleId,
    severity: finding.severity,
    title: finding.title,
    evidence: finding.evidence,
    place: {
      path: finding.path,
      line: finding.line,
      ...(finding.endLine === undefined ? {} : { endLine: finding.endLine }),
    },
    concerns: [...finding.personas],
    ...(finding.advice === undefined ? {} : { suggestion: finding.advice }),
  };
}

function toKnown(finding: Finding): Signal {
  return { ...toSignal(finding), isKnown: true };
}
