/** The one comment that answers `/pm watch`: what was opened, what was judged not worth it, what was left out and why. */
import { isBudgetCode } from '../../../domain/event/budget-codes.ts';
import { sumCost } from '../../../domain/run/ledger.ts';
import type { Run } from '../../../domain/run/state/run-record.ts';
import type { WatchedCandidate, WatchState } from '../../../domain/repository/watched-code.ts';
import { isRepositoryThread } from '../../../domain/run/thread-ref.ts';
import { asCode } from '../../run/command-context.ts';
import { oneLine } from '../../discussion/clean.ts';
import { counted } from '../../../domain/text/counted.ts';
import { costOf, duration } from '../../discussion/render/render-run.ts';
import { emitEffect } from '../../run/decision.ts';
import { findMissed, renderMissed } from '../../run/missed-model.ts';
import { writeLane, type RunContext } from '../../run/thread-context.ts';
import { answerAt } from '../../run/answers/where-asked.ts';
import { titleOf } from './open-issue.ts';

/** Posts the answer where the command was given; nobody waits for one where the clock began the run. */
export function postAnswer({ run, step }: RunContext<'code_watch'>): void {
  const { thread, askedIn } = run;
  if (isRepositoryThread(thread)) return;
  const marker = { kind: 'run' as const, run: run.id, key: 'watch' };
  const words = { thread, marker, body: renderWatchAnswer(run, step.now) };
  emitEffect(step, answerAt(askedIn, words), { lane: writeLane(thread), isUnheard: true });
}

/** Pure: the same run gives the same bytes at the same time. */
export function renderWatchAnswer(run: Run<'code_watch'>, now: number): string {
  const { watch } = run;
  if (run.status === 'closed' || watch === undefined)
    return `The code watch stopped: ${run.endReason ?? 'it was cancelled'}.`;
  const nothing = emptyResultText(run, watch);
  if (nothing !== undefined) return nothing;
  const without = renderMissed(findMissed(run.calls), 'comment `/pm watch`');
  return [
    without,
    headline(watch),
    ...sections(run, watch),
    searchedText(run, watch),
    footer(run, now),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** A clean result is one line. */
function emptyResultText(run: Run<'code_watch'>, watch: WatchState): string | undefined {
  if (watch.candidates.length > 0 || watch.withheld > 0) return undefined;
  const known =
    watch.known === 0 ? '' : ` besides what was raised or judged before (${watch.known})`;
  const { notRead } = run.lookedAt;
  const missing =
    notRead.length === 0 ? '' : ` Not read: ${notRead.map((each) => asCode(each)).join('; ')}.`;
  return `Code watch: nothing worth raising${known} in ${searched(run, watch)}.${missing}`;
}

function searched(run: Run<'code_watch'>, { files, path }: WatchState): string {
  const below = path === '' ? '' : ` of ${asCode(path)}`;
  const at = run.headSha === '' ? '' : ` at \`${run.headSha.slice(0, 7)}\``;
  return `${counted(files, 'file')}${below}${at}`;
}

function headline({ candidates }: WatchState): string {
  const opened = candidates.filter(isOpened).length;
  return `### Code watch: ${opened === 0 ? 'no issue' : counted(opened, 'issue')} opened`;
}

function isOpened({ issue }: WatchedCandidate): boolean {
  return issue?.outcome === 'created';
}

function sections(run: Run<'code_watch'>, watch: WatchState): string[] {
  const { candidates } = watch;
  const all: [string, string[]][] = [
    ['', candidates.filter(isOpened).map((each) => `- #${each.issue?.number} ${said(each, run)}`)],
    [
      'Judged, and not worth an issue:',
      candidates.filter(isRejected).map((each) => line(each, run)),
    ],
    ['You decide:', candidates.filter(isQuestion).map((each) => line(each, run))],
    ['Left out:', leftOut(run, watch)],
  ];
  return all
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) =>
      title === '' ? lines.join('\n') : `**${title}**\n\n${lines.join('\n')}`,
    );
}

function isRejected({ judgement }: WatchedCandidate): boolean {
  return judgement?.word === 'CHANGES';
}

function isQuestion({ judgement }: WatchedCandidate): boolean {
  return judgement?.word === 'HUMAN';
}

function said({ candidate }: WatchedCandidate, run: Run<'code_watch'>): string {
  return `${titleOf(candidate, run)}, ${candidate.severity}`;
}

/** What it is, and what the judge says of it. */
function line(watched: WatchedCandidate, run: Run<'code_watch'>): string {
  const { judgement } = watched;
  const words = isQuestion(watched)
    ? (judgement?.question ?? judgement?.headline)
    : judgement?.reasons;
  const flat = oneLine(words ?? '', run);
  return `- ${said(watched, run)}${flat === '' ? '' : `: ${flat}`}`;
}

const MAX_KINDS = 5;

function leftOut(run: Run<'code_watch'>, watch: WatchState): string[] {
  const { candidates, withheld, known, left } = watch;
  const rest = left.reduce((sum, { count }) => sum + count, 0);
  const kinds = left.slice(0, MAX_KINDS).map(({ ruleId, count }) => `${count} ${asCode(ruleId)}`);
  const more = left.length > MAX_KINDS ? ' and others' : '';
  return [
    ...candidates.flatMap((each) => {
      const why = notOpenedReason(each, watch);
      return why === undefined ? [] : [`- ${said(each, run)}: ${why}`];
    }),
    withheld === 0
      ? ''
      : `- ${counted(withheld, 'candidate')} about credentials: not told where everybody reads; \`quorum sweep\` in a clone shows them.`,
    known === 0 ? '' : `- ${counted(known, 'finding')}: raised or judged before.`,
    rest === 0
      ? ''
      : `- ${rest} more below the best: ${kinds.join(', ')}${more}; \`/pm watch\` goes on with them.`,
  ].filter((each) => each !== '');
}

function notOpenedReason(
  { effectId, judgement, issue, failure }: WatchedCandidate,
  watch: WatchState,
): string | undefined {
  if (failure !== undefined && isBudgetCode(failure))
    return 'the budget is used up, nobody judged it';
  if (failure !== undefined)
    return `${judgement === undefined ? 'nobody could judge it' : 'its issue could not be opened'} (${asCode(failure)})`;
  if (issue?.outcome === 'full' || effectId === '')
    return capReason(watch, judgement !== undefined);
  if (issue === undefined || issue.outcome === 'created') return undefined;
  return `#${issue.number} is about it already`;
}

function capReason({ open }: WatchState, isJudged: boolean): string {
  const names = open.map(({ number }) => `#${number}`).join(', ');
  const judged = isJudged ? 'worth an issue, but' : 'nobody was asked:';
  return open.length === 0
    ? `${judged} there is no room for more issues now`
    : `${judged} ${names} ${open.length === 1 ? 'is' : 'are'} still open; close one and ask again`;
}

function searchedText(run: Run<'code_watch'>, watch: WatchState): string {
  const lines = [
    searched(run, watch),
    ...run.lookedAt.notRead.map((each) => `not read: ${asCode(each, 400)}`),
  ];
  return `<details><summary>What was searched</summary>\n\n${lines.map((each) => `- ${each}`).join('\n')}\n\n</details>`;
}

function footer(run: Run<'code_watch'>, now: number): string {
  const judged = run.watch?.candidates.filter(({ judgement }) => judgement !== undefined).length;
  const seconds = Math.max(0, Math.round((now - Date.parse(run.startedAt)) / 1000));
  const isFree = run.isOffline && sumCost(run.calls).usd === 0;
  const parts = [
    `${run.lead?.name ?? 'Nobody'} judged ${counted(judged ?? 0, 'candidate')}`,
    duration(seconds),
    isFree ? 'offline rules, no model' : costOf(run),
    run.isBudgetExhausted ? `partial: ${run.hostCapNote ?? 'the budget is used up'}` : '',
    `run \`${run.id}\``,
  ];
  return `<sub>${parts.filter((part) => part !== '').join(' · ')}</sub>`;
}
