/** The App on an embedded GitHub whose store and world may come from an earlier version. */
import { execFileSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { systemRandom } from '../../../src/adapters/system/system-clock.ts';
import type { GitHubEmulator } from '../../../src/emulator/github/emulator-interface.ts';
import { startApp, type RunningApp } from '../../../src/hosts/start-app.ts';
import { createLog } from '../../../src/hosts/create-log.ts';
import { WEBHOOK_PATH } from '../../../src/hosts/setup/app-manifest.ts';
import { MANIFEST_FILE } from '../../../src/hosts/package-files.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Store } from '../../../src/ports/store.ts';
import { approve } from './deeds.ts';
import type { RetryContext, Place } from './moment.ts';

export const OWNER = 'acme';

/** What is proposed for memory, which came later; and reminders, which come by the real age of the stores. */
const BESIDE = ['### To remember?', '### Standup', '**Still waiting for you:**'];

/** All that goes on in one world, many times more than in a real one. */
const SLOTS = 128;
export const LIMITS = { enforced: false, primaryPerHour: 1_000_000 };

/** What a later version needs to go on, beside the store. */
export interface StoredWorld {
  /** Of the embedded GitHub. */
  world: string;
  appId: number;
  /** When the store was copied, in milliseconds. */
  now: number;
  /** How each repository ended when the version that wrote the store went on by itself. */
  ends: Record<string, End>;
}

export interface Running {
  emulator: GitHubEmulator;
  app: RunningApp;
  store: Store;
  appId: number;
}

export interface Starting {
  emulator: GitHubEmulator;
  appId: number;
  privateKey: string;
  clock: Clock;
  /** Of `QUORUM_DATA` or `DATABASE_URL`. */
  env: Record<string, string>;
  store?: Store;
}

/** A clock that shows another day, at the usual pace. */
export function clockFrom(start: number): Clock {
  const shift = start - Date.now();
  return {
    now: () => Date.now() + shift,
    sleep: (ms, signal) => wait(ms, undefined, signal === undefined ? {} : { signal }),
  };
}

/** Set by every start the same: what markers are signed with, and what webhooks are. */
const SECRETS = {
  QUORUM_ENCRYPTION_KEY: 'the same for every version of these tests',
  WEBHOOK_SECRET: 'shared with the embedded GitHub',
};

export async function startOn({
  emulator,
  appId,
  privateKey,
  ...given
}: Starting): Promise<Running> {
  const { clock, env, store } = given;
  const app = await startApp({
    env: {
      ...env,
      ...SECRETS,
      APP_ID: String(appId),
      PRIVATE_KEY: privateKey,
      GHE_HOST: emulator.host,
      GHE_PROTOCOL: 'http',
      HOST: '127.0.0.1',
      PORT: '0',
      QUORUM_CODER: 'local',
      QUORUM_INSTALLATION_SLOTS: String(SLOTS),
    },
    clock,
    random: systemRandom,
    log: createLog({ level: 'silent', format: 'json' }),
    envFile: `${env['QUORUM_DATA']}/.env`,
    manifestFile: MANIFEST_FILE,
    budgets: 'off',
    reconcileEveryMs: 0,
    concurrency: SLOTS,
    ...(store === undefined ? {} : { store }),
  });
  Object.assign(emulator.app(appId), {
    webhookUrl: `${app.url}${WEBHOOK_PATH}`,
    webhookSecret: SECRETS.WEBHOOK_SECRET,
  });
  return { emulator, app, store: app.store, appId };
}

export function placeOf(
  { emulator, appId }: Pick<Running, 'emulator' | 'appId'>,
  name: string,
): Place {
  return { emulator, appId, repo: `${OWNER}/${name}` };
}

/** Waits until nothing is to be done but what is paused, and timers; throws when it never comes to that. */
export async function rest({ emulator, store }: Running): Promise<void> {
  let quiet = 0;
  for (let looks = 0; looks < 12_000; looks += 1) {
    await emulator.settled();
    quiet = (await isBusy(store)) ? 0 : quiet + 1;
    if (quiet === 10) return;
    await wait(100);
  }
  throw new Error('the App never came to rest');
}

async function isBusy({ records }: Store): Promise<boolean> {
  const pending = { status: 'pending', limit: 1000 };
  const events = await records.events(pending);
  const effects = await records.effects(pending);
  return (
    events.some(({ data }) => data.kind !== 'timer') ||
    effects.some(({ reason }) => reason?.startsWith('repository-paused') !== true)
  );
}

/** People do what is left to them: each moment's own deed, then they approve what is ready, twice for a second task. */
export async function finish(running: Running, moments: readonly RetryContext[]): Promise<void> {
  await rest(running);
  await pause();
  for (const { name, after } of moments) await after?.(placeOf(running, name));
  await rest(running);
  for (let round = 0; round < 2; round += 1) await approveAll(running, moments);
}

/** Somebody approves each open pull request of the App; returns when the App has finished what follows. */
export async function approveAll(
  running: Running,
  moments: readonly RetryContext[],
): Promise<void> {
  await pause();
  for (const { name } of moments) await approveOpen(placeOf(running, name));
  await rest(running);
}

/** GitHub's times are whole seconds: what people say is later than what they read. */
const pause = (): Promise<void> => wait(1_100);

async function approveOpen(place: Place): Promise<void> {
  const { threads } = place.emulator.repository(place.repo);
  for (const { number, pull, state } of threads.values())
    if (state === 'open' && pull?.headRef.startsWith('quorum/') === true)
      await approve(number)(place);
}

/** How a repository ended, in what no other wording changes. */
export type End = ReturnType<typeof endOf>;

export function endOf({ emulator, repo, appId }: Place) {
  const repository = emulator.repository(repo);
  const { botId } = emulator.app(appId);
  const nameOf = new Map(repository.labels.map(({ id, name }) => [id, name]));
  const threads = [...repository.threads.values()].map((thread) => ({
    number: thread.number,
    state: thread.state,
    labels: thread.labelIds.map((id) => nameOf.get(id) ?? '').toSorted(),
    comments: thread.comments.filter(
      ({ userId, body }) => userId === botId && !BESIDE.some((start) => body.startsWith(start)),
    ).length,
    reactions: thread.reactions.map(({ content }) => content),
    reviews: thread.pull?.reviews.filter(({ userId }) => userId === botId).length,
    isMerged: thread.pull?.merged,
  }));
  const checks = repository.checkRuns.map(({ name, conclusion }) => `${name}: ${conclusion}`);
  return {
    threads,
    checks: keptChecks(checks),
    // Memory came later.
    branches: refsOf(repository.gitDir, 'refs/heads').filter((ref) => !ref.endsWith('/memory')),
    leases: refsOf(repository.gitDir, 'refs/quorum').length,
    commits: Number(git(repository.gitDir, 'rev-list', '--count', 'main')),
  };
}

/** Without the checks of single gates and voices: since one check stands for all of them, only the base branch asks for these. */
export function keptChecks(checks: readonly string[]): string[] {
  const isKept = (check: string): boolean => !/^quorum \/ (?:gate|review \/)/.test(check);
  return [...new Set(checks)].filter(isKept).toSorted();
}

function refsOf(gitDir: string, under: string): string[] {
  const refs = git(gitDir, 'for-each-ref', '--format=%(refname)', under);
  return refs.split('\n').filter((ref) => ref !== '');
}

function git(gitDir: string, ...args: string[]): string {
  return execFileSync('git', ['--git-dir', gitDir, ...args], { encoding: 'utf8' }).trim();
}
