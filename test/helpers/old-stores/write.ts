/**
 * Writes the store and the world of every moment: `node test/helpers/old-stores/write.ts <folder>`, with `DATABASE_URL`
 * for one on PostgreSQL. test/fixtures/old-stores/README.md says when.
 */
import { readFile, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { brotliCompressSync } from 'node:zlib';
import { parse } from 'yaml';
import { createGitHubEmulator } from '../../../src/emulator/github/github-emulator.ts';
import { type GitHubEmulator } from '../../../src/emulator/github/emulator-interface.ts';
import { createLog } from '../../../src/hosts/create-log.ts';
import { openStore } from '../../../src/hosts/open-store.ts';
import { MANIFEST_FILE } from '../../../src/hosts/package-files.ts';
import { readHostSettings } from '../../../src/hosts/environment/host-settings.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Store, Work } from '../../../src/ports/store.ts';
import { TIDY_FILES } from '../tidy-project.ts';
import { copyStore } from './copy.ts';
import { repositoryIn, stopsAt, type RetryContext } from './moment.ts';
import { MOMENTS } from './moments.ts';
import {
  clockFrom,
  endOf,
  finish,
  LIMITS,
  OWNER,
  placeOf,
  rest,
  startOn,
  type Running,
} from './world.ts';

const START = Date.parse('2026-01-05T09:00:00Z');

interface Held {
  /** Lets everything go on. */
  release(): void;
  /** From now on work is held. */
  arm(): void;
  /** Names of moments whose work is in hand and held. */
  reached: Set<string>;
  /** Pieces of work that are in hand and not held. */
  busy(): number;
}

/** The store, with work in it that stays in hand. */
function holding(store: Store, momentOf: (key: string) => RetryContext | undefined): [Store, Held] {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const seen = new Map<string, Set<string>>();
  const reached = new Set<string>();
  let isArmed = false;
  let busy = 0;
  const stop = async (work: Work, at: 'consume' | 'settle'): Promise<void> => {
    const moment = momentOf(work.kind === 'event' ? work.event.key : work.effect.key);
    if (!isArmed || moment?.hold === undefined || stopsAt(moment.hold, work) !== at) return;
    const ids = seen.get(moment.name) ?? new Set();
    seen.set(moment.name, ids.add(work.id));
    if (ids.size !== (moment.hold.nth ?? 1)) return;
    reached.add(moment.name);
    busy -= 1;
    await released;
    busy += 1;
  };
  const held: Store = {
    append: (events) => store.append(events),
    load: (key) => store.load(key),
    requeue: (filter) => store.requeue(filter),
    close: () => store.close(),
    records: store.records,
    erasure: store.erasure,
    memory: store.memory,
    standups: store.standups,
    work: (options) =>
      store.work({
        ...options,
        consume: async (work) => {
          busy += 1;
          await stop(work, 'consume');
          await options.consume(work).finally(() => (busy -= 1));
        },
      }),
    settle: async (work, settlement) => {
      if (settlement.kind === 'finish') await stop(work, 'settle');
      await store.settle(work, settlement);
    },
  };
  return [held, { release, arm: () => void (isArmed = true), reached, busy: () => busy }];
}

async function populate(emulator: GitHubEmulator): Promise<{ appId: number; privateKey: string }> {
  emulator.createOrg(OWNER);
  for (const login of ['ana', 'tom', 'eve']) emulator.createUser(login);
  const manifest = parse(await readFile(MANIFEST_FILE, 'utf8'));
  const app = await emulator.createApp({
    name: manifest.name,
    owner: OWNER,
    permissions: manifest.default_permissions,
    events: manifest.default_events,
    webhookSecret: 'set when the App starts',
  });
  emulator.installApp(app.appId, OWNER);
  for (const { name, files = {} } of MOMENTS) {
    const history = [
      { message: 'feat: first steps', author: 'ana', files: { ...TIDY_FILES, ...files } },
    ];
    await emulator.createRepository({ owner: OWNER, name, history });
    emulator.addCollaborator(`${OWNER}/${name}`, 'ana', 'admin');
    emulator.addCollaborator(`${OWNER}/${name}`, 'tom', 'write');
  }
  return app;
}

/** Until every hold has its work and nothing else moves. */
async function heldEverywhere({ emulator }: Running, held: Held): Promise<void> {
  let missed: string[] = [];
  let quiet = 0;
  for (let looks = 0; looks < 9_000 && quiet < 50; looks += 1) {
    await emulator.settled();
    missed = MOMENTS.filter(({ name, hold }) => hold !== undefined && !held.reached.has(name)).map(
      ({ name }) => name,
    );
    quiet = held.busy() === 0 && missed.length === 0 ? quiet + 1 : 0;
    await wait(100);
  }
  if (quiet < 50) throw new Error(`never held: ${missed.join(', ')}`);
}

async function main(folder: string): Promise<void> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'quorum-old-store-'));
  const clock: Clock = clockFrom(START);
  const emulator = await createGitHubEmulator({
    dir: path.join(dir, 'github'),
    clock,
    limits: LIMITS,
  });
  emulator.allowSameSecond(true);
  const app = await populate(emulator);
  const names = new Map(MOMENTS.map((moment) => [idOf(emulator, moment), moment]));
  const databaseUrl = process.env['DATABASE_URL'];
  const env = {
    QUORUM_DATA: path.join(dir, 'data'),
    PATH: process.env['PATH'] ?? '',
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  };
  const log = createLog({ level: 'silent', format: 'json' });
  const opened = await openStore(readHostSettings(env), { clock, log });
  const [store, held] = holding(opened, (key) => names.get(repositoryIn(key) ?? 0));
  const running = await startOn({ emulator, ...app, clock, env, store });
  for (let step = 0; step < 2; step += 1) {
    for (const { name, before } of MOMENTS) await before?.[step]?.(placeOf(running, name));
    await rest(running);
    await wait(1_100);
  }
  held.arm();
  for (const { name, act } of MOMENTS) await act(placeOf(running, name));
  await heldEverywhere(running, held);
  const now = clock.now();
  await mkdir(folder, { recursive: true });
  copyStore(env, folder);
  const world = await emulator.snapshot();
  held.release();
  await finish(running, MOMENTS);
  const ends = Object.fromEntries(
    MOMENTS.map(({ name }) => [name, endOf(placeOf(running, name))] as const),
  );
  const stored = JSON.stringify({ world, appId: app.appId, now, ends });
  await writeFile(path.join(folder, 'world.json.br'), brotliCompressSync(stored));
  await running.app.close();
  await opened.close();
  await emulator.close();
}

function idOf(emulator: GitHubEmulator, { name }: RetryContext): number {
  return emulator.repository(`${OWNER}/${name}`).id;
}

await main(process.argv[2] ?? 'old-store');
