/** The other methods of Slack's Web API: who we are, channels, reactions and files. */
import {
  missing,
  slackRefusal,
  openChannel,
  parse,
  type Args,
  type SlackAnswer,
  type SlackMethod,
} from './slack-methods.ts';
import * as z from 'zod';
import { nextSlackId, nextTs, type SlackFile, type SlackWorld } from './slack-world.ts';

function authTest({ bot }: SlackWorld): SlackAnswer {
  const ids = { team_id: bot.teamId, user_id: bot.userId, bot_id: bot.botId };
  return { ok: true, url: 'https://emulator.slack.com/', team: 'Emulator', user: 'quorum', ...ids };
}

function info(world: SlackWorld, args: Args): SlackAnswer {
  const channel = openChannel(world, args);
  if ('ok' in channel) return channel;
  const { id, name, is_archived, is_private, isMember } = channel;
  if (is_private && !world.scopes.has('groups:read')) return missing(world, 'groups:read');
  return { ok: true, channel: { id, name, is_archived, is_private, is_member: isMember } };
}

function list(world: SlackWorld, args: Args): SlackAnswer {
  const types = (args['types'] ?? 'public_channel').split(',');
  const withPrivate = types.includes('private_channel');
  if (withPrivate && !world.scopes.has('groups:read')) return missing(world, 'groups:read');
  const channels = world.channels
    .filter(({ is_private: isPrivate, isMember }) =>
      isPrivate ? withPrivate && isMember : types.includes('public_channel'),
    )
    .map(({ id, name, is_archived, is_private, isMember }) => ({
      id,
      name,
      is_archived,
      is_private,
      is_member: isMember,
    }));
  return { ok: true, channels, response_metadata: { next_cursor: '' } };
}

function addReaction(world: SlackWorld, args: Args): SlackAnswer {
  const channel = openChannel(world, args);
  if ('ok' in channel) return channel;
  const message = channel.messages.find(({ ts }) => ts === args['timestamp']);
  if (message === undefined) return slackRefusal('message_not_found');
  const name = args['name'] ?? '';
  if (!/^[a-z0-9_+-]{1,50}$/.test(name)) return slackRefusal('invalid_name');
  const found = message.reactions.find((each) => each.name === name);
  if (found?.users.includes(world.bot.userId) === true) return slackRefusal('already_reacted');
  if (found === undefined) message.reactions.push({ name, users: [world.bot.userId] });
  else found.users.push(world.bot.userId);
  return { ok: true };
}

function userInfo(world: SlackWorld, args: Args): SlackAnswer {
  const user = world.users.get(args['user'] ?? '');
  return user === undefined ? slackRefusal('user_not_found') : { ok: true, user };
}

function uploadUrl(world: SlackWorld, args: Args): SlackAnswer {
  const size = Number(args['length']);
  const { filename: name = '' } = args;
  if (name === '' || !(size > 0)) return slackRefusal('invalid_arguments');
  const file: SlackFile = {
    id: nextSlackId(world, 'F'),
    name,
    title: name,
    size,
    mimetype: 'text/plain',
    bytes: undefined,
  };
  world.uploads.set(file.id, file);
  return { ok: true, upload_url: `/upload/v1/${file.id}`, file_id: file.id };
}

const Wanted = z.array(z.object({ id: z.string(), title: z.string().optional() })).min(1);

function completeUpload(world: SlackWorld, args: Args): SlackAnswer {
  const wanted = Wanted.safeParse(parse(args['files']));
  if (!wanted.success) return slackRefusal('invalid_arguments');
  const files: SlackFile[] = [];
  for (const { id, title } of wanted.data) {
    const file = world.uploads.get(id);
    if (file === undefined) return slackRefusal('file_not_found');
    if (file.bytes?.length !== file.size) return slackRefusal('file_update_failed');
    files.push({ ...file, title: title ?? file.name });
  }
  return share(world, args, files);
}

function share(world: SlackWorld, args: Args, files: SlackFile[]): SlackAnswer {
  const channel = openChannel(world, args);
  if ('ok' in channel) return channel;
  if (channel.is_archived) return slackRefusal('is_archived');
  if (!channel.isMember) return slackRefusal('not_in_channel');
  const thread = args['thread_ts'];
  if (thread !== undefined && !channel.messages.some(({ ts }) => ts === thread))
    return slackRefusal('thread_not_found');
  channel.messages.push({
    ts: nextTs(world),
    user: world.bot.userId,
    bot_id: world.bot.botId,
    text: args['initial_comment'] ?? '',
    files,
    reactions: [],
    edited: false,
    ...(thread !== undefined && { thread_ts: thread }),
  });
  return { ok: true, files: files.map(({ id, title, name }) => ({ id, title, name })) };
}

function permalink(world: SlackWorld, args: Args): SlackAnswer {
  const channel = openChannel(world, args);
  if ('ok' in channel) return channel;
  const ts = args['message_ts'] ?? '';
  const message = channel.messages.find((each) => each.ts === ts);
  if (message === undefined) return slackRefusal('message_not_found');
  const { thread_ts: thread } = message;
  const below =
    thread === undefined || thread === ts ? '' : `?thread_ts=${thread}&cid=${channel.id}`;
  const page = `archives/${channel.id}/p${ts.replace('.', '')}${below}`;
  return { ok: true, channel: channel.id, permalink: `https://emulated.slack.com/${page}` };
}

export const OTHER_METHODS: Readonly<Record<string, SlackMethod>> = {
  'chat.getPermalink': { run: permalink },
  'auth.test': { run: authTest },
  'conversations.info': { scope: 'channels:read', run: info },
  'conversations.list': { scope: 'channels:read', run: list },
  'reactions.add': { scope: 'reactions:write', run: addReaction },
  'users.info': { scope: 'users:read', run: userInfo },
  'files.getUploadURLExternal': { scope: 'files:write', run: uploadUrl },
  'files.completeUploadExternal': { scope: 'files:write', run: completeUpload },
};
