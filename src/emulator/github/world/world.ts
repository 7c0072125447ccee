/** Everything one embedded GitHub holds, and the look-ups that routes, pages and hooks share. */
import { randomUUID } from 'node:crypto';
import type { Clock, Random } from '../../../ports/clock.ts';
import { hasPermission, type Permission } from '../../../domain/run/thread-ref.ts';
import type { Behaviour } from '../behave/behaviour.ts';
import { notFound } from '../behave/http-error.ts';
import type {
  Account,
  App,
  Comment,
  Delivery,
  Installation,
  Repository,
  ReviewComment,
  Thread,
  Token,
} from './world-model.ts';
import type { Actor } from './tokens.ts';

/** Something that happened, on its way to the Apps that subscribe to it. */
export interface Emission {
  event: string;
  action?: string;
  repository?: Repository;
  installation?: Installation;
  sender: Account;
  /** Event-specific members of the payload, already in wire form. */
  payload: Record<string, unknown>;
}

export interface State {
  lastId: number;
  accounts: Map<number, Account>;
  /** Lower-case login to account id. */
  logins: Map<string, number>;
  repositories: Map<number, Repository>;
  /** Those that can be restored. */
  deletedRepositories: Map<number, Repository>;
  /** Lower-case `owner/name` to repository id; old names stay and redirect. */
  repositoryNames: Map<string, number>;
  apps: Map<number, App>;
  installations: Map<number, Installation>;
  tokens: Map<string, Token>;
  deliveries: Delivery[];
  /** Codes of the manifest flow, waiting to be converted: code to manifest. */
  manifests: Map<string, { manifest: Record<string, unknown>; ownerId: number }>;
  /** Logs of jobs by the key of their address, each for a while. */
  logs: Map<string, { body: string | Buffer; type: string; untilMs: number }>;
  /** Added to the injected clock: a knob for skewed servers. */
  clockOffsetMs: number;
  /** When an App wrote last, in milliseconds: a person who acts afterwards has read it, so a second has passed. */
  appWroteAtMs: number;
  /** Whether what a person does may fall into the second of what an App wrote before it. */
  isSameSecondAllowed: boolean;
}

/** An operation of the REST API. */
export interface Operation {
  method: string;
  /** Without `/api/v3`; may carry a query. */
  path: string;
  body?: unknown;
}

export interface World {
  readonly state: State;
  readonly clock: Clock;
  readonly random: Random;
  /** Where the bare repositories live. */
  readonly dir: string;
  readonly behaviour: Readonly<Behaviour>;
  /** Base of pages, without a slash at the end; known once the server listens. */
  htmlUrl: string;
  apiUrl: string;
  emit(emission: Emission): void;
  redeliver(delivery: Delivery): void;
  /** Carries an operation out in somebody's name, without limits and faults, and resolves with its JSON. Throws HttpError where GitHub refuses. */
  operate(actor: Actor, operation: Operation): Promise<unknown>;
}

export function createState(): State {
  return {
    lastId: 1000,
    accounts: new Map(),
    logins: new Map(),
    repositories: new Map(),
    deletedRepositories: new Map(),
    repositoryNames: new Map(),
    apps: new Map(),
    installations: new Map(),
    tokens: new Map(),
    deliveries: [],
    manifests: new Map(),
    logs: new Map(),
    clockOffsetMs: 0,
    appWroteAtMs: 0,
    isSameSecondAllowed: false,
  };
}

export function nextId(world: World): number {
  world.state.lastId += 1;
  return world.state.lastId;
}

/** The emulator's own idea of the time, in milliseconds. */
export function nowMs(world: World): number {
  return world.clock.now() + world.state.clockOffsetMs;
}

/** GitHub's times have no fraction of a second. */
export function toIso(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

export function nowIso(world: World): string {
  return toIso(nowMs(world));
}

/** A version 4 UUID drawn from the injected randomness. */
export function drawUuid(random: Random): string {
  const hex = drawHex(random, 32);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

export function drawHex(random: Random, digits: number): string {
  let hex = '';
  while (hex.length < digits)
    hex += Math.floor(random.next() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, '0');
  return hex.slice(0, digits);
}

/** Randomness for an emulator that nobody needs to repeat. */
export function systemRandom(): Random {
  return { next: () => Math.random(), id: () => randomUUID() };
}

/** Opaque GraphQL id: kind and database id, so that it can be read back. */
export function nodeId(kind: string, id: number): string {
  return `${kind}_${Buffer.from(`${kind}:${id}`).toString('base64url')}`;
}

/** The database id in a {@link nodeId}, or `undefined` for anything else. */
export function readNodeId(node: string): { kind: string; id: number } | undefined {
  const encoded = /^[A-Z]+_([\w-]+)$/.exec(node)?.[1];
  if (encoded === undefined) return undefined;
  const match = /^([A-Z]+):(\d+)$/.exec(Buffer.from(encoded, 'base64url').toString());
  return match?.[1] === undefined ? undefined : { kind: match[1], id: Number(match[2]) };
}

export function account(world: World, id: number): Account {
  const found = world.state.accounts.get(id);
  if (found === undefined) throw new Error(`no account ${id} in the emulator`);
  return found;
}

export function findAccount(world: World, login: string): Account | undefined {
  const id = world.state.logins.get(login.toLowerCase());
  return id === undefined ? undefined : world.state.accounts.get(id);
}

export function fullName(world: World, repository: Repository): string {
  return `${account(world, repository.ownerId).login}/${repository.name}`;
}

export function findRepository(world: World, name: string): Repository | undefined {
  const id = world.state.repositoryNames.get(name.toLowerCase());
  return id === undefined ? undefined : world.state.repositories.get(id);
}

/** A repository by `owner/name`, for seeding code that must not miss. */
export function repositoryNamed(world: World, name: string): Repository {
  const found = findRepository(world, name);
  if (found === undefined) throw new Error(`no repository ${name} in the emulator`);
  return found;
}

export function threadOf(repository: Repository, number: number): Thread {
  const found = repository.threads.get(number);
  if (found === undefined) throw notFound();
  return found;
}

/** The role that a user holds: owner, organisation, collaborator, or read because the repository is public. */
export function roleOf(world: World, repository: Repository, userId: number): Permission {
  if (repository.ownerId === userId) return 'admin';
  const owner = account(world, repository.ownerId);
  const roles: Permission[] = [repository.collaborators.get(userId) ?? 'none'];
  const membership = owner.members.get(userId);
  if (membership === 'admin') roles.push('admin');
  if (membership === 'member' || !repository.private) roles.push('read');
  return roles.reduce((best, role) => (hasPermission(role, best) ? role : best));
}

export function installationCovers(installation: Installation, repository: Repository): boolean {
  if (installation.accountId !== repository.ownerId) return false;
  return installation.repositoryIds?.has(repository.id) ?? true;
}

export interface FoundComment<T extends Comment = Comment> {
  thread: Thread;
  comment: T;
}

export function findComment(repository: Repository, id: number): FoundComment {
  for (const thread of repository.threads.values()) {
    const comment = thread.comments.find((one) => one.id === id);
    if (comment !== undefined) return { thread, comment };
  }
  throw notFound();
}

export function findReviewComment(repository: Repository, id: number): FoundComment<ReviewComment> {
  for (const thread of repository.threads.values()) {
    const comment = thread.pull?.reviewComments.find((one) => one.id === id);
    if (comment !== undefined) return { thread, comment };
  }
  throw notFound();
}

export function appOf(world: World, id: number): App {
  const found = world.state.apps.get(id);
  if (found === undefined) throw notFound();
  return found;
}
