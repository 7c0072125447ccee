/** A pressed button becomes the message that its author could have written instead. Anything unusual is dropped. */
import * as z from 'zod';
import type { ChatMessage } from '../../../domain/channel/chat-thread.ts';
import { clickCommand } from '../../../domain/channel/approval-click.ts';
import { BUTTONS_BLOCK, openButton } from '../slack-buttons.ts';
import type { SlackSelf } from '../slack-place.ts';

const Ts = z.string().regex(/^\d{1,12}\.\d{6}$/);
const Click = z.looseObject({
  type: z.literal('block_actions'),
  team: z.looseObject({ id: z.string() }),
  user: z.looseObject({
    id: z.string().regex(/^[UW][A-Z0-9]{1,30}$/),
    username: z.string().optional(),
    team_id: z.string().optional(),
  }),
  container: z.looseObject({
    type: z.literal('message'),
    message_ts: Ts,
    channel_id: z.string(),
    is_ephemeral: z.literal(false).optional(),
  }),
  channel: z.looseObject({ id: z.string() }),
  message: z.looseObject({
    ts: Ts,
    thread_ts: Ts,
    user: z.string().optional(),
    bot_id: z.string().optional(),
  }),
  actions: z
    .array(
      z.looseObject({
        type: z.literal('button'),
        action_id: z.string(),
        block_id: z.literal(BUTTONS_BLOCK),
        value: z.string(),
        action_ts: Ts,
      }),
    )
    .length(1),
});
export type SlackClick = z.infer<typeof Click>;

export function parseSlackClick(body: unknown): SlackClick | undefined {
  return Click.safeParse(body).data;
}

/** Undefined unless somebody of our workspace pressed one of our buttons, where we put it. */
export function toClickMessage(
  click: SlackClick,
  { self, key }: { self: SlackSelf; key: string },
): ChatMessage | undefined {
  const { team, user, channel, message } = click;
  const [action] = click.actions;
  if (action === undefined || !isOurs(click, self)) return undefined;
  const place = { channel: channel.id, thread: message.thread_ts };
  const found = openButton({ actionId: action.action_id, value: action.value }, { key, place });
  if (found === undefined) return undefined;
  const { action_ts: at } = action;
  return {
    id: `slack/${team.id}/${channel.id}/${message.ts}/${found.verb}/${user.id}/${at}`,
    channel: 'slack',
    place: channel.id,
    thread: message.thread_ts,
    message: message.ts,
    author: {
      id: `${team.id}/${user.id}`,
      name: (user.username ?? user.id).slice(0, 80).toWellFormed(),
      isBot: false,
    },
    text: clickCommand(found),
    why: 'reply',
    links: [],
    files: [],
    click: found,
    at: new Date(Math.floor(Number(at) * 1000)).toISOString(),
  };
}

/** People of other workspaces can be in a shared channel: their ids say nothing here. */
function isOurs({ team, user, container, channel, message }: SlackClick, self: SlackSelf): boolean {
  const isHere = team.id === self.teamId && (user.team_id ?? team.id) === self.teamId;
  const isOurMessage =
    message.bot_id === undefined ? message.user === self.userId : message.bot_id === self.botId;
  const isThere = container.channel_id === channel.id && container.message_ts === message.ts;
  return isHere && isOurMessage && isThere && user.id !== self.userId;
}
