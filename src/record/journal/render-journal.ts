/** A journal as Markdown: a header that says how it ended, then what happened, then what it cost. */
import { dollars, renderCosts, totalOf } from '../costs.ts';
import type { Journal, JournalEntry } from './journal.ts';
import { quoteCode } from './quote.ts';

/** Ends with a line end. */
export function renderJournal(journal: Journal): string {
  return `${[
    `# Journal of ${journal.thread}`,
    ...(journal.title === '' ? [] : [`**${journal.title}**`]),
    header(journal),
    ...missing(journal),
    '## What happened',
    ...story(journal.entries),
    '## Cost',
    renderCosts(journal.costs),
  ].join('\n\n')}\n`;
}

function header({ state, from, to, approvedBy, branches, pulls, models, costs }: Journal): string {
  const { calls, usd, isPartlyUnknown } = totalOf(costs);
  const rows = [
    ['State', state],
    ['Dates', from === '' ? '' : `${spanOf(from, to)} UTC`],
    ['Approved by', approvedBy.map(quoteCode).join(', ')],
    ['Branches', branches.map(quoteCode).join(', ')],
    ['Pull requests', pulls.map(pullCell).join(', ')],
    ['Models', models.map(modelName).join(', ')],
    ['Cost', calls === 0 ? '' : `${dollars(usd, isPartlyUnknown)} in ${calls} calls of models`],
  ];
  const shown = rows
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `- ${name}: ${value}`);
  return shown.join('\n');
}

/** The day once, where it is one. */
function spanOf(from: string, to: string): string {
  const isOneDay = from.slice(0, 10) === to.slice(0, 10);
  return `${minuteOf(from)} to ${isOneDay ? to.slice(11, 16) : minuteOf(to)}`;
}

function pullCell({ number, task, isMerged }: Journal['pulls'][number]): string {
  const about = [task === undefined ? '' : `task ${task}`, isMerged ? 'merged' : 'open'];
  return `#${number} (${about.filter((part) => part !== '').join(', ')})`;
}

function modelName(model: string): string {
  return model === 'offline' ? 'offline rules' : quoteCode(model);
}

function missing({ missingBefore }: Journal): string[] {
  return missingBefore === undefined
    ? []
    : [`_Events before ${minuteOf(missingBefore)} UTC were deleted. This journal begins there._`];
}

/** Entries by day, as people read a diary. */
function story(entries: readonly JournalEntry[]): string[] {
  if (entries.length === 0) return ['Nothing is recorded.'];
  const days = Map.groupBy(entries, ({ at }) => at.slice(0, 10));
  return [...days].flatMap(([day, ofDay]) => [`### ${day}`, ...ofDay.map(renderEntry)]);
}

function renderEntry({ at, text, lines = [], quote = '' }: JournalEntry): string {
  const parts = [
    `${at.slice(11, 16)} · ${text}`,
    lines.map((line) => `- ${line}`).join('\n'),
    quote === ''
      ? ''
      : quote
          .split('\n')
          .map((line) => `> ${line}`.trimEnd())
          .join('\n'),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function minuteOf(at: string): string {
  return at.slice(0, 16).replace('T', ' ');
}
