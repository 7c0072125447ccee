/** A process that makes and removes worktrees of a mirror that exists: `node git-child.ts '<json>'`; prints `made <n>`. */
import { setTimeout as wait } from 'node:timers/promises';
import { createGit } from '../../src/adapters/git/create-git.ts';
import type { RepositoryRef } from '../../src/domain/run/thread-ref.ts';
import { realClock as clock } from './real-clock.ts';

export interface GitChildOrder {
  folder: string;
  ref: RepositoryRef;
  baseSha: string;
  /** Number of this process. */
  child: number;
  /** How many worktrees it makes, one after the other. */
  turns: number;
  /** Milliseconds since the epoch at which all of them begin. */
  startAt: number;
}

async function main({ folder, ref, baseSha, child, turns, startAt }: GitChildOrder): Promise<void> {
  const remoteOf = () => Promise.reject(new Error('the mirror has everything'));
  const git = createGit({ folder, remoteOf, clock });
  await wait(Math.max(0, startAt - Date.now()));
  for (let turn = 0; turn < turns; turn += 1) {
    const name = `raced-${child}-${turn}`;
    const branch = `quorum/task-9-${child}-${turn}`;
    const worktree = await git.open(ref, { name, branch, sha: baseSha, limitMb: 200 });
    await worktree.close();
  }
  process.stdout.write(`made ${turns}\n`);
}

await main(JSON.parse(process.argv[2] ?? '') as GitChildOrder);
