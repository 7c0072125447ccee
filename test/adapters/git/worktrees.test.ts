/** Four processes that make and remove worktrees of one mirror at the same moment. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { openIn } from '../../contract/git.ts';
import type { GitChildOrder } from '../../contract/git-child.ts';
import { openEmulatedGit } from './world.ts';

const run = promisify(execFile);
const CHILD = join(import.meta.dirname, '../../contract/git-child.ts');
const PROCESSES = 4;
const TURNS = 50;

test('four processes make and remove 200 worktrees of one mirror at once', async () => {
  const world = await openEmulatedGit();
  onTestFinished(() => world.close());
  await (await openIn(world)).close();
  const { folder, ref, baseSha } = world;
  const startAt = Date.now() + 2_000;
  const children = Array.from({ length: PROCESSES }, (_, child) => {
    const order: GitChildOrder = { folder, ref, baseSha, child, turns: TURNS, startAt };
    return run(process.execPath, [CHILD, JSON.stringify(order)]);
  });
  const said = await Promise.all(children);
  expect(said.map(({ stdout }) => stdout)).toEqual(Array(PROCESSES).fill(`made ${TURNS}\n`));
});
