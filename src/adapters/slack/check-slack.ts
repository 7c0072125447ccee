/** What `quorum doctor` asks Slack: the tokens, their scopes, the channel, whether the App is in it, and how messages arrive. */
import type { WebAPICallResult } from '@slack/web-api';
import * as z from 'zod';
import { toFailure } from '../../domain/event/errors.ts';
import { createSlackClient, type SlackClient, type SlackParts } from './slack-client.ts';
import { findPlace } from './slack-place.ts';

export interface SlackFinding {
  level: 'ok' | 'warn' | 'fail' | 'skip';
  about: string;
  says: string;
  fix?: string;
}

const READ_PRIVATE = 'groups:history';
/** Without these the channel does not work, or not as it should. */
const SCOPES = {
  needed: ['channels:history', 'channels:read', 'chat:write', 'reactions:write'],
  useful: [
    'app_mentions:read',
    'chat:write.customize',
    'files:read',
    'files:write',
    READ_PRIVATE,
    'groups:read',
    'users:read',
  ],
} as const;

const Self = z.looseObject({
  team: z.string(),
  user: z.string(),
  response_metadata: z.looseObject({ scopes: z.array(z.string()).default([]) }).prefault({}),
}) satisfies z.ZodType<Partial<WebAPICallResult>>;
const Info = z.object({
  channel: z.object({
    name: z.string(),
    is_archived: z.boolean().default(false),
    is_member: z.boolean().default(false),
    is_private: z.boolean().default(false),
  }),
});

interface Asking {
  client: SlackClient;
  /** That the token has. */
  scopes: readonly string[];
}

export async function checkSlack(
  parts: SlackParts,
  place: string | undefined,
  mapped: readonly string[] = [],
): Promise<SlackFinding[]> {
  const client = createSlackClient(parts);
  try {
    const self = await client.call('auth.test', {}, Self);
    const { scopes } = self.response_metadata;
    const asking = { client, scopes };
    const who: SlackFinding = { level: 'ok', about: 'Slack', says: `${self.user} in ${self.team}` };
    return [
      who,
      ...checkScopes(scopes),
      await checkPlace(asking, place),
      ...(await checkMapped(asking, mapped)),
      ...(await checkHearing(parts)),
    ];
  } catch (error) {
    return [toFinding(error)];
  }
}

function checkScopes(held: readonly string[]): SlackFinding[] {
  const lacking = (wanted: readonly string[]): string[] =>
    wanted.filter((scope) => !held.includes(scope));
  const [needed, useful] = [lacking(SCOPES.needed), lacking(SCOPES.useful)];
  const fix = `Add ${[...needed, ...useful].join(', ')} under OAuth & Permissions, and install the App again.`;
  if (needed.length > 0)
    return [{ level: 'fail', about: 'Slack scopes', says: `missing: ${needed.join(', ')}`, fix }];
  if (useful.length > 0)
    return [{ level: 'warn', about: 'Slack scopes', says: `missing: ${useful.join(', ')}`, fix }];
  return [{ level: 'ok', about: 'Slack scopes', says: 'all granted' }];
}

async function checkPlace(asking: Asking, place: string | undefined): Promise<SlackFinding> {
  const about = 'Slack channel';
  if (place === undefined)
    return {
      level: 'warn',
      about,
      says: 'none is set',
      fix: 'Set `channels.slack.channel` in `.github/quorum.yml`.',
    };
  return checkRoom(asking, place, about);
}

/** Of more channels only these are asked for, one after the other: Slack limits how often. */
const MOST_MAPPED = 20;

/** Channels in which people ask for work. */
async function checkMapped(asking: Asking, mapped: readonly string[]): Promise<SlackFinding[]> {
  const found: SlackFinding[] = [];
  for (const place of mapped.slice(0, MOST_MAPPED))
    found.push(await checkMappedRoom(asking, place));
  const left = mapped.length - MOST_MAPPED;
  if (left <= 0) return found;
  const says = `not checked: ${left} more of \`channels.slack.map\``;
  return [...found, { level: 'skip', about: 'Slack channels', says }];
}

async function checkMappedRoom(asking: Asking, place: string): Promise<SlackFinding> {
  const found = await checkRoom(asking, place, `Slack channel ${place}`);
  const isGone = found.level === 'fail' && found.says.includes('no such channel');
  const fix = `Correct its id in \`channels.slack.map\`. A private channel must invite the App first.`;
  return isGone ? { ...found, fix } : found;
}

async function checkRoom(
  { client, scopes }: Asking,
  place: string,
  about: string,
): Promise<SlackFinding> {
  try {
    const { channel } = await client.call(
      'conversations.info',
      { channel: await findPlace(client, place) },
      Info,
    );
    if (channel.is_archived)
      return {
        level: 'fail',
        about,
        says: `#${channel.name} is archived`,
        fix: 'Unarchive it, or choose another.',
      };
    if (!channel.is_member)
      return {
        level: 'fail',
        about,
        says: `the App is not in #${channel.name}`,
        fix: 'Type `/invite` and its name there.',
      };
    // What was posted before is looked for there.
    if (channel.is_private && !scopes.includes(READ_PRIVATE))
      return {
        level: 'fail',
        about,
        says: `#${channel.name} is private, and the App may not read it`,
        fix: `Add ${READ_PRIVATE} under OAuth & Permissions, and install the App again.`,
      };
    return { level: 'ok', about, says: `#${channel.name}` };
  } catch (error) {
    return { ...toFinding(error), about };
  }
}

const Connection = z.looseObject({ url: z.string() });
/** The settings of an App can be read with another kind of token only. */
const BUTTONS =
  'Press a button below a plan. If Slack says that the App is not configured for it, turn on Interactivity under Interactivity & Shortcuts';

/** Whether Slack can deliver to us, as far as the tokens show it. */
async function checkHearing({ settings, clock }: SlackParts): Promise<SlackFinding[]> {
  const about = 'Slack messages';
  const { appToken, signingSecret } = settings;
  if (appToken !== undefined)
    try {
      const socket = createSlackClient({ settings: { ...settings, token: appToken }, clock });
      await socket.call('apps.connections.open', {}, Connection);
      return [
        { level: 'ok', about, says: 'Socket Mode is on' },
        { level: 'skip', about: 'Slack buttons', says: `not checked: ${BUTTONS}.` },
      ];
    } catch (error) {
      const fix =
        'Turn on Socket Mode, and set `SLACK_APP_TOKEN` to an app-level token with the scope `connections:write`.';
      const finding = toFinding(error);
      return [{ ...finding, about, ...(finding.level === 'fail' && { fix }) }];
    }
  if (signingSecret === undefined)
    return [
      {
        level: 'warn',
        about,
        says: 'only announcements: no messages arrive, and plans have no buttons',
        fix: 'Set `SLACK_APP_TOKEN`, or `SLACK_SIGNING_SECRET` and the two addresses of `docs/channels.md`.',
      },
    ];
  return [
    {
      level: 'skip',
      about,
      says: 'not checked: Slack checks the address under Event Subscriptions when you enter it.',
    },
    {
      level: 'skip',
      about: 'Slack buttons',
      says: `not checked: ${BUTTONS}, with the address that ends in \`/api/slack/interactivity\`.`,
    },
  ];
}

function toFinding(error: unknown): SlackFinding {
  const { code, message, retryable } = toFailure(error);
  const says = `not checked: ${message}`;
  if (code === 'channel-rate-limited') return { level: 'skip', about: 'Slack', says };
  if (retryable)
    return {
      level: 'warn',
      about: 'Slack',
      says,
      fix: 'Check the network, and `SLACK_API_URL` where it is set. Then run this command again.',
    };
  const fix =
    error instanceof Error && 'details' in error && typeof error.details === 'string'
      ? { fix: error.details }
      : {};
  return { level: 'fail', about: 'Slack', says: message, ...fix };
}
