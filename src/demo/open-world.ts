/** A whole world on loopback: an embedded GitHub and the App working on it, in one process. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { createGitHubEmulator } from '../emulator/github/github-emulator.ts';
import {
  type GitHubEmulator,
  type EmulatorOptions,
} from '../emulator/github/emulator-interface.ts';
import type { Store } from '../ports/store.ts';
import { startApp, type AppOptions, type RunningApp } from '../hosts/start-app.ts';
import { WEBHOOK_PATH } from '../hosts/setup/app-manifest.ts';
import { MANIFEST_FILE } from '../hosts/package-files.ts';
import type { Basics } from '../hosts/host-parts.ts';

export interface WorldOptions extends Basics {
  /** A new one under the system's temporary folder by default, removed at close. */
  dir?: string;
  emulator?: Partial<Omit<EmulatorOptions, 'dir' | 'clock'>>;
  app?: Partial<Pick<AppOptions, 'concurrency' | 'reconcileEveryMs' | 'budgets' | 'store'>>;
  /** Account that owns the demonstration's repositories. */
  owner: string;
  /** Whether the emulator also listens on a unix socket, for gh. */
  hasSocket?: boolean;
  /** Fills the emulator before the App is installed, so that the past sends it no webhooks. */
  prepare?: (emulator: GitHubEmulator) => Promise<void>;
  /** Carried out when everything else is closed. */
  onClose?: () => Promise<void>;
}

export interface World {
  dir: string;
  emulator: GitHubEmulator;
  app: RunningApp;
  store: Store;
  installationId: number;
  appId: number;
  /** What the App was started with: enough to start it in a process of its own. */
  appEnv: Record<string, string | undefined>;
  /** Stops the App alone, as a crash or a deployment would; the emulator goes on. */
  stopApp(timeoutMs?: number): Promise<void>;
  /** Starts it again on the same data. */
  startApp(): Promise<void>;
  close(): Promise<void>;
}

/** Below the folder of a world: a path to a socket may not be long. */
export const SOCKET = 'gh.sock';

const Manifest = z.object({
  name: z.string(),
  default_permissions: z.record(z.string(), z.enum(['read', 'write', 'admin'])),
  default_events: z.array(z.string()),
});

/** Starts the emulator, registers and installs the App from its manifest, and starts the App against it. */
export async function openWorld(options: WorldOptions): Promise<World> {
  const dir = options.dir ?? (await mkdtemp(path.join(os.tmpdir(), 'quorum-')));
  const emulator = await createGitHubEmulator({
    limits: { enforced: false },
    ...options.emulator,
    ...(options.hasSocket === true && { socketPath: path.join(dir, SOCKET) }),
    dir: path.join(dir, 'github'),
    clock: options.clock,
    random: options.random,
  });
  emulator.createOrg(options.owner);
  await options.prepare?.(emulator);
  const credentials = await registerApp(emulator, options);
  const { appId } = credentials;
  const installationId = emulator.installApp(appId, options.owner);
  const appEnv = toAppEnv({ options, dir, emulator, credentials });
  const start = async (): Promise<RunningApp> => {
    const app = await startApp({
      ...options,
      env: appEnv,
      envFile: path.join(dir, '.env'),
      manifestFile: MANIFEST_FILE,
      ...options.app,
    });
    emulator.app(appId).webhookUrl = `${app.url}${WEBHOOK_PATH}`;
    return app;
  };
  const world: World = {
    dir,
    emulator,
    app: await start(),
    get store() {
      return this.app.store;
    },
    installationId,
    appId,
    appEnv,
    stopApp: (timeoutMs) => world.app.close(timeoutMs),
    startApp: async () => {
      world.app = await start();
    },
    close: async () => {
      await world.app.close();
      await emulator.close();
      await options.onClose?.();
      if (options.dir === undefined) await rm(dir, { recursive: true, force: true });
    },
  };
  return world;
}

export interface Registered {
  appId: number;
  privateKey: string;
  webhookSecret: string;
}

interface Starting {
  options: WorldOptions;
  dir: string;
  emulator: GitHubEmulator;
  credentials: Registered;
}

/** What a real App would find in its environment. */
function toAppEnv({ options, dir, emulator, credentials }: Starting): World['appEnv'] {
  return {
    ...options.env,
    APP_ID: String(credentials.appId),
    PRIVATE_KEY: credentials.privateKey,
    WEBHOOK_SECRET: credentials.webhookSecret,
    GHE_HOST: emulator.host,
    GHE_PROTOCOL: 'http',
    QUORUM_DATA: path.join(dir, 'data'),
    HOST: '127.0.0.1',
    PORT: options.env['PORT'] ?? '0',
  };
}

/** From the manifest of the package. */
export async function registerApp(
  emulator: GitHubEmulator,
  { owner, random }: Pick<WorldOptions, 'owner' | 'random'>,
): Promise<Registered> {
  const manifest = Manifest.parse(parse(await readFile(MANIFEST_FILE, 'utf8')));
  const webhookSecret = random.id();
  const app = await emulator.createApp({
    name: manifest.name,
    owner,
    permissions: manifest.default_permissions,
    events: manifest.default_events,
    webhookSecret,
  });
  return { appId: app.appId, privateKey: app.privateKey, webhookSecret };
}
