/** Which channels this host has, by its environment. A channel without its token is off. */
import type { BlueskySettings } from '../../adapters/bluesky/bluesky-settings.ts';
import { readBlueskySettings } from '../../adapters/bluesky/bluesky-settings.ts';
import type { SlackSettings } from '../../adapters/slack/slack-settings.ts';
import { readSlackSettings } from '../../adapters/slack/slack-settings.ts';
import type { ChannelName } from '../../domain/channel/chat-thread.ts';
import type { Env } from '../environment/env-file.ts';

export interface ChannelSettings {
  slack?: SlackSettings;
  bluesky?: BlueskySettings;
  /** Channels that have their tokens. */
  names: ChannelName[];
  /** Accounts whose repositories may use the channels; absent: the one account that the App is installed on. */
  owners?: string[];
}

/** ConfigError `channel-url-invalid` where an address is no `https://` one. */
export function readChannelSettings(env: Env): ChannelSettings {
  const slack = readSlackSettings(env);
  const bluesky = readBlueskySettings(env);
  const owners = (env['QUORUM_CHANNEL_OWNERS'] ?? '')
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '');
  const names: ChannelName[] = [];
  if (slack !== undefined) names.push('slack');
  if (bluesky !== undefined) names.push('bluesky');
  return {
    names,
    ...(slack !== undefined && { slack }),
    ...(bluesky !== undefined && { bluesky }),
    ...(owners.length > 0 && { owners }),
  };
}
