/** A release in a repository of its own with a server beside it: its commits, its tags, and what refuses it. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { digestOf, readArtifact } from '../../action/release/artifact.ts';
import { checkSource, pushRelease } from '../../action/release/git-release.ts';
import { workflowErrors } from '../helpers/workflow-parser.ts';

const RELEASE = '.github/workflows/release.yml';
const MAIN = { ref: 'refs/heads/main', branch: 'main' };
const SCRIPTS = path.resolve('action/release');

interface Clone {
  dir: string;
  /** Where the artifact is unpacked, outside the clone. */
  artifact: string;
  git: (...args: string[]) => string;
  /** At the server: the commit, or nothing. */
  tag: (name: string) => string;
}

function aClone(): Clone {
  const root = mkdtempSync(path.join(os.tmpdir(), 'quorum-release-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [server, dir] = [path.join(root, 'server'), path.join(root, 'clone')];
  const artifact = path.join(root, 'bundles');
  const run = (cwd: string, args: readonly string[]): string =>
    execFileSync('git', [...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  run(root, ['init', '-q', '--bare', '-b', 'main', server]);
  run(root, ['clone', '-q', server, dir]);
  const git = (...args: string[]): string => run(dir, args).trim();
  git('config', 'user.name', 'Ana');
  git('config', 'user.email', 'ana@example.test');
  git('checkout', '-q', '-b', 'main');
  cpSync('.github/workflows', path.join(dir, '.github/workflows'), { recursive: true });
  writeFileSync(path.join(dir, 'package.json'), '{ "version": "1.2.3" }\n');
  writeFileSync(path.join(dir, '.gitignore'), 'dist/\n');
  write(dir, 'action/review/action.yml', 'name: review\n');
  write(dir, 'action/release/push-release.ts', TRUSTED);
  git('add', '.');
  git('commit', '-qm', 'first');
  git('push', '-q', 'origin', 'main');
  const tag = (name: string): string =>
    run(dir, ['ls-remote', server, `refs/tags/${name}`]).split('\t')[0] ?? '';
  write(artifact, 'review/dist/index.js', 'export {};\n');
  return { dir, artifact, git, tag };
}

const TRUSTED = '// of the commit\n';

function write(root: string, file: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}

/** Pushes what the artifact has now, as `verify` would have found it. */
async function push({ dir, artifact, git }: Clone, version = '1.2.3'): Promise<string> {
  git('checkout', '-q', '--detach');
  const digest = digestOf(readArtifact(artifact, dir));
  return pushRelease(dir, { version, repository: 'acme/quorum', artifact, digest });
}

/** Raises the version on the default branch and releases it. */
async function releaseNext(clone: Clone, version: string): Promise<string> {
  clone.git('checkout', '-q', 'main');
  commitVersion(clone, version);
  clone.git('push', '-q', 'origin', 'main');
  return push(clone, version);
}

describe('a release', () => {
  test('is two commits behind the tags of its version, and no branch has them', async () => {
    const clone = aClone();
    const { dir, git, tag } = clone;
    const source = git('rev-parse', 'HEAD');
    expect(checkSource(dir, MAIN)).toMatchObject({ kind: 'source', version: '1.2.3' });
    await push(clone);
    const release = tag('v1.2.3');
    expect([release, tag('v1')]).toEqual([git('rev-parse', 'HEAD'), release]);
    const [bundles = ''] = git('rev-list', `${release}^`).split('\n');
    expect(git('rev-parse', `${bundles}^`)).toBe(source);
    expect(git('diff', '--name-only', source, bundles)).toBe('action/review/dist/index.js');
    const pinned = git('show', `${release}:.github/workflows/quorum.yml`);
    expect(pinned).toContain(`uses: acme/quorum/action/review@${bundles}`);
    expect(pinned).not.toContain('replace-this-with');
    expect(git('ls-remote', '--heads', 'origin').split('\n')).toEqual([
      `${source}\trefs/heads/main`,
    ]);
    expect(checkSource(dir, MAIN)).toMatchObject({
      kind: 'refused',
      says: expect.stringContaining('is not on the default branch') as string,
    });
  });

  test('moves the major tag from an earlier release', async () => {
    const clone = aClone();
    const { git, tag } = clone;
    git('tag', '-a', 'v1', '-m', 'earlier');
    git('push', '-q', 'origin', 'v1');
    await push(clone);
    const release = git('rev-parse', 'HEAD');
    expect([tag('v1.2.3'), tag('v1')]).toEqual([release, release]);
    await releaseNext(clone, '1.10.0');
    expect(tag('v1')).toBe(tag('v1.10.0'));
    expect(tag('v1.2.3')).toBe(release);
  });

  test('leaves the major tag where a higher version of it is released, and says so', async () => {
    const clone = aClone();
    await releaseNext(clone, '2.0.0');
    await releaseNext(clone, '1.10.0');
    const before = clone.tag('v1.10.0');
    // Higher by its text, lower by its numbers.
    expect(await releaseNext(clone, '1.9.1')).toContain(
      'v1 was not moved, because v1.10.0 is released.',
    );
    expect(clone.tag('v1.9.1')).toBe(clone.git('rev-parse', 'HEAD'));
    expect(clone.tag('v1')).toBe(before);
    // Names that are no version hold nothing back.
    clone.git('push', '-q', 'origin', 'main:refs/tags/v1.99', 'main:refs/tags/v1.99.0-rc');
    await releaseNext(clone, '1.10.1');
    expect(clone.tag('v1')).toBe(clone.tag('v1.10.1'));
  });

  test('is not pushed again under a version that the server has, on the same commit or a later one', async () => {
    const clone = aClone();
    await push(clone);
    const released = clone.tag('v1.2.3');
    const already = 'v1.2.3 is released already. Raise the version in package.json.';
    await expect(releaseNext(clone, '1.2.3')).rejects.toThrow(already);
    clone.git('checkout', '-q', '--detach', 'main^');
    await expect(push(clone)).rejects.toThrow(already);
    expect([clone.tag('v1.2.3'), clone.tag('v1')]).toEqual([released, released]);
  });

  test.each([
    ['the workflow was started on its tag', { ref: 'refs/tags/v1.2.3' }, () => undefined],
    ['the workflow was started on another branch', { ref: 'refs/heads/next' }, () => undefined],
    ['the default branch is not known', { ref: 'refs/heads/', branch: '' }, () => undefined],
    ['its version is not three numbers', {}, (clone: Clone) => commitVersion(clone, '1.3.0-rc')],
    ['the commit has bundles', {}, mergeBundles],
    [
      'the commit is not on the default branch',
      {},
      (clone: Clone) => commitVersion(clone, '1.2.3 '),
    ],
    ['the version is released already', {}, releaseEarlier],
    ['a tag has the version already', {}, ({ git }: Clone) => git('tag', 'v1.2.3')],
  ] as const)('is refused where %s', (_, over, change) => {
    const clone = aClone();
    change(clone);
    expect(checkSource(clone.dir, { ...MAIN, ...over }).kind).toBe('refused');
  });

  test('pushes no tag where one of them was moved meanwhile', async () => {
    const clone = aClone();
    const { dir, git, tag } = clone;
    const source = git('rev-parse', 'HEAD');
    // Somebody makes the major tag between the look at it and the push.
    const hook = path.join(dir, '.git/hooks/pre-push');
    writeFileSync(hook, `#!/bin/sh\ngit push -q --no-verify origin ${source}:refs/tags/v1\n`, {
      mode: 0o755,
    });
    await expect(push(clone)).rejects.toThrow('failed to push');
    expect([tag('v1.2.3'), tag('v1')]).toEqual(['', source]);
  });
});

describe('the artifact of a release', () => {
  test.each([
    ['a script of the release', 'release/push-release.ts'],
    ['a script beside the actions', 'pin-workflows.ts'],
    ['a bundle of an action that this commit does not have', 'other/dist/index.js'],
    ['a bundle in a folder that is no action', 'release/dist/index.js'],
    ['a file of an action outside its bundle', 'review/action.yml'],
    ['a folder beside a bundle', 'review/other/index.js'],
    ['a folder in a bundle', 'review/dist/nested/index.js'],
    ['a hidden file in a bundle', 'review/dist/.gitattributes'],
    ['a name with a line end', 'review/dist/a\n::error::b.js'],
  ])('is refused with %s, and nothing is copied or pushed', async (_, file) => {
    const clone = aClone();
    write(clone.artifact, file, 'hostile\n');
    await expectRefused(clone, file);
  });

  test.each([
    ['a link in a bundle', 'review/dist/link.js', 'index.js'],
    ['a link in place of a bundle', 'sweep/dist', '../review/dist'],
    ['a link in place of an action', 'sweep', 'review'],
  ])('is refused with %s, and nothing is copied or pushed', async (_, file, target) => {
    const clone = aClone();
    write(clone.dir, 'action/sweep/action.yml', 'name: sweep\n');
    mkdirSync(path.dirname(path.join(clone.artifact, file)), { recursive: true });
    symlinkSync(target, path.join(clone.artifact, file));
    await expectRefused(clone, file);
  });

  test('is refused without bundles', async () => {
    const clone = aClone();
    rmSync(path.join(clone.artifact, 'review/dist/index.js'));
    await expect(push(clone)).rejects.toThrow('The artifact has no bundles');
  });

  test('is refused where a byte or a name is not what was verified', async () => {
    const clone = aClone();
    const digest = digestOf(readArtifact(clone.artifact, clone.dir));
    const index = path.join(clone.artifact, 'review/dist/index.js');
    for (const change of [
      () => writeFileSync(index, 'export  {}\n'),
      () => write(clone.artifact, 'review/dist/more.js', ''),
      () => rmSync(index),
    ]) {
      change();
      await expect(pushAs(clone, digest)).rejects.toThrow('not the bytes that were verified');
    }
    await expect(pushAs(clone, '')).rejects.toThrow('not the bytes that were verified');
    expectNothingDone(clone);
  });

  test('has one digest for its files, and another one where bytes move from one file to the next', () => {
    const files = (one: string, other: string) => [
      { file: 'a/dist/a', bytes: Buffer.from(one) },
      { file: 'a/dist/b', bytes: Buffer.from(other) },
    ];
    expect(digestOf(files('x', 'y').toReversed())).toBe(digestOf(files('x', 'y')));
    const all = [files('xy', ''), files('', 'xy'), files('x', 'y')];
    // One file whose bytes look like the end of one and the whole of the next.
    for (const next of ['a/dist/by', 'a/dist/b\0y', 'a/dist/b\0\0y', 'a/dist/b\u{0}1\0y'])
      all.push(files(`x${next}`, '').slice(0, 1));
    expect(new Set(all.map(digestOf)).size).toBe(all.length);
  });
});

async function pushAs({ dir, artifact }: Clone, digest: string): Promise<string> {
  return pushRelease(dir, { version: '1.2.3', repository: 'acme/quorum', artifact, digest });
}

async function expectRefused(clone: Clone, file: string): Promise<void> {
  const says = `The artifact has ${JSON.stringify(file)}, `;
  expect(() => readArtifact(clone.artifact, clone.dir)).toThrow(says);
  await expect(pushAs(clone, '')).rejects.toThrow(says);
  expectNothingDone(clone);
}

function expectNothingDone({ dir, git, tag }: Clone): void {
  expect(existsSync(path.join(dir, 'action/review/dist'))).toBe(false);
  expect(readFileSync(path.join(dir, 'action/release/push-release.ts'), 'utf8')).toBe(TRUSTED);
  expect(git('rev-parse', 'HEAD')).toBe(git('rev-parse', 'origin/main'));
  expect([tag('v1.2.3'), tag('v1')]).toEqual(['', '']);
}

describe('the scripts of a release', () => {
  test('hand the digest from one job to the next, and the tags are pushed', () => {
    const clone = aClone();
    const env = { GITHUB_REF: MAIN.ref, DEFAULT_BRANCH: MAIN.branch };
    const { version } = runScript(clone, 'check-source.ts', env);
    expect(version).toBe('1.2.3');
    const { digest } = runScript(clone, 'copy-bundles.ts', {});
    expect(digest).toBe(digestOf(readArtifact(clone.artifact, clone.dir)));
    expect(readFileSync(path.join(clone.dir, 'action/review/dist/index.js'), 'utf8')).toBe(
      'export {};\n',
    );
    // `publish` has a checkout of its own.
    rmSync(path.join(clone.dir, 'action/review/dist'), { recursive: true });
    const wanted = { VERSION: version, GITHUB_REPOSITORY: 'acme/quorum' };
    expect(() => runScript(clone, 'push-release.ts', wanted)).toThrow('were verified');
    expect(clone.tag('v1.2.3')).toBe('');
    runScript(clone, 'push-release.ts', { ...wanted, DIGEST: digest });
    expect(clone.tag('v1.2.3')).toBe(clone.git('rev-parse', 'HEAD'));
  });

  test('end with an error for another ref than the default branch', () => {
    const env = { GITHUB_REF: 'refs/tags/v1.2.3', DEFAULT_BRANCH: MAIN.branch };
    expect(() => runScript(aClone(), 'check-source.ts', env)).toThrow('Command failed');
  });
});

/** In the clone, as a step of a job. Returns its outputs. */
function runScript(
  { dir, artifact }: Clone,
  name: string,
  env: Record<string, string | undefined>,
): Record<string, string> {
  const output = `${artifact}.output`;
  writeFileSync(output, '');
  execFileSync(process.execPath, [path.join(SCRIPTS, name)], {
    cwd: dir,
    env: { ...process.env, BUNDLES: artifact, GITHUB_OUTPUT: output, DIGEST: '', ...env },
    stdio: 'pipe',
  });
  const lines = readFileSync(output, 'utf8').split('\n').filter(Boolean);
  return Object.fromEntries(lines.map((line) => line.split('=')));
}

function commitVersion({ dir, git }: Clone, version: string): void {
  writeFileSync(path.join(dir, 'package.json'), `{ "version": "${version.trim()}" }\n`);
  git('commit', '-q', '--allow-empty', '-am', 'more');
}

function mergeBundles({ dir, git }: Clone): void {
  write(dir, 'action/review/dist/index.js', '');
  git('add', '--force', 'action');
  git('commit', '-qm', 'bundles');
  git('push', '-q', 'origin', 'main');
}

function releaseEarlier(clone: Clone): void {
  clone.git('tag', 'v1.2.3');
  commitVersion(clone, '1.2.3');
  clone.git('push', '-q', 'origin', 'main');
}

describe('the workflow of a release', () => {
  const text = readFileSync(RELEASE, 'utf8');

  test('has no error for the parser of GitHub', async () => {
    expect(await workflowErrors(text)).toEqual([]);
    expect(await workflowErrors(text.replace('runs-on:', 'runs-onn:'))).not.toEqual([]);
  });

  interface Step {
    id?: string;
    uses?: string;
    run?: string;
    with?: Record<string, unknown>;
    env?: Record<string, unknown>;
  }
  const { on, jobs } = parse(text) as {
    on: object;
    jobs: Record<string, { outputs?: object; steps: Step[] }>;
  };
  const stepsOf = (job: string): Step[] => jobs[job]?.steps ?? [];

  test('is started by hand alone', () => {
    expect(Object.keys(on)).toEqual(['workflow_dispatch']);
  });

  test('unpacks an artifact outside the sources, and takes it from there', () => {
    const folder = '${{ runner.temp }}/bundles';
    for (const job of ['verify', 'publish']) {
      const steps = stepsOf(job);
      const unpacked = steps.filter(({ uses = '' }) => uses.includes('/download-artifact@'));
      expect(unpacked.map((step) => step.with?.['path'])).toEqual([folder]);
      const taken = steps.filter(({ env }) => env?.['BUNDLES'] !== undefined);
      expect(taken.map(({ env }) => env?.['BUNDLES'])).toEqual([folder]);
    }
  });

  test('takes the digest before `verify` runs a package, and gives it to `publish`', () => {
    const runs = stepsOf('verify').flatMap(({ run = [] }) => run);
    expect(runs.slice(0, 2)).toEqual([
      'node action/release/copy-bundles.ts',
      'npm ci --no-audit --no-fund',
    ]);
    expect(jobs['verify']?.outputs).toEqual({ digest: '${{ steps.bundles.outputs.digest }}' });
    const copied = stepsOf('verify').find(({ id }) => id === 'bundles');
    expect(copied?.run).toBe(runs[0]);
    const pushed = stepsOf('publish').find(({ run }) => run !== undefined);
    expect(pushed?.env?.['DIGEST']).toBe('${{ needs.verify.outputs.digest }}');
  });

  test('gives no job a token that writes, and the secret to the job alone that runs no package', () => {
    expect(text).not.toMatch(/:\s*write\b/);
    const parts = text.split(/^ {2}(?=\w+:$)/m);
    const secret = parts.filter((job) => job.includes('secrets.'));
    expect(secret.map((job) => job.split(':')[0])).toEqual(['publish']);
    expect(secret.join('')).not.toMatch(/\bnp[mx]\b/);
  });

  test('puts no expression into a script', () => {
    const scripts = text.matchAll(/run: \|\n((?: {10}.*\n)+)|run: (.+)/g);
    const all = Array.from(scripts, ([, block = '', line = '']) => block + line);
    expect(all.length).toBeGreaterThan(4);
    expect(all.filter((script) => script.includes('${{'))).toEqual([]);
  });
});
