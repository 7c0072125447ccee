/** A workspace of Slack in memory. */
import type { Clock } from '../../../ports/clock.ts';

export interface SlackUser {
  id: string;
  name: string;
  is_bot: boolean;
}

export interface SlackFile {
  id: string;
  name: string;
  title: string;
  size: number;
  mimetype: string;
  bytes: Buffer | undefined;
  duration_ms?: number;
}

export interface SlackMetadata {
  event_type: string;
  event_payload: Record<string, unknown>;
}

/** A text, or buttons. */
export type SlackBlock =
  | { type: 'section'; text: { type: 'mrkdwn'; text: string } }
  | { type: 'actions'; block_id: string; elements: SlackButton[] };

export interface SlackButton {
  type: 'button';
  action_id: string;
  text: { type: 'plain_text'; text: string };
  style?: 'primary' | 'danger' | undefined;
  value: string;
}

/** What one person alone sees. */
export interface SlackWhisper {
  ts: string;
  user: string;
  text: string;
  thread_ts?: string;
}

export interface SlackMessage {
  ts: string;
  user: string;
  bot_id?: string;
  username?: string;
  icons?: { image_48: string };
  text: string;
  thread_ts?: string;
  metadata?: SlackMetadata;
  blocks?: SlackBlock[];
  files: SlackFile[];
  reactions: { name: string; users: string[] }[];
  edited: boolean;
}

export interface SlackChannel {
  id: string;
  name: string;
  is_archived: boolean;
  is_private: boolean;
  isMember: boolean;
  /** Only some people may post. */
  isReadOnly?: boolean;
  messages: SlackMessage[];
  whispers: SlackWhisper[];
  /** When the last message was posted, in ms; Slack allows one a second. */
  lastPostAt: number;
}

/** Scopes that the App asks for. */
export const ALL_SCOPES = [
  'app_mentions:read',
  'channels:history',
  'channels:read',
  'chat:write',
  'chat:write.customize',
  'files:read',
  'files:write',
  'groups:history',
  'groups:read',
  'reactions:write',
  'users:read',
] as const;

export interface SlackWorld {
  clock: Clock;
  botToken: string;
  appToken: string;
  signingSecret: string;
  /** Answered with `token_revoked` from then on. */
  isRevoked: boolean;
  scopes: Set<string>;
  bot: { userId: string; botId: string; appId: string; teamId: string };
  users: Map<string, SlackUser>;
  channels: SlackChannel[];
  uploads: Map<string, SlackFile>;
  lastMicros: number;
  sequence: number;
}

export interface SlackSecrets {
  botToken: string;
  appToken: string;
  signingSecret: string;
}

export function createSlackWorld(clock: Clock, secrets: SlackSecrets): SlackWorld {
  const bot = {
    userId: 'U0BOT00001',
    botId: 'B0BOT00001',
    appId: 'A000000001',
    teamId: 'T000000001',
  };
  const world: SlackWorld = {
    clock,
    ...secrets,
    isRevoked: false,
    scopes: new Set(ALL_SCOPES),
    bot,
    users: new Map([
      [bot.userId, { id: bot.userId, name: 'quorum', is_bot: true }],
      ['U0HUMAN001', { id: 'U0HUMAN001', name: 'bob', is_bot: false }],
    ]),
    channels: [],
    uploads: new Map(),
    lastMicros: 0,
    sequence: 0,
  };
  addChannel(world, 'team');
  return world;
}

export function addChannel(world: SlackWorld, name: string): SlackChannel {
  const channel: SlackChannel = {
    id: `C${String(world.channels.length + 1).padStart(9, '0')}`,
    name,
    is_archived: false,
    is_private: false,
    isMember: true,
    messages: [],
    whispers: [],
    lastPostAt: -Infinity,
  };
  world.channels.push(channel);
  return channel;
}

export function findChannel(
  world: SlackWorld,
  asked: string | undefined,
): SlackChannel | undefined {
  return world.channels.find(({ id, name }) => id === asked || `#${name}` === asked);
}

/** Slack's time of a message is its id as well: no two are the same. */
export function nextTs(world: SlackWorld): string {
  world.lastMicros = Math.max(world.lastMicros + 1, Math.round(world.clock.now() * 1000));
  const seconds = Math.floor(world.lastMicros / 1_000_000);
  return `${seconds}.${String(world.lastMicros % 1_000_000).padStart(6, '0')}`;
}

export function nextSlackId(world: SlackWorld, letter: string): string {
  world.sequence += 1;
  return `${letter}${String(world.sequence).padStart(9, '0')}`;
}

/** Something that a person says; `thread_ts` makes it a reply. */
export function sayInSlack(
  world: SlackWorld,
  channel: SlackChannel,
  said: { user: string; text: string; thread_ts?: string; files?: SlackFile[] },
): SlackMessage {
  const message: SlackMessage = {
    files: [],
    reactions: [],
    edited: false,
    ...said,
    ts: nextTs(world),
  };
  channel.messages.push(message);
  return message;
}
