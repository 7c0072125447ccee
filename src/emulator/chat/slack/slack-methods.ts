/** Methods of Slack's Web API that write and read messages, as strict as Slack about what it takes. */
import { readBlocks } from './slack-blocks.ts';
import {
  findChannel,
  nextTs,
  type SlackChannel,
  type SlackFile,
  type SlackMessage,
  type SlackMetadata,
  type SlackWorld,
} from './slack-world.ts';

export type Args = Readonly<Record<string, string | undefined>>;
export type SlackAnswer = { ok: boolean; error?: string } & Record<string, unknown>;

export interface SlackMethod {
  scope?: string;
  run(world: SlackWorld, args: Args): SlackAnswer;
}

export function slackRefusal(error: string, more: Record<string, unknown> = {}): SlackAnswer {
  return { ok: false, error, ...more };
}

const MAX_TEXT = 40_000;

/** The channel, or what Slack answers where it cannot be used. */
export function openChannel(world: SlackWorld, args: Args): SlackChannel | SlackAnswer {
  const channel = findChannel(world, args['channel'] ?? args['channel_id']);
  if (channel === undefined || (channel.is_private && !channel.isMember))
    return slackRefusal('channel_not_found');
  return channel;
}

function writable(world: SlackWorld, args: Args): SlackChannel | SlackAnswer {
  const channel = openChannel(world, args);
  if ('ok' in channel) return channel;
  if (channel.is_archived) return slackRefusal('is_archived');
  if (channel.isReadOnly === true) return slackRefusal('restricted_action_read_only_channel');
  return channel.isMember ? channel : slackRefusal('not_in_channel');
}

function postMessage(world: SlackWorld, args: Args): SlackAnswer {
  const channel = writable(world, args);
  if ('ok' in channel) return channel;
  const problem = problemOf(world, channel, args);
  if (problem !== undefined) return problem;
  const metadata = readMetadata(args['metadata']);
  const blocks = readBlocks(args['blocks']);
  const message: SlackMessage = {
    ts: nextTs(world),
    user: world.bot.userId,
    bot_id: world.bot.botId,
    text: args['text'] ?? '',
    files: [],
    reactions: [],
    edited: false,
    ...(args['username'] !== undefined && { username: args['username'] }),
    ...(args['icon_url'] !== undefined && { icons: { image_48: args['icon_url'] } }),
    ...(args['thread_ts'] !== undefined && { thread_ts: args['thread_ts'] }),
    ...(metadata !== undefined && { metadata }),
    ...(Array.isArray(blocks) && blocks.length > 0 && { blocks }),
  };
  channel.messages.push(message);
  channel.lastPostAt = world.clock.now();
  return { ok: true, channel: channel.id, ts: message.ts, message: toMessage(message, true) };
}

function problemOf(world: SlackWorld, channel: SlackChannel, args: Args): SlackAnswer | undefined {
  const { text = '', thread_ts: thread, username, icon_url: icon, metadata } = args;
  const isCustom = username !== undefined || icon !== undefined;
  if (isCustom && !world.scopes.has('chat:write.customize'))
    return missing(world, 'chat:write.customize');
  if (text.trim() === '') return slackRefusal('no_text');
  if (text.length > MAX_TEXT) return slackRefusal('msg_too_long');
  if (thread !== undefined && !channel.messages.some(({ ts }) => ts === thread))
    return slackRefusal('thread_not_found');
  if (metadata !== undefined && readMetadata(metadata) === undefined)
    return slackRefusal('invalid_metadata_format');
  return readBlocks(args['blocks']) === 'invalid' ? slackRefusal('invalid_blocks') : undefined;
}

/** For one person of the channel; nobody can read or change it later. */
function postEphemeral(world: SlackWorld, args: Args): SlackAnswer {
  const channel = writable(world, args);
  if ('ok' in channel) return channel;
  const { user = '', text = '', thread_ts: thread } = args;
  if (!world.users.has(user)) return slackRefusal('user_not_in_channel');
  const problem = problemOf(world, channel, args);
  if (problem !== undefined) return problem;
  const ts = nextTs(world);
  channel.whispers.push({ ts, user, text, ...(thread !== undefined && { thread_ts: thread }) });
  return { ok: true, message_ts: ts };
}

export function missing(world: SlackWorld, needed: string): SlackAnswer {
  return slackRefusal('missing_scope', { needed, provided: [...world.scopes].join(',') });
}

export function readMetadata(text: string | undefined): SlackMetadata | undefined {
  const value = parse(text);
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('event_type' in value) || typeof value.event_type !== 'string') return undefined;
  if (
    !('event_payload' in value) ||
    typeof value.event_payload !== 'object' ||
    value.event_payload === null
  )
    return undefined;
  return { event_type: value.event_type, event_payload: { ...value.event_payload } };
}

export function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '') as unknown;
  } catch {
    return undefined;
  }
}

function update(world: SlackWorld, args: Args): SlackAnswer {
  const channel = writable(world, args);
  if ('ok' in channel) return channel;
  const message = channel.messages.find(({ ts }) => ts === args['ts']);
  if (message === undefined) return slackRefusal('message_not_found');
  if (message.bot_id !== world.bot.botId) return slackRefusal('cant_update_message');
  if ((args['text'] ?? '').trim() === '') return slackRefusal('no_text');
  const metadata = readMetadata(args['metadata']);
  const blocks = readBlocks(args['blocks']);
  if (blocks === 'invalid') return slackRefusal('invalid_blocks');
  Object.assign(
    message,
    { text: args['text'], edited: true },
    metadata === undefined ? {} : { metadata },
  );
  // Without the argument, the blocks of before stay.
  if (blocks?.length === 0) delete message.blocks;
  else if (blocks !== undefined) message.blocks = blocks;
  return { ok: true, channel: channel.id, ts: message.ts, text: message.text };
}

function remove(world: SlackWorld, args: Args): SlackAnswer {
  const channel = writable(world, args);
  if ('ok' in channel) return channel;
  const message = channel.messages.find(({ ts }) => ts === args['ts']);
  if (message === undefined) return slackRefusal('message_not_found');
  if (message.bot_id !== world.bot.botId) return slackRefusal('cant_delete_message');
  channel.messages = channel.messages.filter((each) => each !== message);
  return { ok: true, channel: channel.id, ts: message.ts };
}

function history(world: SlackWorld, args: Args): SlackAnswer {
  const channel = readable(world, args);
  if ('ok' in channel) return channel;
  const heads = channel.messages.filter(
    ({ ts, thread_ts: thread }) => thread === undefined || thread === ts,
  );
  return paged(heads.toReversed(), args, channel);
}

function replies(world: SlackWorld, args: Args): SlackAnswer {
  const channel = readable(world, args);
  if ('ok' in channel) return channel;
  const root = channel.messages.find(({ ts }) => ts === args['ts']);
  if (root === undefined) return slackRefusal('thread_not_found');
  return paged(
    [root, ...channel.messages.filter((each) => each !== root && each.thread_ts === root.ts)],
    args,
    channel,
  );
}

/** Private channels have a scope of their own. */
function readable(world: SlackWorld, args: Args): SlackChannel | SlackAnswer {
  const channel = openChannel(world, args);
  if ('ok' in channel) return channel;
  const scope = 'groups:history';
  if (channel.is_private && !world.scopes.has(scope)) return missing(world, scope);
  return channel.isMember ? channel : slackRefusal('not_in_channel');
}

function paged(all: readonly SlackMessage[], args: Args, channel: SlackChannel): SlackAnswer {
  const oldest = Number(args['oldest'] ?? 0);
  const latest = Number(args['latest'] ?? Number.POSITIVE_INFINITY);
  const isWithin = (at: number): boolean =>
    args['inclusive'] === 'true' ? at >= oldest && at <= latest : at > oldest && at < latest;
  const isIn = (ts: string): boolean => isWithin(Number(ts));
  const inRange = all.filter(({ ts }) => isIn(ts) || ts === args['ts']);
  const limit = Math.min(Number(args['limit'] ?? 100), 999);
  const from = Number(args['cursor'] ?? 0);
  const isMore = from + limit < inRange.length;
  const withMetadata = args['include_all_metadata'] === 'true';
  return {
    ok: true,
    messages: inRange.slice(from, from + limit).map((each) => ({
      ...toMessage(each, withMetadata),
      ...threadFacts(channel, each),
    })),
    has_more: isMore,
    response_metadata: { next_cursor: isMore ? String(from + limit) : '' },
  };
}

/** A message that was answered tells when it was last. */
function threadFacts(channel: SlackChannel, { ts }: SlackMessage): Record<string, unknown> {
  const below = channel.messages.filter((each) => each.thread_ts === ts && each.ts !== ts);
  const latest = below.at(-1);
  return latest === undefined
    ? {}
    : { thread_ts: ts, reply_count: below.length, latest_reply: latest.ts };
}

/** As Slack shows it in answers and events; metadata only to those who ask for it. */
export function toMessage(message: SlackMessage, withMetadata: boolean): Record<string, unknown> {
  const { edited, metadata, files, reactions, ...plain } = message;
  return {
    type: 'message',
    ...plain,
    ...(files.length > 0 && { files: files.map(toSlackFile) }),
    ...(edited && { edited: { user: message.user, ts: message.ts } }),
    ...(withMetadata && metadata !== undefined && { metadata }),
    ...(reactions.length > 0 && {
      reactions: reactions.map((each) => ({ ...each, count: each.users.length })),
    }),
  };
}

export function toSlackFile({ bytes, ...file }: SlackFile): Record<string, unknown> {
  return { ...file, isUploaded: bytes !== undefined, url_private: `/files/${file.id}` };
}

export const MESSAGE_METHODS: Readonly<Record<string, SlackMethod>> = {
  'chat.postMessage': { scope: 'chat:write', run: postMessage },
  'chat.postEphemeral': { scope: 'chat:write', run: postEphemeral },
  'chat.update': { scope: 'chat:write', run: update },
  'chat.delete': { scope: 'chat:write', run: remove },
  'conversations.history': { scope: 'channels:history', run: history },
  'conversations.replies': { scope: 'channels:history', run: replies },
};
