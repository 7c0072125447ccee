/**
 * What is new for the team: mentions and replies, and what the owner posts. The two take turns, so that each look is one
 * request. Where one of them fails, the other is read in its place, so that neither waits for the other.
 */
import type { ChatMessage } from '../../domain/channel/chat-thread.ts';
import type { Heard } from '../../ports/channel.ts';
import type { BlueskySession } from './bluesky-session.ts';
import { readNotification, readSharedPost, type Reading } from './read-notification.ts';
import { readNews } from './read-notifications.ts';
import { readShared } from './read-shared.ts';
import type { Account } from './send-post.ts';

/** People are answered after this time at the latest. */
const POLL_MS = 45_000;
/** An owner who posts many links at once is answered to the newest of them. */
const MOST_SHARED = 3;

export interface BlueskyEar {
  pollMs: number;
  catchUp(cursor: string | undefined): Promise<Heard>;
}

export interface EarOptions {
  session: BlueskySession;
  githubHost: string;
  /** Whose own posts are looked at, DID or handle; undefined: no posts are read. */
  owner: string | undefined;
}

/** How far each of the two was read; absent before the first look. */
interface Cursors {
  news?: string | undefined;
  shared?: string | undefined;
}

export function createEar({ session, githubHost, owner }: EarOptions): BlueskyEar {
  let isOwnersTurn = owner !== undefined;
  return {
    // Each of the two is looked at as often as it would be alone.
    pollMs: owner === undefined ? POLL_MS : POLL_MS / 2,
    catchUp: async (text) => {
      const turn = isOwnersTurn ? owner : undefined;
      isOwnersTurn = owner !== undefined && !isOwnersTurn;
      const before = split(text, owner);
      const hear = (list: List, cursors: Cursors): Promise<Hearing> =>
        session.run((agent, did) =>
          list({ account: { agent, did }, reading: { did, githubHost } }, cursors),
        );
      const posts: List | undefined =
        owner === undefined ? undefined : (looking, cursors) => hearShared(looking, owner, cursors);
      // The very first look of all notes the present moment for both.
      const isFirst = before.news === undefined && turn !== undefined;
      const { cursors } = isFirst ? await hear(hearNews, before) : { cursors: before };
      if (posts === undefined) return toHeard(await hear(hearNews, cursors));
      const [due, other] = turn === undefined ? [hearNews, posts] : [posts, hearNews];
      return hearEither({ due, other }, (list) => hear(list, cursors));
    },
  };
}

type List = (looking: Looking, cursors: Cursors) => Promise<Hearing>;

/** Where both fail, the service does: that is for the caller. */
async function hearEither(
  { due, other }: { due: List; other: List },
  hear: (list: List) => Promise<Hearing>,
): Promise<Heard> {
  try {
    return toHeard(await hear(due));
  } catch (unread) {
    const heard = await hear(other).catch(() => {
      throw unread;
    });
    return { ...toHeard(heard), unread };
  }
}

function toHeard({ messages, cursors }: Hearing): Heard {
  return { messages, cursor: join(cursors) };
}

interface Looking {
  account: Account;
  reading: Reading;
}

interface Hearing {
  messages: ChatMessage[];
  cursors: Cursors;
}

async function hearNews({ account, reading }: Looking, cursors: Cursors): Promise<Hearing> {
  const { found, cursor } = await readNews(account, cursors.news);
  const messages = found.flatMap((each) => readNotification(each, reading) ?? []);
  return { messages, cursors: { ...cursors, news: cursor } };
}

async function hearShared(
  { account, reading }: Looking,
  owner: string,
  cursors: Cursors,
): Promise<Hearing> {
  const { found, cursor } = await readShared(account, owner, cursors.shared);
  const messages = found.flatMap((each) => readSharedPost(each, reading) ?? []);
  return { messages: messages.slice(-MOST_SHARED), cursors: { ...cursors, shared: cursor } };
}

const BETWEEN = ' | ';

/** Without an owner nothing is kept of whose posts were read before: a later owner's posts are new from then on. */
function split(text: string | undefined, owner: string | undefined): Cursors {
  const [news, shared] = text?.split(BETWEEN) ?? [];
  return { news, ...(owner !== undefined && { shared }) };
}

function join({ news = '', shared }: Cursors): string {
  return shared === undefined ? news : [news, shared].join(BETWEEN);
}
