/** `quorum setup`: opens the setup page, waits until the App is registered, keeps its credentials and stops. */
import path from 'node:path';
import type { AppCredentials } from '../../environment/app-credentials.ts';
import { setupHints } from '../../setup/hook-address.ts';
import { MANIFEST_FILE } from '../../package-files.ts';
import { openStore } from '../../open-store.ts';
import { startServer } from '../../start-server.ts';
import { readHostSettings } from '../../environment/host-settings.ts';
import { createBasics, hasCredentials } from '../basics.ts';
import { EXIT, outJson, type ExitCode, type Io } from '../terminal/io.ts';

/** The browser's redirect to GitHub is still under way when the credentials come in. */
const LAST_ANSWER_MS = 5_000;

export async function setup(options: { json?: true }, io: Io): Promise<ExitCode> {
  const wantsJson = options.json === true;
  if (hasCredentials(io.env)) {
    if (wantsJson) outJson(io, { ok: true, appId: io.env['APP_ID'], wasSetUp: true });
    else io.out(`App ${io.env['APP_ID'] ?? ''} is set up already. Run quorum start.\n`);
    return EXIT.ok;
  }
  const stopped = io.stopped();
  const basics = createBasics(io, { to: 'err' });
  const settings = readHostSettings(io.env);
  const envFile = path.resolve(io.cwd, '.env');
  // What GitHub delivers in the meantime is kept: the next start works on it.
  const store = await openStore(settings, basics);
  try {
    const url = `http://${settings.host}:${settings.port}`;
    if (!wantsJson)
      io.out(
        setupHints(io.env, url)
          .map((line) => `${line}\n`)
          .join(''),
      );
    const { promise, resolve } = Promise.withResolvers<AppCredentials>();
    const server = await startServer({
      ...basics,
      ...settings,
      store,
      secrets: [],
      identity: () => undefined,
      setup: {
        env: io.env,
        envFile,
        manifestFile: MANIFEST_FILE,
        random: basics.random,
        onAddress: (address) => tellAddress(io, { wantsJson, address }),
        onCredentials: async (credentials) => resolve(credentials),
      },
    });
    const outcome = await Promise.race([promise, stopped]);
    await server.close(LAST_ANSWER_MS);
    if (typeof outcome === 'string') return EXIT.failure;
    if (wantsJson) outJson(io, { ok: true, appId: outcome.appId, envFile });
    else
      io.out(
        `App ${outcome.appId} is registered; its credentials are in ${envFile}. Install it on GitHub, then run quorum start.\n`,
      );
    return EXIT.ok;
  } finally {
    await store.close();
  }
}

function tellAddress(
  io: Io,
  { wantsJson, address }: { wantsJson: boolean; address: string },
): void {
  if (wantsJson) outJson(io, { setup: address });
  else
    io.out(
      `Open ${address} in a browser on this machine. The address works once, for 30 minutes. Ctrl-C stops.\n`,
    );
}
