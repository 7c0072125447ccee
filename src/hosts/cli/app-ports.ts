/** What commands work with that act as the App: its store, its GitHub and its coding runtime, closed afterwards. */
import type { ActPorts } from '../../act/ports.ts';
import { readPackagePersonas } from '../../adapters/files/load-personas.ts';
import { createOfflineModel } from '../../adapters/model/offline/offline.ts';
import type { GitHubWork } from '../../ports/github/work.ts';
import { needCredentials } from '../environment/app-credentials.ts';
import { openStore } from '../open-store.ts';
import { openGitHub } from '../host-parts.ts';
import { readHostSettings } from '../environment/host-settings.ts';
import { openCodingRuntime } from '../open-coding-runtime.ts';
import { createScanner } from '../scan/create-scanner.ts';
import { createBasics } from './basics.ts';
import type { Io } from './terminal/io.ts';

export interface AppPorts extends ActPorts {
  github: GitHubWork;
}

/** @throws ConfigError `credentials-missing` */
export async function withPorts<T>(io: Io, work: (ports: AppPorts) => Promise<T>): Promise<T> {
  const credentials = needCredentials(io.env, 'This is done as the App.');
  const quiet = { ...io, env: { ...io.env, LOG_LEVEL: io.env['LOG_LEVEL'] ?? 'error' } };
  const basics = { ...createBasics(quiet, { to: 'err' }), env: io.env };
  const { apiUrl } = readHostSettings(io.env);
  const store = await openStore(readHostSettings(io.env), basics);
  try {
    const { github, markerSecret } = openGitHub(basics, credentials, { apiUrl, workers: 1 });
    const here = { ...basics, env: { ...io.env, QUORUM_CODER: 'local' } };
    const codingRuntime = openCodingRuntime(here, github, credentials.appId);
    return await work({
      ...basics,
      store,
      github,
      markerSecret,
      model: createOfflineModel(),
      estimateUsd: () => 0,
      personas: await readPackagePersonas(),
      scanner: createScanner(),
      // What is on this machine is looked after whether or not anything is written here just now.
      ...(codingRuntime === undefined ? {} : { codingRuntime }),
    });
  } finally {
    await store.close();
  }
}
