/** A message of Slack becomes a {@link ChatMessage}: what people see, who wrote it, and whether it is for us. */
import * as z from 'zod';
import type { ChatFile, ChatMessage } from '../../../domain/channel/chat-thread.ts';
import { findGitHubLinks } from '../../../domain/channel/github-links.ts';
import {
  fromMrkdwn,
  linksInMrkdwn,
  mentionsUser,
} from '../../../domain/channel/slack/from-mrkdwn.ts';
import type { SlackSelf } from '../slack-place.ts';

const SlackFile = z.looseObject({
  id: z.string(),
  name: z.string().nullish(),
  mimetype: z.string().nullish(),
  size: z.number().nullish(),
  duration_ms: z.number().nullish(),
  url_private: z.string().nullish(),
});
const Message = z.looseObject({
  type: z.enum(['message', 'app_mention']),
  subtype: z.string().optional(),
  channel: z.string(),
  user: z.string().optional(),
  bot_id: z.string().optional(),
  text: z.string().default(''),
  ts: z.string().regex(/^\d{1,12}\.\d{6}$/),
  thread_ts: z.string().optional(),
  parent_user_id: z.string().optional(),
  files: z.array(SlackFile).max(50).catch([]).default([]),
  attachments: z
    .array(z.looseObject({ from_url: z.string().optional() }))
    .catch([])
    .default([]),
});
export type SlackMessageEvent = z.infer<typeof Message>;

const Delivery = z.looseObject({
  type: z.literal('event_callback'),
  event_id: z.string(),
  team_id: z.string(),
  event: z.unknown(),
});

/** What is said by adding to a message, and not by writing one, is not heard. */
const HEARD_SUBTYPES: ReadonlySet<string> = new Set([
  'file_share',
  'thread_broadcast',
  'bot_message',
]);
const MAX_TEXT = 40_000;

export interface ReadContext {
  self: SlackSelf;
  /** Of an account; the id where it cannot be read. */
  personOf: (userId: string) => Promise<{ name: string; isBot: boolean }>;
  githubHost: string;
}

/** The event with the id of its delivery; undefined unless it is about a message. */
export function parseSlackDelivery(
  body: unknown,
): { eventId: string; event: SlackMessageEvent } | undefined {
  const delivery = Delivery.safeParse(body);
  if (!delivery.success) return undefined;
  const event = parseEvent(delivery.data.event);
  return event === undefined ? undefined : { eventId: delivery.data.event_id, event };
}

export function parseEvent(event: unknown): SlackMessageEvent | undefined {
  const parsed = Message.safeParse(event);
  if (!parsed.success) return undefined;
  const { subtype } = parsed.data;
  return subtype === undefined || HEARD_SUBTYPES.has(subtype) ? parsed.data : undefined;
}

/** Undefined for what we wrote ourselves. */
export async function toChatMessage(
  event: SlackMessageEvent,
  context: ReadContext,
): Promise<ChatMessage | undefined> {
  const { self } = context;
  if (event.bot_id === self.botId || event.user === self.userId) return undefined;
  const authorId = event.user ?? event.bot_id ?? 'unknown';
  const person =
    event.user === undefined ? { name: authorId, isBot: true } : await context.personOf(event.user);
  const source = event.text.slice(0, MAX_TEXT).toWellFormed();
  const text = fromMrkdwn(source, self.userId);
  const embedded = event.attachments.flatMap(({ from_url: url }) =>
    url === undefined ? [] : [url],
  );
  return {
    id: `slack/${self.teamId}/${event.channel}/${event.ts}`,
    channel: 'slack',
    place: event.channel,
    thread: event.thread_ts ?? event.ts,
    message: event.ts,
    author: {
      id: `${self.teamId}/${authorId}`,
      name: person.name,
      isBot: person.isBot || event.bot_id !== undefined,
    },
    text,
    why: whyOf(event, self),
    links: findGitHubLinks({ marked: linksInMrkdwn(source), embedded, text }, context.githubHost),
    files: event.files.flatMap(toFile),
    at: new Date(Math.floor(Number(event.ts) * 1000)).toISOString(),
  };
}

function whyOf(event: SlackMessageEvent, self: SlackSelf): ChatMessage['why'] {
  if (event.type === 'app_mention' || mentionsUser(event.text, self.userId)) return 'mention';
  return event.parent_user_id === self.userId ? 'reply' : 'seen';
}

function toFile(file: z.infer<typeof SlackFile>): ChatFile[] {
  const { id, name, mimetype, size, duration_ms: duration, url_private: url } = file;
  if (url === undefined || url === null) return [];
  const seconds =
    duration === undefined || duration === null ? {} : { seconds: Math.ceil(duration / 1000) };
  return [
    {
      id,
      name: (name ?? id).slice(0, 200),
      kind: kindOf(mimetype ?? ''),
      bytes: size ?? 0,
      url,
      ...seconds,
    },
  ];
}

const TEXT_TYPES: ReadonlySet<string> = new Set([
  'application/json',
  'application/x-ndjson',
  'application/xml',
  'application/yaml',
  'application/x-yaml',
]);

function kindOf(type: string): ChatFile['kind'] {
  if (type.startsWith('audio/')) return 'audio';
  if (type.startsWith('image/')) return 'image';
  return type.startsWith('text/') || TEXT_TYPES.has(type) ? 'text' : 'other';
}
