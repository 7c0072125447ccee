/** The channel `bluesky`: nothing is loaded, asked or connected before the first call. */
import {
  toBlueskyAnnouncement,
  toBlueskyDigest,
  type BlueskyAnnouncement,
} from '../../domain/channel/bluesky/bluesky-announcement.ts';
import { toBlueskyPosts } from '../../domain/channel/bluesky/bluesky-text.ts';
import type { ChatPost } from '../../domain/channel/chat-thread.ts';
import { readMarkdown } from '../../domain/channel/text/read-markdown.ts';
import { RefusedError } from '../../domain/event/errors.ts';
import type { AnnouncedPost, Channel, ChatReply } from '../../ports/channel.ts';
import { toBlueskyFailure } from './bluesky-errors.ts';
import { createBlueskySession, type BlueskyParts } from './bluesky-session.ts';
import { createCardPictures, type CardPictureParts } from './card-pictures.ts';
import { createEar } from './hear-bluesky.ts';
import { ensureRecord, type StrongRef } from './put-record.ts';
import {
  ensurePost,
  findFirstPost,
  isOfKey,
  readPost,
  type Account,
  type Poster,
} from './send-post.ts';

export interface BlueskyChannelOptions extends BlueskyParts, CardPictureParts {
  githubHost?: string;
}

/** Longer answers are cut: the whole is on GitHub. */
const MAX_POSTS = 5;

export function createBluesky(options: BlueskyChannelOptions): Channel {
  const session = createBlueskySession(options);
  const pictures = createCardPictures(options);
  const run = <T>(call: (account: Poster) => Promise<T>): Promise<T> =>
    session.run((agent, did, isAgain) => call({ agent, did, pictures, isAgain }));
  const { githubHost = 'github.com', settings } = options;
  const { pollMs, ...ear } = createEar({ session, githubHost, owner: settings.owner });
  let lastCursor: string | undefined;
  const catchUp: Channel['catchUp'] = async (cursor) => {
    const heard = await ear.catchUp(cursor);
    lastCursor = heard.cursor;
    return heard;
  };
  return {
    name: 'bluesky',
    pollMs,
    announce: async (post) => {
      refusePrivate(post.isPrivate || post.announcements.some(({ subject }) => subject.isPrivate));
      return run((account) => announce(account, post));
    },
    reply: async (to, reply) => {
      refusePrivate(reply.isPrivate);
      refuseUnseen(reply);
      return run((account) => answer(account, to, reply));
    },
    react: async (to, reaction) => {
      // A like is all that Bluesky has, and it would be wrong under what was refused.
      if (reaction !== 'refused') await run((account) => like(account, to, options.clock.now()));
    },
    catchUp,
    listen: async (hear, signal) => {
      let cursor = lastCursor ?? (await catchUp(undefined)).cursor;
      while (!signal.aborted) {
        const heard = await catchUp(cursor);
        for (const message of heard.messages) await hear(message);
        cursor = heard.cursor;
        await options.clock.sleep(pollMs, signal).catch(() => undefined);
      }
    },
  };
}

function refusePrivate(isPrivate: boolean): void {
  if (!isPrivate) return;
  throw new RefusedError({
    code: 'channel-private',
    message: 'The repository is private, and posts on Bluesky are public.',
  });
}

/** Every post is public, and none can be changed. */
function refuseUnseen({ onlyFor, isInstead }: ChatReply): void {
  if (onlyFor === undefined && isInstead !== true) return;
  throw new RefusedError({
    code: 'channel-invalid',
    message: 'Bluesky has no posts for one person, and none that can be changed.',
  });
}

/**
 * Posts cannot be edited: the first about a repository begins its thread, and each other one answers the one before it. So
 * readers see them in order, and above each post what happened just before.
 */
async function announce(account: Poster, post: AnnouncedPost): Promise<ChatPost> {
  const { text, card, subject } = describe(post);
  const { key, at } = post;
  if (post.thread !== undefined) return below(account, { key, at, text, card }, post.thread.thread);
  const root =
    (post.isDigest === true ? undefined : await findFirstPost(account, subject)) ??
    (await ensurePost(account, { key, at, text, card, subject }));
  if (isOfKey(root, key)) return toPost(account, root.uri, root.uri);
  const { latest } = post;
  const isInThread = latest?.thread === root.uri && latest.message !== root.uri;
  const parent = isInThread ? await readParent(account, latest.message, root) : root;
  const reply = { root, parent };
  const { uri } = await ensurePost(account, { key, at, text, card, reply });
  return toPost(account, root.uri, uri);
}

function describe(post: AnnouncedPost): {
  text: BlueskyAnnouncement;
  card: BlueskyAnnouncement['card'];
  subject: string;
} {
  const { announcements, dropped, key } = post;
  const [first] = announcements;
  const isDigest = post.isDigest === true;
  const text = isDigest
    ? toBlueskyDigest(announcements, dropped)
    : toBlueskyAnnouncement(first, dropped);
  const subject = isDigest ? `digest/${key}` : `repository/${first.subject.repositoryId}`;
  return { text, card: text.card, subject };
}

async function below(
  account: Poster,
  post: { key: string; at: string; text: BlueskyAnnouncement; card: BlueskyAnnouncement['card'] },
  thread: string,
): Promise<ChatPost> {
  const root = await readPost(account, thread);
  const { uri } = await ensurePost(account, { ...post, reply: { root, parent: root } });
  return toPost(account, thread, uri);
}

/** Each post answers the one before it. */
async function answer(
  account: Poster,
  to: ChatPost,
  { key, at, markdown }: ChatReply,
): Promise<ChatPost> {
  const root = await readPost(account, to.thread);
  const parent = to.message === to.thread ? root : await readParent(account, to.message, root);
  let last = parent;
  let first: string | undefined;
  for (const [place, text] of toBlueskyPosts(readMarkdown(markdown), MAX_POSTS).entries()) {
    last = await ensurePost(account, {
      key: `${key}/${place + 1}`,
      at,
      text,
      reply: { root, parent: last },
    });
    first ??= last.uri;
  }
  return toPost(account, to.thread, first ?? to.message);
}

/** Where somebody deleted what is answered, the answer is still read in the thread. */
async function readParent(account: Account, uri: string, root: StrongRef): Promise<StrongRef> {
  return readPost(account, uri).catch((error: unknown) => {
    if (isGone(error)) return root;
    throw error;
  });
}

function isGone(error: unknown): boolean {
  return toBlueskyFailure(error, 0).code === 'channel-not-found';
}

async function like(account: Account, { message }: ChatPost, now: number): Promise<void> {
  const { agent, did } = account;
  const subject = await readPost(account, message);
  const record = { $type: 'app.bsky.feed.like', subject, createdAt: new Date(now).toISOString() };
  const isSame = (value: Record<string, unknown>): boolean =>
    JSON.stringify(value['subject'] ?? '').includes(message);
  await ensureRecord({
    agent,
    did,
    collection: 'app.bsky.feed.like',
    key: `like/${message}`,
    record,
    isSame,
  });
}

function toPost({ did }: Account, thread: string, message: string): ChatPost {
  return { channel: 'bluesky', place: did, thread, message };
}
