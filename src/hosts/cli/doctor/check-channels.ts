/** Do Slack and Bluesky let us in, and is the App in the channels that this repository names. */
import type { Config } from '../../../domain/config/config.ts';
import { resolveConfig } from '../../../domain/config/config-file.ts';
import { toFailure } from '../../../domain/event/errors.ts';
import type { Clock } from '../../../ports/clock.ts';
import { readChannelSettings, type ChannelSettings } from '../../channels/read-channel-settings.ts';
import type { Env } from '../../environment/env-file.ts';
import { findConfig } from '../commands/config-command.ts';
import type { Finding } from './doctor-finding.ts';

interface ChannelCheck {
  env: Env;
  clock: Clock;
  /** The repository that we stand in. */
  dir: string;
}

/** Without a token nothing is asked and nothing is loaded. */
export async function checkChannels({ env, clock, dir }: ChannelCheck): Promise<Finding[]> {
  let settings: ChannelSettings;
  try {
    settings = readChannelSettings(env);
  } catch (error) {
    const { message } = toFailure(error);
    return [{ level: 'fail', about: 'channels', says: message, fix: 'Correct the environment.' }];
  }
  if (settings.names.length === 0)
    return [{ level: 'ok', about: 'channels', says: 'none: nothing is announced outside GitHub' }];
  const { slack, bluesky } = settings;
  const [inSlack, onBluesky] = await Promise.all([
    slack === undefined
      ? []
      : import('../../../adapters/slack/check-slack.ts').then(async ({ checkSlack }) => {
          const { channel, map = {} } = await findRooms(dir);
          return checkSlack({ settings: slack, clock }, channel, Object.keys(map));
        }),
    bluesky === undefined
      ? []
      : import('../../../adapters/bluesky/check-bluesky.ts').then(async ({ checkBluesky }) =>
          checkBluesky({ settings: bluesky, clock }),
        ),
  ]);
  return [...inSlack, ...onBluesky];
}

/** What is wrong with the file another check says. */
async function findRooms(dir: string): Promise<Partial<Config['channels']['slack']>> {
  try {
    const source = await findConfig(dir);
    return source === undefined ? {} : resolveConfig([source]).config.channels.slack;
  } catch {
    return {};
  }
}
