/** What was said in a channel since a moment: for runs without a connection, and after one was lost. */
import type { SlackClient } from '../slack-client.ts';
import { readMessages, type SlackHistoryMessage } from '../send/find-sent.ts';
import { parseEvent, type SlackMessageEvent } from './read-event.ts';

/** Threads that are further up in the channel are not read. */
const MAX_THREADS = 20;
/** Beyond this, a message is old: its thread's replies are looked for all the same. */
const LOOK_BACK_MS = 7 * 86_400_000;

/** Messages after `cursor` (Slack's time of the last one), in the channel and in its recent threads; oldest first. */
export async function readSince(
  client: SlackClient,
  channel: string,
  cursor: string,
): Promise<SlackMessageEvent[]> {
  const since = new Date(Number(cursor) * 1000 - LOOK_BACK_MS).toISOString();
  const heads = await readMessages(client, { channel, since });
  const threads = heads
    .filter(({ latest_reply: latest }) => Number(latest ?? 0) > Number(cursor))
    .slice(0, MAX_THREADS);
  const found = heads.map((message) => ({
    message,
    root: undefined as SlackHistoryMessage | undefined,
  }));
  for (const root of threads) {
    const replies = await readMessages(client, {
      channel,
      thread: root.ts,
      since: new Date(Number(cursor) * 1000).toISOString(),
    });
    found.push(...replies.filter(({ ts }) => ts !== root.ts).map((message) => ({ message, root })));
  }
  return found
    .filter(({ message }) => Number(message.ts) > Number(cursor))
    .toSorted((a, b) => Number(a.message.ts) - Number(b.message.ts))
    .flatMap(({ message, root }) => {
      const event = parseEvent({
        ...message,
        type: 'message',
        channel,
        ...(root?.user !== undefined && { parent_user_id: root.user }),
      });
      return event === undefined ? [] : [event];
    });
}
