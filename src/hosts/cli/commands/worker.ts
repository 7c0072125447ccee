/** `quorum worker`: does queued work, receives nothing; several of them share one PostgreSQL. */
import { readPackagePersonas } from '../../../adapters/files/load-personas.ts';
import { needCredentials } from '../../environment/app-credentials.ts';
import { openStore } from '../../open-store.ts';
import { openHostChannels } from '../../channels/open-host-channels.ts';
import { openEmbeddings, openGitHub, openTranscriber } from '../../host-parts.ts';
import { openSharedPool } from '../../share-breakers.ts';
import { readHostSettings } from '../../environment/host-settings.ts';
import { startTeam } from '../../team.ts';
import { openCodingRuntime, refuseOtherSystems } from '../../open-coding-runtime.ts';
import { createBasics } from '../basics.ts';
import { usageError } from '../report-failure.ts';
import { EXIT, outJson, type ExitCode, type Io } from '../terminal/io.ts';

/** Spec: SIGTERM and SIGINT end the process within 30 s. What hangs is let go of early enough to close the rest. */
const DRAIN_MS = 25_000;
const MOST_AT_ONCE = 256;

export async function worker(
  options: { json?: true; concurrency: string },
  io: Io,
): Promise<ExitCode> {
  const stopped = io.stopped();
  const concurrency = toConcurrency(options.concurrency);
  const credentials = needCredentials(io.env, 'A worker acts as the App.');
  const basics = createBasics(io, { to: options.json === true ? 'err' : 'out' });
  const settings = readHostSettings(io.env);
  refuseOtherSystems(io.env);
  const store = await openStore(settings, basics);
  const stopping = new AbortController();
  try {
    const { github, markerSecret } = openGitHub(basics, credentials, {
      apiUrl: settings.apiUrl,
      workers: settings.workers,
    });
    const { apiUrl } = settings;
    // It announces what it does. Only the App listens to people.
    const channels = await openHostChannels({ ...basics, store, github, apiUrl });
    const team = await startTeam({
      ...basics,
      github,
      channels,
      transcriber: channels && openTranscriber(basics),
      markerSecret,
      // A worker that takes work must be able to do all of it.
      codingRuntime: openCodingRuntime(basics, github, credentials.appId),
      store,
      hostCaps: settings.hostCaps,
      embeddings: openEmbeddings(basics),
      model: openSharedPool(basics, { store, signal: stopping.signal }),
      personas: await readPackagePersonas(),
      concurrency,
      perInstallation: settings.installationSlots,
    });
    const shared = settings.databaseUrl !== undefined;
    if (options.json === true) outJson(io, { ready: true, concurrency, shared });
    basics.log.info({ concurrency, shared }, 'taking work');
    basics.log.info({ signal: await stopped }, 'stopping: finishing what is in hand');
    basics.log.info({ outcome: await team.stop(DRAIN_MS) }, 'stopped');
  } finally {
    stopping.abort();
    await store.close();
  }
  return EXIT.ok;
}

function toConcurrency(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= MOST_AT_ONCE) return count;
  throw usageError(
    'concurrency-invalid',
    `--concurrency is ${text}; a number from 1 to ${MOST_AT_ONCE} is expected.`,
  );
}
