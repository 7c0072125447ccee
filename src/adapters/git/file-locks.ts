/** One at a time for each name, in this process or in all processes that use a folder. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { TransientError } from '../../domain/event/errors.ts';
import type { Clock } from '../../ports/clock.ts';

export interface Locks {
  /** Among the tasks of this process. */
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
  /**
   * Among all processes that use the folder, too.
   *
   * @throws TransientError `git-busy` when others hold the lock for 10 minutes
   */
  runShared<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** `folder` holds one file for each shared name. */
export function createFileLocks(folder: string, clock: Clock): Locks {
  const tails = new Map<string, Promise<unknown>>();
  const run: Locks['run'] = async (name, work) => {
    const before = tails.get(name) ?? Promise.resolve();
    const mine = before.then(work, work);
    tails.set(name, mine);
    try {
      return await mine;
    } finally {
      if (tails.get(name) === mine) tails.delete(name);
    }
  };
  return {
    run,
    runShared: (name, work) =>
      run(name, async () => {
        const free = await lockFile(join(folder, `${name}.db`), folder, clock);
        try {
          return await work();
        } finally {
          free();
        }
      }),
  };
}

const POLL_MS = 10;
/** Copying what a large project has installed takes a minute or two. */
const PATIENCE_MS = 10 * 60_000;
const RETRY_MS = 60_000;

/** An exclusive transaction on an empty database: the kernel drops it when its holder dies, so that no lock is stale. */
async function lockFile(file: string, folder: string, clock: Clock): Promise<() => void> {
  const until = clock.now() + PATIENCE_MS;
  mkdirSync(folder, { recursive: true });
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    while (!isTaken(db)) {
      if (clock.now() > until) throw busy(file);
      await clock.sleep(POLL_MS);
    }
  } catch (error) {
    db.close();
    throw error;
  }
  return () => db.close();
}

const SQLITE_BUSY = 5;

function isTaken(db: DatabaseSync): boolean {
  try {
    db.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return false;
    throw error;
  }
}

function busy(file: string): TransientError {
  return new TransientError({
    code: 'git-busy',
    message: `Another process on this machine has worked on worktrees for more than 10 minutes (lock ${file}).`,
    retryAfterMs: RETRY_MS,
  });
}
