/** What of a channel's waiting announcements is sent now: bursts become one digest, what is too old is dropped. */
import type { Announcement } from './announcement.ts';
import { isSettled, subjectKey } from './announcement.ts';
import { isQuietHour, endOfQuiet, type QuietHours } from './quiet-hours.ts';

/** One announcement in the queue of one channel. */
export interface Waiting {
  /** The same for each attempt to send it. */
  key: string;
  /** When it was decided, in ms since the epoch. */
  at: number;
  announcement: Announcement;
}

export interface Delivery {
  /** Each in a message of its own, oldest first. */
  single: readonly Waiting[];
  /** All in one message; empty when there is no burst. */
  digest: readonly Waiting[];
  /** The digest with what is too old for it, and what quiet hours now hold back: the same at each attempt. */
  burst: readonly Waiting[];
  /** Older than 24 hours: never sent, and counted in the next message. */
  dropped: readonly Waiting[];
  /** Superseded by a newer one about the same subject. */
  collapsed: readonly Waiting[];
  /** Not before this moment, because of quiet hours. */
  later: readonly Waiting[];
  laterUntil: number | undefined;
}

export const STALE_MS = 24 * 3_600_000;
/** More than these at once are a burst. */
const BURST = 4;
/** What a newer state of the same subject never hides. */
const ALWAYS_TOLD: ReadonlySet<Announcement['event']> = new Set([
  'needs-human',
  'head-settled',
  'need-settled',
  'failed',
  'standup',
  'weekly',
]);

/** These are not states of their subject, so they supersede nothing: a verdict is still true when a person is needed. */
const BESIDE: ReadonlySet<Announcement['event']> = new Set([
  'needs-human',
  'head-settled',
  'need-settled',
  'standup',
  'weekly',
]);

export interface DeliveryContext {
  now: number;
  quietHours: QuietHours;
  /**
   * When they were first tried together, in ms since the epoch. What was too old by then, or held back by quiet hours, was
   * in no digest. Absent where nobody knows it.
   */
  firstTriedAt?: number;
  /** Whether people asked for it in a thread of this channel: it goes there, and belongs to no digest. */
  isInThread?: (each: Waiting) => boolean;
}

export function planDelivery(
  waiting: readonly Waiting[],
  { now, quietHours, firstTriedAt, isInThread = () => false }: DeliveryContext,
): Delivery {
  const inOrder = waiting.toSorted((a, b) => a.at - b.at);
  const dropped = inOrder.filter(
    ({ at, announcement }) => now - at > STALE_MS && !isSettled(announcement),
  );
  const fresh = inOrder.filter(({ at }) => now - at <= STALE_MS);
  const isQuietNow = isQuietHour(now, quietHours);
  const wasQuiet = isQuietHour(firstTriedAt ?? now, quietHours);
  const wasDue = ({ announcement }: Waiting): boolean => !wasQuiet || announcement.isAsked === true;
  const isDue = (each: Waiting): boolean =>
    wasDue(each) && (!isQuietNow || each.announcement.isAsked === true);
  const later = fresh.filter((each) => !isDue(each));
  const isApart = (each: Waiting): boolean => isApprovable(each) || isInThread(each);
  const { kept, collapsed } = collapse(fresh.filter(isDue));
  const all = collapse(inOrder.filter(wasDue)).kept.filter((each) => !isApart(each));
  // What became too old since the first attempt counts: a digest stays one, so that it is found where it arrived before.
  const counted = all.filter(
    ({ at }) => firstTriedAt === undefined || firstTriedAt - at <= STALE_MS,
  );
  const isBurst = counted.length > BURST;
  return {
    single: isBurst ? kept.filter(isApart) : kept,
    digest: isBurst ? kept.filter((each) => !isApart(each)) : [],
    burst: isBurst ? all : [],
    dropped,
    collapsed,
    later,
    laterUntil: later.length === 0 ? undefined : endOfQuiet(now, quietHours),
  };
}

/** It can have buttons, which belong to one plan or pull request and to its thread, or changes such a message. */
function isApprovable({ announcement }: Waiting): boolean {
  return (
    announcement.event === 'plan-proposed' ||
    isSettled(announcement) ||
    (announcement.event === 'needs-human' && announcement.headSha !== undefined)
  );
}

/** Of each matter the newest state stays, and what people must see. */
function collapse(due: readonly Waiting[]): { kept: Waiting[]; collapsed: Waiting[] } {
  const states = due.filter(({ announcement }) => !BESIDE.has(announcement.event));
  const newest = new Map(
    states.flatMap(({ announcement, key }) =>
      mattersOf(announcement).map((matter) => [matter, key] as const),
    ),
  );
  const kept: Waiting[] = [];
  const collapsed: Waiting[] = [];
  for (const each of due) {
    const { announcement, key } = each;
    const isNewest = newest.get(mattersOf(announcement)[0]) === key;
    (isNewest || ALWAYS_TOLD.has(announcement.event) ? kept : collapsed).push(each);
  }
  return { kept, collapsed };
}

/**
 * What an announcement is the state of, and what else it brings up to date. A thread has several: its plan, each task, and
 * its runs. A run that begins takes nothing from the verdict of another.
 */
function mattersOf({ event, subject, speaks }: Announcement): [string, ...string[]] {
  const thread = subjectKey(subject);
  if (event === 'run-started') return [`${thread} begins`];
  if (event === 'verdict') return [`${thread} verdict`, `${thread} begins`];
  return [`${thread} ${speaks?.task ?? 'plan'}`];
}
