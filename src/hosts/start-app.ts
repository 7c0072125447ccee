/** The App as a process: the door for webhooks, the team behind it, and an orderly end. */
import type { GitHubBudgets } from '../adapters/github/client/github-options.ts';
import type { Actor } from '../domain/run/thread-ref.ts';
import type { CallCounts } from '../domain/run/ledger.ts';
import type { Store } from '../ports/store.ts';
import { readCredentials, type AppCredentials } from './environment/app-credentials.ts';
import { openStore } from './open-store.ts';
import type { Basics } from './host-parts.ts';
import { createSlackEventsRoute, type SlackDoor } from './channels/slack-events-route.ts';
import { startServer, type RunningServer } from './start-server.ts';
import { readHostSettings } from './environment/host-settings.ts';
import type { SmeeChannel } from '../adapters/http/smee-channel.ts';
import { WEBHOOK_PATH } from './setup/app-manifest.ts';
import type { Team } from './team.ts';
import { createStaleNotes, type StaleNotes } from '../adapters/http/memory-metrics.ts';

export interface AppOptions extends Basics {
  /** A store that is open already; by default one is opened as the environment says. */
  store?: Store;
  /** Where the setup page keeps credentials. */
  envFile: string;
  manifestFile: string;
  /** Told the address of the setup page with its token; for a terminal. */
  onSetupAddress?: (address: string) => void;
  budgets?: GitHubBudgets | 'off';
  concurrency?: number;
  reconcileEveryMs?: number;
}

export interface RunningApp {
  url: string;
  /** Whether credentials are there; until then only the setup page works. */
  isReady(): boolean;
  store: Store;
  /** Drains and closes everything; 25 s by default. */
  close(timeoutMs?: number): Promise<void>;
}

/** Spec: SIGTERM and SIGINT end the process within 30 s. What hangs is let go of early enough to close the rest. */
const DRAIN_MS = 25_000;

/** What becomes known while the App runs. */
export interface Live {
  team: Team | undefined;
  /** Slack's Events API, where a signing secret is set. */
  slackDoor?: SlackDoor;
  self: Actor | undefined;
  /** Calls made to GitHub, by operation. */
  calls: CallCounts;
  /** Failures to order what is remembered by its meaning, by code. */
  unranked: CallCounts;
  staleNotes: StaleNotes;
  stopping: AbortController;
}

function nothingKnown(): Live {
  return {
    team: undefined,
    self: undefined,
    calls: {},
    unranked: {},
    staleNotes: createStaleNotes(),
    stopping: new AbortController(),
  };
}

/**
 * Starts the App: ready at once with credentials, or with the setup page until there are some. Settings are read from
 * `env`, as `docs/configuration.md` lists them. ConfigError where one is wrong.
 *
 * @example
 * ```ts
 * import { startApp, systemClock, systemRandom } from 'quorum';
 *
 * const app = await startApp({
 *   env: { PORT: '0', QUORUM_DATA: './data' },
 *   envFile: './.env',
 *   manifestFile: './app.yml',
 *   clock: systemClock,
 *   random: systemRandom,
 *   log: console,
 * });
 * console.log(app.url, app.isReady()); // http://127.0.0.1:40123 false
 * await app.close();
 * ```
 */
export async function startApp(options: AppOptions): Promise<RunningApp> {
  const { env, clock, log } = options;
  const settings = readHostSettings(env);
  const credentials = readCredentials(env);
  const store = options.store ?? (await openStore(settings, options));
  const owned = options.store === undefined ? store : undefined;
  const live = nothingKnown();
  const begin = async (given: AppCredentials): Promise<void> => {
    // The door opens first: what the team needs takes longer to load than GitHub's first delivery should wait.
    const { startWork } = await import('./start-work.ts');
    live.team = await startWork({ options, settings, store, credentials: given, live });
  };
  const server = await startServer({
    host: settings.host,
    port: settings.port,
    store,
    clock,
    log,
    secrets: credentials?.webhookSecrets ?? [],
    appId: credentials?.appId,
    identity: () => live.self,
    githubCalls: () => live.calls,
    unranked: () => live.unranked,
    staleNotes: () => live.staleNotes.total(),
    hostCaps: settings.hostCaps,
    extraRoutes: [createSlackEventsRoute(() => live.slackDoor)],
    dashboardToken: env['QUORUM_DASHBOARD_TOKEN'],
    setup: {
      env,
      envFile: options.envFile,
      manifestFile: options.manifestFile,
      random: options.random,
      onAddress: options.onSetupAddress ?? (() => undefined),
      onCredentials: begin,
    },
  });
  const smee = await openChannel(settings.smeeUrl, server.url, log);
  if (credentials !== undefined) await begin(credentials);
  log.info({ url: server.url, ready: credentials !== undefined }, 'listening');
  return {
    url: server.url,
    isReady: () => live.team !== undefined,
    store,
    close: (timeoutMs = DRAIN_MS) => close({ server, smee, live, store: owned }, timeoutMs),
  };
}

/** From a laptop, where GitHub cannot reach the server. */
async function openChannel(
  source: string | undefined,
  url: string,
  log: Basics['log'],
): Promise<SmeeChannel | undefined> {
  if (source === undefined) return undefined;
  const { openSmeeChannel } = await import('../adapters/http/smee-channel.ts');
  return openSmeeChannel({ source, target: `${url}${WEBHOOK_PATH}`, log });
}

async function close(
  parts: {
    server: RunningServer;
    smee: SmeeChannel | undefined;
    live: Live;
    store: Store | undefined;
  },
  timeoutMs: number,
): Promise<void> {
  parts.live.stopping.abort();
  await parts.smee?.close();
  await parts.server.close(Math.min(timeoutMs, 5_000));
  await parts.live.team?.stop(timeoutMs);
  await parts.store?.close();
}
