/** Blocks of a message, as strict as Slack about their shape, and what Slack sends when somebody presses a button. */
import * as z from 'zod';
import {
  nextTs,
  type SlackBlock,
  type SlackButton,
  type SlackChannel,
  type SlackMessage,
  type SlackWorld,
} from './slack-world.ts';

const Button = z.strictObject({
  type: z.literal('button'),
  action_id: z.string().min(1).max(255),
  text: z.strictObject({ type: z.literal('plain_text'), text: z.string().min(1).max(75) }),
  style: z.enum(['primary', 'danger']).optional(),
  value: z.string().max(2_000),
});
const Section = z.strictObject({
  type: z.literal('section'),
  text: z.strictObject({ type: z.literal('mrkdwn'), text: z.string().min(1).max(3_000) }),
});
const Actions = z.strictObject({
  type: z.literal('actions'),
  block_id: z.string().min(1).max(255),
  elements: z.array(Button).min(1).max(25),
});
const Blocks = z.array(z.discriminatedUnion('type', [Section, Actions])).max(50);

/** `invalid` where Slack would refuse them; undefined where the argument is not there. */
export function readBlocks(text: string | undefined): SlackBlock[] | 'invalid' | undefined {
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'invalid';
  }
  const { data } = Blocks.safeParse(value);
  if (data === undefined) return 'invalid';
  const ids = data.flatMap((block) =>
    block.type === 'actions' ? block.elements.map((each) => each.action_id) : [],
  );
  return new Set(ids).size === ids.length ? data : 'invalid';
}

interface Press {
  channel: SlackChannel;
  message: SlackMessage;
  user: string;
}

/** The payload of a press of the button with this label. Throws where people see no such button. */
export function pressButton(
  world: SlackWorld,
  { channel, message, user }: Press,
  label: string,
): Record<string, unknown> {
  const { bot } = world;
  const pressed = findButton(message, label);
  const { ts, thread_ts: thread } = message;
  const below = thread === undefined ? {} : { thread_ts: thread };
  const at = { message_ts: ts, channel_id: channel.id, is_ephemeral: false, ...below };
  const name = world.users.get(user)?.name ?? user;
  return {
    type: 'block_actions',
    team: { id: bot.teamId, domain: 'emulator' },
    user: { id: user, username: name, name, team_id: bot.teamId },
    api_app_id: bot.appId,
    container: { type: 'message', ...at },
    trigger_id: `${nextTs(world)}.trigger`,
    enterprise: null,
    is_enterprise_install: false,
    channel: { id: channel.id, name: channel.name },
    message: { ...messageOf(world, message), ts, ...below },
    state: { values: {} },
    response_url: 'https://hooks.slack.com/actions/emulator',
    actions: [{ ...pressed, action_ts: nextTs(world) }],
  };
}

function messageOf(
  { bot }: SlackWorld,
  { user, bot_id: botId, text, blocks }: SlackMessage,
): Record<string, unknown> {
  const by = { user, bot_id: botId, app_id: bot.appId, team: bot.teamId };
  return { type: 'message', ...by, text, blocks };
}

function findButton(
  { blocks = [] }: SlackMessage,
  label: string,
): SlackButton & { block_id: string } {
  for (const block of blocks) {
    const elements = block.type === 'actions' ? block.elements : [];
    const found = elements.find(({ text }) => text.text === label);
    if (found !== undefined && block.type === 'actions')
      return { ...found, block_id: block.block_id };
  }
  throw new Error(`the message has no button ${label}`);
}

/** The body in which Slack delivers a press by HTTP. */
export function toForm(payload: unknown): string {
  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
}
