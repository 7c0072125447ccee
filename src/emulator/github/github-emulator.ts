/** An embedded GitHub on loopback: REST, git, webhooks, limits, faults and pages in one process. */
import { mkdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import * as seeds from './world/seed.ts';
import { operate, type Api } from './api.ts';
import { actAs } from './as-user.ts';
import { GITHUB_COM } from './behave/behaviour.ts';
import { createFaults, type Faults } from './behave/faults.ts';
import {
  changeGrant,
  changeRepositories,
  removeInstallation,
  setSuspended,
} from './world/installations.ts';
import { createLimits } from './behave/rate-limits.ts';
import { closeReaders } from './git/cat-file.ts';
import { endQueue } from './checks/merge-queue.ts';
import type { Installation, Repository } from './world/world-model.ts';
import { createPages } from './pages/answer-page.ts';
import { createMatcher } from './router.ts';
import { allRoutes } from './routes/all-routes.ts';
import { renameAccount, renameRepository } from './world/rename.ts';
import { seeding } from './world/seeding.ts';
import { fromSnapshot, toSnapshot } from './world/snapshot.ts';
import { createListener, type Exchange, type RequestEntry, type ServerParts } from './listener.ts';
import { createWebhooks, DEFAULT_HOOKS, type Webhooks } from './webhooks.ts';
import { endWorkflowRun } from './checks/workflow-runs.ts';
import { createState, repositoryNamed, systemRandom, type World } from './world/world.ts';
import type { EmulatorOptions, GitHubEmulator } from './emulator-interface.ts';

interface Parts {
  world: World;
  api: Api;
  faults: Faults;
  webhooks: Webhooks;
  host: string;
  names: readonly string[];
  page: ServerParts['page'];
  requests: RequestEntry[];
  keepRequests: number;
  listeners: Set<(exchange: Exchange) => void>;
  servers: Server[];
}

/**
 * Starts listening before it resolves. Rejects when the port or the socket is taken.
 *
 * @example
 * ```ts
 * import { createGitHubEmulator, systemClock } from 'quorum';
 *
 * const github = await createGitHubEmulator({ dir: './github', clock: systemClock });
 * github.createUser('ana');
 * await github.createRepository({ owner: 'ana', name: 'shop', files: { 'README.md': 'A shop\n' } });
 * const answer = await fetch(`${github.apiUrl}/repos/ana/shop`, {
 *   headers: { authorization: `token ${github.createUserToken('ana')}` },
 * });
 * console.log(answer.status); // 200
 * await github.close();
 * ```
 */
export async function createGitHubEmulator(options: EmulatorOptions): Promise<GitHubEmulator> {
  await mkdir(options.dir, { recursive: true });
  const parts = assemble(options);
  const { host } = parts;
  const port = await listen(parts, { host, port: options.port ?? 0 });
  if (options.socketPath !== undefined) {
    await rm(options.socketPath, { force: true });
    await listen(parts, { path: options.socketPath });
  }
  parts.world.htmlUrl = `http://${host}:${port}`;
  parts.world.apiUrl = `${parts.world.htmlUrl}/api/v3`;
  if (options.snapshot !== undefined) await fromSnapshot(parts.world, options.snapshot);
  return {
    url: parts.world.htmlUrl,
    apiUrl: parts.world.apiUrl,
    host: `${host}:${port}`,
    socketPath: options.socketPath,
    faults: parts.faults,
    limits: parts.api.limits,
    ...seeding(parts.world),
    ...knobs(parts),
    ...observing(parts),
  };
}

function assemble(options: EmulatorOptions): Parts {
  const faults = createFaults();
  const limits = createLimits(options.limits);
  const world: World = {
    state: createState(),
    clock: options.clock,
    random: options.random ?? systemRandom(),
    dir: options.dir,
    behaviour: { ...GITHUB_COM, ...options.behaviour },
    htmlUrl: '',
    apiUrl: '',
    emit: (emission) => webhooks.emit(emission),
    redeliver: (delivery) => webhooks.redeliver(delivery),
    operate: (actor, operation) => operate(api, actor, operation),
  };
  const webhooks = createWebhooks(world, faults, { ...DEFAULT_HOOKS, ...options.webhooks });
  const api: Api = { match: createMatcher(allRoutes(limits)), world, limits };
  const listeners = new Set(options.onExchange === undefined ? [] : [options.onExchange]);
  return {
    world,
    api,
    faults,
    webhooks,
    host: options.host ?? '127.0.0.1',
    names: [options.host, options.publicName].filter((name) => name !== undefined),
    page: createPages(world),
    requests: [],
    keepRequests: options.keepRequests ?? 50_000,
    listeners,
    servers: [],
  };
}

async function listen(
  parts: Parts,
  at: { host: string; port: number } | { path: string },
): Promise<number> {
  const listener = createListener({
    names: parts.names,
    api: parts.api,
    faults: parts.faults,
    page: parts.page,
    record(entry) {
      parts.requests.push(entry);
      if (parts.requests.length > parts.keepRequests) parts.requests.shift();
    },
    listeners: parts.listeners,
  });
  const server = createServer(listener);
  parts.servers.push(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at, resolve);
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function installationById(world: World, id: number): Installation {
  const found = world.state.installations.get(id);
  if (found === undefined) throw new Error(`no installation ${id} in the emulator`);
  return found;
}

type Knobs = Pick<
  GitHubEmulator,
  | 'installation'
  | 'suspendInstallation'
  | 'removeInstallation'
  | 'setPermissions'
  | 'changeRepositories'
  | 'repository'
  | 'renameRepository'
  | 'transferRepository'
  | 'renameAccount'
  | 'deleteRepository'
  | 'restoreRepository'
  | 'endRun'
  | 'endQueue'
  | 'setClockOffset'
  | 'allowSameSecond'
>;

function knobs({ world }: Parts): Knobs {
  const named = (names: string[] = []): Repository[] =>
    names.map((name) => repositoryNamed(world, name));
  return {
    installation: (id) => installationById(world, id),
    suspendInstallation: (id, suspended = true) =>
      setSuspended(world, installationById(world, id), { suspended }),
    removeInstallation: (id) => removeInstallation(world, installationById(world, id)),
    setPermissions: (id, permissions, events) =>
      changeGrant(world, installationById(world, id), {
        permissions,
        ...(events === undefined ? {} : { events }),
      }),
    changeRepositories: (id, change) =>
      changeRepositories(world, installationById(world, id), {
        added: named(change.added),
        removed: named(change.removed),
      }),
    repository: (name) => repositoryNamed(world, name),
    renameRepository: (name, to) =>
      renameRepository(world, repositoryNamed(world, name), { name: to }),
    transferRepository: (name, owner) =>
      renameRepository(world, repositoryNamed(world, name), { owner }),
    renameAccount: (login, to) => renameAccount(world, login, to),
    deleteRepository: (name) => seeds.deleteRepository(world, repositoryNamed(world, name)),
    restoreRepository: (id) => seeds.restoreRepository(world, id),
    endRun: (name, run) => endWorkflowRun(world, repositoryNamed(world, name), run),
    endQueue: (name, end) => endQueue(world, repositoryNamed(world, name), end),
    setClockOffset: (ms) => void (world.state.clockOffsetMs = ms),
    allowSameSecond: (isAllowed) => void (world.state.isSameSecondAllowed = isAllowed),
  };
}

type Observing = Pick<
  GitHubEmulator,
  | 'deliveries'
  | 'requests'
  | 'as'
  | 'redeliver'
  | 'settled'
  | 'onExchange'
  | 'clearRequests'
  | 'snapshot'
  | 'close'
>;

function observing(parts: Parts): Observing {
  const { world, webhooks, requests, listeners } = parts;
  return {
    deliveries: world.state.deliveries,
    requests,
    as: (login) => actAs(world, login),
    redeliver(id) {
      const found = world.state.deliveries.find((one) => one.id === id);
      if (found === undefined) throw new Error(`no delivery ${id} in the emulator`);
      webhooks.redeliver(found);
    },
    settled: () => webhooks.settled(),
    onExchange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    clearRequests: () => void (requests.length = 0),
    snapshot: () => toSnapshot(world),
    async close() {
      webhooks.close();
      await Promise.all(parts.servers.map(closeServer));
      await closeReaders(parts.world.dir);
    },
  };
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
