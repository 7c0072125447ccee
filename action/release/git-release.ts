/** The commits and tags of a release. A release has two commits, because none can name itself. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pinWorkflows } from '../pin-workflows.ts';
import { digestOf, readArtifact, writeBundles } from './artifact.ts';

export interface Source {
  /** Of the event. */
  ref: string;
  /** The default branch. */
  branch: string;
}

export interface Checked {
  kind: 'source' | 'refused';
  version: string;
  /** For people. */
  says: string;
}

export interface Release {
  version: string;
  /** `owner/name`, for the workflows. */
  repository: string;
  /** The folder where the artifact with the bundles is unpacked, outside the sources. */
  artifact: string;
  /** Of the bundles that were verified. */
  digest: string;
}

const VERSION = /^(0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)$/;
const WHO = {
  name: 'github-actions[bot]',
  email: '41898282+github-actions[bot]@users.noreply.github.com',
};

/** The workflow must run on the default branch, whose version must be free. */
export function checkSource(dir: string, { ref, branch }: Source): Checked {
  const version = versionOf(dir);
  const refused = (says: string): Checked => ({ kind: 'refused', version, says });
  if (ref !== `refs/heads/${branch}`)
    return refused(`${ref} is not the default branch. Start the workflow there.`);
  const head = git(dir, ['rev-parse', 'HEAD']);
  if (!isOnBranch(dir, { head, branch }))
    return refused(`The commit ${head} is not on the default branch.`);
  if (git(dir, ['ls-tree', 'HEAD', 'action/review/dist']) !== '')
    return refused('This commit has bundles. Release a commit without them.');
  if (!VERSION.test(version))
    return refused(
      'The version of package.json must be three numbers, such as 1.2.3, to be released.',
    );
  if (git(dir, ['for-each-ref', `refs/tags/v${version}`]) !== '')
    return refused(isReleased(version));
  return { kind: 'source', version, says: `v${version} is built from ${head}.` };
}

/**
 * Commits the bundles of the artifact, then the workflows that name that commit, and makes `v1.2.3` there. `v1` moves there too,
 * but never back from a higher version. Returns what was pushed.
 *
 * @throws Error where the version is released, the bundles are not those that were verified, or a tag was moved since it was read
 */
export async function pushRelease(dir: string, wanted: Release): Promise<string> {
  const { version, repository } = wanted;
  const [, major = ''] = VERSION.exec(version) ?? [];
  if (major === '' || version !== versionOf(dir))
    throw new Error('The version to publish is not the one in package.json.');
  const [own, moving] = [`v${version}`, `v${major}`];
  const before = remoteTags(dir, major);
  if (before.has(own)) throw new Error(isReleased(version));
  const bundles = commitBundles(dir, wanted);
  await pinWorkflows(dir, repository, bundles);
  git(dir, ['add', '--', '.github/workflows']);
  const release = commit(dir, `build: ${own}`);
  const higher = highestAbove(version, before.keys());
  const tags = higher === undefined ? [own, moving] : [own];
  // An empty lease lets a tag be made, and none be moved.
  const leases = tags.map((tag) => `--force-with-lease=refs/tags/${tag}:${before.get(tag) ?? ''}`);
  const refs = tags.map((tag) => `${release}:refs/tags/${tag}`);
  git(dir, ['push', '--atomic', ...leases, 'origin', ...refs]);
  const names = `its workflows name ${bundles}.`;
  if (higher === undefined) return `${own} and ${moving} are ${release}; ${names}`;
  return `${own} is ${release}; ${names} ${moving} was not moved, because ${higher} is released.`;
}

function commitBundles(dir: string, { version, artifact, digest }: Release): string {
  const files = readArtifact(artifact, dir);
  if (digestOf(files) !== digest)
    throw new Error('The bundles of the artifact are not the bytes that were verified.');
  writeBundles(dir, files);
  git(dir, ['add', '--force', '--', ...files.map(({ file }) => path.posix.join('action', file))]);
  return commit(dir, `build: bundles of v${version}`);
}

function isReleased(version: string): string {
  return `v${version} is released already. Raise the version in package.json.`;
}

function versionOf(dir: string): string {
  const about: unknown = JSON.parse(readFileSync(path.join(dir, 'package.json'), 'utf8'));
  const version: unknown = Reflect.get(Object(about), 'version');
  return typeof version === 'string' ? version : '';
}

function isOnBranch(dir: string, { head, branch }: { head: string; branch: string }): boolean {
  const name = `refs/remotes/origin/${branch}`;
  return git(dir, ['for-each-ref', '--contains', head, '--format=%(refname)', name]) === name;
}

/** The tags of a major version at the server, and the object that each of them names. */
function remoteTags(dir: string, major: string): Map<string, string> {
  const patterns = [`refs/tags/v${major}`, `refs/tags/v${major}.*`];
  const lines = git(dir, ['ls-remote', 'origin', ...patterns]).split('\n');
  return new Map(
    lines.map((line) => {
      const [at = '', ref = ''] = line.split('\t');
      return [ref.replace(/^refs\/tags\//, ''), at];
    }),
  );
}

/** The highest tag of a version above this one. */
function highestAbove(version: string, tags: Iterable<string>): string | undefined {
  const others = [...tags].filter((tag) => tag.startsWith('v') && VERSION.test(tag.slice(1)));
  return others
    .filter((tag) => byNumbers(tag, `v${version}`) > 0)
    .toSorted(byNumbers)
    .at(-1);
}

function byNumbers(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

function commit(dir: string, message: string): string {
  const { name, email } = WHO;
  git(dir, ['-c', `user.name=${name}`, '-c', `user.email=${email}`, 'commit', '-qm', message]);
  return git(dir, ['rev-parse', 'HEAD']);
}

function git(dir: string, args: readonly string[]): string {
  return execFileSync('git', [...args], { cwd: dir, encoding: 'utf8', stdio: 'pipe' }).trim();
}
