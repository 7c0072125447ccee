/** A release in a repository of its own with a server beside it: its commits, its tags, and what refuses it. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkSource, pushRelease } from '../../action/release/git-release.ts';
import { workflowErrors } from '../helpers/workflow-parser.ts';

const RELEASE = '.github/workflows/release.yml';
const MAIN = { ref: 'refs/heads/main', branch: 'main' };
const TAGGED = { ref: 'refs/tags/v1.2.3', branch: 'main' };
const WANTED = { version: '1.2.3', repository: 'acme/quorum' };

interface Clone {
  dir: string;
  git: (...args: string[]) => string;
  /** At the server: the commit, or nothing. */
  tag: (name: string) => string;
}

function aClone(): Clone {
  const root = mkdtempSync(path.join(os.tmpdir(), 'quorum-release-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [server, dir] = [path.join(root, 'server'), path.join(root, 'clone')];
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
  git('add', '.');
  git('commit', '-qm', 'first');
  git('push', '-q', 'origin', 'main');
  const tag = (name: string): string =>
    run(dir, ['ls-remote', server, `refs/tags/${name}`]).split('\t')[0] ?? '';
  return { dir, git, tag };
}

function build({ dir }: Clone, text = 'export {};\n'): void {
  const dist = path.join(dir, 'action/review/dist');
  mkdirSync(dist, { recursive: true });
  writeFileSync(path.join(dist, 'index.js'), text);
}

describe('a release', () => {
  test('is two commits behind the tags of its version, and no branch has them', async () => {
    const clone = aClone();
    const { dir, git, tag } = clone;
    const source = git('rev-parse', 'HEAD');
    expect(checkSource(dir, MAIN)).toMatchObject({ kind: 'source', version: '1.2.3' });
    build(clone);
    await pushRelease(dir, WANTED);
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
    // The tag that was pushed starts the workflow once more.
    expect(checkSource(dir, TAGGED).kind).toBe('released');
  });

  test('replaces the tag of the person who began it, and moves the major tag of an earlier one', async () => {
    const clone = aClone();
    const { dir, git, tag } = clone;
    git('tag', '-a', 'v1', '-m', 'earlier');
    git('tag', '-a', 'v1.2.3', '-m', 'this one');
    git('push', '-q', 'origin', 'v1', 'v1.2.3');
    expect(checkSource(dir, TAGGED).kind).toBe('source');
    build(clone);
    await pushRelease(dir, WANTED);
    const release = git('rev-parse', 'HEAD');
    expect([tag('v1.2.3'), tag('v1')]).toEqual([release, release]);
  });

  test.each([
    ['the tag has another version', { ref: 'refs/tags/v1.2.4' }, () => undefined],
    [
      'its version is none that is released',
      {},
      (clone: Clone) => commitVersion(clone, '1.3.0-rc'),
    ],
    [
      'the commit is not on the default branch',
      {},
      (clone: Clone) => commitVersion(clone, '1.2.3 '),
    ],
    ['the version is released already', {}, releaseEarlier],
  ] as const)('is refused where %s', (_, over, change) => {
    const clone = aClone();
    change(clone);
    expect(checkSource(clone.dir, { ...MAIN, ...over }).kind).toBe('refused');
  });

  test('pushes no tag where one of them was moved meanwhile', async () => {
    const clone = aClone();
    const { dir, git, tag } = clone;
    const source = git('rev-parse', 'HEAD');
    build(clone);
    // Somebody makes the major tag between the look at it and the push.
    const hook = path.join(dir, '.git/hooks/pre-push');
    writeFileSync(hook, `#!/bin/sh\ngit push -q --no-verify origin ${source}:refs/tags/v1\n`, {
      mode: 0o755,
    });
    await expect(pushRelease(dir, WANTED)).rejects.toThrow('failed to push');
    expect([tag('v1.2.3'), tag('v1')]).toEqual(['', source]);
  });

  test('is refused without bundles', async () => {
    const { dir } = aClone();
    mkdirSync(path.join(dir, 'action'));
    await expect(pushRelease(dir, WANTED)).rejects.toThrow('There are no bundles');
  });
});

function commitVersion({ dir, git }: Clone, version: string): void {
  writeFileSync(path.join(dir, 'package.json'), `{ "version": "${version.trim()}" }\n`);
  git('commit', '-q', '--allow-empty', '-am', 'more');
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

  test('gives no job a token that writes, and the secret to the job alone that runs no package', () => {
    expect(text).not.toMatch(/:\s*write\b/);
    const jobs = text.split(/^ {2}(?=\w+:$)/m);
    const secret = jobs.filter((job) => job.includes('secrets.'));
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
