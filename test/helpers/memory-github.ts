/** A GitHub in memory as a recovery walks through it: installations, their repositories, and issues that are plans. */
import type { ActPorts } from '../../src/act/ports.ts';
import type { ReadSettings } from '../../src/act/settings/read-settings.ts';
import { defaultConfig, type Config } from '../../src/domain/config/config.ts';
import type { NewEvent } from '../../src/domain/event/event.ts';
import { leaseRef, type Lease } from '../../src/domain/plan/lease.ts';
import { threadKey, type RepositoryRef, type ThreadRef } from '../../src/domain/run/thread-ref.ts';
import type { LeasePlace } from '../../src/ports/github/leases.ts';
import { createMemoryRefs } from './memory-leases.ts';

export const NOW = Date.parse('2026-03-02T09:00:00Z');
export const INSTANCE = 'here';

export function repositoryOf(installationId: number, repositoryId: number): RepositoryRef {
  return { installationId, repositoryId, owner: 'acme', repo: `r${repositoryId}` };
}

export interface MemoryWorld {
  installations: { installationId: number; account: string; isSuspended: boolean }[];
  repositories: Record<number, RepositoryRef[]>;
  /** Texts of the plans, by thread. */
  plans: Map<string, { thread: ThreadRef; body: string }>;
  config: Config;
  states: Map<string, unknown>;
  /** What was asked of the App and of the store, and what git removed. */
  calls: string[];
  appended: NewEvent[];
  worktrees: { name: string; folder: string; branch: string; idleMs: number }[];
  leases: ReturnType<ReturnType<typeof createMemoryRefs>['open']>;
  ports: ActPorts;
  readSettings: ReadSettings;
  /** Puts a hold on a task of a plan. */
  hold: (thread: ThreadRef, task: number, over?: Partial<Lease>) => Promise<Lease>;
  /** The hold as it is now, read from GitHub. */
  heldAt: (thread: ThreadRef, task: number) => Promise<Lease | undefined>;
}

export function placeAt(thread: ThreadRef, task: number): LeasePlace {
  const ref = leaseRef('refs/quorum/leases', { issue: thread.number, task });
  return { repository: thread, ref, baseSha: '' };
}

export function createMemoryWorld(): MemoryWorld {
  const leases = createMemoryRefs().open();
  const world: Omit<MemoryWorld, 'ports'> = {
    installations: [{ installationId: 1, account: 'acme', isSuspended: false }],
    repositories: { 1: [repositoryOf(1, 7)] },
    plans: new Map(),
    config: defaultConfig(),
    states: new Map(),
    calls: [],
    appended: [],
    worktrees: [],
    leases,
    readSettings: (async () => ({ config: world.config })) as unknown as ReadSettings,
    hold: async (thread, task, over = {}) => {
      const lease = { ...leaseOf(thread, task), ...over };
      await leases.create(placeAt(thread, task), lease);
      return lease;
    },
    heldAt: async (thread, task) => (await leases.read(placeAt(thread, task)))?.lease,
  };
  return Object.assign(world, { ports: portsOf(world) });
}

function leaseOf(thread: ThreadRef, task: number): Lease {
  return {
    issue: thread.number,
    task,
    holder: `${INSTANCE}/run-1`,
    digest: 'abcdef123456',
    fence: 3,
    issuedAt: NOW - 3_600_000,
    expiresAt: NOW - 1_800_000,
    isReleased: false,
  };
}

/** What is missing fails the test. */
function portsOf(world: Omit<MemoryWorld, 'ports'>): ActPorts {
  const { calls } = world;
  return {
    github: { app: appOf(world), at: (ref: RepositoryRef) => sessionOf(ref, world) },
    store: {
      load: async (key: string) => {
        calls.push(`load ${key}`);
        return world.states.has(key) ? { state: world.states.get(key), version: 1 } : undefined;
      },
      append: async (events: NewEvent[]) => {
        world.appended.push(...events);
        return events.map(() => 'queued');
      },
    },
    clock: { now: () => NOW },
    random: { id: () => 'n0n5e' },
    codingRuntime: {
      instance: INSTANCE,
      git: {
        worktrees: async () => world.worktrees,
        remove: async (name: string) => void calls.push(`remove ${name}`),
      },
    },
  } as unknown as ActPorts;
}

function appOf(world: Omit<MemoryWorld, 'ports'>) {
  const { plans, calls } = world;
  return {
    installations: async () => world.installations,
    repositories: async (id: number) => {
      calls.push(`repositories ${id}`);
      return world.repositories[id] ?? [];
    },
    labelled: async ({ repositoryId }: RepositoryRef, labels: string[]) => {
      calls.push(`labelled ${repositoryId} ${labels.join(', ')}`);
      return [...plans.values()].filter(({ thread }) => thread.repositoryId === repositoryId);
    },
  };
}

function sessionOf(ref: RepositoryRef, { plans, leases }: Omit<MemoryWorld, 'ports'>) {
  return {
    counts: {},
    leases,
    tasks: {},
    plans: {},
    survey: { issue: async () => undefined },
    read: {
      repository: async () => ({ fullName: `${ref.owner}/${ref.repo}`, headSha: 'tip' }),
      paths: async () => ({ paths: [], isCut: false }),
      issue: async (thread: ThreadRef) => ({ body: plans.get(threadKey(thread))?.body ?? '' }),
    },
  };
}

/** Opens a plan in a world. */
export function openPlan(
  world: MemoryWorld,
  body: string,
  { repository = repositoryOf(1, 7), number = 4 } = {},
): ThreadRef {
  const thread = { ...repository, number };
  world.plans.set(threadKey(thread), { thread, body });
  return thread;
}
