/** The channels of this host, for repositories that may use them. Loaded only where one is on. */
import type { Channels } from '../../act/ports.ts';
import { createBluesky } from '../../adapters/bluesky/create-bluesky.ts';
import { createSlack, type SlackChannel } from '../../adapters/slack/create-slack.ts';
import type { ChannelName } from '../../domain/channel/chat-thread.ts';
import { RefusedError } from '../../domain/event/errors.ts';
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { Channel } from '../../ports/channel.ts';
import type { Clock } from '../../ports/clock.ts';
import type { GitHub } from '../../ports/github/github.ts';
import type { Log } from '../../ports/log.ts';
import type { Store } from '../../ports/store.ts';
import { keepSession } from './keep-session.ts';
import type { ChannelSettings } from './read-channel-settings.ts';

export interface OpenChannels {
  names: readonly ChannelName[];
  ports: Channels;
  slack: SlackChannel | undefined;
  all: Channel[];
}

interface ChannelParts {
  settings: ChannelSettings;
  github: Pick<GitHub, 'app'>;
  store: Pick<Store, 'append' | 'load'>;
  clock: Clock;
  log?: Pick<Log, 'warn'> | undefined;
  /** REST base of the GitHub that we talk to: links are to its pages. */
  apiUrl: string;
}

export function openChannels({
  settings,
  github,
  store,
  clock,
  log,
  apiUrl,
}: ChannelParts): OpenChannels {
  const { slack, bluesky, owners } = settings;
  const githubHost = toPagesHost(apiUrl);
  const inSlack =
    slack && createSlack({ settings: slack, clock, githubHost, place: slack.place ?? '' });
  const inBluesky =
    bluesky &&
    createBluesky({
      settings: bluesky,
      clock,
      log,
      githubHost,
      sessions: keepSession({ store, settings: bluesky, clock }),
    });
  const byName: Record<ChannelName, Channel | undefined> = { slack: inSlack, bluesky: inBluesky };
  const mayUse = createMayUse(github, owners);
  return {
    names: settings.names,
    slack: inSlack,
    all: Object.values(byName).filter((each) => each !== undefined),
    ports: {
      open: async (name, repository) => {
        const channel = byName[name];
        if (channel !== undefined) await mayUse(repository);
        return channel;
      },
    },
  };
}

function toPagesHost(apiUrl: string): string {
  const { host } = new URL(apiUrl);
  return host.startsWith('api.') ? host.slice('api.'.length) : host;
}

/**
 * The workspace and the account belong to the operator of this host. Another owner's repository with the App
 * installed must not speak there. With several accounts the operator therefore names those that may.
 */
function createMayUse(
  github: Pick<GitHub, 'app'>,
  owners: readonly string[] | undefined,
): (repository: RepositoryRef) => Promise<void> {
  let only: Promise<string | undefined> | undefined;
  const findOnly = async (): Promise<string | undefined> => {
    const accounts = (await github.app.installations()).map(({ account }) => account.toLowerCase());
    const [first, ...others] = new Set(accounts);
    return others.length === 0 ? first : undefined;
  };
  return async ({ owner }) => {
    only ??= owners === undefined ? findOnly() : Promise.resolve(undefined);
    const allowed = owners ?? [await only.catch(forget)];
    if (allowed.includes(owner.toLowerCase())) return;
    only = undefined;
    throw new RefusedError({
      code: 'channel-owner-unknown',
      message: `Repositories of ${owner} may not use the channels of this host. Name the accounts that may in QUORUM_CHANNEL_OWNERS.`,
    });
  };
  function forget(error: unknown): never {
    only = undefined;
    throw error;
  }
}
