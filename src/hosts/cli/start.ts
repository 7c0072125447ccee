/** `quorum start`: the App as a process, until a signal asks it to stop. */
import path from 'node:path';
import { startApp } from '../app.ts';
import { MANIFEST_FILE } from '../package-files.ts';
import { createBasics, logFormat } from './basics.ts';
import { describeFeatures, renderFeatures } from './features.ts';
import { EXIT, outJson, type ExitCode, type Io } from './io.ts';

export async function start(options: { json?: true }, io: Io): Promise<ExitCode> {
  // Listened for first: a signal that comes while the App starts must not kill it half-way.
  const stopped = io.stopped();
  const wantsJson = options.json === true;
  const basics = createBasics(io, { to: wantsJson ? 'err' : 'out' });
  const features = describeFeatures(io.env);
  const isForPeople = !wantsJson && logFormat(io) === 'pretty';
  if (isForPeople) io.out(`Quorum\n${renderFeatures(features, io)}`);
  else basics.log.info({ features }, 'what the environment switches on');
  const app = await startApp({
    ...basics,
    envFile: path.resolve(io.cwd, '.env'),
    manifestFile: MANIFEST_FILE,
  });
  const isReady = app.isReady();
  if (wantsJson)
    outJson(io, {
      url: app.url,
      ready: isReady,
      setup: isReady ? null : `${app.url}/probot`,
      features,
    });
  else if (!isReady && isForPeople)
    io.out(`\nNo credentials yet. Set the App up here: ${app.url}/probot\n\n`);
  else if (!isReady)
    basics.log.info({ setup: `${app.url}/probot` }, 'no credentials yet: set the App up there');
  const signal = await stopped;
  basics.log.info({ signal }, 'stopping: finishing what is in hand');
  await app.close();
  basics.log.info({}, 'stopped');
  return EXIT.ok;
}
