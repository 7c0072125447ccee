/** What is new since a cursor. Whether a notification was read is kept by the server for people; here the cursor decides. */
import type { AppBskyNotificationListNotifications } from '@atproto/api';
import {
  advanceCursor,
  FIRST_CURSOR,
  isAfter,
  parseCursor,
  writeCursor,
  type Indexed,
} from './news-cursor.ts';
import type { Account } from './send-post.ts';

type Notification = AppBskyNotificationListNotifications.Notification;

const PAGE = 50;
const MAX_PAGES = 20;

/** What a list has that was not read before. */
export interface News<T extends Indexed> {
  /** Oldest first. */
  found: T[];
  cursor: string;
}

/** One request where nothing is new. */
export async function readNews(
  account: Account,
  text: string | undefined,
): Promise<News<Notification>> {
  const cursor = text === undefined ? undefined : parseCursor(text);
  if (cursor === undefined) return nothingOld((await readPage(account, undefined)).notifications);
  const found: Notification[] = [];
  let page: string | undefined;
  for (let count = 0; count < MAX_PAGES; count += 1) {
    const { notifications, next } = await readPage(account, page);
    found.push(...notifications.filter((each) => isAfter(each, cursor)));
    const last = notifications.at(-1);
    if (next === undefined || last === undefined || last.indexedAt < cursor.at) break;
    page = next;
  }
  return { found: inOrder(found), cursor: writeCursor(advanceCursor(cursor, found)) };
}

/** The first look: only what comes later is new. */
export function nothingOld<T extends Indexed>(there: readonly T[]): News<T> {
  return { found: [], cursor: writeCursor(advanceCursor(FIRST_CURSOR, there)) };
}

export function inOrder<T extends Indexed>(found: readonly T[]): T[] {
  return found.toSorted((a, b) => a.indexedAt.localeCompare(b.indexedAt));
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
