/**
 * Stores of the version before the source was rearranged, with work in hand in every phase, finish with the present one.
 *
 * Kinds of events, effects and phases, fields of states, names of timers, codes of failures, keys of streams, lanes, slots and
 * markers are stored. Code that renames one of them must still read the old name. test/fixtures/old-stores/README.md says how
 * the stores were made.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createPublicKey } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import { verifies } from '../verifies.ts';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { EventData } from '../../src/domain/event/event.ts';
import { createGitHubEmulator } from '../../src/emulator/github/github-emulator.ts';
import { generatePem } from '../../src/emulator/github/world/seed-apps.ts';
import type { Store } from '../../src/ports/store.ts';
import { missingPostgresReason } from '../contract/postgres-place.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { restoreStore } from '../helpers/old-stores/copy.ts';
import { MOMENTS } from '../helpers/old-stores/moments.ts';
import {
  keptChecks,
  approveAll,
  clockFrom,
  endOf,
  finish,
  LIMITS,
  placeOf,
  startOn,
  type Running,
  type StoredWorld,
} from '../helpers/old-stores/world.ts';
import { lookInto, postgresStore } from '../helpers/store-copies.ts';

const FIXTURES = path.join(import.meta.dirname, '../fixtures/old-stores/f0a2cec');
// A guard against a hang: beside other tests, all moments of a store take about eight minutes.
vi.setConfig({ testTimeout: 20 * 60_000 });

const noPostgres = await missingPostgresReason();

async function readWorld(folder: string): Promise<StoredWorld> {
  const text = brotliDecompressSync(await readFile(path.join(folder, 'world.json.br')));
  const stored: StoredWorld = JSON.parse(text.toString());
  return stored;
}

interface Opened extends Running {
  stored: StoredWorld;
  /** Events that waited in the old store, but timers. */
  waiting: readonly string[];
}

/** Starts the present App on the old store and world, and lets it and its people finish. */
async function finishOld(kind: 'sqlite' | 'postgres', url?: string): Promise<Opened> {
  const folder = path.join(FIXTURES, kind);
  const stored = await readWorld(folder);
  const dir = await mkdtemp(path.join(os.tmpdir(), 'quorum-old-store-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const clock = clockFrom(stored.now);
  const emulator = await createGitHubEmulator({
    dir: path.join(dir, 'github'),
    clock,
    limits: LIMITS,
    snapshot: stored.world,
  });
  onTestFinished(() => emulator.close());
  const privateKey = await generatePem();
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' });
  Object.assign(emulator.app(stored.appId), { publicKey: publicKey.toString() });
  const env = {
    QUORUM_DATA: path.join(dir, 'data'),
    PATH: process.env['PATH'] ?? '',
    ...(url === undefined ? {} : { DATABASE_URL: url }),
  };
  restoreStore(folder, env);
  const waiting = await lookInto({ env }, env.QUORUM_DATA, eventsThatWait);
  const running = await startOn({ emulator, appId: stored.appId, privateKey, clock, env });
  onTestFinished(() => running.app.close());
  await finish(running, MOMENTS);
  await finishLate(running, stored);
  return { ...running, stored, waiting };
}

/** Moments in which somebody was asked: since then a comment of its own tells them what came of the answer. */
const TOLD_SINCE: ReadonlySet<string> = new Set(['issue-blocked', 'issue-debounce']);

/** How the old version would have ended, with what is done otherwise since. */
function wantedEnd({ ends }: StoredWorld, name: string): StoredWorld['ends'][string] | undefined {
  const old = ends[name];
  const end = old && { ...old, checks: keptChecks(old.checks) };
  if (end === undefined || !TOLD_SINCE.has(name)) return end;
  const threads = end.threads.map((thread) => ({ ...thread, comments: thread.comments + 1 }));
  return { ...end, threads };
}

/**
 * On a busy machine an approval may come before a timer of the App is due, and PostgreSQL keeps real time: people approve
 * again, for a minute and a half at most, where a repository is behind.
 */
async function finishLate(running: Running, stored: StoredWorld): Promise<void> {
  for (let round = 0; round < 20; round += 1) {
    const late = MOMENTS.filter(
      ({ name }) =>
        JSON.stringify(endOf(placeOf(running, name))) !== JSON.stringify(wantedEnd(stored, name)),
    );
    if (late.length === 0) return;
    await wait(3_000);
    await approveAll(running, late);
  }
}

async function eventsThatWait({ records }: Store): Promise<string[]> {
  const all = await records.events({ status: 'pending', limit: 1000 });
  return all.filter(({ data }) => data.kind !== 'timer').map(({ id }) => id);
}

/** What every version ignores, because nothing follows from it. */
const NOTHING_FOLLOWS: ReadonlySet<string> = new Set([
  'trigger opened: opened without a label',
  'task-told: the plan already shows it',
  'done comment: nothing waits for it',
  'done labels: nothing waits for it',
  'done react: nothing waits for it',
]);

/** Events of the old version that this one did not understand, or did not expect, and why. */
async function strangelyIgnored({ store, waiting }: Opened): Promise<string[]> {
  const all = await store.records.events({ status: 'ignored', limit: 100_000 });
  return all
    .filter(({ id }) => waiting.includes(id))
    .map(({ data, reason }) => `${nameOf(data)}: ${reason}`)
    .filter((ignored) => !NOTHING_FOLLOWS.has(ignored));
}

function nameOf(data: EventData): string {
  if (data.kind === 'done') return `done ${data.effectKind}`;
  return data.kind === 'trigger' ? `trigger ${data.trigger.kind}` : data.kind;
}

async function expectAllFinished(opened: Opened): Promise<void> {
  const { store, stored } = opened;
  for (const { name } of MOMENTS)
    expect.soft(endOf(placeOf(opened, name)), name).toEqual(wantedEnd(stored, name));
  const { events, effects } = await store.records.counts();
  expect([events.dead, events.parked, effects.dead, effects.refused]).toEqual([0, 0, 0, 0]);
  expect(opened.waiting.length).toBeGreaterThan(15);
  expect(await strangelyIgnored(opened)).toEqual([]);
  for (const { name } of MOMENTS) expectNothingTwice(opened, name);
}

/** No check of one name twice for the same review of a commit, no marker twice in a thread. */
function expectNothingTwice(running: Running, name: string): void {
  const { emulator, repo, appId } = placeOf(running, name);
  const { botId } = emulator.app(appId);
  const { threads, checkRuns } = emulator.repository(repo);
  const checks = checkRuns.map(
    (check) => `${name}: ${check.name} on ${check.headSha} as ${check.externalId}`,
  );
  expect(checks).toEqual([...new Set(checks)]);
  const comments = [...threads.values()].flatMap(({ number, comments: all }) =>
    all
      .filter(({ userId }) => userId === botId)
      .map(({ body }) => `${name} #${number}: ${/<!-- quorum:.*-->/.exec(body)?.[0]}`),
  );
  expect(comments).toEqual([...new Set(comments)]);
}

describe.skipIf(noBwrap !== undefined)(`${MOMENTS.length} moments in a store of f0a2cec`, () => {
  verifies(
    ['DUR-07: store of an older version', 'DUR-05: filled store of an older version'],
    'finish on SQLite: nothing is lost, parked or done twice',
    async () => {
      await expectAllFinished(await finishOld('sqlite'));
    },
  );

  test.skipIf(noPostgres !== undefined)(
    'finish on PostgreSQL: nothing is lost, parked or done twice',
    async () => {
      const place = await postgresStore();
      onTestFinished(() => place.remove());
      await expectAllFinished(await finishOld('postgres', place.env['DATABASE_URL']));
    },
  );
});
