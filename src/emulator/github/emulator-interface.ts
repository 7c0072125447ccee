/** The options of the embedded GitHub, and what it offers to tests, the demo and the command line. */
import type { RepositorySeed } from './world/seed.ts';
import type { AppCredentials, AppSeed } from './world/seed-apps.ts';
import type { Clock, Random } from '../../ports/clock.ts';
import type { Permission } from '../../domain/run/thread-ref.ts';
import type { AsUser } from './as-user.ts';
import type { Behaviour } from './behave/behaviour.ts';
import type { Faults } from './behave/faults.ts';
import type { LimitSettings, Limits } from './behave/rate-limits.ts';
import type { QueueEnd } from './checks/merge-queue.ts';
import type {
  Account,
  App,
  AppPermissions,
  Delivery,
  Installation,
  Plan,
  Repository,
} from './world/world-model.ts';
import type { Exchange, RequestEntry } from './listener.ts';
import type { HookSettings } from './webhooks.ts';
import type { RunSeed } from './checks/workflow-runs.ts';

export interface EmulatorOptions {
  /** Where the bare repositories live; made when missing. */
  dir: string;
  clock: Clock;
  random?: Random;
  /** 0, the default, takes a free one. */
  port?: number;
  host?: string;
  /** Another name that it is asked by, through a proxy in front of it. */
  publicName?: string;
  /** Also listen on a unix socket, for `gh`. */
  socketPath?: string;
  limits?: Partial<LimitSettings>;
  /** Where it is to be milder than github.com. */
  behaviour?: Partial<Behaviour>;
  webhooks?: Partial<HookSettings>;
  /** Entries kept in the request log. */
  keepRequests?: number;
  /** Sees every API exchange after it was answered. */
  onExchange?: (exchange: Exchange) => void;
  /** The world that {@link GitHubEmulator.snapshot} returned, to go on in it. */
  snapshot?: string;
}

export interface GitHubEmulator {
  /** Base of pages and git, e.g. `http://127.0.0.1:4001`. */
  readonly url: string;
  /** Base of REST: `url + '/api/v3'`. GraphQL is at `url + '/api/graphql'`. */
  readonly apiUrl: string;
  /** `host:port`, for `GHE_HOST`. */
  readonly host: string;
  readonly socketPath: string | undefined;
  readonly faults: Faults;
  readonly limits: Limits;
  /** The delivery log, oldest first. */
  readonly deliveries: readonly Delivery[];
  readonly requests: readonly RequestEntry[];
  createUser(login: string, name?: string): { id: number; login: string };
  createOrg(
    login: string,
    members?: Record<string, 'admin' | 'member'>,
  ): { id: number; login: string };
  /** May write to every repository of the organisation. */
  createTeam(org: string, slug: string, members?: readonly string[]): void;
  /** Whose name this is; undefined while it is free. */
  accountType(login: string): Account['type'] | undefined;
  /** Accounts begin on GitHub's Free plan. */
  setPlan(login: string, plan: Plan): void;
  createUserToken(login: string, scopes?: readonly string[]): string;
  createRepository(seed: RepositorySeed): Promise<Repository>;
  /** A copy of a git repository on this disk, with its branches and tags, under the name of its folder. */
  importRepository(owner: string, folder: string): Promise<Repository>;
  createFork(of: string, owner: string): Promise<Repository>;
  addCollaborator(repository: string, login: string, permission: Permission): void;
  createApp(seed: AppSeed): Promise<AppCredentials>;
  app(idOrSlug: number | string): App;
  /** Returns the installation's id. Without repositories: all of the account, later ones too. */
  installApp(appId: number, account: string, repositories?: readonly string[]): number;
  installation(id: number): Installation;
  suspendInstallation(id: number, suspended?: boolean): void;
  removeInstallation(id: number): void;
  setPermissions(installationId: number, permissions: AppPermissions, events?: string[]): void;
  changeRepositories(id: number, change: { added?: string[]; removed?: string[] }): void;
  /** State of a repository, live: assertions read it, knobs may change it. */
  repository(name: string): Repository;
  renameRepository(name: string, to: string): void;
  transferRepository(name: string, owner: string): void;
  /** Of a person or an organisation. */
  renameAccount(login: string, to: string): void;
  deleteRepository(name: string): Promise<void>;
  /** By its id, after it was deleted. */
  restoreRepository(id: number): Promise<void>;
  as(login: string): AsUser;
  /** A workflow's run ends as told, with these jobs and logs; Apps hear of it. */
  endRun(repository: string, run: RunSeed): Promise<{ id: number }>;
  /** Takes the entries of a merge queue out: merged, or thrown out. */
  endQueue(repository: string, end: QueueEnd): Promise<void>;
  /** Shifts the emulator's clock against the injected one. */
  setClockOffset(ms: number): void;
  /** Lets people act in the second in which an App wrote; else the clock goes on to the next one first. */
  allowSameSecond(isAllowed: boolean): void;
  redeliver(deliveryId: number): void;
  /** Resolves when every webhook so far has been answered or given up. */
  settled(): Promise<void>;
  /** Sees every exchange from now on; returns what stops it. */
  onExchange(listener: (exchange: Exchange) => void): () => void;
  clearRequests(): void;
  /** Everything that another emulator needs to go on from here, while nothing is under way. */
  snapshot(): Promise<string>;
  close(): Promise<void>;
}
