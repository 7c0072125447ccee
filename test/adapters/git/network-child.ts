/** Asks a GitHub by REST and by git, as a process that was started with this environment does; says what came of each. */
import { createGitHub } from '../../../src/adapters/github/create-github.ts';
import { systemClock, systemRandom } from '../../../src/adapters/system/system-clock.ts';
import { useNetwork } from '../../../src/adapters/system/network.ts';
import { createLog } from '../../../src/hosts/create-log.ts';
import { openCodingRuntime } from '../../../src/hosts/open-coding-runtime.ts';
import type { RepositoryRef } from '../../../src/domain/run/thread-ref.ts';

const { env } = process;
useNetwork(env);
const clock = systemClock;
const random = systemRandom;
const appId = Number(env['APP_ID']);
const ref = JSON.parse(env['REF'] ?? '') as RepositoryRef;
const github = createGitHub({
  auth: { kind: 'app', appId, privateKey: env['PRIVATE_KEY'] ?? '' },
  baseUrl: env['BASE_URL'] ?? '',
  markerSecret: 'for a test',
  clock,
  random,
});
const log = createLog({ level: 'silent', format: 'json' });
const codingRuntime = openCodingRuntime({ env, clock, random, log }, github, appId);

const tell = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const rest = await github.remote(ref).then(({ url }) => url, tell);
const git = await codingRuntime?.git.remoteHead(ref, 'main').catch(tell);
process.stdout.write(JSON.stringify({ rest, git }));
