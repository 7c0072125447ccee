/** One process on a data directory: a lock that the kernel itself drops when its holder dies. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConfigError } from '../../../../domain/event/errors.ts';
import { makePrivate, prepareDirectory } from './data-directory.ts';
import { resultCode } from '../sql.ts';

/**
 * Takes the directory. Throws ConfigError `data-dir-locked` with the holder's process id, or `data-dir-unusable`.
 *
 * The lock is an exclusive transaction on its own database, held for as long as the process lives. It is an
 * operating-system lock, so no file goes stale and two processes can never both win. `owner.json` beside it only
 * tells people who holds it.
 */
export function lockDirectory(dir: string, now: number): () => void {
  prepareDirectory(dir);
  const owner = path.join(dir, 'owner.json');
  const lock = path.join(dir, 'lock.db');
  makePrivate(lock);
  const db = new DatabaseSync(lock, { timeout: 0 });
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    throw toLockError(error, dir, owner);
  }
  writeFileSync(owner, JSON.stringify({ pid: process.pid, since: new Date(now).toISOString() }), {
    mode: 0o600,
  });
  return () => {
    rmSync(owner, { force: true });
    db.close();
  };
}

const SQLITE_BUSY = 5;

function toLockError(error: unknown, dir: string, owner: string): unknown {
  if (resultCode(error) !== SQLITE_BUSY) return error;
  return new ConfigError({
    code: 'data-dir-locked',
    message: `The data directory ${dir} is in use by ${readOwner(owner)}. Stop that process, or set QUORUM_DATA to another directory, or use DATABASE_URL to share one store between processes.`,
    cause: error,
  });
}

function readOwner(file: string): string {
  try {
    const owner: { pid: number; since: string } = JSON.parse(readFileSync(file, 'utf8'));
    return `process ${owner.pid} since ${owner.since}`;
  } catch {
    return 'another process';
  }
}
