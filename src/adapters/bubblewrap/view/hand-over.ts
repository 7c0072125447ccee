/**
 * Gives folders to the user of the sandbox and takes them back. Each folder is opened without following links, and
 * its entries are named through that descriptor. So nobody can put a link in the way, not even meanwhile.
 */
import { closeSync, constants, fchmodSync, fchownSync, fstatSync, lchownSync } from 'node:fs';
import { lstatSync, openSync, readdirSync, type Stats } from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';
import type { SandboxRequest } from '../../../ports/sandbox.ts';
import type { User } from '../sandbox-user.ts';

/** A deeper tree was made to exhaust the process that walks it: entries further down keep their owner. */
const MAX_DEPTH = 256;
/** Entries between two breaks for the rest of the process. */
const BATCH = 500;

/** Folders that sandboxes run in now, with their owner before and how many runs share them. */
const lent = new Map<string, { owner: User; runs: number }>();

type Wanted = Pick<SandboxRequest, 'folder' | 'writable' | 'readable'>;

/**
 * Gives `folder` and `writable` to the user, and lets it read `readable`; the answer takes the folder back. Runs of
 * several processes share the other writable folders, which the App only ever removes. They stay with the user.
 *
 * @throws Error of the system where this process may not change owners
 */
export async function handOver(
  { folder, writable = [], readable }: Wanted,
  user: User,
): Promise<() => Promise<void>> {
  for (const each of readable) admit(each, user);
  for (const each of writable) await give(each, user);
  const shared = lent.get(folder);
  const owner = shared?.owner ?? ownerOf(folder, user);
  lent.set(folder, { owner, runs: (shared?.runs ?? 0) + 1 });
  const takeBack = async (): Promise<void> => {
    const left = (lent.get(folder)?.runs ?? 1) - 1;
    if (left > 0) return void lent.set(folder, { owner, runs: left });
    lent.delete(folder);
    await changeOwners(folder, (entry) => toTake(entry, { user, owner }));
  };
  try {
    await changeOwners(folder, (entry) => toGive(entry, { user, owner }));
  } catch (error) {
    await takeBack();
    throw error;
  }
  return takeBack;
}

/** A crash may have left it with the user of the sandbox: then it was ours. */
function ownerOf(folder: string, user: User): User {
  const { uid, gid } = lstatSync(folder);
  return uid === user.uid
    ? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
    : { uid, gid };
}

async function give(folder: string, user: User): Promise<void> {
  if (lstatSync(folder).uid === user.uid) return;
  const owner = ownerOf(folder, user);
  await changeOwners(folder, (entry) => toGive(entry, { user, owner }));
}

/**
 * A socket is for talking to, which needs the right to write. In folders that Quorum owns, the user may list entries.
 */
function admit(shown: string, { uid, gid }: User): void {
  const stat = lstatSync(shown, { throwIfNoEntry: false });
  if (stat === undefined || stat.uid !== process.getuid?.()) return;
  if (stat.isSocket()) return lchownSync(shown, uid, gid);
  if (!stat.isDirectory() || (stat.mode & 0o005) === 0o005) return;
  const fd = openSync(shown, FOLDER);
  try {
    fchownSync(fd, -1, gid);
    fchmodSync(fd, (stat.mode & 0o7777) | 0o050);
  } finally {
    closeSync(fd);
  }
}

interface Entry {
  name: string;
  depth: number;
  stat: Stats;
}

interface Sides {
  user: User;
  owner: User;
}

/**
 * A file with a second name may have it elsewhere: it is not given. The folder's own `.git` is only shown, and needs no
 * other owner.
 */
function toGive({ name, depth, stat }: Entry, { user, owner }: Sides): User | undefined {
  if (name === '.git' && depth === 1) return undefined;
  const isPlain = stat.isDirectory() || stat.nlink === 1;
  return stat.uid === owner.uid && isPlain ? user : undefined;
}

/** Git refuses a `.git` that belongs to somebody else: one that was made in the sandbox keeps its maker. */
function toTake({ name, stat }: Entry, { user, owner }: Sides): User | undefined {
  return stat.uid === user.uid && name !== '.git' ? owner : undefined;
}

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** `ownerFor` answers undefined for what stays as it is; what is below a `.git` that stays is not looked at. */
async function changeOwners(
  folder: string,
  ownerFor: (entry: Entry) => User | undefined,
): Promise<void> {
  let count = 0;
  const visit = async (at: Buffer, { name, depth }: Omit<Entry, 'stat'>): Promise<void> => {
    count += 1;
    if (count % BATCH === 0) await breathe();
    const stat = lstatSync(at, { throwIfNoEntry: false });
    if (stat === undefined) return;
    const to = ownerFor({ name, depth, stat });
    if (!stat.isDirectory()) {
      if (to !== undefined) lchownSync(at, to.uid, to.gid);
      return;
    }
    if (depth >= MAX_DEPTH || (to === undefined && name === '.git')) return;
    const fd = openFolder(at);
    if (fd === undefined) return;
    try {
      const real = fstatSync(fd);
      const now = ownerFor({ name, depth, stat: real });
      if (now !== undefined) fchownSync(fd, now.uid, now.gid);
      const self = Buffer.from(`/proc/self/fd/${fd}`);
      for (const each of readdirSync(self, { encoding: 'buffer' }))
        await visit(Buffer.concat([self, Buffer.from('/'), each]), {
          name: each.toString('latin1'),
          depth: depth + 1,
        });
    } finally {
      closeSync(fd);
    }
  };
  await visit(Buffer.from(folder), { name: '', depth: 0 });
}

/** Undefined where it is no folder any more. */
function openFolder(at: Buffer): number | undefined {
  try {
    return openSync(at, FOLDER);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return undefined;
    throw error;
  }
}
