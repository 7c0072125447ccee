/** What it takes to add a kind of run: one folder and three edits, none of which can be forgotten. */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { copyWithEcho, PARTS } from '../../helpers/an-echo-kind.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

function aCopy(leftOut?: string): string {
  const folder = copyWithEcho(leftOut);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The files in which the compiler finds an error. */
function wrongFiles(folder: string): string[] {
  const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  const args = [tsc, '--noEmit', '--project', 'tsconfig.build.json'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  return [...new Set([...stdout.matchAll(/^(src\/[^(]+)\(/gm)].map(([, file = '']) => file))];
}

test.each(PARTS)('without %s it does not compile', (part) => {
  expect(wrongFiles(aCopy(part))).not.toEqual([]);
});

/** Labels an issue in the emulator, and prints the comments of the App. */
const PLAY = `
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock, systemRandom } from './src/adapters/system/system-clock.ts';
import { openWorld } from './src/demo/open-world.ts';
import { createLog } from './src/hosts/create-log.ts';

const world = await openWorld({
  env: {},
  clock: systemClock,
  random: systemRandom,
  log: createLog({ level: 'silent', format: 'json' }),
  owner: 'acme',
  app: { budgets: 'off', reconcileEveryMs: 0 },
});
const { emulator } = world;
for (const login of ['ana', 'tom']) emulator.createUser(login);
const history = [{ message: 'feat: first', author: 'ana', files: { 'README.md': '# tidy' } }];
await emulator.createRepository({ owner: 'acme', name: 'tidy', history });
emulator.addCollaborator('acme/tidy', 'ana', 'admin');
const { number } = await emulator.as('tom').openIssue('acme/tidy', { title: 'Is anybody there?', body: '' });
await emulator.as('ana').label('acme/tidy', number, ['echo']);
const path = '/repos/acme/tidy/issues/' + number + '/comments';
let comments = [];
for (let i = 0; i < 600 && comments.length === 0; i += 1) {
  await wait(100);
  comments = await emulator.as('ana').request('GET', path);
}
process.stdout.write(JSON.stringify(comments.map(({ body, user }) => [user.login, body])));
await world.close();
`;

test('with all of them it compiles, and a label brings the comment, with no other edit', () => {
  const folder = aCopy();
  expect(wrongFiles(folder)).toEqual([]);
  writeFileSync(path.join(folder, 'play.ts'), PLAY);
  const { stdout, stderr } = spawnSync(process.execPath, ['play.ts'], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 120_000,
  });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual([
    [expect.stringMatching(/\[bot\]$/), expect.stringContaining('`Is anybody there?`')],
  ]);
});
