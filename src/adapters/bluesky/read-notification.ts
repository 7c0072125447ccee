/** Mentions and replies become {@link ChatMessage}s. */
import type { AppBskyNotificationListNotifications } from '@atproto/api';
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
    .looseObject({ external: Link.optional().catch(undefined) })
    .optional()
    .catch(undefined),
  reply: z
    .looseObject({ root: z.looseObject({ uri: z.string() }) })
    .optional()
    .catch(undefined),
});
type Notification = AppBskyNotificationListNotifications.Notification;

/** Undefined for what we wrote ourselves, and for what is neither a mention nor a reply. */
export function readNotification(
  { uri, author, reason, record, indexedAt }: Notification,
  own: { did: string; githubHost: string },
): ChatMessage | undefined {
  const why = (['mention', 'reply'] as const).find((each) => each === reason);
  if (author.did === own.did || why === undefined) return undefined;
  const parsed = Record.safeParse(record);
  if (!parsed.success) return undefined;
  const { text, facets, embed, reply } = parsed.data;
  const marked = facets.flatMap(({ features }) => features.flatMap(({ uri: link }) => link ?? []));
  const embedded = embed?.external?.uri === undefined ? [] : [embed.external.uri];
  return {
    id: `bluesky/${uri}`,
    channel: 'bluesky',
    place: own.did,
    thread: reply?.root.uri ?? uri,
    message: uri,
    author: { id: author.did, name: author.handle, isBot: isBot(author.labels) },
    text: withoutMention(text.toWellFormed(), facets, own.did),
    why,
    links: findGitHubLinks({ marked, embedded, text }, own.githubHost),
    files: [],
    at: indexedAt,
  };
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
