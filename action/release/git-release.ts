/** The commits and tags of a release. A release has two commits, because none can name itself. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pinWorkflows } from '../pin-workflows.ts';
import { bundleFiles } from './bundle-files.ts';

export interface Source {
  /** Of the event, such as `refs/tags/v1.2.3` or a branch. */
  ref: string;
  /** The default branch. */
  branch: string;
}

export interface Checked {
  /** `released`: the commit has bundles, so it is a release already. */
  kind: 'source' | 'released' | 'refused';
  version: string;
  /** For people. */
  says: string;
}

const VERSION = /^(0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)$/;
const WHO = {
  name: 'github-actions[bot]',
  email: '41898282+github-actions[bot]@users.noreply.github.com',
};

/** The checked out commit must be on the default branch, and its version must be the one of the tag and be free. */
export function checkSource(dir: string, { ref, branch }: Source): Checked {
  const version = versionOf(dir);
  const told = (kind: Checked['kind'], says: string): Checked => ({ kind, version, says });
  if (git(dir, ['ls-tree', 'HEAD', 'action/review/dist']) !== '')
    return told('released', 'This commit is a release already. There is nothing to do.');
  if (!VERSION.test(version))
    return told('refused', 'The version of package.json is not released.');
  if (ref.startsWith('refs/tags/') && ref !== `refs/tags/v${version}`)
    return told('refused', `The tag is not v${version}, which is the version of package.json.`);
  const head = git(dir, ['rev-parse', 'HEAD']);
  if (!isOnBranch(dir, { head, branch }))
    return told('refused', `The commit ${head} is not on the default branch.`);
  const tagged = commitOfTag(dir, version);
  if (tagged !== undefined && tagged !== head)
    return told('refused', `v${version} is released. Raise the version in package.json.`);
  return told('source', `v${version} is built from ${head}.`);
}

/**
 * Commits the bundles in `action`, then the workflows that name that commit, and moves `v1.2.3` and `v1` there. Returns what
 * was pushed.
 *
 * @throws Error where a tag was moved since it was read, or a version is no version
 */
export async function pushRelease(
  dir: string,
  { version, repository }: { version: string; repository: string },
): Promise<string> {
  const [, major = ''] = VERSION.exec(version) ?? [];
  if (major === '' || version !== versionOf(dir))
    throw new Error('Name the version of package.json');
  const before = [`v${version}`, `v${major}`].map((tag) => ({ tag, at: remoteTag(dir, tag) }));
  const files = bundleFiles(path.join(dir, 'action')).map((file) =>
    path.posix.join('action', file),
  );
  if (files.length === 0) throw new Error('There are no bundles');
  git(dir, ['add', '--force', '--', ...files]);
  const bundles = commit(dir, `build: bundles of v${version}`);
  await pinWorkflows(dir, repository, bundles);
  git(dir, ['add', '--', '.github/workflows']);
  const release = commit(dir, `build: v${version}`);
  const leases = before.map(({ tag, at }) => `--force-with-lease=refs/tags/${tag}:${at}`);
  const refs = before.map(({ tag }) => `${release}:refs/tags/${tag}`);
  git(dir, ['push', '--atomic', ...leases, 'origin', ...refs]);
  return `v${version} and v${major} are ${release}; its workflows name ${bundles}.`;
}

function versionOf(dir: string): string {
  const about: unknown = JSON.parse(readFileSync(path.join(dir, 'package.json'), 'utf8'));
  const version: unknown = Reflect.get(Object(about), 'version');
  return typeof version === 'string' ? version : '';
}

function commitOfTag(dir: string, version: string): string | undefined {
  const found = git(dir, ['for-each-ref', '--format=%(objectname)', `refs/tags/v${version}`]);
  return found === '' ? undefined : git(dir, ['rev-parse', `refs/tags/v${version}^{commit}`]);
}

function isOnBranch(dir: string, { head, branch }: { head: string; branch: string }): boolean {
  const name = `refs/remotes/origin/${branch}`;
  return git(dir, ['for-each-ref', '--contains', head, '--format=%(refname)', name]) === name;
}

/** The object that a tag names at the server; empty without such a tag. */
function remoteTag(dir: string, tag: string): string {
  return git(dir, ['ls-remote', 'origin', `refs/tags/${tag}`]).split('\t')[0] ?? '';
}

function commit(dir: string, message: string): string {
  const { name, email } = WHO;
  git(dir, ['-c', `user.name=${name}`, '-c', `user.email=${email}`, 'commit', '-qm', message]);
  return git(dir, ['rev-parse', 'HEAD']);
}

function git(dir: string, args: readonly string[]): string {
  return execFileSync('git', [...args], { cwd: dir, encoding: 'utf8', stdio: 'pipe' }).trim();
}
