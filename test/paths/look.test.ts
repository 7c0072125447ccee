/** The path of somebody who only looks: clone, then the demonstration, by the commands of the README. */
import { execFile, spawnSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { aFolder } from '../helpers/a-folder.ts';
import { printTimes } from './print-times.ts';

const run = promisify(execFile);
const ROOT = path.join(import.meta.dirname, '../..');
const isCheckout = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT }).status === 0;

test.skipIf(!isCheckout)('a clone plays the demonstration to its end', async () => {
  const times = printTimes('look');
  const clone = path.join(aFolder('look'), 'quorum');
  await run('git', ['clone', '--quiet', ROOT, clone]);
  times.ended('clone');
  // In place of `npm ci`: what it installs is here already.
  await symlink(path.join(ROOT, 'node_modules'), path.join(clone, 'node_modules'));
  const { stdout } = await run('npm', ['run', '--silent', 'demo'], {
    cwd: clone,
    env: { PATH: process.env['PATH'], HOME: clone },
    maxBuffer: 1e8,
  });
  times.ended('demo');
  for (const task of [1, 2, 3])
    expect(stdout).toMatch(new RegExp(String.raw`merged +task ${task} `));
  expect(stdout).toContain('Everything ended as it should.');
});
