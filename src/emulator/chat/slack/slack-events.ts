/** What Slack sends by itself: events, signed for the Events API or over a socket. */
import { createHmac, randomUUID } from 'node:crypto';
import { toSlackFile } from './slack-methods.ts';
import type { SlackChannel, SlackMessage, SlackWorld } from './slack-world.ts';

/** The body of a delivery about a message; the same event id makes it a second delivery. */
export function toSlackEvent(
  world: SlackWorld,
  channel: SlackChannel,
  message: SlackMessage,
): Record<string, unknown> {
  const { bot } = world;
  const root = channel.messages.find(({ ts }) => ts === message.thread_ts);
  const isMention = message.text.includes(`<@${bot.userId}>`);
  return {
    type: 'event_callback',
    team_id: bot.teamId,
    api_app_id: bot.appId,
    event_id: `Ev${message.ts.replace('.', '')}`,
    event_time: Math.floor(Number(message.ts)),
    event: {
      type: isMention ? 'app_mention' : 'message',
      channel: channel.id,
      channel_type: channel.is_private ? 'group' : 'channel',
      user: message.user,
      text: message.text,
      ts: message.ts,
      event_ts: message.ts,
      ...(message.bot_id !== undefined && { bot_id: message.bot_id }),
      ...(root !== undefined && { thread_ts: root.ts, parent_user_id: root.user }),
      ...(message.files.length > 0 && { files: message.files.map(toSlackFile) }),
    },
  };
}

/** The headers that Slack signs a body with, at a moment in seconds. */
export function signEvent(secret: string, body: string, seconds: number): Record<string, string> {
  const signature = createHmac('sha256', secret).update(`v0:${seconds}:${body}`).digest('hex');
  return {
    'content-type': 'application/json',
    'x-slack-request-timestamp': String(seconds),
    'x-slack-signature': `v0=${signature}`,
  };
}

/** Socket Mode wraps the body of a delivery; it is acknowledged by the envelope's id. */
export function toEnvelope(
  payload: unknown,
  retry = 0,
): { envelope_id: string } & Record<string, unknown> {
  const envelope = { envelope_id: randomUUID(), payload };
  // What people press is delivered once, so that no attempts are counted.
  if (isPress(payload)) return { ...envelope, type: 'interactive', accepts_response_payload: true };
  return {
    ...envelope,
    type: 'events_api',
    accepts_response_payload: false,
    retry_attempt: retry,
    retry_reason: retry === 0 ? '' : 'timeout',
  };
}

function isPress(payload: unknown): boolean {
  return (
    typeof payload === 'object' &&
    payload !== null &&
    'type' in payload &&
    payload.type === 'block_actions'
  );
}
