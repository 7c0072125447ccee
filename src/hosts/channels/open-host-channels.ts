/** The channels that the environment names, for every process that does work: a part of the work is to announce it. */
import type { Clock } from '../../ports/clock.ts';
import type { GitHub } from '../../ports/github/github.ts';
import type { Log } from '../../ports/log.ts';
import type { Store } from '../../ports/store.ts';
import type { Env } from '../environment/env-file.ts';
import type { OpenChannels } from './open-channels.ts';
import { readChannelSettings } from './read-channel-settings.ts';

interface HostChannelParts {
  env: Env;
  clock: Clock;
  store: Pick<Store, 'append' | 'load'>;
  github: Pick<GitHub, 'app'>;
  log?: Pick<Log, 'warn'>;
  /** REST base of the GitHub that we talk to. */
  apiUrl: string;
}

/** Without a token nothing of it is loaded. */
export async function openHostChannels({
  env,
  ...parts
}: HostChannelParts): Promise<OpenChannels | undefined> {
  const settings = readChannelSettings(env);
  if (settings.names.length === 0) return undefined;
  const { openChannels } = await import('./open-channels.ts');
  return openChannels({ settings, ...parts });
}
