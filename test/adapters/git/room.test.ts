/** A disk that is full: what nobody uses makes room, what is in use stays, and what others will free is waited for. */
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { bytesOf } from '../../../src/adapters/git/disk.ts';
import { TransientError } from '../../../src/domain/event/errors.ts';
import type { Worktree } from '../../../src/ports/git.ts';
import { openIn } from '../../contract/git.ts';
import { verifies } from '../../verifies.ts';
import { emulatedGitForTest, type EmulatedGit } from './world.ts';

const MB = 1_000_000;
const OLD = 'a'.repeat(32);
const NEW = 'b'.repeat(32);

/** As somebody who installed something for this base: 3 MB. */
async function keep(worktree: Worktree, key: string): Promise<void> {
  await mkdir(join(worktree.folder, 'needs'), { recursive: true });
  await writeFile(join(worktree.folder, 'needs/large'), Buffer.alloc(3 * MB, 1));
  await worktree.leaveOut(key);
}

function keptOf(world: EmulatedGit, id = world.ref.repositoryId): string[] {
  const at = join(world.folder, 'installed', String(id));
  return existsSync(at) ? readdirSync(at).toSorted() : [];
}

/** Another repository, whose worktree is closed again unless it is wanted. */
async function elsewhere(world: EmulatedGit, id: number): Promise<Worktree> {
  const ref = { ...world.ref, repositoryId: id };
  const name = `other-${id}`;
  return world.git.open(ref, { name, branch: name, sha: world.baseSha, limitMb: 200 });
}

verifies(
  'CB-5',
  'what was installed for a repository that nobody works in goes first',
  async () => {
    const world = await emulatedGitForTest();
    const idle = await elsewhere(world, 901);
    await keep(idle, OLD);
    await idle.close();
    const busy = await elsewhere(world, 902);
    await mkdir(busy.caches.shared, { recursive: true });
    writeFileSync(join(busy.caches.shared, 'download'), Buffer.alloc(MB, 1));
    await openIn({ ...world, git: world.another() }, { limitMb: 2 });
    expect([keptOf(world, 901), keptOf(world, 902)]).toEqual([[], ['cache']]);
  },
);

verifies(
  'CB-5',
  'of a repository that somebody works in, only what is not being copied goes, the oldest first',
  async () => {
    const world = await emulatedGitForTest();
    const first = await openIn(world);
    await keep(first, OLD);
    await first.close();
    const second = await openIn(world);
    await keep(second, NEW);
    await second.close();
    const at = join(world.folder, 'installed', String(world.ref.repositoryId));
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(join(at, OLD), longAgo, longAgo);
    const working = await openIn(world);
    await mkdir(working.caches.shared, { recursive: true });
    await openIn({ ...world, git: world.another() }, { limitMb: 5 });
    expect(keptOf(world)).toEqual([NEW, 'cache']);
    // As another process says while it copies.
    writeFileSync(join(at, `.copied-${NEW}-x`), '');
    const full = openIn(world, { limitMb: 2 });
    await expect(full).rejects.toMatchObject({ code: 'disk-full', retryable: true });
    expect(keptOf(world)).toContain(NEW);
    await utimes(join(at, `.copied-${NEW}-x`), new Date(0), new Date(0));
    await openIn(world, { limitMb: 2 });
    expect(keptOf(world)).not.toContain(NEW);
    expect(statSync(working.folder).isDirectory()).toBe(true);
  },
);

test('a copy leaves no mark behind', async () => {
  const world = await emulatedGitForTest();
  const made = await openIn(world);
  await keep(made, OLD);
  const next = await openIn(world);
  expect(await next.fill(OLD)).toMatchObject({ madeIn: made.folder });
  expect(keptOf(world)).toEqual([OLD, 'cache']);
});

verifies(
  'CB-5',
  'installed folders without room for a copy are not kept, or are dropped, and never block themselves',
  async () => {
    const world = await emulatedGitForTest();
    const tight = await openIn(world, { limitMb: 5 });
    await keep(tight, OLD);
    expect(keptOf(world)).toEqual([]);
    expect(existsSync(join(tight.folder, 'needs/large'))).toBe(true);
    await tight.close();
    const made = await openIn(world);
    await keep(made, OLD);
    await made.close();
    const at = join(world.folder, 'installed', String(world.ref.repositoryId));
    const next = await openIn(world, { limitMb: 5 });
    // As another process says while it copies.
    writeFileSync(join(at, `.copied-${OLD}-x`), '');
    await expect(next.fill(OLD)).rejects.toMatchObject({ code: 'disk-full', retryable: true });
    expect(keptOf(world)).toContain(OLD);
    rmSync(join(at, `.copied-${OLD}-x`));
    expect(await next.fill(OLD)).toBeUndefined();
    expect(keptOf(world)).toEqual([]);
  },
);

verifies('CB-5', 'what two fill at once stays below the limit together', async () => {
  const world = await emulatedGitForTest();
  const made = await openIn(world);
  await keep(made, OLD);
  await made.close();
  const both = [await openIn(world, { limitMb: 8 }), await openIn(world, { limitMb: 8 })];
  await Promise.allSettled(both.map((worktree) => worktree.fill(OLD)));
  const filled = both.filter(({ folder }) => existsSync(join(folder, 'needs/large')));
  expect(filled).toHaveLength(1);
});

test('where the system cannot say how large a folder is, it is counted', async () => {
  const world = await emulatedGitForTest();
  const { folder } = await openIn(world);
  await writeFile(join(folder, 'large'), Buffer.alloc(MB, 1));
  const said = await bytesOf(folder);
  vi.stubEnv('PATH', folder);
  const counted = await bytesOf(folder).finally(() => vi.unstubAllEnvs());
  expect([counted, counted > MB]).toEqual([said, true]);
});

verifies(
  'CB-5',
  'room that others will free is waited for; what never fits is refused at once',
  async () => {
    const world = await emulatedGitForTest();
    const other = await openIn(world);
    await writeFile(join(other.folder, 'build'), Buffer.alloc(3 * MB, 1));
    const failed = await openIn(world, { limitMb: 2 }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(TransientError);
    expect(failed).toMatchObject({ code: 'disk-full', maxRetryMs: 30 * 60_000 });
    await other.close();
    await openIn(world, { limitMb: 2 });
    await expect(openIn(world, { limitMb: 0 })).rejects.toMatchObject({ retryable: false });
  },
);

/** A repository of another installation. */
async function theirs(
  world: EmulatedGit,
  { id, limitMb = 200 }: { id: number; limitMb?: number },
): Promise<Worktree> {
  const ref = { ...world.ref, installationId: world.ref.installationId + 1, repositoryId: id };
  const name = `theirs-${id}-${limitMb}`;
  return world.git.open(ref, { name, branch: name, sha: world.baseSha, limitMb });
}

async function fill(worktree: Worktree, megabytes: number): Promise<void> {
  await writeFile(join(worktree.folder, 'large'), Buffer.alloc(megabytes * MB, 1));
}

verifies(
  'CB-5',
  'what one installation uses is not counted against another one, nor told to it',
  async () => {
    const world = await emulatedGitForTest();
    await fill(await theirs(world, { id: 901 }), 9);
    await fill(await openIn(world, { limitMb: 4 }), 5);
    const full = openIn(world, { limitMb: 4 });
    await expect(full).rejects.toMatchObject({
      code: 'disk-full',
      retryable: true,
      message: expect.stringMatching(
        /worktrees of this installation use [56] MB, this one needs \d MB more, which is [1-3] MB over the limit of 4 MB$/,
      ) as string,
    });
  },
);

verifies(
  'CB-5',
  'an installation at its limit does not remove what was installed for others',
  async () => {
    const world = await emulatedGitForTest();
    const other = await theirs(world, { id: 901 });
    await keep(other, OLD);
    await other.close();
    await fill(await openIn(world), 3);
    await expect(openIn(world, { limitMb: 2 })).rejects.toMatchObject({ code: 'disk-full' });
    expect(keptOf(world, 901)).toContain(OLD);
  },
);

verifies(
  'CB-5',
  'the operator bounds what a repository allows itself, and a full host names no figure of others',
  async () => {
    const world = await emulatedGitForTest();
    const bounded = { ...world, git: world.another({ totalMb: 12, installationMb: 4 }) };
    await fill(await openIn(bounded), 5);
    await expect(openIn(bounded, { limitMb: 200_000 })).rejects.toMatchObject({
      message: expect.stringContaining('over the limit of 4 MB') as string,
      details: expect.stringContaining('ask the operator') as string,
    });
    await fill(await theirs(bounded, { id: 901 }), 8);
    await expect(theirs(bounded, { id: 902 })).rejects.toMatchObject({
      code: 'disk-full',
      message: expect.stringContaining('over the limit of 4 MB') as string,
    });
    const full = { ...world, git: world.another({ totalMb: 12, installationMb: undefined }) };
    const { message } = (await openIn(full).catch((error: unknown) => error)) as Error;
    expect(message).toContain('the operator gives to all repositories together is full');
    expect(message.match(/\d+ MB/g)).toHaveLength(1);
  },
);
