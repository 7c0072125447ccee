/** The team at work: the engine bound to its ports, a worker that takes work, and the clock that ticks. */
import { readRoleDefaults } from '../adapters/files/role-defaults.ts';
import { createSecretDetector } from '../adapters/secrets/detector.ts';
import { loadSecretlint } from '../adapters/secrets/secretlint.ts';
import { createPerform, type Perform } from '../act/perform.ts';
import { closedByEvent, forgetClosed } from '../act/forget-closed.ts';
import { createInstallationCaches, type InstallationCaches } from '../act/installation-caches.ts';
import type { ActPorts, Channels } from '../act/ports.ts';
import type { CodingRuntime } from '../act/task/coder/coding-runtime.ts';
import { withAnnouncements } from '../decide/channel/with-announcements.ts';
import { decide } from '../decide/route.ts';
import type { ChannelName } from '../domain/channel/chat-thread.ts';
import type { Receiver } from '../domain/github/delivery.ts';
import { parseDelivery } from '../events/parse-delivery.ts';
import type { HostCaps } from '../domain/config/host-caps.ts';
import type { CallCounts } from '../domain/run/ledger.ts';
import { dueInHost } from '../domain/loops/loops.ts';
import type { PersonaFile } from '../domain/persona/persona-file.ts';
import type { ModelState } from '../domain/run/talk.ts';
import type { Clock, Random } from '../ports/clock.ts';
import type { GitHub } from '../ports/github/github.ts';
import type { Log } from '../ports/log.ts';
import type { Model } from '../ports/model.ts';
import type { Store, Worker } from '../ports/store.ts';
import { consume, type Engine } from '../run.ts';
import { createCodeSearch, createScanner } from './scan/create-scanner.ts';
import { createTroubleLog } from './store-trouble.ts';
import type { StaleNotes } from '../adapters/http/memory-metrics.ts';

export interface TeamOptions {
  store: Store;
  github: GitHub;
  model: Model & {
    estimateUsd: ActPorts['estimateUsd'];
    contextTokens?: number;
    /** What is in the pool, for people who ask. */
    describe?: (installation?: number) => {
      members: Omit<ModelState, 'aliases'>[];
      aliases: Record<string, string>;
    };
  };
  clock: Clock;
  random: Random;
  log: Log;
  personas: readonly PersonaFile[];
  markerSecret: string;
  /** What may be spent on models in a day, whatever repositories say; no limit when absent. */
  hostCaps?: HostCaps;
  /** Where tasks are worked on; without it none are. */
  codingRuntime?: CodingRuntime | undefined;
  /** Mirrors, worktrees and installations on this machine. */
  files?: ActPorts['files'];
  /** How long what is kept of a removed place outlives it, in milliseconds; for ever when absent. */
  graceMs?: number | undefined;
  /** Where people talk outside GitHub; nothing is announced without. */
  channels?: { names: readonly ChannelName[]; ports: Channels } | undefined;
  /** Orders what is remembered by its meaning; by words alone where absent. */
  embeddings?: ActPorts['embeddings'];
  /** Turns recordings into text; people are asked to write where absent. */
  transcriber?: ActPorts['transcriber'];
  /** Told the code of each failure to order by meaning. */
  onUnranked?: ActPorts['onUnranked'];
  /** Told how many notes of a repository are stale, and what is to be forgotten. */
  staleNotes?: StaleNotes;
  /** Told what each effect asked of GitHub. */
  onGitHubCalls?: (calls: CallCounts) => void;
  /** Pieces of work in hand at once; 16 by default. */
  concurrency?: number;
  /** How many of these one installation may have; by default as {@link defaultShare} says. */
  perInstallation?: number | undefined;
  /** Time between two reconcile passes; 5 minutes by default, 0 for none. */
  reconcileEveryMs?: number;
}

export interface Team {
  /** Stops taking work and waits for what is in hand. */
  stop(timeoutMs: number): Promise<'drained' | 'abandoned'>;
}

const CONCURRENCY = 16;
/** Less and the people of an installation are not heard while its long work runs. */
const LEAST_SHARE = 2;
/** Twice what a coder gets at most: by then an effect hangs. */
const DEADLINE_MS = 12 * 3_600_000;
const RECONCILE_EVERY_MS = 5 * 60_000;

/** Sets the team to work. Several processes on one PostgreSQL share it. */
export async function startTeam(options: TeamOptions): Promise<Team> {
  const { concurrency = CONCURRENCY } = options;
  const perInstallation = Math.min(
    concurrency,
    options.perInstallation ?? defaultShare(concurrency),
  );
  // Long work may take no more than one installation has, or that installation's people would get no answers.
  const caches = createInstallationCaches();
  caches.onForget((installationId) => options.github.forget(installationId));
  caches.onForget((installationId) => options.staleNotes?.forget(installationId));
  const engine = createEngine(options, { concurrency: perInstallation, caches });
  const trouble = createTroubleLog(options);
  const worker = await options.store.work({
    concurrency,
    perInstallation,
    deadlineMs: DEADLINE_MS,
    consume: async (work) => {
      try {
        await consume(work, engine);
        const closed = work.kind === 'event' ? closedByEvent(work.event) : undefined;
        if (closed !== undefined) caches.forget(closed);
      } catch (error) {
        trouble.unsettled(error, work);
        throw error;
      }
    },
  });
  const stopTicking = tick(options, () => forgetClosed({ store: options.store, caches }));
  return { stop: (timeoutMs) => stop(worker, stopTicking, timeoutMs) };
}

/** Half of the slots: the other half stays free for other installations while one has more work than it can do. */
export function defaultShare(concurrency: number): number {
  return Math.max(LEAST_SHARE, Math.ceil(concurrency / 2));
}

function createEngine(
  options: TeamOptions,
  { concurrency, caches }: { concurrency: number; caches: InstallationCaches },
): Engine {
  const { store, clock, random, log, github, model, personas, markerSecret } = options;
  const scanner = createScanner();
  const ports: ActPorts = {
    github,
    model,
    estimateUsd: (request, known) => model.estimateUsd(request, known),
    models: (installationId) => describeModels(model, installationId),
    ...(model.contextTokens === undefined ? {} : { contextTokens: model.contextTokens }),
    store,
    clock,
    random,
    personas,
    markerSecret,
    log,
    caches,
    memoryIndex: store.memory,
    roleDefaults: readRoleDefaults,
    ...(options.embeddings === undefined ? {} : { embeddings: options.embeddings }),
    ...(options.transcriber === undefined ? {} : { transcriber: options.transcriber }),
    ...(options.onUnranked === undefined ? {} : { onUnranked: options.onUnranked }),
    ...(options.staleNotes === undefined ? {} : { onStaleNotes: options.staleNotes.note }),
    ...(options.files === undefined ? {} : { files: options.files }),
    ...(options.graceMs === undefined ? {} : { graceMs: options.graceMs }),
    parseDelivery: async (delivery) => parseDelivery({ ...delivery, ...(await receiver(github)) }),
    ...(options.channels === undefined ? {} : { channels: options.channels.ports }),
    ...(options.hostCaps === undefined ? {} : { hostCaps: options.hostCaps }),
    ...(options.codingRuntime === undefined ? {} : { codingRuntime: options.codingRuntime }),
    scanner,
    searchCode: createCodeSearch(scanner),
    detectSecrets: createSecretDetector({
      load: loadSecretlint,
      onMissing: (error) =>
        log.warn({ err: error }, 'the detector of credentials cannot be loaded'),
    }),
  };
  const perform = createPerform(ports, concurrency);
  const counted: Perform = async (effect, attempt) => {
    const performed = await perform(effect, attempt);
    options.onGitHubCalls?.(performed.githubCalls);
    return performed;
  };
  const { channels } = options;
  const decider = channels === undefined ? decide : withAnnouncements(decide, channels.names);
  return { store, clock, random, log, decide: decider, perform: counted };
}

/** Who we are, as far as GitHub says: our own pull requests and comments are no news. */
async function receiver(github: GitHub): Promise<Receiver> {
  const { id } = await github.app.self();
  return id === 0 ? {} : { botId: id };
}

function describeModels(model: TeamOptions['model'], installationId: number): ModelState[] {
  const { members, aliases } = model.describe?.(installationId) ?? { members: [], aliases: {} };
  return members.map(({ name, provider, model: id, state }) => ({
    name,
    provider,
    model: id,
    state,
    aliases: Object.keys(aliases).filter((alias) => aliases[alias] === name),
  }));
}

async function stop(worker: Worker, stopTicking: () => void, timeoutMs: number) {
  stopTicking();
  return worker.stop(timeoutMs);
}

/** Begins what is due. The id is the period's, so that many processes begin it once. */
function tick(
  { store, clock, log, reconcileEveryMs = RECONCILE_EVERY_MS }: TeamOptions,
  everyTime: () => Promise<void>,
): () => void {
  if (reconcileEveryMs === 0) return () => undefined;
  const stopping = new AbortController();
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const now = clock.now();
      const period = Math.floor(now / reconcileEveryMs);
      await store
        .append(dueInHost(now, { reconcileEveryMs }))
        .then(everyTime)
        .catch((error: unknown) => {
          log.warn({ err: error }, 'the store did not take a tick');
        });
      await clock.sleep((period + 1) * reconcileEveryMs - now, stopping.signal);
    }
  };
  loop().catch((error: unknown) => {
    if (!stopping.signal.aborted) log.error({ err: error }, 'the clock stopped ticking');
  });
  return () => stopping.abort();
}
