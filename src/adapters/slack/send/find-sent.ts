/** What we posted before, found by the key that each of our messages carries where people do not see it. */
import * as z from 'zod';
import type { SlackClient } from '../slack-client.ts';

export const EVENT_TYPE = 'quorum_message';

const Payload = z.object({
  key: z.string(),
  subject: z.string().optional(),
  at: z.string().optional(),
});
export type SentPayload = z.infer<typeof Payload>;

const Message = z.object({
  ts: z.string(),
  thread_ts: z.string().optional(),
  bot_id: z.string().optional(),
  user: z.string().optional(),
  username: z.string().optional().catch(undefined),
  text: z.string().default(''),
  latest_reply: z.string().optional(),
  metadata: z
    .object({ event_type: z.string(), event_payload: z.unknown() })
    .optional()
    .catch(undefined),
  files: z
    .array(z.looseObject({ title: z.string().nullish() }))
    .optional()
    .catch(undefined),
});
export type SlackHistoryMessage = z.infer<typeof Message>;
const Page = z.object({
  messages: z.array(Message),
  response_metadata: z.object({ next_cursor: z.string().default('') }).prefault({}),
});

export interface Sent extends SentPayload {
  ts: string;
  /** The name that it was posted under, which cannot be changed. */
  username?: string | undefined;
}

/** A message decided now may carry an earlier time when clocks differ. */
const SKEW_MS = 600_000;
const PAGE = 200;
/** A subject's message that is further up is not edited any more: a new one begins. */
const MAX_PAGES = 5;

/** Our messages among these, with what they carry. */
export function sentAmong(messages: readonly SlackHistoryMessage[], botId: string): Sent[] {
  return messages.flatMap(({ ts, bot_id: bot, username, metadata }) => {
    if (bot !== botId || metadata?.event_type !== EVENT_TYPE) return [];
    const payload = Payload.safeParse(metadata.event_payload);
    return payload.success ? [{ ...payload.data, ts, username }] : [];
  });
}

export interface Range {
  channel: string;
  /** Messages of this thread; those of the channel itself when absent. */
  thread?: string;
  /** ISO 8601; as far back as a channel is read when absent. */
  since?: string;
}

/** One message of a channel; none where it is not there any more. */
export async function readOne(
  client: SlackClient,
  channel: string,
  ts: string,
): Promise<SlackHistoryMessage[]> {
  const range = { oldest: ts, latest: ts, inclusive: true, limit: 1, include_all_metadata: true };
  return (await client.call('conversations.history', { channel, ...range }, Page)).messages;
}

/** Newest first in a channel, oldest first in a thread. */
export async function readMessages(
  client: SlackClient,
  { channel, thread, since }: Range,
): Promise<SlackHistoryMessage[]> {
  const messages: SlackHistoryMessage[] = [];
  const oldest =
    since === undefined
      ? {}
      : { oldest: ((Date.parse(since) - SKEW_MS) / 1000).toFixed(6), inclusive: true };
  let cursor = '';
  for (let page = 0; page < (since === undefined ? MAX_PAGES : 4 * MAX_PAGES); page += 1) {
    const args = {
      channel,
      limit: PAGE,
      include_all_metadata: true,
      ...oldest,
      ...(cursor !== '' && { cursor }),
    };
    const answer =
      thread === undefined
        ? await client.call('conversations.history', args, Page)
        : await client.call('conversations.replies', { ...args, ts: thread }, Page);
    messages.push(...answer.messages);
    cursor = answer.response_metadata.next_cursor;
    if (cursor === '') break;
  }
  return messages;
}
