/** `quorum emulator`: the embedded GitHub alone, until a signal asks it to stop. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { systemClock, systemRandom } from '../../../adapters/system/system-clock.ts';
import { readScript } from '../../../emulator/model-server/script-file.ts';
import { toFailure } from '../../../domain/event/errors.ts';
import { openPlayground, type Playground } from '../../../demo/playground/open-playground.ts';
import { ghEnvironment, renderHowToSpeak } from '../demo/how-to-speak.ts';
import { usageError } from '../report-failure.ts';
import { EXIT, outJson, type ExitCode, type Io } from '../terminal/io.ts';
import { renderTable } from '../terminal/table.ts';

interface EmulatorFlags {
  json?: true;
  port?: number;
  repo?: string;
  faults?: string;
  models?: string;
  webhook?: string;
}

export async function emulator(flags: EmulatorFlags, io: Io): Promise<ExitCode> {
  const stopped = io.stopped();
  const playground = await open(flags, io);
  try {
    if (flags.json === true) outJson(io, toJson(playground));
    else io.out(render(playground, flags, io));
    await stopped;
    return EXIT.ok;
  } finally {
    await playground.close();
  }
}

async function open(flags: EmulatorFlags, io: Io): Promise<Playground> {
  const { port = 0, repo, faults, models, webhook } = flags;
  const at = (file: string): string => path.resolve(io.cwd, file);
  try {
    return await openPlayground({
      clock: systemClock,
      random: systemRandom,
      port,
      repo: repo === undefined ? undefined : at(repo),
      webhook,
      faults: faults === undefined ? [] : toList(await readFile(at(faults), 'utf8')),
      script: models === undefined ? undefined : readScript(await readFile(at(models), 'utf8')),
    });
  } catch (error) {
    throw usageError('emulator-failed', `The emulator did not start: ${toFailure(error).message}`);
  }
}

function toList(source: string): unknown[] {
  const parsed: unknown = JSON.parse(source);
  return Array.isArray(parsed) ? parsed : [parsed];
}

/** The keys of spec 13, and what gh needs. */
function toJson(playground: Playground): object {
  const { emulator: github, socket, repository, people, app, control, models } = playground;
  return {
    url: github.url,
    apiUrl: github.apiUrl,
    graphqlUrl: `${github.url}/api/graphql`,
    socket,
    repository,
    people,
    app,
    ...(models !== undefined && { models }),
    control,
    gh: ghEnvironment({ ...playground, url: github.url }, people[0]?.token ?? ''),
  };
}

function render(playground: Playground, { webhook }: EmulatorFlags, io: Io): string {
  const { emulator: github, repository, people, app, control, models, ghConfigDir } = playground;
  const rows = [
    ['pages', `${github.url}/${repository}/issues`],
    ['REST', github.apiUrl],
    ['GraphQL', `${github.url}/api/graphql`],
    ['control', `${control.url} with Authorization: Bearer ${control.token}`],
    ...(models === undefined ? [] : [['models', `${models.url} with the key ${models.key}`]]),
  ];
  const settings = [
    `APP_ID=${app.id}`,
    `PRIVATE_KEY_PATH=${app.privateKeyFile}`,
    `WEBHOOK_SECRET=${app.webhookSecret}`,
    `GHE_HOST=${github.host}`,
    'GHE_PROTOCOL=http',
    'quorum start',
  ];
  const hooks =
    webhook === undefined
      ? 'No webhooks are sent: start again with --webhook http://127.0.0.1:3000/api/github/webhooks'
      : `Webhooks go to ${webhook}`;
  return `The embedded GitHub is up until Ctrl-C:
${renderTable(rows, { columns: Math.max(io.columns, 120), indent: 2 })}
${hooks}
To start the App on it, in another terminal:
  ${settings.join(' \\\n  ')}
${renderHowToSpeak({ url: github.url, repository, people, ghConfigDir, columns: io.columns })}`;
}
