/** What is new since a cursor. Whether a notification was read is kept by the server for people; here the cursor decides. */
import { createHash } from 'node:crypto';
import type { AppBskyNotificationListNotifications } from '@atproto/api';
import type { Account } from './send-post.ts';

type Notification = AppBskyNotificationListNotifications.Notification;

const PAGE = 50;
const MAX_PAGES = 20;
const START = '1970-01-01T00:00:00.000Z';

/** The time of the newest notification that was read, and which ones have that time. */
interface Cursor {
  at: string;
  heard: readonly string[];
}

export interface News {
  /** Oldest first. */
  notifications: Notification[];
  cursor: string;
}

/** One request where nothing is new. */
export async function readNews(account: Account, text: string | undefined): Promise<News> {
  const cursor = text === undefined ? undefined : parse(text);
  if (cursor === undefined) {
    const [newest] = (await readPage(account, undefined)).notifications;
    return {
      notifications: [],
      cursor: newest === undefined ? START : write(advance({ at: START, heard: [] }, [newest])),
    };
  }
  const found: Notification[] = [];
  let page: string | undefined;
  for (let count = 0; count < MAX_PAGES; count += 1) {
    const { notifications, next } = await readPage(account, page);
    found.push(...notifications.filter((each) => isNew(each, cursor)));
    const last = notifications.at(-1);
    if (next === undefined || last === undefined || last.indexedAt < cursor.at) break;
    page = next;
  }
  const inOrder = found.toSorted((a, b) => a.indexedAt.localeCompare(b.indexedAt));
  return { notifications: inOrder, cursor: write(advance(cursor, inOrder)) };
}

async function readPage({ agent }: Account, cursor: string | undefined) {
  const reasons = ['mention', 'reply'];
  const { data } = await agent.listNotifications({
    limit: PAGE,
    reasons,
    ...(cursor !== undefined && { cursor }),
  });
  return { notifications: data.notifications, next: data.cursor };
}

function isNew({ indexedAt, uri }: Notification, { at, heard }: Cursor): boolean {
  return indexedAt > at || (indexedAt === at && !heard.includes(shortOf(uri)));
}

function advance(cursor: Cursor, found: readonly Notification[]): Cursor {
  const at = found.reduce(
    (latest, { indexedAt }) => (indexedAt > latest ? indexedAt : latest),
    cursor.at,
  );
  const heard = found.filter(({ indexedAt }) => indexedAt === at).map(({ uri }) => shortOf(uri));
  return { at, heard: at === cursor.at ? [...cursor.heard, ...heard] : heard };
}

function shortOf(uri: string): string {
  return createHash('sha256').update(uri).digest('hex').slice(0, 8);
}

function write({ at, heard }: Cursor): string {
  return [at, ...heard].join(' ');
}

/** A cursor that we did not write means the present moment. */
function parse(text: string): Cursor | undefined {
  const [at = '', ...heard] = text.split(' ');
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(at) ? { at, heard } : undefined;
}
