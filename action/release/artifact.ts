/**
 * The bundles that the job `build` hands over. That job runs packages, so the artifact may have anything in it. It is unpacked
 * outside the sources, and only files of bundles are taken from it.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  type Dirent,
} from 'node:fs';
import path from 'node:path';

export interface BundleFile {
  /** `<action>/dist/<name>`. */
  file: string;
  bytes: Buffer;
}

/** Without folders and hidden files, such as `.gitattributes`. */
const PLAIN_NAME = /^\w[\w.-]{0,199}$/;

/**
 * All files of an artifact, in order. `dir` has the sources, whose actions may have a bundle.
 *
 * @throws Error for a link, and for every file that is not in the bundle of an action
 */
export function readArtifact(artifact: string, dir: string): BundleFile[] {
  const files = entriesBelow(artifact).map((entry) => {
    const from = path.join(entry.parentPath, entry.name);
    const file = path.relative(artifact, from);
    if (!entry.isFile() || !isOfBundle(file, dir)) throw unexpected(file);
    return { file, bytes: readFileSync(from) };
  });
  if (files.length === 0) throw new Error('The artifact has no bundles.');
  return files.toSorted(byPath);
}

/** SHA-256 of the paths and bytes of all files, in any order. */
export function digestOf(files: readonly BundleFile[]): string {
  const hash = createHash('sha256');
  for (const { file, bytes } of files.toSorted(byPath))
    hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  return hash.digest('hex');
}

/** Below `action`. @throws Error where one of the files is there already */
export function writeBundles(dir: string, files: readonly BundleFile[]): void {
  for (const { file, bytes } of files) {
    const to = path.join(dir, 'action', file);
    mkdirSync(path.dirname(to), { recursive: true });
    writeFileSync(to, bytes, { flag: 'wx' });
  }
}

/** All but folders. Links are not followed: an entry says what it is itself. */
function entriesBelow(dir: string): Dirent[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? entriesBelow(path.join(dir, entry.name)) : [entry],
  );
}

function isOfBundle(file: string, dir: string): boolean {
  const [action = '', dist, name = '', ...deeper] = file.split('/');
  const isAction = existsSync(path.join(dir, 'action', action, 'action.yml'));
  return isAction && dist === 'dist' && PLAIN_NAME.test(name) && deeper.length === 0;
}

function byPath(one: BundleFile, other: BundleFile): number {
  return one.file < other.file ? -1 : 1;
}

/** As JSON, so that no name begins a line of its own in the log. */
function unexpected(file: string): Error {
  return new Error(
    `The artifact has ${JSON.stringify(file)}, which is not allowed. It may have only regular files <action>/dist/<file name>, for actions of this commit.`,
  );
}
