/** Mentions and replies become {@link ChatMessage}s. */
import type { AppBskyNotificationListNotifications } from '@atproto/api';
import * as z from 'zod';
import type { ChatMessage } from '../../domain/channel/chat-thread.ts';
import { findGitHubLinks } from '../../domain/channel/github-links.ts';

const Link = z.looseObject({ uri: z.string().optional() });
const Record = z.looseObject({
  text: z.string().default(''),
  createdAt: z.string().optional(),
  facets: z
    .array(z.looseObject({ features: z.array(Link).catch([]) }))
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
    text: text.toWellFormed(),
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
