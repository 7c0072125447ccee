/** The one comment of a standup (LS-8): insights with a box each, then one muted line about everybody else. */
import { codeSpan } from '../text/code-span.ts';
import { formatMs } from './look-back/estimates.ts';
import { isTension, type Insight } from './insight.ts';
import type { Cost } from '../run/ledger.ts';

/** What became of an insight, as far as people see it here. */
export type FollowUp =
  | { kind: 'issue'; number: number }
  /** It was ticked, and no issue of it is open yet. */
  | { kind: 'waits'; why: string }
  | { kind: 'rejected'; by: string }
  /** The follow-up ended; with the commit, where one shows it. */
  | { kind: 'closed'; number?: number; sha?: string; pull?: number }
  /** An open tension is about the same; this one only counts. */
  | { kind: 'repeats'; number: number; seen: number };

export interface StandupView {
  run: string;
  /** Everything that was kept, type `none` included. */
  insights: readonly Insight[];
  /** Names of participants by handle. */
  names: Readonly<Record<string, string>>;
  /** Participants without an answer, each with why. */
  skipped?: readonly { handle: string; why: string }[];
  /** Insights that were dropped because they cite what does not exist (LS-12). */
  invented?: number;
  /** Handles of those whom people hardly ever agreed with: they are shown last, and without a box. */
  demoted?: readonly string[];
  /** Commit that citations were checked at. */
  headSha: string;
  /** Ids of insights whose box is ticked. */
  ticked?: ReadonlySet<string>;
  /** By id of the insight. */
  followUps?: Readonly<Record<string, FollowUp>>;
  cost: Cost;
  ms: number;
  isOffline: boolean;
}

const AMBER = '🟠';

/** The comment's body without its marker; undefined when nobody has a tension: then there is no comment. */
export function renderStandup(view: StandupView): string | undefined {
  const tensions = view.insights.filter(isTension);
  if (tensions.length === 0) return undefined;
  const ordered = tensions
    .toSorted((a, b) => Number(b.actionable) - Number(a.actionable))
    .toSorted((a, b) => Number(isDemoted(a, view)) - Number(isDemoted(b, view)));
  return [
    '### Standup',
    ...ordered.map((insight) => renderInsight(insight, view)),
    muted([...others(view), ...figures(view)]),
  ].join('\n\n');
}

/** For the plan's own comment, when nobody has a tension. */
export function noTensionLine({ insights, invented = 0, skipped = [] }: StandupView): string {
  const count = new Set(insights.map(({ from }) => from)).size;
  const parts = [
    `Standup: no tension (${count === 1 ? '1 participant' : `${count} participants`})`,
    ...(skipped.length === 0 ? [] : [`${skipped.length} without an answer`]),
    ...(invented === 0 ? [] : [droppedText(invented)]),
  ];
  return `${parts.join('; ')}.`;
}

function renderInsight(insight: Insight, view: StandupView): string {
  const { type, from, to, message } = insight;
  const actionable = insight.actionable && !isDemoted(insight, view);
  const mark = actionable ? `${AMBER} ` : '';
  const whom = to === undefined ? '' : ` to **${nameOf(to, view)}**`;
  const head = `${mark}${codeSpan(type)} **${nameOf(from, view)}**${whom}: ${message}`;
  const below = [actionable ? boxLine(insight, view) : '', followUpText(insight, view)];
  return [head, ...below.filter((line) => line !== '')].join('\n');
}

function isDemoted({ from }: Insight, { demoted = [] }: StandupView): boolean {
  return demoted.includes(from);
}

/** Its id is in the line, so that a box cannot be moved to another insight unseen. */
function boxLine({ id }: Insight, { ticked }: StandupView): string {
  return `- [${ticked?.has(id) === true ? 'x' : ' '}] Make this a follow-up issue (${codeSpan(id)})`;
}

function followUpText({ id }: Insight, { followUps = {} }: StandupView): string {
  const followUp = Object.hasOwn(followUps, id) ? followUps[id] : undefined;
  switch (followUp?.kind) {
    case undefined:
      return '';
    case 'issue':
      return `- Follow-up: #${followUp.number}`;
    case 'waits':
      return `- Waits: ${followUp.why}`;
    case 'rejected':
      return `- Rejected by ${codeSpan(followUp.by)}`;
    case 'closed':
      return closedText(followUp);
    case 'repeats':
      return `- Repeats tension ${followUp.number}, seen ${followUp.seen} times`;
  }
}

function closedText({ number, sha, pull }: Extract<FollowUp, { kind: 'closed' }>): string {
  const issue = number === undefined ? '' : ` #${number}`;
  const commit = sha === undefined ? '' : ` by ${codeSpan(sha.slice(0, 12))}`;
  const merged = pull === undefined ? '' : ` (#${pull})`;
  return `- Closed:${issue}${commit}${merged}`;
}

function others(view: StandupView): string[] {
  const { insights, skipped = [], invented = 0, headSha } = view;
  const quiet = insights
    .filter((insight) => !isTension(insight))
    .map(({ from }) => nameOf(from, view));
  const missing = skipped.map(({ handle, why }) => `${nameOf(handle, view)} (${why})`);
  return [
    ...(quiet.length === 0 ? [] : [`No tension: ${quiet.join(', ')}`]),
    ...(missing.length === 0 ? [] : [`No answer: ${missing.join(', ')}`]),
    ...(invented === 0 ? [] : [`${droppedText(invented)} at ${codeSpan(headSha.slice(0, 7))}`]),
  ];
}

function droppedText(invented: number): string {
  return `${invented === 1 ? '1 insight' : `${invented} insights`} dropped for citing what does not exist`;
}

function figures({ run, cost, ms, isOffline }: StandupView): string[] {
  const spent = `$${cost.usd.toFixed(4)}${cost.isPartlyUnknown ? ' and an unknown part' : ''}`;
  const how = isOffline ? ['offline rules, no model'] : [spent, formatMs(ms)];
  return [...how, `run ${codeSpan(run)}`];
}

function muted(parts: readonly string[]): string {
  return `<sub>${parts.join(' · ')}</sub>`;
}

function nameOf(handle: string, { names }: Pick<StandupView, 'names'>): string {
  return Object.hasOwn(names, handle) ? (names[handle] ?? handle) : handle;
}
