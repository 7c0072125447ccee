/** What acts of standups meet: a real embedded store for what is kept, and a GitHub in memory that says what it was asked. */
import { onTestFinished } from 'vitest';
import type { EffectContext } from '../../../src/act/effect-context.ts';
import { changeValue } from '../../../src/act/standup/change-value.ts';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite.ts';
import { systemClock } from '../../../src/adapters/system/system-clock.ts';
import { defaultConfig, type Config } from '../../../src/domain/config/config.ts';
import { threadKey, type Actor, type Permission } from '../../../src/domain/run/thread-ref.ts';
import type { Insight } from '../../../src/domain/standup/insight.ts';
import { raiseTension } from '../../../src/domain/tension/move-tension.ts';
import {
  NO_TENSIONS,
  type Tension,
  type TensionBook,
} from '../../../src/domain/tension/tension.ts';
import type { Scanner } from '../../../src/ports/scanner.ts';
import type { Store } from '../../../src/ports/store.ts';
import { aRunHere } from '../../decide/talk/commands/run-here.ts';
import { anInsight } from '../../domain/standup/some-insights.ts';
import { aPersona } from '../../helpers/a-persona.ts';
import { THREAD } from '../../helpers/play.ts';

export const AT = '2026-11-20T10:00:00.000Z';
export const SECRET = ['marker', 'secret'].join('-');
export const CODE = 'const a = 1;\nconst price = order.price;\ncharge(price);\n';
export const HEAD = 'd'.repeat(40);
export const TEAM = ['maya', 'carlos'].map((handle) => aPersona({ handle, name: handle }));
export const INSIGHT = anInsight({
  message: '`src/cart.ts:2` trusts the price that the browser sends.',
  refs: [{ path: 'src/cart.ts', line: 2 }],
});

/** What GitHub has at this moment. */
export interface Hub {
  headSha: string;
  files: Record<string, string>;
  permission: Permission;
  comments: object[];
  editor: Actor | undefined;
  closed: { number: number; stateReason?: string }[];
  commits: { sha: string }[];
  pull: { number: number; mergeSha: string } | undefined;
}

export interface StandupWorld {
  store: Store;
  hub: Hub;
  config: Config;
  /** Of the thread, by the store: what its reducer keeps. */
  runs: Record<string, unknown>;
  scanner: Scanner;
  /** What GitHub was asked. */
  calls: string[];
  logged: string[];
  context(): EffectContext;
  book(): Promise<TensionBook>;
  keep(...tensions: Partial<Tension>[]): Promise<void>;
}

/** The tension that this insight raises where the code is as it is. */
export function aTension(over: Partial<Tension> = {}, insight: Insight = INSIGHT): Tension {
  const viewed = { texts: { 'src/cart.ts': CODE } };
  return { ...raiseTension(NO_TENSIONS, insight, { at: AT, viewed }).tension, ...over };
}

/** A discussion in which these said something. */
export function discussedBy(...handles: string[]): Record<string, unknown> {
  const contributions = handles.map((handle) => ({
    handle,
    outcome: 'said',
    position: { vote: 'APPROVE', line: `${handle} is content.`, findings: [] },
  }));
  return { issue_review: aRunHere({ status: 'consensus', contributions }) };
}

export async function aStandupWorld(over: Partial<Hub> = {}): Promise<StandupWorld> {
  const store = await openSqliteStore({ memory: true, clock: systemClock });
  onTestFinished(() => store.close());
  const { repositoryId: repository } = THREAD;
  const world: StandupWorld = {
    store,
    hub: {
      headSha: HEAD,
      files: { 'src/cart.ts': CODE },
      permission: 'write',
      comments: [],
      editor: undefined,
      closed: [],
      commits: [],
      pull: undefined,
      ...over,
    },
    config: defaultConfig(),
    runs: discussedBy('maya', 'carlos'),
    scanner: FINDS_NOTHING,
    calls: [],
    logged: [],
    context: () => contextOf(world),
    book: async () => (await store.standups.load(repository, 'tensions'))?.value ?? NO_TENSIONS,
    keep: async (...tensions) => {
      const all = tensions.map((each, n) => aTension({ number: n + 1, ...each }));
      await changeValue(store.standups, { repository, name: 'tensions' }, () => ({
        v: 1,
        next: all.length + 1,
        tensions: all,
      }));
    },
  };
  return world;
}

const FINDS_NOTHING = { scan: async () => ({ kind: 'read', found: {} }) } as unknown as Scanner;

/** What is missing fails the test. */
function contextOf(world: StandupWorld): EffectContext {
  const { store, config, scanner, logged } = world;
  const session = sessionOf(world);
  const load = async (key: string) =>
    key === threadKey(THREAD) ? { state: { v: 1, runs: world.runs }, version: 1 } : undefined;
  return {
    ports: {
      github: { at: () => session },
      store: { load, records: store.records, standups: store.standups },
      clock: { now: () => Date.parse(AT) },
      random: { id: () => 'n0n5e' },
      log: { info: (_: object, message: string) => void logged.push(message) },
      markerSecret: SECRET,
      scanner,
    },
    readSettings: async () => ({ config, personas: TEAM, problems: [] }),
    at: AT,
  } as unknown as EffectContext;
}

function sessionOf({ hub, calls }: StandupWorld) {
  const asked =
    <Args extends unknown[], T>(name: string, answer: (...args: Args) => T) =>
    async (...args: Args): Promise<T> => {
      calls.push(name);
      return answer(...args);
    };
  const files = (paths: readonly string[]) =>
    paths.flatMap((path) =>
      path in hub.files ? [{ path, text: hub.files[path] ?? '', isCut: false }] : [],
    );
  const facts = () => ({ headSha: hub.headSha, fullName: 'acme/tidy', defaultBranch: 'main' });
  return {
    counts: { rest: 3 },
    survey: {
      issue: asked('survey', () => ({
        repository: facts(),
        issue: { body: 'Carts lose their discount.' },
        permissions: new Map(),
        files: [],
        foreign: undefined,
      })),
    },
    read: {
      repository: asked('repository', facts),
      paths: asked('paths', () => ({ paths: Object.keys(hub.files), isCut: false })),
      files: asked('files', (_, __, { paths }: { paths: string[] }) => files(paths)),
      permission: asked('permission', () => hub.permission),
      comments: asked('comments', () => hub.comments),
    },
    code: {
      texts: asked('texts', (_, __, { paths }: { paths: string[] }) => files(paths)),
      threads: asked('threads', () => hub.closed),
    },
    history: {
      editor: asked('editor', () => hub.editor),
      commits: asked('commits', () => ({ commits: hub.commits })),
      broughtIn: asked('broughtIn', () => hub.pull),
    },
  };
}
