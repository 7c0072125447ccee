/** Puts the team to work as the App: GitHub, models and personas, loaded once the door is open. */
import { addCalls } from '../domain/run/ledger.ts';
import type { Clock } from '../ports/clock.ts';
import type { GitHub } from '../ports/github/github.ts';
import type { Log } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';
import type { AppOptions, Live } from './start-app.ts';
import type { AppCredentials } from './environment/app-credentials.ts';
import type { OpenChannels } from './channels/open-channels.ts';
import { openHostChannels } from './channels/open-host-channels.ts';
import type { HostSettings } from './environment/host-settings.ts';
import type { Team, TeamOptions } from './team.ts';

interface Work {
  options: AppOptions;
  settings: HostSettings;
  store: Store;
  credentials: AppCredentials;
  live: Live;
}

/** Between two pieces of loading, each of which holds the event loop for tens of milliseconds. */
const BREATH_MS = 5;

/** Piece by piece, so that the door answers meanwhile: after a restart the first deliveries wait outside already. */
async function load(clock: Clock) {
  await clock.sleep(BREATH_MS);
  const { openEmbeddings, openGitHub, openModelPool, openTranscriber } =
    await import('./host-parts.ts');
  const { openSharedPool } = await import('./share-breakers.ts');
  await clock.sleep(BREATH_MS);
  const { readPackagePersonas } = await import('../adapters/files/load-personas.ts');
  await clock.sleep(BREATH_MS);
  const { startTeam } = await import('./team.ts');
  await clock.sleep(BREATH_MS);
  const { keptFiles, openCodingRuntime, refuseOtherSystems } =
    await import('./open-coding-runtime.ts');
  const personas = await readPackagePersonas();
  return {
    keptFiles,
    openEmbeddings,
    openGitHub,
    openModelPool,
    openTranscriber,
    openSharedPool,
    openCodingRuntime,
    refuseOtherSystems,
    startTeam,
    personas,
  };
}

/** The team takes work as soon as it can be done as the App. */
export async function startWork({
  options,
  settings,
  store,
  credentials,
  live,
}: Work): Promise<Team> {
  const { clock, random, log, concurrency, reconcileEveryMs, budgets } = options;
  const loaded = await load(clock);
  const { keptFiles, openGitHub, openModelPool, openCodingRuntime, startTeam, personas } = loaded;
  loaded.refuseOtherSystems(options.env);
  const { github, markerSecret } = openGitHub(options, credentials, {
    apiUrl: settings.apiUrl,
    workers: settings.workers,
    budgets,
  });
  learnWhoWeAre(live, { github, clock, log });
  const codingRuntime = openCodingRuntime(options, github, credentials.appId);
  const channels = await openHostChannels({ ...options, store, github, apiUrl: settings.apiUrl });
  if (channels !== undefined) await hearChannels(channels, { options, store, live });
  // Nothing waits for it: what a crash left does not block any work.
  void codingRuntime?.sweep().then(
    (swept) => log.info(swept, 'swept the disk'),
    (error: unknown) => log.warn({ err: error }, 'the disk was not swept'),
  );
  return startTeam({
    store,
    github,
    // Only a database is shared: an embedded store has one process.
    model:
      settings.databaseUrl === undefined
        ? openModelPool(options)
        : loaded.openSharedPool(options, { store, signal: live.stopping.signal }),
    clock,
    random,
    log,
    personas,
    markerSecret,
    codingRuntime,
    channels,
    hostCaps: settings.hostCaps,
    // Also where no code is written any more: what was fetched before is there.
    files: keptFiles(settings, clock),
    graceMs: settings.keep.graceMs,
    onGitHubCalls: (calls) => addCalls(live.calls, calls),
    embeddings: loaded.openEmbeddings(options),
    // Recordings come by channels alone.
    transcriber: channels && loaded.openTranscriber(options),
    ...countMemory(live),
    perInstallation: settings.installationSlots,
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(reconcileEveryMs === undefined ? {} : { reconcileEveryMs }),
  });
}

/** For the metrics. */
function countMemory(live: Live): Pick<TeamOptions, 'onUnranked' | 'staleNotes'> {
  return {
    onUnranked: (code) => addCalls(live.unranked, { [code]: 1 }),
    staleNotes: live.staleNotes,
  };
}

/** Nothing waits for a channel, and one that fails disturbs nobody. */
async function hearChannels(
  { all, slack }: OpenChannels,
  { options: { clock, log }, store, live }: Pick<Work, 'options' | 'store' | 'live'>,
): Promise<void> {
  const { hearMessage, listenToChannel } = await import('./channels/listen-to-channels.ts');
  const { signal } = live.stopping;
  for (const channel of all) void listenToChannel(channel, { store, clock, log, signal });
  const { answerEvent, answerClick } = slack ?? {};
  if (answerEvent === undefined || answerClick === undefined) return;
  live.slackDoor = { answerEvent, answerClick, hear: (message) => hearMessage(store, message) };
}

const ASK_AGAIN_MS = 30_000;

/** Our own bot's id lets the door drop our own events. GitHub may be away: nothing waits for it, and it is asked again. */
function learnWhoWeAre(
  live: Live,
  { github, clock, log }: { github: GitHub; clock: Clock; log: Log },
): void {
  const ask = async (): Promise<void> => {
    while (live.self === undefined && !live.stopping.signal.aborted) {
      live.self = await github.app.self().catch((error: unknown) => {
        log.warn({ err: error }, 'GitHub did not say who we are');
        return undefined;
      });
      if (live.self === undefined) await clock.sleep(ASK_AGAIN_MS, live.stopping.signal);
    }
  };
  ask().catch((error: unknown) => {
    if (!live.stopping.signal.aborted) log.error({ err: error }, 'gave up asking who we are');
  });
}
