/** Mentions, replies and posts of the owner become {@link ChatMessage}s. */
import type { AppBskyFeedDefs, AppBskyNotificationListNotifications } from '@atproto/api';
import * as z from 'zod';
import type { ChatMessage } from '../../domain/channel/chat-thread.ts';
import { findGitHubLinks } from '../../domain/channel/github-links.ts';

const Link = z.looseObject({ uri: z.string().optional(), did: z.string().optional() });
const Index = z.object({ byteStart: z.int().nonnegative(), byteEnd: z.int().nonnegative() });
const Record = z.looseObject({
  text: z.string().default(''),
  createdAt: z.string().optional(),
  facets: z
    .array(
      z.looseObject({
        index: Index.optional().catch(undefined),
        features: z.array(Link).catch([]),
      }),
    )
    .catch([])
    .default([]),
  embed: z
    .looseObject({
      external: Link.optional().catch(undefined),
      // A card beside a quoted post.
      media: z
        .looseObject({ external: Link.optional().catch(undefined) })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
  reply: z
    .looseObject({ root: z.looseObject({ uri: z.string() }) })
    .optional()
    .catch(undefined),
});
type Notification = AppBskyNotificationListNotifications.Notification;
type Shared = AppBskyFeedDefs.PostView;

/** What is read with it. */
export interface Reading {
  /** Of our own account. */
  did: string;
  githubHost: string;
}

/** Undefined for what we wrote ourselves, and for what is neither a mention nor a reply. */
export function readNotification(
  notification: Notification,
  reading: Reading,
): ChatMessage | undefined {
  const why = (['mention', 'reply'] as const).find((each) => each === notification.reason);
  return why && readPost(notification, { ...reading, why })?.message;
}

/** Undefined for what we wrote ourselves, what names no GitHub link, and what mentions us: that is a notification. */
export function readSharedPost(post: Shared, reading: Reading): ChatMessage | undefined {
  const { message, mentions } = readPost(post, { ...reading, why: 'shared' }) ?? {};
  const isForTeam = message !== undefined && message.links.length > 0;
  return isForTeam && mentions?.includes(reading.did) === false ? message : undefined;
}

function readPost(
  { uri, author, record, indexedAt }: Notification | Shared,
  { did, githubHost, why }: Reading & Pick<ChatMessage, 'why'>,
): { message: ChatMessage; mentions: string[] } | undefined {
  if (author.did === did) return undefined;
  const parsed = Record.safeParse(record);
  if (!parsed.success) return undefined;
  const { text, facets, embed, reply } = parsed.data;
  const marked = facets.flatMap(({ features }) => features.flatMap(({ uri: link }) => link ?? []));
  const mentions = facets.flatMap(({ features }) => features.flatMap((each) => each.did ?? []));
  const embedded = [embed?.external?.uri, embed?.media?.external?.uri].flatMap(
    (each) => each ?? [],
  );
  const message: ChatMessage = {
    id: `bluesky/${uri}`,
    channel: 'bluesky',
    place: did,
    thread: reply?.root.uri ?? uri,
    message: uri,
    author: { id: author.did, name: author.handle, isBot: isBot(author.labels) },
    text: withoutMention(text.toWellFormed(), facets, did),
    why,
    links: findGitHubLinks({ marked, embedded, text }, githubHost),
    files: [],
    at: indexedAt,
  };
  return { message, mentions };
}

/** Accounts call themselves automated by a label. */
function isBot(labels: readonly { val: string }[] | undefined): boolean {
  return labels?.some(({ val }) => val === 'bot') === true;
}

/** Without the account's own name, which comes before a command. Facets count bytes. */
function withoutMention(
  text: string,
  facets: z.infer<typeof Record>['facets'],
  did: string,
): string {
  const [found] = facets.filter(({ features }) => features.some((each) => each.did === did));
  const { byteStart, byteEnd } = found?.index ?? {};
  if (byteStart === undefined || byteEnd === undefined || byteEnd <= byteStart) return text;
  const bytes = Buffer.from(text);
  const before = bytes.subarray(0, byteStart).toString();
  const after = bytes.subarray(byteEnd).toString();
  return `${before.trimEnd()} ${after.trimStart()}`.trim();
}
