/** A repository's branches in memory as acts of memory meet them: what was read, written and proposed is kept. */
import type { EffectContext } from '../../../src/act/effect-context.ts';
import { defaultConfig, type Config } from '../../../src/domain/config/config.ts';
import type { RoleTexts } from '../../../src/domain/memory/role/role-memory.ts';
import type { Permission } from '../../../src/domain/run/thread-ref.ts';
import type {
  DoubtfulLines,
  MemoryPlace,
  MemoryUpdate,
} from '../../../src/ports/github/memory-branch.ts';
import type { MergeFacts } from '../../../src/ports/github/work.ts';
import { aPersona } from '../../helpers/a-persona.ts';

export const AT = '2026-03-02T09:00:00.000Z';
export const TEAM = ['maya', 'carlos'].map((handle) => aPersona({ handle, name: handle }));

export interface MemoryBranches {
  config: Config;
  permission: Permission;
  /** A host without memory has none. */
  hasMemory: boolean;
  /** Texts by branch and path. */
  branches: Record<string, Record<string, string>>;
  /** Pull requests into the memory branch. */
  pulls: { head: string; isOpen: boolean }[];
  /** What a merge of any of them depends on. */
  facts: Partial<MergeFacts>;
  /** Lines of the memory branch for which nobody vouches. */
  doubtful: DoubtfulLines;
  /** What a role's file begins with where a repository has none. */
  shipped: RoleTexts;
  updates: (MemoryPlace & Omit<MemoryUpdate, 'change'>)[];
  opened: { head: string; base: string; title: string; body: string; marker: object }[];
  context(): EffectContext;
}

export function aMemoryWorld(): MemoryBranches {
  const world: MemoryBranches = {
    config: defaultConfig(),
    permission: 'write',
    hasMemory: true,
    branches: {},
    pulls: [],
    facts: {},
    doubtful: new Set(),
    shipped: { pm: '', artist: '' },
    updates: [],
    opened: [],
    context: () => contextOf(world),
  };
  return world;
}

/** What is missing fails the test. */
function contextOf(world: MemoryBranches): EffectContext {
  const session = { ...sessionOf(world), ...(world.hasMemory && { memory: memoryOf(world) }) };
  return {
    ports: {
      github: { at: () => session },
      random: { id: () => 'n0n5e' },
      roleDefaults: async () => world.shipped,
    },
    readSettings: async () => ({ config: world.config, personas: TEAM, problems: [] }),
    at: AT,
  } as unknown as EffectContext;
}

function sessionOf({ pulls, opened, permission, facts }: MemoryBranches) {
  const repository = { headSha: 'tip', fullName: 'acme/tidy', defaultBranch: 'main' };
  return {
    counts: { rest: 1 },
    survey: { issue: async () => ({ repository, files: [], foreign: undefined }) },
    read: {
      permission: async () => permission,
      repository: async () => repository,
      paths: async () => ({ paths: [] }),
    },
    // What a session that works with git has, as far as memory asks for it.
    leases: {},
    plans: {},
    work: { pullsInto: async () => pulls },
    tasks: {
      mergeFacts: async () => facts,
      ensurePull: async (_: object, pull: MemoryBranches['opened'][number]) => {
        opened.push(pull);
        return { number: 40 + opened.length, url: `pull/${40 + opened.length}`, isNew: true };
      },
    },
  };
}

function memoryOf({ branches, updates, doubtful }: MemoryBranches) {
  return {
    doubtful: async () => doubtful,
    isOnlyOurs: async () => true,
    read: async ({ branch }: MemoryPlace) => ({
      head: branch in branches ? 'h' : undefined,
      isKnown: false,
      files: new Map(Object.entries(branches[branch] ?? {})),
      unread: [],
    }),
    update: async (place: MemoryPlace, { change, ...update }: MemoryUpdate) => {
      updates.push({ ...place, ...update });
      const { branch } = place;
      const before = branches[branch] ?? branches[update.from ?? ''] ?? {};
      const changed = change(new Map(Object.entries(before)));
      const isUnchanged = [...changed].every(([path, text]) => before[path] === text);
      if (!isUnchanged) {
        const after = new Map<string, string | undefined>([...Object.entries(before), ...changed]);
        const kept = [...after].filter((each): each is [string, string] => each[1] !== undefined);
        branches[branch] = Object.fromEntries(kept);
      }
      return { head: branch in branches ? 'h2' : undefined, base: 'h', isUnchanged, races: 0 };
    },
  };
}
