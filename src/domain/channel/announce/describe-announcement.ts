/** An announcement in words, before any channel's markup. */
import { readMarkdown } from '../text/read-markdown.ts';
import { webLink, toOneLine, textBlock, type Block, type Span } from '../text/rich-text.ts';
import type { HeadAnswer } from '../approval-click.ts';
import type { Announced, Announcement, Subject } from './announcement.ts';

export interface Described {
  /** One line: what happened, and where. */
  head: Extract<Block, { kind: 'text' }>;
  /** The text below it; may be empty. */
  details: readonly Block[];
  card: Card;
}

/** A link as a box with a title. */
export interface Card {
  url: string;
  title: string;
  text: string;
}

export function describeAnnouncement(announcement: Announcement): Described {
  const { subject } = announcement;
  const place = placeOf(subject);
  const { said } = announcement;
  const spoken = said && [`${said.by}: ${said.text}`, STILL_TOLD[announcement.event] ?? ''];
  const what = toOneLine(spoken?.join(' ').trim() ?? headline(announcement));
  return {
    head: textBlock([
      `${iconOf(announcement)} `,
      { ...webLink(place, subject.url), isOurs: true },
      `: ${what}`,
    ]),
    details: detailsOf(announcement),
    card: {
      url: subject.url,
      title: toOneLine(subject.title ?? place, 120),
      text: `${place}: ${what}`,
    },
  };
}

type Event = Announced['event'];

/** `owner/repo#12 Title`. */
function placeOf({ repository, number, title }: Subject): string {
  const name = number === undefined ? repository : `${repository}#${number}`;
  return toOneLine(title === undefined ? name : `${name} ${title}`, 160);
}

const ICONS: Readonly<Record<Event, string>> = {
  'run-started': '👀',
  verdict: '⚖️',
  'plan-proposed': '📝',
  'plan-approved': '👍',
  'plan-complete': '🏁',
  'task-claimed': '🛠️',
  'task-released': '↩️',
  'pr-opened': '🔀',
  merged: '✅',
  failed: '❌',
  standup: '📅',
  weekly: '📊',
  'needs-human': '🙋',
  'head-settled': '☑️',
  'need-settled': '☑️',
};

/** A thumb only where somebody approved it. */
function iconOf(announced: Announced): string {
  const isApproved = announced.event === 'head-settled' && announced.answer.by !== undefined;
  return ICONS[isApproved ? 'plan-approved' : announced.event];
}

/** What people must know, whatever a persona says in place of the headline. */
const STILL_TOLD: Readonly<Partial<Record<Event, string>>> = {
  'plan-proposed': 'It waits for approval.',
};

const HEADLINES: { [Each in Event]: (announced: Announced<Each>) => string } = {
  'run-started': ({ run, personas }) =>
    personas.length === 0 ? `${run} started` : `${run} started with ${personas.join(', ')}`,
  verdict: ({ verdict }) => `verdict: ${verdict}`,
  'plan-proposed': ({ tasks }) =>
    `plan ${tasks === undefined ? '' : `with ${counted(tasks, 'task')} `}proposed; it waits for approval`,
  'plan-approved': ({ by }) => `${by} approved the plan`,
  'plan-complete': ({ tasks }) => `plan complete: ${counted(tasks, 'task')} merged`,
  'task-claimed': ({ task, by }) => `${by} works on “${task}”`,
  'task-released': ({ task, reason }) => `“${task}” is free again: ${reason}`,
  'pr-opened': ({ task, by }) =>
    `${by} opened a pull request${task === undefined ? '' : ` for “${task}”`}`,
  merged: ({ task, by }) =>
    `${task === undefined ? '' : `“${task}” `}merged${by === undefined ? '' : ` by ${by}`}`,
  failed: ({ task, reason }) => `${task === undefined ? 'failed' : `“${task}” failed`}: ${reason}`,
  standup: ({ date }) => `standup of ${date}`,
  weekly: ({ week }) => `week ${week}`,
  'needs-human': ({ question }) => `a person is needed: ${question}`,
  'head-settled': ({ answer }) => answered(answer),
  'need-settled': ({ question }) => `settled: ${question}`,
};

function answered({ headSha, by }: HeadAnswer): string {
  const head = `head ${headSha.slice(0, 12)}`;
  return by === undefined ? `${head} no longer waits for approval` : `${by} approved ${head}`;
}

function headline<Each extends Event>(announced: Announced<Each>): string {
  return HEADLINES[announced.event](announced);
}

function detailsOf(announced: Announced): Block[] {
  return 'details' in announced ? readMarkdown(announced.details) : [];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** Most lines of a digest; the others are counted. */
const MAX_LINES = 15;

/** Many announcements as one message, the newest state of each subject on a line. */
export function describeDigest(announcements: readonly Announcement[], dropped: number): Block[] {
  const lines = announcements
    .slice(0, MAX_LINES)
    .map((each): Block => ({ ...describeAnnouncement(each).head, isItem: true }));
  const left = announcements.length - lines.length;
  const more: Span[] = [];
  if (left > 0) more.push({ text: `${left} more in GitHub. ` });
  if (dropped > 0) more.push({ text: droppedNote(dropped) });
  return [
    textBlock([{ text: `${counted(announcements.length, 'update')}:`, isStrong: true }]),
    ...lines,
    ...(more.length === 0 ? [] : [textBlock(more)]),
  ];
}

/** How many messages were never sent. */
export function droppedNote(dropped: number): string {
  return dropped === 1
    ? '1 older message was dropped because it could not be sent.'
    : `${dropped} older messages were dropped because they could not be sent.`;
}
