/** The status issue: one week of a repository, written again from values each time. It is ours; edits are not kept. */
import { codeSpan } from '../text/code-span.ts';
import { capBody } from '../text/cap-body.ts';
import type { Cost } from '../run/ledger.ts';
import { isUnsettled, type Tension } from '../tension/tension.ts';
import type { Theme } from '../standup/trends.ts';

/** Something that only a person can bring on. */
export interface Waiting {
  /** Of the issue or pull request. */
  number: number;
  /** One sentence, cleaned: what is wanted of whom. */
  what: string;
  /** ISO 8601. */
  since: string;
}

/** An issue or pull request. The title is foreign text; empty where it is not known. */
export interface Titled {
  number: number;
  title: string;
}

/** What the digest tells of a tension. */
export type DigestTension = Pick<
  Tension,
  'number' | 'type' | 'message' | 'seen' | 'firstSeen' | 'state' | 'issue'
>;

/** What it tells of a theme. */
export type DigestTheme = Pick<Theme, 'label' | 'count' | 'paths' | 'isRaised'>;

export interface DigestInput {
  /** First and last day, ISO 8601 dates. */
  from: string;
  to: string;
  /** Plans that were completed, discussions and reviews that came to a verdict. */
  done: readonly Titled[];
  /** Pull requests of tasks that were merged. */
  merged: readonly Titled[];
  spent: Cost;
  /** All of the repository; settled ones are left out. */
  tensions: readonly DigestTension[];
  themes: readonly DigestTheme[];
  waiting: readonly Waiting[];
  /** What did not work on our side; one line, however much it is. */
  failures: readonly string[];
  /** What is wrong with the memory; absent where that is nothing, or was not read. */
  memory?: MemoryHealth;
}

export interface MemoryHealth {
  /** Notes that expired, were mostly dismissed or cite what is gone: no run uses them. Absent where the memory was not read. */
  stale?: number;
  /** Reflections of the week that failed and saved no lessons. */
  failed: number;
}

const MAX_LISTED = 20;

/** What the issue is called: always the same, so that it is found and mirrored. */
export const STATUS_TITLE = 'Quorum: status';

/** Pure: the same values give the same bytes. Titles of others are shown as code. */
export function renderDigest(input: DigestInput): string {
  const { from, to } = input;
  const parts = [
    `## Week of ${from} to ${to}`,
    figures(input),
    section('What needs a person', waitingLines(input)),
    section('Open tensions, oldest first', tensionLines(input)),
    section('Seen three times or more', themeLines(input)),
    section('Done', input.done.map(titled)),
    section('Merged', input.merged.map(titled)),
    failureLine(input.failures),
    memoryLine(input.memory),
    '<sub>Quorum writes this issue again each week and keeps no edits. Close it to switch it off.</sub>',
  ];
  return capBody(parts.filter((part) => part !== '').join('\n\n'));
}

/** Whether there is nothing to tell: then no issue is opened for it. */
export function isQuietWeek(input: DigestInput): boolean {
  const { done, merged, spent, tensions, themes, waiting, failures, memory } = input;
  const open = tensions.filter(isUnsettled);
  const raised = themes.filter(({ isRaised }) => isRaised);
  const lists = [done, merged, open, raised, waiting, failures];
  const failed = memory?.failed ?? 0;
  return lists.every((each) => each.length === 0) && spent.usd === 0 && failed === 0;
}

/** All that a digest tells, without dates and ages: a week that would tell the same as the one before is not written. */
export function digestFacts(input: DigestInput): string {
  const { done, merged, spent, tensions, themes, waiting, failures, memory } = input;
  const open = tensions.filter(isUnsettled);
  const raised = themes.filter(({ isRaised }) => isRaised);
  return JSON.stringify([
    done.map(({ number }) => number),
    merged.map(({ number }) => number),
    [spent.usd.toFixed(2), spent.isPartlyUnknown],
    open.map(({ number, state, seen, issue }) => [number, state, seen, issue]),
    raised.map(({ label, count }) => [label, count]),
    waiting.map(({ number, what }) => [number, what]),
    failures,
    ...(memory === undefined ? [] : [[memory.stale ?? 0, memory.failed]]),
  ]);
}

const MAX_TOLD = 5;

/** What channels tell of a week: its figures, and what needs a person first. */
export function digestDetails(input: DigestInput): string {
  const lines = waitingLines(input);
  const more = lines.length > MAX_TOLD ? [`- ${lines.length - MAX_TOLD} more`] : [];
  return [figures(input), [...lines.slice(0, MAX_TOLD), ...more].join('\n')]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** One line for a channel: what the mirror posts. */
export function digestLine({ done, merged, spent, tensions, waiting }: DigestInput): string {
  const open = tensions.filter(isUnsettled).length;
  return `${done.length} done, ${merged.length} merged, ${money(spent)} spent, ${counted(open, 'open tension')}, ${waiting.length} waiting for a person`;
}

function figures(input: DigestInput): string {
  const line = digestLine(input);
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}.`;
}

function waitingLines({ waiting, to }: DigestInput): string[] {
  return waiting
    .toSorted((a, b) => compare(a.since, b.since) || a.number - b.number)
    .map(({ number, what, since }) => `- #${number}: ${what} (${age(since, to)})`);
}

function tensionLines({ tensions, to }: DigestInput): string[] {
  return tensions
    .filter(isUnsettled)
    .toSorted((a, b) => compare(a.firstSeen, b.firstSeen) || a.number - b.number)
    .map(({ number, type, message, seen, firstSeen, state, issue }) => {
      const where = issue === undefined ? state : `#${issue}`;
      const often = seen > 1 ? `, seen ${seen} times` : '';
      return `- **${number}** ${codeSpan(type)} ${message} (${age(firstSeen, to)}${often}, ${where})`;
    });
}

function themeLines({ themes }: DigestInput): string[] {
  return themes
    .filter(({ isRaised }) => isRaised)
    .toSorted((a, b) => b.count - a.count || compare(a.label, b.label))
    .map(({ label, count, paths }) => {
      const [path] = paths;
      const where = path === undefined ? '' : `, mostly in ${codeSpan(path)}`;
      return `- ${codeSpan(label)}: ${count} runs${where}`;
    });
}

function titled({ number, title }: Titled): string {
  return title === ''
    ? `- #${number}`
    : `- #${number} ${codeSpan(title.slice(0, 120).toWellFormed())}`;
}

function failureLine(failures: readonly string[]): string {
  const [first] = failures;
  if (first === undefined) return '';
  const more = failures.length === 1 ? '' : `, and ${counted(failures.length - 1, 'other')}`;
  return `On our side: ${codeSpan(first.slice(0, 200).toWellFormed())}${more}.`;
}

function memoryLine(memory: MemoryHealth | undefined): string {
  if (memory === undefined) return '';
  const { stale = 0, failed } = memory;
  const isOne = stale === 1;
  const parts = [
    ...(stale === 0
      ? []
      : [
          `${counted(stale, 'note')} of the memory expired, ${isOne ? 'was' : 'were'} mostly dismissed or ${isOne ? 'cites' : 'cite'} what is gone, so no run uses ${isOne ? 'it' : 'them'}. \`/pm memory\` lists stale notes.`,
        ]),
    ...(failed === 0 ? [] : [`${counted(failed, 'reflection')} failed and saved no lessons.`]),
  ];
  return parts.join(' ');
}

function section(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const rest = lines.length - MAX_LISTED;
  const more = rest > 0 ? [`- ${rest} more`] : [];
  return `### ${title}\n\n${[...lines.slice(0, MAX_LISTED), ...more].join('\n')}`;
}

function money({ usd, isPartlyUnknown }: Cost): string {
  return `$${usd.toFixed(2)}${isPartlyUnknown ? ' and an unknown part' : ''}`;
}

function age(since: string, to: string): string {
  const days = Math.max(0, Math.floor((Date.parse(to) - Date.parse(since)) / 86_400_000));
  return days === 0 ? 'today' : counted(days, 'day');
}

function counted(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
