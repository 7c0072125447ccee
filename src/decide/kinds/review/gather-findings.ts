/** Puts together what code and voices found: one finding for each thing, with everybody's name on it. */
import type { Contribution, CouncilFinding } from '../../../domain/run/council.ts';
import type { Run } from '../../../domain/run/state/run-record.ts';
import type { Finding } from '../../../domain/review/finding.ts';
import { compareFindings, isAtLeast } from '../../../domain/review/finding.ts';
import { nameFindings, type FindingDraft } from '../../../domain/review/fingerprint.ts';
import { stripForModel } from '../../../domain/text/invisible.ts';
import { mergeFindings } from '../../../domain/review/merge-findings.ts';
import type {
  FindingsLedger,
  HunkLines,
  LedgerFinding,
  ReviewState,
} from '../../../domain/review/review.ts';
import { latestPositions } from '../../discussion/verdict/tally-votes.ts';

export interface Gathered {
  /** Worst first: what this review reports. */
  fresh: Finding[];
  /**
   * Leaves out signals that a voice answered with "does not count". They are listed apart from those that no voice
   * looked at.
   */
  ledger: FindingsLedger;
}

/** Everything new at this head. A finding that was reported before is not raised again, regardless of who found it. */
export function gatherFindings(run: Run<'pr_review'>, review: ReviewState): Gathered {
  const voiced = latestPositions(run).flatMap((said) => voicedFindings(said, review));
  const known = new Set(review.ledger.findings.map((entry) => entry.finding.fingerprint));
  const isFresh = new Set(review.fresh.map(({ fingerprint }) => fingerprint));
  const told = review.ledger.findings.filter(
    ({ status, finding }) =>
      status === 'dismissed' || (status === 'open' && !isFresh.has(finding.fingerprint)),
  );
  const fromVoices = nameFindings(voiced).filter(
    (finding) =>
      !known.has(finding.fingerprint) && !told.some((entry) => isSameMatter(entry, finding)),
  );
  // What was settled while the team was at it is no news.
  const settled = new Set(
    review.ledger.findings.flatMap(({ status, finding }) =>
      status === 'open' ? [] : [finding.fingerprint],
    ),
  );
  const unsettled = review.fresh.filter(({ fingerprint }) => !settled.has(fingerprint));
  const fresh = mergeFindings([...unsettled, ...fromVoices])
    .filter((finding) => isAtLeast(finding.severity, review.settings.minSeverity))
    .toSorted(compareFindings);
  const added = fresh
    .filter((finding) => !known.has(finding.fingerprint))
    .map((finding): LedgerFinding => ({
      finding,
      status: 'open',
      firstSha: review.headSha,
      lastSha: review.headSha,
    }));
  const merged = new Map(fresh.map((finding) => [finding.fingerprint, finding]));
  const findings = review.ledger.findings.map((entry) => ({
    ...entry,
    // A persona that confirmed a rule's finding is named for it as well.
    finding: merged.get(entry.finding.fingerprint) ?? entry.finding,
    ruleSeverity: entry.ruleSeverity ?? entry.finding.severity,
  }));
  return { fresh, ledger: { ...review.ledger, findings: [...findings, ...added] } };
}

/** A model words the same finding differently each time. A known finding at the same place is the same matter. */
function isSameMatter({ finding: known }: LedgerFinding, finding: Finding): boolean {
  return (
    known.path === finding.path &&
    Math.abs(known.line - finding.line) <= 3 &&
    mergeFindings([known, { ...finding, line: known.line }]).length === 1
  );
}

function voicedFindings(said: Contribution, review: ReviewState): FindingDraft[] {
  return (said.position?.findings ?? []).flatMap((finding) =>
    toDraft(finding, said.handle, review),
  );
}

/** People cannot check a finding without a place in a changed file, so it appears only in the reasons. */
function toDraft(finding: CouncilFinding, handle: string, review: ReviewState): FindingDraft[] {
  const { place } = finding;
  const touched = review.hunks.find(
    ({ path }) => path === place?.path || asShown(path) === place?.path,
  );
  if (place === undefined || touched === undefined) return [];
  const { path } = touched;
  const signal = review.fresh.find((each) => each.ruleId === finding.ruleId && each.path === path);
  const about = signal === undefined ? ownPlace(place, touched) : placeOfSignal(signal);
  return [
    {
      ruleId: signal?.ruleId ?? `model/${handle}`,
      severity: finding.severity,
      path,
      ...about,
      personas: [handle],
      title: finding.title,
      evidence: finding.evidence,
      ...(finding.memory === undefined ? {} : { memory: finding.memory }),
      source: 'model',
      // What a model found is named by its words: its lines are not at hand here.
      code: finding.title,
      basePath: path,
    },
  ];
}

/** Models read paths without what nobody sees in them. */
function asShown(path: string): string {
  return stripForModel(path).text;
}

type About = Pick<Finding, 'line' | 'endLine' | 'side' | 'scope'>;

function ownPlace(place: NonNullable<CouncilFinding['place']>, hunk: HunkLines): About {
  const line = place.line ?? hunk.new[0];
  const isRange = place.endLine !== undefined && place.endLine > line;
  return {
    line,
    ...(isRange && place.endLine !== undefined ? { endLine: place.endLine } : {}),
    side: 'RIGHT',
    scope: place.line === undefined ? 'file' : 'line',
  };
}

function placeOfSignal({ line, endLine, side, scope }: Finding): About {
  return { line, ...(endLine === undefined ? {} : { endLine }), side, scope };
}
