/** What keeps a review's check neutral, for people. */
import type { Run } from '../../../domain/run/state/run-record.ts';
import { codeSpan } from '../../../domain/text/code-span.ts';
import type { ReviewState } from '../../../domain/review/review.ts';
import { canTeamRefute, holdingFindings } from './ledger/refute.ts';

/** For a title. */
export function countHolding(count: number): string {
  return count === 1 ? '1 serious finding is open' : `${count} serious findings are open`;
}

const MAX_HELD = 10;

/** Which findings, and the way out; empty where nothing holds it. */
export function renderHeld(run: Run<'pr_review'>, { ledger }: ReviewState): string {
  const holding = run.verdict?.verdict === 'CHANGES' ? [] : holdingFindings(ledger);
  const [worst] = holding;
  if (worst === undefined) return '';
  const lines = holding.slice(0, MAX_HELD).map(({ finding, number }) => {
    const { severity, ruleId, scope, path, line } = finding;
    const where = codeSpan(scope === 'line' ? `${path}#L${line}` : path);
    const name = number === undefined ? '' : ` (number ${number})`;
    return `- A ${severity} finding of ${codeSpan(ruleId)} is open in ${where}${name}.`;
  });
  const more = holding.length > MAX_HELD ? [`- And ${holding.length - MAX_HELD} more.`] : [];
  const name = worst.number ?? worst.finding.ruleId;
  const team = canTeamRefute(run)
    ? 'two contributors besides the lead refute it with a quote from the change'
    : undefined;
  const person = `a person with the triage role dismisses it: reply ${codeSpan('/pm feedback <reason>')} in its conversation, or comment ${codeSpan(`/pm feedback ${name}: <reason>`)}`;
  const only = team === undefined ? ' Too few contributors took part to refute it.' : '';
  return [
    '**The check stays neutral, regardless of the verdict:**',
    '',
    ...lines,
    ...more,
    '',
    `Each has to be fixed, or ${team === undefined ? '' : `${team}, or `}${person}.${only}`,
  ].join('\n');
}
