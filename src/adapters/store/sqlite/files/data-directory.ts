/**
 * Checks the data directory before SQLite touches it: reports an operator's mistakes as such, and replaces nothing.
 */
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  type Stats,
} from 'node:fs';
import path from 'node:path';
import { ConfigError } from '../../../../domain/event/errors.ts';

/** Private text of every tenant is in there: nobody but the owner reads it, whatever the umask. */
const PRIVATE_FILE = 0o600;
const PRIVATE_DIRECTORY = 0o700;
/** What Quorum keeps in its data directory, and backups beside it. */
const OWN_NAMES = /^(?:quorum[-.]|lock\.db|owner\.json$|work$|lost\+found$)/;

const BACKUP = /^quorum[-.]/;

/** The database file of a data directory. */
export function databaseFile(dir: string): string {
  return path.join(dir, 'quorum.db');
}

/**
 * Makes the directory, readable by its owner only, or checks that this user may write to it and to the database in it.
 * ConfigError `data-dir-unusable`.
 */
export function prepareDirectory(dir: string): void {
  try {
    makeDirectory(dir);
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
    closeDirectory(dir);
    closeBackups(dir);
    const found = statOf(databaseFile(dir));
    if (found?.isFile() === false) throw unusable(dir, `${databaseFile(dir)} is not a file`);
    if (found !== undefined) accessSync(databaseFile(dir), constants.R_OK | constants.W_OK);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw unusable(dir, reasonOf(error), error);
  }
}

/**
 * Makes a SQLite file if it is missing, and takes it from everybody but its owner. SQLite gives a log, index or journal
 * that it makes the mode of its database; those of an earlier start are changed here.
 */
export function makePrivate(file: string): void {
  // One that is there is not opened: closing it would drop the locks that this process has on it.
  if (statOf(file) === undefined) closeSync(openSync(file, 'a', PRIVATE_FILE));
  for (const end of ['', '-wal', '-shm', '-journal']) setMode(`${file}${end}`, PRIVATE_FILE);
}

/** A directory in which other things are kept too, such as a home directory, is not Quorum's to close. */
function closeDirectory(dir: string): void {
  if (readdirSync(dir).every((name) => OWN_NAMES.test(name))) setMode(dir, PRIVATE_DIRECTORY);
}

/** A copy holds the text of every tenant too, with the mode that the umask of its maker left. */
function closeBackups(dir: string): void {
  for (const entry of readdirSync(dir, { withFileTypes: true }))
    if (entry.isFile() && BACKUP.test(entry.name))
      setMode(path.join(dir, entry.name), PRIVATE_FILE);
}

/** Where the mode belongs to somebody else, as on some mounted volumes, the store is used all the same. */
function setMode(file: string, mode: number): void {
  const found = statOf(file);
  if (found === undefined || (found.mode & 0o777) === mode) return;
  if (found.uid === process.getuid?.()) chmodSync(file, mode);
}

/**
 * Throws ConfigError `store-empty` when the database has no content although it was used before: its log is still
 * there, or `wasUsed` says so. SQLite would start with an empty store and drop the log.
 */
export function requireContent(dir: string, wasUsed: boolean): void {
  const file = databaseFile(dir);
  const found = statOf(file);
  const logBytes = statOf(`${file}-wal`)?.size ?? 0;
  const isCutOff =
    found === undefined ? logBytes > 0 : found.size === 0 && (logBytes > 0 || wasUsed);
  if (!isCutOff) return;
  throw new ConfigError({
    code: 'store-empty',
    message: `${file} is ${found === undefined ? 'missing' : 'empty'}, but the store was used before${logBytes > 0 ? ' and its log quorum.db-wal is still there' : ''}. Nothing was changed. Restore a backup as quorum.db, or move quorum.db and the files whose names start with quorum.db- out of the directory to start with a new store.`,
  });
}

/** Whether a store was opened in this directory before: its lock file stays there. */
export function wasUsedBefore(dir: string): boolean {
  return statOf(path.join(dir, 'lock.db')) !== undefined;
}

/** One level at a time: where the system refuses a directory with ENOENT, as in /proc, Node's recursive call never ends. */
function makeDirectory(dir: string): void {
  const found = statOf(dir);
  if (found?.isDirectory() === true) return;
  if (found !== undefined) throw unusable(dir, `${dir} is a file`);
  const parent = path.dirname(dir);
  if (parent !== dir) makeDirectory(parent);
  mkdirSync(dir, { mode: 0o700 });
}

function statOf(file: string): Stats | undefined {
  return statSync(file, { throwIfNoEntry: false });
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is a file',
  ENOENT: 'no directory can be made there',
  ENOSPC: 'the disk is full',
};

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}

function unusable(dir: string, reason: string, cause?: unknown): ConfigError {
  const user = process.getuid === undefined ? '' : ` (user id ${process.getuid()})`;
  return new ConfigError({
    code: 'data-dir-unusable',
    message: `The data directory ${dir} cannot be used: ${reason}${user}. Set QUORUM_DATA to a directory that this user may write to.`,
    cause,
  });
}
