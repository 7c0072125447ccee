/** The working tree as a place for `quorum init`: every write is checked first, and made whole or not at all. */
import { lstat, mkdir, readFile, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { simpleGit, type SimpleGit } from 'simple-git';
import { ConfigError, RefusedError } from '../../../domain/event/errors.ts';
import type { FileChange } from '../../../domain/setup/plan-steps.ts';
import { sealOf } from '../../../domain/setup/seal.ts';
import type { SetupLook, SetupTarget } from '../../../ports/setup-target.ts';
import { toFullName } from '../git-tree.ts';

const MAX_FILE_BYTES = 1_000_000;
const MAX_FILES = 100_000;

/** The top of the repository that `dir` is in. ConfigError `not-a-repository`. */
export async function openDiskTarget(dir: string): Promise<SetupTarget & { root: string }> {
  const root = await findTop(dir);
  const git = simpleGit(root);
  return {
    root,
    look: (wanted, also = []) => look(git, root, { wanted, also }),
    apply: async ({ steps }) => {
      await assertWritable(root, steps);
      await assertCommitted(git, steps);
      await writeAll(root, steps);
      return { kind: 'written' };
    },
  };
}

async function findTop(dir: string): Promise<string> {
  const top = await quietly(simpleGit(dir), ['rev-parse', '--show-toplevel']);
  if (top !== '') return top;
  throw new ConfigError({
    code: 'not-a-repository',
    message: `${dir} is not in a git working tree. Run git init first, or name a repository with --dir.`,
  });
}

/** Output without the last line end; empty where git fails. */
async function quietly(git: SimpleGit, args: string[]): Promise<string> {
  try {
    return (await git.raw(args)).trim();
  } catch {
    return '';
  }
}

interface Looking {
  wanted: (path: string) => boolean;
  also: readonly string[];
}

async function look(git: SimpleGit, root: string, { wanted, also }: Looking): Promise<SetupLook> {
  const listed = await git.raw(['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  const found = await Promise.all(also.map((each) => findOnDisk(root, each)));
  const all = [...new Set([...listed.split('\0'), ...found])];
  const paths = all.filter((each) => each !== '').toSorted();
  const texts = new Map<string, string>();
  const notFiles: string[] = [];
  const there: string[] = [];
  for (const each of paths.slice(0, MAX_FILES)) {
    if (!wanted(each)) {
      there.push(each);
      continue;
    }
    const facts = await lstat(path.join(root, each)).catch(() => undefined);
    // In the index, and deleted on disk.
    if (facts === undefined) continue;
    there.push(each);
    if (!facts.isFile()) notFiles.push(each);
    else if (facts.size <= MAX_FILE_BYTES)
      texts.set(each, await readFile(path.join(root, each), 'utf8'));
  }
  const remote = await quietly(git, ['config', '--get', 'remote.origin.url']);
  const head = await quietly(git, ['symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD']);
  return {
    repository: toFullName(remote, root),
    defaultBranch: head.replace(/^refs\/remotes\/origin\//, '') || undefined,
    paths: there,
    texts,
    notFiles,
    hasApp: undefined,
  };
}

/** The path, or the first one above it that is no folder; empty where nothing is there. */
async function findOnDisk(root: string, file: string): Promise<string> {
  const parts = file.split('/');
  for (const [index] of parts.entries()) {
    const at = parts.slice(0, index + 1).join('/');
    const facts = await lstat(path.join(root, at)).catch(() => undefined);
    if (facts === undefined) return '';
    if (!facts.isDirectory()) return at;
  }
  return file;
}

/** No target and no folder above it may be a link, and no folder's place may be taken: a write would land elsewhere. */
async function assertWritable(root: string, steps: readonly FileChange[]): Promise<void> {
  for (const step of steps) {
    const parts = step.path.split('/');
    for (const [index] of parts.entries()) {
      const at = parts.slice(0, index + 1).join('/');
      const facts = await lstat(path.join(root, at)).catch(() => undefined);
      const isLast = index === parts.length - 1;
      if (facts === undefined) continue;
      if (facts.isSymbolicLink()) throw pathRefused(at, 'is a symbolic link');
      if (isLast && !facts.isFile()) throw pathRefused(at, 'is not a file');
      if (!isLast && !facts.isDirectory()) throw pathRefused(at, 'is not a folder');
    }
    await assertAsRead(root, step);
  }
}

/** Somebody may have changed it since it was read, at a prompt that waits for minutes. */
async function assertAsRead(root: string, step: FileChange): Promise<void> {
  const now = await readFile(path.join(root, step.path), 'utf8').catch(() => undefined);
  if (step.kind === 'create' && now !== undefined)
    throw pathRefused(step.path, 'is there, but git ignores it');
  if (step.kind !== 'create' && now !== step.before)
    throw pathRefused(step.path, 'changed in the meantime');
}

function pathRefused(at: string, why: string): RefusedError {
  return new RefusedError({
    code: 'path-refused',
    message: `${at} ${why}. Nothing was written.`,
    details: 'Move it away or replace it with a plain file, then run the command again.',
  });
}

/** A person's edits that no commit has would be lost. */
async function assertCommitted(git: SimpleGit, steps: readonly FileChange[]): Promise<void> {
  const edited = steps.filter(
    (step) =>
      step.kind !== 'create' &&
      sealOf(step.before) !== 'intact' &&
      !(step.kind === 'delete' && step.isShipped === true),
  );
  if (edited.length === 0) return;
  const changed = await git.raw(['status', '--porcelain', '--', ...edited.map((one) => one.path)]);
  const [first] = changed.split('\n').filter((line) => line !== '');
  if (first === undefined) return;
  throw new RefusedError({
    code: 'tree-dirty',
    message: `${first.slice(3)} has changes that no commit has. Nothing was written.`,
    details: 'Commit or stash them, then run the command again.',
  });
}

async function writeAll(root: string, steps: readonly FileChange[]): Promise<void> {
  const done: FileChange[] = [];
  try {
    for (const step of steps) {
      await writeStep(root, step);
      done.push(step);
    }
  } catch (error) {
    for (const step of done.toReversed()) await writeStep(root, undo(step));
    throw error;
  }
}

function undo(step: FileChange): FileChange {
  if (step.kind === 'create') return { kind: 'delete', path: step.path, before: step.after };
  if (step.kind === 'delete') return { kind: 'create', path: step.path, after: step.before };
  return { ...step, before: step.after, after: step.before };
}

async function writeStep(root: string, step: FileChange): Promise<void> {
  const target = path.join(root, step.path);
  if (step.kind === 'delete') {
    await rm(target);
    await removeEmpty(root, path.dirname(target));
    return;
  }
  await mkdir(path.dirname(target), { recursive: true });
  const draft = `${target}.quorum-new`;
  // Of a run that was ended between these two.
  await rm(draft, { force: true });
  await writeFile(draft, step.after, { flag: 'wx' });
  await rename(draft, target);
}

async function removeEmpty(root: string, folder: string): Promise<void> {
  if (folder === root || (await readdir(folder)).length > 0) return;
  await rmdir(folder);
  await removeEmpty(root, path.dirname(folder));
}
