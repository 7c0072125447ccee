/** The real entry point as a child process: exit codes, what goes where, signals. */
import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { nodeTooOld } from '../../../src/hosts/cli/node-version.ts';
import { cookieOf } from '../../helpers/cookie-of.ts';
import { temporaryFolder } from './temporary-folder.ts';

const CLI = path.resolve(import.meta.dirname, '../../../src/hosts/cli.ts');
const CHECKOUT = path.resolve(import.meta.dirname, '../../../quorum.mjs');

/** Imported first, it says which Node this is, and prints what is loaded after it. */
const OLD_NODE = `import { registerHooks } from 'node:module';
Object.defineProperty(process, 'version', { value: 'v20.20.2' });
registerHooks({
  load(url, context, next) {
    process.stdout.write(url + '\\n');
    return next(url, context);
  },
});
`;

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

function run(args: string[], env: Record<string, string> = {}, entry = CLI): Promise<Ended> {
  const options = { cwd: temporaryFolder(), env: { PATH: process.env['PATH'] ?? '', ...env } };
  return new Promise((resolve) => {
    execFile(process.execPath, [entry, ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code);
      resolve({ code, stdout, stderr });
    });
  });
}

test('help and version go to standard output with exit code 0', async () => {
  const [help, version] = await Promise.all([run(['--help']), run(['--version'])]);
  expect(help).toMatchObject({ code: 0, stderr: '' });
  expect(help.stdout).toContain('Exit codes:');
  for (const name of ['demo', 'start', 'worker', 'setup', 'doctor', 'personas', 'deliberate'])
    expect(help.stdout).toContain(`  ${name} `);
  expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('a wrong command line is exit code 2 with the nearest command, and nothing on standard output', async () => {
  const ended = await run(['docter']);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toMatch(/^quorum: unknown command 'docter'\n.*doctor/);
});

describe('a Node that is too old gets one sentence and exit code 2, before anything else is loaded', () => {
  test.each([
    [CLI, 'Quorum needs Node 22.13', ['cli.ts', 'node:fs', 'node-version.ts']],
    // No older Node can load a source: what the scripts of a checkout start has to be none.
    [CHECKOUT, 'From a checkout Quorum needs Node 22.18', ['quorum.mjs']],
  ])('from %s', async (entry, needs, loads) => {
    const folder = temporaryFolder({ 'old.mjs': OLD_NODE });
    const args = ['--import', path.join(folder, 'old.mjs'), entry, 'review'];
    const ended = await new Promise<Ended>((resolve) => {
      execFile(process.execPath, args, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
      );
    });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toBe(
      `quorum: ${needs} or newer (24 is best), and this is Node 20.20.2: install a newer one from https://nodejs.org. [node-too-old]\n`,
    );
    const loaded = ended.stdout
      .trim()
      .split('\n')
      .map((url) => path.basename(url));
    expect(loaded).toEqual(loads);
  });

  test('and every script of the package that starts Quorum starts what says so', () => {
    const { scripts } = JSON.parse(
      readFileSync(path.join(path.dirname(CHECKOUT), 'package.json'), 'utf8'),
    ) as { scripts: Record<string, string> };
    const starting = ['start', 'demo', 'quorum'].map((name) =>
      scripts[name]?.split(' ').slice(0, 2),
    );
    expect(starting).toEqual(starting.map(() => ['node', path.basename(CHECKOUT)]));
  });

  test('a new one starts from there', async () => {
    const version = await run(['--version'], {}, CHECKOUT);
    expect(version).toMatchObject({ code: 0, stderr: '' });
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

test('Node from 22.13 on is new enough', () => {
  const judge = (running: string): boolean => nodeTooOld(running, '>=22.13') === undefined;
  expect(['v22.13.0', 'v22.18.1', 'v23.0.0', 'v24.0.0'].map(judge)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(['v8.17.0', 'v20.20.2', 'v22.12.9'].map(judge)).toEqual([false, false, false]);
});

test('a wrong environment is exit code 2 with what, how to fix and the code, without a stack', async () => {
  const ended = await run(['start'], { PORT: 'many' });
  expect(ended.code).toBe(2);
  expect(ended.stderr).toBe(
    'quorum: PORT is many; a number from 0 to 65535 is expected. [port-invalid]\n',
  );
});

test('LOG_LEVEL=debug adds the stack', async () => {
  const ended = await run(['start'], { PORT: 'many', LOG_LEVEL: 'debug' });
  expect(ended.stderr).toContain('    at ');
});

test('start without credentials says where the setup page is and stops on SIGTERM with exit code 0', async () => {
  const child = spawn(process.execPath, [CLI, 'start', '--json'], {
    cwd: temporaryFolder(),
    env: { PATH: process.env['PATH'] ?? '', PORT: '0' },
  });
  const errors = text(child.stderr);
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const line = await new Promise<string>((resolve) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()));
  });
  const started = JSON.parse(line) as { ready: boolean; setup: string; url: string };
  expect(started.ready).toBe(false);
  const cookie = cookieOf(await fetch(started.setup));
  const page = await fetch(`${started.url}/probot`, { headers: { cookie } });
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('Quorum');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(await errors).toContain('stopped');
});

test('a value of .env counts only where the real environment has none', async () => {
  const dir = temporaryFolder({ '.env': 'PORT=many\n' });
  const start = (env: Record<string, string>): Promise<string> =>
    new Promise((resolve) => {
      const options = { cwd: dir, env: { PATH: process.env['PATH'] ?? '', ...env } };
      execFile(process.execPath, [CLI, 'start'], options, (_error, _out, stderr) =>
        resolve(stderr),
      );
    });
  expect(await start({})).toContain('PORT is many');
  expect(await start({ PORT: 'few' })).toContain('PORT is few');
});
