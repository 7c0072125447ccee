/** The embedded GitHub of a chaos run, with people and a project; the App's own process is elsewhere. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import {
  systemClock as clock,
  systemRandom as random,
} from '../../src/adapters/system/system-clock.ts';
import { openWorld, type World } from '../../src/demo/open-world.ts';
import { createLog } from '../../src/hosts/create-log.ts';
import { PROJECT } from '../helpers/say-task.ts';

export const REPO = 'acme/tidy';

export interface ChaosWorld {
  emulator: World['emulator'];
  /** What the App's processes are started with. */
  env: Record<string, string | undefined>;
  close(): Promise<void>;
}

const SETTINGS = 'review:\n  settleSeconds: 0\nmerge:\n  mode: auto\n';

/** @param more - of the App's environment */
export async function openChaosWorld(more: Record<string, string>): Promise<ChaosWorld> {
  const data = await mkdtemp(path.join(os.tmpdir(), 'quorum-chaos-'));
  const world = await openWorld({
    env: {},
    clock,
    random,
    log: createLog({ level: 'silent', format: 'json' }),
    owner: 'acme',
    app: { budgets: 'off', reconcileEveryMs: 0 },
    prepare: async (emulator) => {
      for (const login of ['ana', 'tom']) emulator.createUser(login);
      const files = { ...PROJECT, 'README.md': '# tidy\n', '.github/quorum.yml': SETTINGS };
      const history = [{ message: 'feat: first steps', author: 'ana', files }];
      await emulator.createRepository({ owner: 'acme', name: 'tidy', history });
      emulator.addCollaborator(REPO, 'ana', 'admin');
    },
  });
  await world.stopApp();
  const port = String(await freePort());
  world.emulator.app(world.appId).webhookUrl = `http://127.0.0.1:${port}/api/github/webhooks`;
  const { PATH, HOME } = process.env;
  return {
    emulator: world.emulator,
    env: { PATH, HOME, ...world.appEnv, PORT: port, QUORUM_DATA: data, ...more },
    close: async () => {
      await world.emulator.close();
      await rm(data, { recursive: true, force: true });
      await rm(world.dir, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** One commit of `ana` on a branch, from its tip or the default branch's. */
export async function pushTo(
  { emulator }: Pick<ChaosWorld, 'emulator'>,
  branch: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const { gitDir } = emulator.repository(REPO);
  const git = (args: string[], input = ''): string =>
    execFileSync('git', ['--git-dir', gitDir, ...args], {
      input,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
      .toString()
      .trim();
  const tips = git(['for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/heads']);
  const known = new Map(
    tips.split('\n').map((line): [string, string] => {
      const [name = '', sha = ''] = line.split(' ');
      return [name, sha];
    }),
  );
  const parent = known.get(branch) ?? known.get('main') ?? '';
  const commands = Object.entries(files).map(
    ([file, text]) => `M 100644 inline ${file}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
  );
  const head =
    'reset refs/chaos/last\n\ncommit refs/chaos/last\ncommitter Ana <ana@example.com> 1767600000 +0000\ndata 6\nChange\n';
  git(['fast-import', '--quiet', '--force'], `${head}from ${parent}\n${commands.join('')}`);
  const sha = git(['rev-parse', 'refs/chaos/last']);
  const ana = emulator.as('ana');
  const refs = `/repos/${REPO}/git/refs`;
  if (known.has(branch))
    await ana.request('PATCH', `${refs}/heads/${branch}`, { sha, force: true });
  else await ana.request('POST', refs, { ref: `refs/heads/${branch}`, sha });
}
