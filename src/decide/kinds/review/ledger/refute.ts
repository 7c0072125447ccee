/**
 * The floor of a review: an open high or critical finding of a rule keeps its check from success, whatever the verdict.
 * What settles one besides a repair is counted here, so that no model's word alone does.
 */
import type { Contribution } from '../../../../domain/run/council.ts';
import type { Run } from '../../../../domain/run/state/run-record.ts';
import type { Diff } from '../../../../domain/diff/diff.ts';
import { compareFindings, isAtLeast, type Finding } from '../../../../domain/review/finding.ts';
import { stripForModel } from '../../../../domain/text/invisible.ts';
import { isQuoted, type Refutation, type Refuted } from '../../../../domain/review/refutation.ts';
import type { FindingsLedger, LedgerFinding } from '../../../../domain/review/review.ts';
import { latestPositions, refutesOf } from '../../../discussion/verdict/tally-votes.ts';
import { openFindings } from './reconcile-ledger.ts';
import type { ShownTexts } from '../parts/shown-text.ts';

/** So many contributors besides the lead have to refute the same finding. */
const REFUTERS = 2;

/** Open high or critical findings of rules, worst first. */
export function holdingFindings(ledger: FindingsLedger): LedgerFinding[] {
  return openFindings(ledger)
    .filter(mayHold)
    .toSorted((a, b) => compareFindings(a.finding, b.finding));
}

/** By the rule's own severity: what a voice makes of it holds nothing. */
export function mayHold({ finding, ruleSeverity = finding.severity }: LedgerFinding): boolean {
  return finding.source === 'signal' && isAtLeast(ruleSeverity, 'high');
}

/** Whether enough voices are asked: otherwise only a person can settle a finding that holds. */
export function canTeamRefute(run: Pick<Run<'pr_review'>, 'participants' | 'lead'>): boolean {
  return votersOf(run).size >= REFUTERS;
}

function votersOf({
  participants,
  lead,
}: Pick<Run<'pr_review'>, 'participants' | 'lead'>): Set<string> {
  return new Set(participants.map(({ handle }) => handle).filter((each) => each !== lead?.handle));
}

type Team = Pick<Run<'pr_review'>, 'participants' | 'lead' | 'contributions'>;

/** Settles what enough of the team refuted with a quote of `shown`: the change as the voices were shown it. */
export function applyRefutations(
  ledger: FindingsLedger,
  run: Team,
  shown: () => ShownTexts,
): FindingsLedger {
  const positions = latestPositions(run).filter(({ handle }) => votersOf(run).has(handle));
  if (positions.every((said) => objections(said).length === 0)) return ledger;
  const texts = shown();
  const findings = ledger.findings.map((entry) => {
    if (entry.status !== 'open' || !mayHold(entry)) return entry;
    const refuted = positions.flatMap((said) => objectionOf(said, entry.finding, texts));
    return refuted.length < REFUTERS ? entry : settle(entry, refuted);
  });
  return { ...ledger, findings };
}

function settle(entry: LedgerFinding, refuted: Refuted[]): LedgerFinding {
  const settledBy = refuted.map(({ handle }) => handle).join(', ');
  return { ...entry, status: 'refuted', settledBy, why: refuted[0]?.why ?? '', refuted };
}

/** One voice counts once, and not at all where it reports the same finding itself. */
function objectionOf(said: Contribution, finding: Finding, texts: ShownTexts): Refuted[] {
  // Models read paths without what nobody sees in them.
  const paths: unknown[] = [finding.path, stripForModel(finding.path).text];
  const isReported = said.position?.findings.some(
    ({ ruleId, place }) => ruleId === finding.ruleId && paths.includes(place?.path),
  );
  if (isReported === true) return [];
  const [found] = objections(said).filter(
    ({ fingerprint, quote }) =>
      fingerprint === finding.fingerprint && isQuoted(quote, textsFor(finding, texts)),
  );
  return found === undefined ? [] : [{ handle: said.handle, why: found.why, quote: found.quote }];
}

function objections({ position }: Contribution): readonly Refutation[] {
  return position === undefined ? [] : refutesOf(position);
}

/** Code that is gone says nothing of what came in its place; of what was removed it does. */
function textsFor({ side }: Finding, { head, base }: ShownTexts): string[] {
  return side === 'LEFT' ? [...head, ...base] : head;
}

interface Head {
  /** What came since the last review; undefined where that is not known. */
  delta: Diff | undefined;
  /** The whole change, and what of its files could be read. */
  texts: () => ShownTexts;
}

/**
 * Opens again what was refuted over other code: a quote is gone, or what the finding is about as a whole has changed. A
 * finding about lines needs no more, because its fingerprint is of its code.
 */
export function reopenRefuted(ledger: FindingsLedger, { delta, texts }: Head): FindingsLedger {
  if (!ledger.findings.some(({ status }) => status === 'refuted')) return ledger;
  const now = texts();
  const findings = ledger.findings.map((entry): LedgerFinding => {
    if (entry.status !== 'refuted') return entry;
    const { refuted = [], settledBy: _by, why: _why, ...rest } = entry;
    const holds =
      refuted.length >= REFUTERS &&
      refuted.every(({ quote }) => isQuoted(quote, textsFor(entry.finding, now))) &&
      isUntouched(entry.finding, delta);
    return holds ? entry : { ...rest, status: 'open' };
  });
  return { ...ledger, findings };
}

function isUntouched({ scope, path }: Finding, delta: Diff | undefined): boolean {
  if (scope === 'line') return true;
  if (delta === undefined) return false;
  if (scope === 'change') return delta.files.length === 0;
  return !delta.files.some((file) => file.path === path || file.oldPath === path);
}
