/** What Bluesky makes of the records: notifications, posts and threads. */
import {
  accountOf,
  type BlueskyAccount,
  type BlueskyRecord,
  type BlueskyWorld,
} from './bluesky-world.ts';
import { asObject, findRecord } from './bluesky-records.ts';
import { xrpcFail, type XrpcAnswer } from './xrpc.ts';

/** The newest first. */
export function listNotifications(
  world: BlueskyWorld,
  me: BlueskyAccount,
  query: URLSearchParams,
): XrpcAnswer {
  const reasons = query.getAll('reasons');
  const cursor = query.get('cursor');
  const limit = Math.min(Number(query.get('limit') ?? 50), 100);
  const all = world.records
    .flatMap((record) => toNotification(world, me, record))
    .filter(({ reason }) => reasons.length === 0 || reasons.includes(reason))
    .filter(({ indexedAt }) => cursor === null || indexedAt < cursor)
    .toSorted((a, b) => b.indexedAt.localeCompare(a.indexedAt));
  const page = all.slice(0, limit);
  const last = page.at(-1);
  const more = last !== undefined && all.length > limit ? { cursor: last.indexedAt } : {};
  return { status: 200, body: { notifications: page, ...more } };
}

function toNotification(world: BlueskyWorld, me: BlueskyAccount, record: BlueskyRecord) {
  if (record.did === me.did || record.collection !== 'app.bsky.feed.post') return [];
  const parent = parentOf(record);
  const isReply = parent?.startsWith(`at://${me.did}/`) === true;
  if (!isReply && !JSON.stringify(record.value['facets'] ?? []).includes(me.did)) return [];
  const { uri, cid, value, indexedAt } = record;
  const reason = isReply ? 'reply' : 'mention';
  const subject = isReply ? { reasonSubject: parent } : {};
  return [
    {
      uri,
      cid,
      author: toAuthor(world, record.did),
      reason,
      ...subject,
      record: value,
      isRead: true,
      indexedAt,
    },
  ];
}

export function parentOf({ value }: BlueskyRecord): string | undefined {
  const uri = asObject(asObject(value['reply'])['parent'])['uri'];
  return typeof uri === 'string' ? uri : undefined;
}

export function rootOf(record: BlueskyRecord): string {
  const uri = asObject(asObject(record.value['reply'])['root'])['uri'];
  return typeof uri === 'string' ? uri : record.uri;
}

function toAuthor(world: BlueskyWorld, did: string): Record<string, unknown> {
  return {
    did,
    handle: world.accounts.find((each) => each.did === did)?.handle ?? 'handle.invalid',
  };
}

function toPostView(world: BlueskyWorld, record: BlueskyRecord): Record<string, unknown> {
  const { uri, cid, value, indexedAt } = record;
  const likes = world.records.filter((each) => asObject(each.value['subject'])['uri'] === uri);
  return {
    $type: 'app.bsky.feed.defs#postView',
    uri,
    cid,
    author: toAuthor(world, record.did),
    record: value,
    indexedAt,
    likeCount: likes.length,
  };
}

export function getPosts(world: BlueskyWorld, query: URLSearchParams): XrpcAnswer {
  const uris = query.getAll('uris');
  if (uris.length === 0 || uris.length > 25)
    return xrpcFail(400, 'InvalidRequest', 'uris must have 1 to 25 items');
  const posts = uris
    .flatMap((uri) => findRecord(world, uri) ?? [])
    .map((record) => toPostView(world, record));
  return { status: 200, body: { posts } };
}

const FILTERS: ReadonlySet<string> = new Set(['posts_with_replies', 'posts_no_replies']);

/** Posts and reposts of one account, the newest first. */
export function getAuthorFeed(world: BlueskyWorld, query: URLSearchParams): XrpcAnswer {
  const account = accountOf(world, query.get('actor') ?? '');
  const filter = query.get('filter') ?? 'posts_with_replies';
  if (account === undefined) return xrpcFail(400, 'InvalidRequest', 'Profile not found');
  if (!FILTERS.has(filter)) return xrpcFail(400, 'InvalidRequest', 'unknown filter');
  const limit = Math.min(Number(query.get('limit') ?? 50), 100);
  const feed = world.records
    .filter(({ did }) => did === account.did)
    .toSorted((a, b) => b.indexedAt.localeCompare(a.indexedAt))
    .flatMap((record) => toFeedPost(world, record))
    .filter(({ isReply }) => filter === 'posts_with_replies' || !isReply)
    .map(({ item }) => item);
  return { status: 200, body: { feed: feed.slice(0, limit) } };
}

function toFeedPost(world: BlueskyWorld, record: BlueskyRecord) {
  if (record.collection === 'app.bsky.feed.post')
    return [{ isReply: parentOf(record) !== undefined, item: { post: toPostView(world, record) } }];
  if (record.collection !== 'app.bsky.feed.repost') return [];
  const uri = asObject(record.value['subject'])['uri'];
  const post = typeof uri === 'string' ? findRecord(world, uri) : undefined;
  if (post === undefined) return [];
  const { indexedAt } = record;
  const by = toAuthor(world, record.did);
  const reason = { $type: 'app.bsky.feed.defs#reasonRepost', by, indexedAt };
  return [{ isReply: false, item: { post: toPostView(world, post), reason } }];
}
