/** The App on an emulator with a repository of its own, where changes are opened and reviewed by a scripted model. */
import { spawnSync } from 'node:child_process';
import { z } from 'zod';
import type { Script } from '../../src/emulator/model-server/script.ts';
import {
  startModelServer,
  type ModelServer,
} from '../../src/emulator/model-server/start-model-server.ts';
import {
  systemClock as clock,
  systemRandom as random,
} from '../../src/adapters/system/system-clock.ts';
import { threadKey } from '../../src/domain/run/thread-ref.ts';
import { openWorld, type World } from '../../src/demo/open-world.ts';
import { createLog } from '../../src/hosts/create-log.ts';
import type { MixedFile } from './mixed-code.ts';

export const REPO = 'acme/shop';
const AUTHOR = 'ana';

export interface ReviewWorld extends World {
  model: ModelServer;
  /** Pushes a branch that adds the files. */
  push(branch: string, files: readonly MixedFile[]): void;
  /** Opens a pull request; its review begins at once. */
  openPull(branch: string): Promise<Opened>;
  /** A person writes these lines into the memory of the team. */
  remember(lines: string): Promise<void>;
  /** Opens an issue and has it discussed. */
  openIssue(issue: { title: string; body: string }): Promise<Opened>;
}

export interface Opened {
  number: number;
  /** Stream key of the thread. */
  key: string;
}

/** Answers by the script, through the real Anthropic client. Budgets of our own towards GitHub are off; `settings` are added to the repository's. */
export async function openReviewWorld(script: Script, settings = ''): Promise<ReviewWorld> {
  const model = await startModelServer({ clock, script });
  const world = await openWorld({
    env: {
      ANTHROPIC_API_KEY: ['a', 'key', 'of', 'benchmarks'].join('-'),
      ANTHROPIC_BASE_URL: model.url,
    },
    clock,
    random,
    log: createLog({ level: 'error', format: 'json' }),
    owner: 'acme',
    app: { budgets: 'off', reconcileEveryMs: 0 },
    prepare: async (emulator) => {
      emulator.createUser(AUTHOR);
      await emulator.createRepository({
        owner: 'acme',
        name: 'shop',
        history: [{ message: 'feat: first steps', author: AUTHOR, files: filesWith(settings) }],
      });
      emulator.addCollaborator(REPO, AUTHOR, 'admin');
    },
  });
  const close = async (): Promise<void> => {
    await world.close();
    await model.close();
  };
  const keyOf = (number: number): string =>
    threadKey({ repositoryId: world.emulator.repository(REPO).id, number });
  return Object.assign(Object.create(world) as World, {
    model,
    close,
    push: (branch: string, files: readonly MixedFile[]) => push(world, branch, files),
    openPull: async (branch: string) => {
      const body = 'What we agreed on last week, with its tests.';
      const ana = world.emulator.as(AUTHOR);
      const { number } = await ana.openPull(REPO, { title: `Add ${branch}`, head: branch, body });
      return { number, key: keyOf(number) };
    },
    remember: (lines: string) => remember(world, lines),
    openIssue: async (issue: { title: string; body: string }) => {
      const ana = world.emulator.as(AUTHOR);
      const { number } = await ana.openIssue(REPO, issue);
      await ana.label(REPO, number, ['deliberate']);
      return { number, key: keyOf(number) };
    },
  });
}

const filesWith = (settings: string) => ({
  'README.md': '# Shop\n\nSells what is in stock, and says so when nothing is.\n',
  '.github/quorum.yml': `review:\n  settleSeconds: 0\n${settings}`,
  'src/log.ts': 'export const log = { warn: console.warn };\n',
  'src/cli.ts':
    "import { log } from './log.ts';\n\n/** Entry of the command. */\nexport function main(args: string[]): number {\n  log.warn(args.join(' '));\n  return 0;\n}\n",
  'test/cli.test.ts': "import { main } from '../src/cli.ts';\n",
  'package.json': '{ "name": "shop", "version": "1.0.0" }\n',
});

async function remember({ emulator }: World, lines: string): Promise<void> {
  const ana = emulator.as(AUTHOR);
  const at = `/repos/${REPO}`;
  const [branch, path] = ['quorum/memory', 'personas/team/working.md'];
  const known = await ana
    .request('GET', `${at}/contents/${path}?ref=${branch}`)
    .catch(() => undefined);
  if (known === undefined) {
    const { object } = Ref.parse(await ana.request('GET', `${at}/git/ref/heads/main`));
    await ana.request('POST', `${at}/git/refs`, { ref: `refs/heads/${branch}`, sha: object.sha });
  }
  const sha = known === undefined ? {} : { sha: Named.parse(known).sha };
  const content = Buffer.from(lines).toString('base64');
  await ana.request('PUT', `${at}/contents/${path}`, {
    message: 'by hand',
    branch,
    content,
    ...sha,
  });
}

const Named = z.object({ sha: z.string() });
const Ref = z.object({ object: Named });

/** In one commit, past the API: a call and several processes for each file would be the benchmark. */
function push({ emulator }: World, branch: string, files: readonly MixedFile[]): void {
  const blob = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const input = [
    `commit refs/heads/${branch}\ncommitter Ana <ana@example.com> ${Math.floor(clock.now() / 1000)} +0000\n`,
    blob(`feat: ${branch}`),
    'from refs/heads/main^0\n',
    ...files.map(({ path, lines }) => `M 100644 inline ${path}\n${blob(`${lines.join('\n')}\n`)}`),
  ];
  const { gitDir } = emulator.repository(REPO);
  const ended = spawnSync('git', ['--git-dir', gitDir, 'fast-import', '--quiet'], {
    input: input.join(''),
    encoding: 'utf8',
  });
  if (ended.status !== 0) throw new Error(`git fast-import: ${ended.stderr}`);
}
