/** `quorum start`: the App as a process, until a signal asks it to stop. */
import path from 'node:path';
import { startApp } from '../../start-app.ts';
import { setupHints } from '../../setup/hook-address.ts';
import { MANIFEST_FILE } from '../../package-files.ts';
import { createBasics, logFormat } from '../basics.ts';
import { describeFeatures, renderFeatures } from '../features.ts';
import { EXIT, outJson, type ExitCode, type Io } from '../terminal/io.ts';

export async function start(options: { json?: true }, io: Io): Promise<ExitCode> {
  // Listened for first: a signal that comes while the App starts must not kill it half-way.
  const stopped = io.stopped();
  const wantsJson = options.json === true;
  const basics = createBasics(io, { to: wantsJson ? 'err' : 'out' });
  const features = describeFeatures(io.env);
  const isForPeople = !wantsJson && logFormat(io) === 'pretty';
  if (isForPeople) io.out(`Quorum\n${renderFeatures(features, io)}`);
  else basics.log.info({ features }, 'what the environment switches on');
  let address: string | undefined;
  let isTold = false;
  const app = await startApp({
    ...basics,
    onSetupAddress: (given) => {
      address = given;
      if (isTold) tellAddress(io, { wantsJson, isForPeople, address });
    },
    envFile: path.resolve(io.cwd, '.env'),
    manifestFile: MANIFEST_FILE,
  });
  const isReady = app.isReady();
  if (wantsJson) outJson(io, { url: app.url, ready: isReady, setup: address ?? null, features });
  else if (address !== undefined && !tellAddress(io, { wantsJson, isForPeople, address }))
    basics.log.info({}, 'no credentials yet: stop this and run quorum setup in a terminal');
  isTold = true;
  const signal = await stopped;
  basics.log.info({ signal }, 'stopping: finishing what is in hand');
  await app.close();
  basics.log.info({}, 'stopped');
  return EXIT.ok;
}

/**
 * The address holds a secret, so it goes to the terminal or the calling program, and to no log. Returns whether it
 * was printed.
 */
function tellAddress(
  io: Io,
  {
    wantsJson,
    isForPeople,
    address,
  }: { wantsJson: boolean; isForPeople: boolean; address: string },
): boolean {
  if (wantsJson) outJson(io, { setup: address });
  else if (isForPeople || io.isTty)
    io.out(
      `\nNo credentials yet.\n${renderHints(io, address)}Set the App up here, within 30 minutes; the address works once:\n${address}\n\n`,
    );
  else return false;
  return true;
}

function renderHints({ env }: Io, address: string): string {
  return setupHints(env, new URL(address).origin)
    .map((line) => `${line}\n`)
    .join('');
}
