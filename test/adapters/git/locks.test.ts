/** A lock among processes: waited for while its holder works, free when its holder is killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFileLocks } from '../../../src/adapters/git/file-locks.ts';
import { systemClock } from '../../../src/adapters/system/system-clock.ts';
import { temporaryFolder } from '../../hosts/cli/temporary-folder.ts';

const HOLDER = `
const { DatabaseSync } = require('node:sqlite');
const db = new DatabaseSync(process.argv[1]);
db.exec('BEGIN EXCLUSIVE');
console.log('held');
setInterval(() => {}, 1000);
`;

/** Another process that holds the lock until it is killed. */
async function aHolder(folder: string) {
  const child = spawn(process.execPath, ['-e', HOLDER, path.join(folder, 'worktrees.db')]);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

test('a lock that another process holds is waited for, and is free when that process is killed', async () => {
  const folder = temporaryFolder();
  const locks = createFileLocks(folder, systemClock);
  const child = await aHolder(folder);
  let isTaken = false;
  const taken = locks.runShared('worktrees', async () => void (isTaken = true));
  await systemClock.sleep(100);
  expect(isTaken).toBe(false);
  child.kill('SIGKILL');
  await taken;
  expect(isTaken).toBe(true);
});

test('a lock that is held for too long is an error that passes', async () => {
  const folder = temporaryFolder();
  await aHolder(folder);
  let at = 0;
  const clock = { now: () => at, sleep: async () => void (at += 60_000) };
  const locks = createFileLocks(folder, clock);
  await expect(locks.runShared('worktrees', async () => undefined)).rejects.toMatchObject({
    code: 'git-busy',
    retryable: true,
  });
});

test('a lock is free again after work that fails', async () => {
  const locks = createFileLocks(temporaryFolder(), systemClock);
  const failing = locks.runShared('worktrees', () => Promise.reject(new Error('failed')));
  await expect(failing).rejects.toThrow('failed');
  expect(await locks.runShared('worktrees', async () => 'done')).toBe('done');
});
