/** A review as people read it: verdict in words, what has no line of its own, what was not read; one comment a finding. */
import { citedLines } from '../../discussion/ask/cited-notes.ts';
import { isHiddenByText } from '../../../domain/repository/left-out.ts';
import type { Run } from '../../../domain/run/state/run-record.ts';
import type { VerdictWord } from '../../../domain/run/council.ts';
import { codeSpan } from '../../../domain/text/code-span.ts';
import { renderRest, type Finding } from '../../../domain/review/finding.ts';
import { sumCost } from '../../../domain/run/ledger.ts';
import { judgedOf, type Muted } from '../../../domain/review/precision.ts';
import { exhausted } from '../../discussion/render/render-run.ts';
import { knownFindings } from './ledger/reconcile-ledger.ts';
import { findMissed, isByRules, isWithoutModel, renderMissed } from '../../run/missed-model.ts';
import { countHolding, renderHeld } from './render-held.ts';
import { holdingFindings } from './ledger/refute.ts';
import { cleanLine, voiceNameOf, numbered } from './pieces.ts';
import type { FindingStatus, LedgerFinding, ReviewState } from '../../../domain/review/review.ts';
import type { Laid } from './place-findings.ts';

const WORDS: Readonly<Partial<Record<VerdictWord, string>>> = {
  APPROVE: 'Looks good',
  CHANGES: 'Changes needed',
  HUMAN: 'Needs you',
};

/** The verdict in words: the first line of the review, and the title of its check. */
export function renderVerdict(run: Run<'pr_review'>): string {
  const { verdict, review } = run;
  const found = verdict === undefined ? undefined : WORDS[verdict.verdict];
  const isYes = verdict?.verdict === 'APPROVE' && review !== undefined;
  const open = isYes ? holdingFindings(review.ledger).length : 0;
  const isPart = isYes && isPartial(run, review);
  const word = open > 0 ? countHolding(open) : isPart ? `${found} in what could be read` : found;
  return `${startOf(run)}${word ?? 'Reviewed'}: ${verdict?.headline ?? 'see the comments'}`;
}

/** Who did not judge it, where that is so. */
function startOf(run: Run<'pr_review'>): string {
  const calls = callsOfHead(run);
  if (isWithoutModel(findMissed(calls))) return 'No model, rules only: ';
  const isYes = run.verdict?.verdict === 'APPROVE';
  return isYes && isByRules(calls) ? 'Partly without a model: ' : '';
}

/** The first line where the configured model did not answer. */
export function renderWithout(run: Run<'pr_review'>): string {
  const calls = callsOfHead(run);
  const said = renderMissed(findMissed(calls), 'comment `/pm review`');
  if (run.verdict?.verdict !== 'APPROVE' || !isByRules(calls)) return said;
  return `${said} Until a model has read the whole change, the check is neutral.`;
}

/** Without those about heads that were pushed over. */
export function callsOfHead({
  calls,
  callsBefore = 0,
}: Run<'pr_review'>): Run<'pr_review'>['calls'] {
  return calls.slice(callsBefore);
}

/** The text below the verdict. It does not repeat what a comment on a line says. */
export function renderReview(run: Run<'pr_review'>, review: ReviewState, laid: Laid): string {
  const parts = [
    run.needsYou === undefined
      ? ''
      : `**You decide:** ${run.needsYou.question} @${run.needsYou.owner}, reply here.`,
    // Rules have no reasons beside what they found.
    run.isOffline ? '' : (run.verdict?.reasons ?? ''),
    isCapped(run) ? exhausted(run) : '',
    renderHeld(run, review),
    numbered(laid.unplaced, run, laid.firstNumber),
    laid.rest.length === 0 ? '' : `Not commented one by one: ${renderRest(laid.rest)}.`,
    past(review, laid, run),
    hidden(review),
    citedLines(run)
      .map((line) => `- ${line}`)
      .join('\n'),
    folded(review, laid, run),
    notRead(review, run),
    footer(run, review),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Characters that were left out before anybody of the team read. */
function hidden({ hidden: found }: ReviewState): string {
  if (found === undefined) return '';
  const { count, most } = found;
  const all = `${count === 1 ? '1 character' : `${count} characters`} that a reader cannot see ${count === 1 ? 'was' : 'were'} left out of what the team read`;
  if (most === undefined) return `**Hidden:** ${all}.`;
  const where = most.count === count ? ', in' : `, ${most.count} of them in`;
  return `**Hidden:** ${all}${where} ${codeSpan(most.path)}.`;
}

/** What became of earlier findings, a line each: fixed, declined, or still open. */
function past({ settled, ledger }: ReviewState, { fresh }: Laid, run: Run<'pr_review'>): string {
  const by = (status: FindingStatus): Finding[] =>
    settled.filter((entry) => entry.status === status).map(({ finding }) => finding);
  const listed = (word: string, findings: readonly Finding[]): string[] =>
    findings.length === 0 ? [] : [`- **${word}:** ${byFile(findings, run)}`];
  return [
    ...listed('Fixed', by('fixed')),
    ...listed('Outdated', by('outdated')),
    ...settled.filter(({ status }) => status === 'dismissed').map((entry) => declined(entry, run)),
    ...settled.filter(({ status }) => status === 'refuted').map((entry) => refutedBy(entry, run)),
    ...listed(
      'Still open',
      knownFindings(fresh, ledger).filter(({ severity }) => severity !== 'info'),
    ),
  ].join('\n');
}

function declined({ finding, settledBy, why }: LedgerFinding, run: Run<'pr_review'>): string {
  const by = settledBy ?? 'somebody';
  return `- **Declined** by ${by}: ${byFile([finding], run)}, “${cleanLine(why ?? '', run)}”`;
}

function refutedBy({ finding, refuted = [], why }: LedgerFinding, run: Run<'pr_review'>): string {
  const by = refuted.map(({ handle }) => voiceNameOf(handle, run)).join(', ');
  return `- **Refuted** by ${by}: ${byFile([finding], run)}, “${cleanLine(why ?? '', run)}”`;
}

/** `` `rule` and `other-rule` in `src/a.ts`; `rule` in `src/b.ts` ``. */
function byFile(findings: readonly Finding[], run: Run<'pr_review'>): string {
  const named = ({ source, ruleId, title }: Finding): string =>
    source === 'model' ? `“${cleanLine(title, run)}”` : codeSpan(ruleId);
  return [...Map.groupBy(findings, ({ path }) => path)]
    .map(([path, group]) => `${[...new Set(group.map(named))].join(', ')} in ${codeSpan(path)}`)
    .join('; ');
}

const MAX_MUTED = 20;

/** Which voices and rules are muted and why, with their findings: nothing is dropped silently. */
function folded({ muted: quiet = [] }: ReviewState, laid: Laid, run: Run<'pr_review'>): string {
  const { muted: findings, unplaced, firstNumber } = laid;
  if (findings.length === 0) return '';
  const shown = numbered(findings.slice(0, MAX_MUTED), run, firstNumber + unplaced.length);
  const more = findings.length > MAX_MUTED ? `\n\nAnd ${findings.length - MAX_MUTED} more.` : '';
  const what = findings.length === 1 ? '1 finding' : `${findings.length} findings`;
  const who = quiet.map((each) => quietly(each, run)).join('; ');
  return `<details><summary>Muted: ${what} below high</summary>\n\n${who}. A thumb up on what they find, or fixing it, brings them back.\n\n${shown}${more}\n\n</details>`;
}

function quietly({ subject, ...counts }: Muted, run: Run<'pr_review'>): string {
  const [kind, name = ''] = subject.split(':');
  const who = kind === 'persona' ? voiceNameOf(name, run) : codeSpan(name);
  return `${who}: people accepted ${counts.accepted} of ${judgedOf(counts)}`;
}

function quietNames({ muted: quiet = [] }: ReviewState, run: Run<'pr_review'>): string {
  const voices = quiet.flatMap(({ subject }) =>
    subject.startsWith('persona:') ? voiceNameOf(subject.slice('persona:'.length), run) : [],
  );
  return voices.length === 0 ? '' : `muted below high: ${voices.join(', ')}`;
}

/** What nobody has read, and what only rules have where a model could have; for people. */
export function notReadOf({ isOffline }: Run<'pr_review'>, review: ReviewState): string[] {
  return [...review.notRead, ...(isOffline ? [] : (review.unseen ?? []))];
}

/** A part of the change was not judged. */
export function isPartial(
  run: Run<'pr_review'>,
  { isCut, notRead: left, unseen = [] }: ReviewState,
): boolean {
  const isUnread = isCut || left.some(isHiddenByText);
  return isUnread || isCapped(run) || (!run.isOffline && unseen.length > 0);
}

/** A cap kept somebody from being asked. */
function isCapped({ isBudgetExhausted, hostCapNote }: Run<'pr_review'>): boolean {
  return isBudgetExhausted || hostCapNote !== undefined;
}

function notRead(review: ReviewState, run: Run<'pr_review'>): string {
  const left = notReadOf(run, review);
  if (left.length === 0) return '';
  const shown = left.slice(0, 20).map((what) => `- ${renderNotRead(what)}`);
  const more = left.length > 20 ? [`- and ${left.length - 20} more`] : [];
  return `<details><summary>Not read</summary>\n\n${[...shown, ...more].join('\n')}\n\n</details>`;
}

/** Mostly a path and a reason: the path is the author's own words. */
function renderNotRead(what: string): string {
  const [, path, reason = ''] = /^(.+): ([\w ,-]+)$/s.exec(what) ?? [];
  return path === undefined ? codeSpan(what) : `${codeSpan(path)}: ${reason}`;
}

function footer(run: Run<'pr_review'>, review: ReviewState): string {
  const { usd, isPartlyUnknown } = sumCost(run.calls);
  const parts = [
    run.lead === undefined ? '' : `Decided by ${run.lead.name}`,
    `\`${review.headSha.slice(0, 7)}\`${review.since === undefined ? '' : ` since \`${review.since.slice(0, 7)}\``}`,
    isPartlyUnknown && usd === 0 ? 'cost unknown' : `$${usd.toFixed(2)}`,
    run.isOffline ? 'offline rules, no model' : '',
    quietNames(review, run),
    `run \`${run.id}\``,
  ];
  return `<sub>${parts.filter((part) => part !== '').join(' · ')}</sub>`;
}
