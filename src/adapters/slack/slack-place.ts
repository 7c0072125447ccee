/** Who we are in the workspace, and which channel a name means. */
import * as z from 'zod';
import { RefusedError } from '../../domain/event/errors.ts';
import type { SlackClient } from './slack-client.ts';
import { slackWord } from './slack-errors.ts';

export interface SlackSelf {
  userId: string;
  botId: string;
  teamId: string;
}

const Self = z.object({ user_id: z.string(), bot_id: z.string(), team_id: z.string() });
export const Channels = z.object({
  channels: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      is_archived: z.boolean().default(false),
      is_member: z.boolean().default(false),
    }),
  ),
  response_metadata: z.object({ next_cursor: z.string().default('') }).prefault({}),
});

const MAX_PAGES = 20;

export async function readSelf(client: SlackClient): Promise<SlackSelf> {
  const { user_id, bot_id, team_id } = await client.call('auth.test', {}, Self);
  return { userId: user_id, botId: bot_id, teamId: team_id };
}

const Permalink = z.object({ permalink: z.string() });

/** Only what looks like a page of Slack: the address is written on GitHub. */
export async function readPermalink(
  client: SlackClient,
  channel: string,
  message: string,
): Promise<string | undefined> {
  const args = { channel, message_ts: message };
  const { permalink } = await client.call('chat.getPermalink', args, Permalink);
  return PAGE_OF_MESSAGE.test(permalink) ? permalink : undefined;
}

const PAGE_OF_MESSAGE =
  /^https:\/\/[a-z0-9.-]{1,100}\/archives\/\w{1,40}\/p\d{1,20}(?:\?[\w=&.]{1,100})?$/;

/** The id of a channel that is named `#name`; an id stays as it is. */
export async function findPlace(client: SlackClient, name: string): Promise<string> {
  if (!name.startsWith('#')) return name;
  try {
    return await findByName(client, name, 'public_channel,private_channel');
  } catch (error) {
    // Private channels have a scope of their own, without which Slack refuses to list the others too.
    if (slackWord(error) !== 'missing_scope') throw error;
    return findByName(client, name, 'public_channel');
  }
}

async function findByName(client: SlackClient, name: string, types: string): Promise<string> {
  let cursor = '';
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const args = {
      exclude_archived: false,
      limit: 200,
      types,
      cursor,
    };
    const answer = await client.call('conversations.list', args, Channels);
    const found = answer.channels.find((each) => `#${each.name}` === name);
    if (found !== undefined) return found.id;
    cursor = answer.response_metadata.next_cursor;
    if (cursor === '') break;
  }
  throw new RefusedError({
    code: 'channel-not-found',
    message: `Slack has no channel ${name} that the App can see.`,
    details: 'Check `channels.slack.channel`. A private channel must invite the App first.',
  });
}
