/** `quorum init` at a terminal: the real prompts, on streams that a test types into. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { createPrompts } from '../../../src/hosts/cli/terminal/prompts.ts';
import { quorum, type Said } from './fake-io.ts';
import { emptyGitFolder } from './git-folder.ts';

const ENTER = '\r';
const DOWN = '\u001B[B';
const CTRL_C = '\u0003';
const CONFIG = '.github/quorum.yml';

/** Types each answer when its question is on the screen. */
async function type(
  args: readonly string[],
  answers: readonly (readonly [question: RegExp, keys: string])[],
): Promise<Said> {
  const input = new PassThrough();
  const output = Object.assign(new PassThrough(), { columns: 100, rows: 40 });
  const left = [...answers];
  let screen = '';
  output.on('data', (chunk: Buffer) => {
    screen += stripVTControlCharacters(String(chunk));
    const [next] = left;
    if (next === undefined || !next[0].test(screen)) return;
    left.shift();
    screen = '';
    setImmediate(() => input.write(next[1]));
  });
  const prompts = createPrompts({ input, output });
  const said = await quorum(args, { isTty: true, prompts: () => Promise.resolve(prompts) });
  expect(left).toEqual([]);
  return said;
}

const SOURCE = /Which repository is your copy/;
const KNOWN = ['--source', 'acme/quorum'];
const WHERE = /Where should the files go/;
const KEYS = /Which model keys/;
const USD = /Most that discussions may cost/;
const TEMPLATES = /Add issue templates/;
const MORE = /Which other workflows/;
const WRITE = /Write these files/;

test('asks for each choice, then writes what was chosen', async () => {
  const { dir } = emptyGitFolder();
  const { code } = await type(
    ['init', '--dir', dir],
    [
      [WHERE, ENTER],
      [SOURCE, `acme/quorum${ENTER}`],
      [KEYS, ENTER],
      [USD, `\u007F3${ENTER}`],
      [TEMPLATES, `n`],
      [MORE, ` ${ENTER}`],
      [WRITE, `y`],
    ],
  );
  expect(code).toBe(0);
  const read = (file: string): string => readFileSync(path.join(dir, file), 'utf8');
  expect(read('.github/workflows/quorum.yml')).toContain('uses: acme/quorum/.github');
  expect(read(CONFIG)).toContain('perDayUsd: 3 ');
  expect(existsSync(path.join(dir, '.github/ISSUE_TEMPLATE'))).toBe(false);
  const there = ['task', 'merge', 'sweep'].filter((name) =>
    existsSync(path.join(dir, `.github/workflows/quorum-${name}.yml`)),
  );
  expect(there).toEqual(['task', 'merge']);
});

test('writes nothing when the answer at the end is no', async () => {
  const { dir } = emptyGitFolder();
  const { code, out } = await type(
    ['init', '--dir', dir, '--keys', 'none', '--no-templates', '--with', '', ...KNOWN],
    [
      [WHERE, ENTER],
      [WRITE, `n`],
    ],
  );
  expect([code, out]).toEqual([0, expect.stringContaining('Nothing was changed.')]);
  expect(existsSync(path.join(dir, CONFIG))).toBe(false);
});

test('writes nothing on Ctrl-C, and says so', async () => {
  const { dir } = emptyGitFolder();
  const { code, err } = await type(
    ['init', '--dir', dir, ...KNOWN],
    [
      [WHERE, ENTER],
      [KEYS, CTRL_C],
    ],
  );
  expect([code, err]).toEqual([1, expect.stringContaining('Nothing was written. [cancelled]')]);
  expect(existsSync(path.join(dir, CONFIG))).toBe(false);
});

test('a pull request can be chosen, and needs a token', async () => {
  const { dir } = emptyGitFolder();
  const { err } = await type(
    ['init', '--dir', dir, '--repo', 'acme/shop'],
    [[WHERE, DOWN + ENTER]],
  );
  expect(err).toContain('[token-missing]');
});

test('asks nothing with --yes', async () => {
  const { dir } = emptyGitFolder();
  const { code } = await type(['init', '--dir', dir, '--yes'], []);
  expect([code, existsSync(path.join(dir, CONFIG))]).toEqual([0, true]);
});

test('uninstall asks before it removes', async () => {
  const { dir } = emptyGitFolder();
  await type(['init', '--dir', dir, '--yes'], []);
  await type(['uninstall', '--dir', dir], [[/Remove these files/, 'n']]);
  expect(existsSync(path.join(dir, CONFIG))).toBe(true);
  await type(['uninstall', '--dir', dir], [[/Remove these files/, 'y']]);
  expect(existsSync(path.join(dir, CONFIG))).toBe(false);
});
