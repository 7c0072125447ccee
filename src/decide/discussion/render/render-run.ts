/** The live comment: the verdict first, then what the reader must do, then why, by voice (03, how it looks). */
import { counted } from '../../../domain/text/counted.ts';
import type { Contribution, VerdictWord } from '../../../domain/run/council.ts';
import type { DiscussionRun } from '../../../domain/run/state/run-record.ts';
import { codeSpan } from '../../../domain/text/code-span.ts';
import { listNames } from '../../../domain/text/list-names.ts';
import { sumCost } from '../../../domain/run/ledger.ts';
import { findMissed, renderMissed } from '../../run/missed-model.ts';
import { isIssueRun } from '../verdict/kind.ts';
import { citedLines } from '../ask/cited-notes.ts';
import { UNCHANGED_RUNS_TO_TELL } from '../../run/run-settings.ts';
import { latestPositions } from '../verdict/tally-votes.ts';
import { cell } from '../../../domain/text/table-cell.ts';
import { place, renderVoice, shortRoleOf } from './render-voice.ts';
import type { TeamState } from '../../../domain/run/state/team-state.ts';

const VERDICT_WORDS: Readonly<Record<VerdictWord, string>> = {
  READY: 'Ready',
  CLOSE: 'Close',
  DRAFT: 'Not ready yet',
  APPROVE: 'Approved',
  CHANGES: 'Changes needed',
  HUMAN: 'Needs you',
};

/** Renders a run as its one comment, without the marker. Pure: the same run gives the same bytes at the same time. */
export function renderRun(run: DiscussionRun, now: number): string {
  const parts = [
    withoutModel(run, `comment \`${isIssueRun(run) ? '/pm deliberate' : '/pm review'}\``),
    headline(run),
    answeredText(run),
    nextStepText(run),
    notes(run),
    voicesTable(run),
    reasonsByVoice(run),
    sourcesText(run),
    footer(run, now),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Of a run that has a verdict: that its model did not make it, before anything else. */
export function withoutModel({ status, verdict, calls }: DiscussionRun, again: string): string {
  if (status === 'closed' || status === 'active' || verdict === undefined) return '';
  return renderMissed(findMissed(calls), again);
}

function headline(run: DiscussionRun): string {
  const { verdict } = run;
  if (run.status === 'closed') return `### Stopped: ${run.endReason ?? 'cancelled'}`;
  if (run.status === 'active' || verdict === undefined) return `### Discussing: ${progress(run)}`;
  return `### ${verdictLine(run)}`;
}

/** The verdict in a line, without a mark. */
export function verdictLine({ verdict }: Pick<DiscussionRun, 'verdict'>): string {
  return verdict === undefined ? '' : `${VERDICT_WORDS[verdict.verdict]}: ${verdict.headline}`;
}

/** The question that a person answered stays readable. */
function answeredText({ answered, status }: DiscussionRun): string {
  if (answered === undefined || status === 'blocked') return '';
  return `> **Asked:** ${answered.question} Answered by ${codeSpan(answered.by)}.`;
}

export function progress(run: DiscussionRun): string {
  const { phase } = run;
  if (phase.kind === 'listening' && phase.next === 'verdict')
    return 'listening to you, then closing';
  if (phase.kind === 'concluding') return `${run.lead?.name ?? 'the lead'} is closing`;
  if (phase.kind === 'gathering') {
    const waiting = phase.waitingFor
      .filter((each) => each.purpose === 'position')
      .map(
        (each) =>
          run.participants.find((voice) => voice.handle === each.handle)?.name ?? each.handle,
      );
    if (waiting.length > 0) return `waiting for ${listNames(waiting)}`;
  }
  return `round ${run.round} of ${run.settings.maxRounds}`;
}

function nextStepText(run: DiscussionRun): string {
  const { verdict, needsYou } = run;
  if (run.status === 'closed' || run.status === 'active' || verdict === undefined) return '';
  if (needsYou !== undefined)
    return `**You decide:** ${needsYou.question} @${needsYou.owner}, reply here.`;
  const reasons = verdict.reasons.trim();
  const changes = verdict.changes.map(
    (change) => `- [ ] ${change.text}${place(change.place, run)}`,
  );
  const duplicate =
    verdict.verdict === 'CLOSE' && verdict.duplicateOf !== undefined
      ? `The same as #${verdict.duplicateOf}; please go on there.`
      : '';
  const what =
    changes.length === 0 ? '' : `**To do before this is ready:**\n\n${changes.join('\n')}`;
  return [duplicate, reasons, what].filter((part) => part !== '').join('\n\n');
}

export function notes(run: DiscussionRun): string {
  const lines: string[] = [];
  if (run.bounded !== undefined && run.status !== 'active')
    lines.push(`Code kept the lead from closing this alone: ${run.bounded}.`);
  if (run.isBudgetExhausted) lines.push(exhausted(run));
  else if (run.budgetUsed !== undefined) lines.push(budgetLine(run.budgetUsed));
  if (run.unchangedRuns >= UNCHANGED_RUNS_TO_TELL && run.settings.mode !== 'single')
    lines.push(
      `In the last ${run.unchangedRuns} runs here the council left the lead's own vote unchanged; \`council.mode: single\` would cost less.`,
    );
  return lines.map((line) => `> ${line}`).join('\n>\n');
}

/** Says that a cap kept voices away; also for the check of a review. */
export function exhausted({ hostCapNote }: Pick<TeamState, 'hostCapNote'>): string {
  return hostCapNote === undefined
    ? 'The budget was used up, so this is a partial result.'
    : `${hostCapNote} This is a partial result.`;
}

function budgetLine({ share, cap }: NonNullable<TeamState['budgetUsed']>): string {
  const step = [100, 90, 75, 50].find((each) => share * 100 >= each) ?? 50;
  return `${step} % of the budget for ${cap === 'thread' ? 'this thread' : `this ${cap}`} is used.`;
}

export function voicesTable(run: DiscussionRun): string {
  const said = latestPositions(run);
  const absent = run.contributions.filter(
    (each) => each.outcome === 'absent' && !hasSaid(said, each),
  );
  if (said.length === 0 && absent.length === 0) return '';
  const rows = said.map(
    ({ position, ...voice }) =>
      `| ${voice.name} · ${shortRoleOf(voice)} | ${position?.vote.toLowerCase()} | ${position?.confidence.toFixed(1)} | ${cell(position?.line ?? '')} |`,
  );
  const gone = absent.map(
    (voice) =>
      `| ${voice.name} · ${shortRoleOf(voice)} | absent | – | could not answer (${cell(voice.reason ?? 'unknown')}) |`,
  );
  const title = isAnswered(run) ? ['Votes before the answer:', ''] : [];
  return [
    ...title,
    '| voice | vote | sure | in a line |',
    '|---|---|---|---|',
    ...rows,
    ...gone,
  ].join('\n');
}

/** A person's answer came after the votes; only the lead has spoken since. */
function isAnswered(run: DiscussionRun): boolean {
  return run.status === 'consensus' && run.wasBlocked && run.participants.length > 0;
}

function hasSaid(said: readonly Contribution[], voice: Contribution): boolean {
  return said.some((each) => each.handle === voice.handle);
}

export function reasonsByVoice(run: DiscussionRun): string {
  const said = run.contributions.filter((each) => each.outcome === 'said');
  if (said.length === 0 || run.settings.style === 'thread') return '';
  const open = run.status === 'blocked' ? ' open' : '';
  const voices = said.map((each) => renderVoice(each, run)).join('\n\n');
  return `<details${open}><summary>Why, by voice</summary>\n\n${voices}\n\n</details>`;
}

function sourcesText(run: DiscussionRun): string {
  const { files, pastIssues, notRead, hidden } = run.lookedAt;
  const read = [
    `${counted(files.length, 'file')} of \`${run.headSha.slice(0, 7)}\`${files.length === 0 ? '' : `: ${files.map((path) => `\`${path}\``).join(', ')}`}`,
    pastIssues.length === 0
      ? ''
      : `past issues that share its terms: ${pastIssues.map((n) => `#${n}`).join(', ')}`,
    hidden === 0
      ? ''
      : `${counted(hidden, 'part')} that a reader cannot see: found in the issue and left out`,
    ...citedLines(run),
    ...notRead.map((what) => `not read: ${what}`),
  ].filter((line) => line !== '');
  if (run.headSha === '') return '';
  return `<details><summary>What we looked at</summary>\n\n${read.map((line) => `- ${line}`).join('\n')}\n\n</details>`;
}

export function footer(run: DiscussionRun, now: number): string {
  const seconds = Math.round(
    ((run.endedAt === undefined ? now : Date.parse(run.endedAt)) - Date.parse(run.startedAt)) /
      1000,
  );
  const parts = [
    run.status === 'consensus' ? `Decided by ${run.lead?.name ?? 'the lead'}` : '',
    run.settings.mode === 'single'
      ? 'one reviewer'
      : `round ${run.round} of ${run.settings.maxRounds}`,
    run.calls.length === 0 ? '' : duration(seconds),
    run.calls.length === 0 ? '' : costOf(run),
    run.isOffline ? 'offline rules, no model' : '',
    `run \`${run.id}\``,
  ];
  return `<sub>${parts.filter((part) => part !== '').join(' · ')}</sub>`;
}

/** What a run cost, as people read it. */
export function costOf(run: Pick<TeamState, 'calls'>): string {
  const { usd, isPartlyUnknown } = sumCost(run.calls);
  const known = `$${usd.toFixed(2)}`;
  if (!isPartlyUnknown) return known;
  return usd === 0 ? 'cost unknown' : `${known} and some unknown cost`;
}

/** A time as people say it. */
export function duration(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
