/** `quorum init --pr` and its companions on the embedded GitHub, with a person's own token. */
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { NAME, REPO } from '../../emulator/github/start.ts';
import { quorum } from './fake-io.ts';
import { emptyGitFolder } from './git-folder.ts';
import { aWorld, mergePull, openPulls, SOURCE, textAt, WORKFLOW } from './init-world.ts';
import { temporaryFolder } from './temporary-folder.ts';

describe('quorum init --pr', () => {
  test('opens one pull request that says what was found, what happens, what does not, and how to leave', async () => {
    const world = await aWorld();
    const { code, out, err } = await world.run('init', ...SOURCE);
    expect([code, err]).toEqual([0, '']);
    const [pull, ...others] = await openPulls(world);
    expect(others).toEqual([]);
    expect(out).toContain(`Pull request #${pull?.number} opened: ${pull?.html_url}`);
    expect(pull).toMatchObject({
      title: 'Set up Quorum',
      head: { ref: 'quorum/init' },
      base: { ref: 'main' },
      user: { login: 'alice' },
    });
    const headings = (pull?.body ?? '').match(/^### .*$/gm);
    expect(headings).toEqual([
      '### What was detected',
      '### What this adds',
      '### What happens after the merge',
      '### What does not happen',
      '### Before you merge',
      '### How to leave',
    ]);
    const workflow = await textAt(world, WORKFLOW, 'quorum/init');
    expect(workflow).toContain('uses: acme/quorum/.github/workflows/quorum.yml@v1');
    expect(workflow).toContain("if: github.head_ref != 'quorum/init'");
    expect(await textAt(world, WORKFLOW, 'main')).toBeUndefined();
    expect(world.openApi.violations).toEqual([]);
  });

  test('the second time finds its pull request and writes nothing', async () => {
    const world = await aWorld();
    await world.run('init', ...SOURCE);
    world.github.clearRequests();
    const { code, out } = await world.run('init', ...SOURCE);
    expect([code, out]).toEqual([0, expect.stringContaining('has these changes already')]);
    expect(world.github.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(await openPulls(world)).toHaveLength(1);
  });

  test('with other choices updates the open pull request by a commit', async () => {
    const world = await aWorld();
    await world.run('init', ...SOURCE);
    const { json } = await world.run('init', ...SOURCE, '--daily-usd', '1', '--json');
    expect(json()).toMatchObject({ did: 'updated', pull: { number: 1 } });
    const [pull] = await openPulls(world);
    expect(pull?.body).toContain('at most $1 a day');
    expect(await textAt(world, '.github/quorum.yml', 'quorum/init')).toContain('perDayUsd: 1 ');
  });

  test('keeps what a person wrote into the pull request', async () => {
    const world = await aWorld();
    await world.run('init', ...SOURCE);
    await world.alice.rest.pulls.update({ ...REPO, pull_number: 1, body: 'Mine.' });
    await world.run('init', ...SOURCE, '--daily-usd', '1');
    expect((await openPulls(world))[0]?.body).toBe('Mine.');
  });

  test('has nothing to do after the merge', async () => {
    const world = await aWorld();
    await world.run('init', ...SOURCE);
    await mergePull(world, 1);
    const { code, out } = await world.run('init', ...SOURCE);
    expect([code, out]).toEqual([0, expect.stringContaining('Nothing to do')]);
  });

  test('shows with --dry-run what the pull request would say, and writes nothing', async () => {
    const world = await aWorld();
    world.github.clearRequests();
    const { code, out } = await world.run('init', ...SOURCE, '--dry-run');
    expect([code, out]).toEqual([0, expect.stringContaining('### How to leave')]);
    expect(world.github.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('says where the App works already', async () => {
    const world = await aWorld();
    const { data } = await world.alice.rest.repos.getBranch({ ...REPO, branch: 'main' });
    const check = { name: 'quorum / config', head_sha: data.commit.sha };
    await world.octokit.rest.checks.create({ ...REPO, ...check });
    await world.run('init', ...SOURCE);
    expect((await openPulls(world))[0]?.body).toContain('The Quorum App: works here already');
  });

  test('opens it where the default branch takes pull requests only', async () => {
    const world = await aWorld();
    world.github.repository(NAME).rules = new Map([
      [
        'main',
        {
          from: 'protection',
          checks: [],
          isStrict: false,
          hasQueue: false,
          mustPull: true,
        },
      ],
    ]);
    const { code } = await world.run('init', ...SOURCE);
    expect([code, (await openPulls(world)).length]).toEqual([0, 1]);
  });

  test("takes the token that gh keeps, and the repository from the clone's remote", async () => {
    const world = await aWorld();
    const bin = temporaryFolder({
      gh: `#!/bin/sh\necho ${world.github.createUserToken('alice')}\n`,
    });
    chmodSync(path.join(bin, 'gh'), 0o755);
    const { dir, git } = emptyGitFolder();
    git('remote', 'add', 'origin', `${world.github.url}/${NAME}.git`);
    const env = { PATH: `${bin}:/bin:/usr/bin`, GITHUB_API_URL: world.github.apiUrl };
    const { code, err } = await quorum(['init', '--pr', '--dir', dir, ...SOURCE], { env });
    expect([code, err, (await openPulls(world)).length]).toEqual([0, '', 1]);
  });
});

describe('quorum upgrade --pr and uninstall --pr', () => {
  test('move the pins, and remove everything again', async () => {
    const world = await aWorld();
    await world.run('init', ...SOURCE);
    await mergePull(world, 1);
    const up = await world.run('upgrade', '--ref', 'v2', '--json');
    expect(up.json()).toMatchObject({ did: 'opened', from: 'v1', to: 'v2' });
    await mergePull(world, 2);
    expect(await textAt(world, WORKFLOW, 'main')).toContain('quorum.yml@v2');
    const down = await world.run('uninstall', '--yes', '--json');
    expect(down.json()).toMatchObject({ did: 'opened', pull: { number: 3 } });
    await mergePull(world, 3);
    const { data } = await world.alice.rest.git.getTree({
      ...REPO,
      tree_sha: 'main',
      recursive: '1',
    });
    expect(
      data.tree
        .map((entry) => entry.path)
        .filter((each) => /^(?:\.github|memory)/.test(each ?? '')),
    ).toEqual([]);
    const again = await world.run('uninstall', '--yes');
    expect(again.out).toContain('Nothing to do');
    expect(world.openApi.violations).toEqual([]);
  });
});

describe('quorum upgrade --pr, where the branch of an earlier one is still there', () => {
  test('begins it again after a merge', async () => {
    const world = await aWorld();
    await world.run('init', ...SOURCE);
    await mergePull(world, 1);
    for (const [ref, number] of [
      ['v2', 2],
      ['v3', 3],
    ] as const) {
      const { json } = await world.run('upgrade', '--ref', ref, '--json');
      expect(json()).toMatchObject({ did: 'opened', pull: { number } });
      await mergePull(world, number);
      expect(await textAt(world, WORKFLOW, 'main')).toContain(`quorum.yml@${ref}`);
    }
  });

  test('takes a closed pull request for a refusal, unless forced', async () => {
    const world = await aWorld();
    await world.run('init', ...SOURCE);
    await world.alice.rest.pulls.update({ ...REPO, pull_number: 1, state: 'closed' });
    const { code, err } = await world.run('init', ...SOURCE);
    expect([code, err]).toEqual([1, expect.stringMatching(/pull\/1 was closed.*\[branch-taken\]/)]);
    expect(await openPulls(world)).toEqual([]);
    const forced = await world.run('init', ...SOURCE, '--force', '--json');
    expect(forced.json()).toMatchObject({ did: 'opened', pull: { number: 2 } });
  });
});

describe('quorum init --pr refuses', () => {
  test.each([404, 403])(
    'to go on where GitHub answers %d to a workflow file, as to a token without that right',
    async (status) => {
      const world = await aWorld([]);
      const rule = { method: 'POST', path: /\/git\/trees$/ };
      world.github.faults.add({ ...rule, fault: { kind: 'status', status } });
      const { code, err } = await world.run('init', ...SOURCE);
      expect([code, err]).toEqual([2, expect.stringContaining('[token-scope]')]);
    },
  );

  test.each([
    [['repo'], 'workflow'],
    [['workflow'], 'repo'],
    [['public_repo', 'workflow'], 'repo'],
  ])('a token with the scopes %j, which lacks %s', async (scopes, missing) => {
    const world = await aWorld(scopes);
    const { code, err } = await world.run('init', ...SOURCE);
    expect(code).toBe(2);
    expect(err).toContain(`it lacks \`${missing}\`. Nothing was written. [token-scope]`);
    expect(await openPulls(world)).toEqual([]);
  });

  test('a person who may only read', async () => {
    const world = await aWorld(['repo', 'workflow'], 'carol');
    const { code, err } = await world.run('init', ...SOURCE);
    expect([code, err]).toEqual([1, expect.stringContaining('[no-write-access]')]);
    expect(await openPulls(world)).toEqual([]);
    expect(await textAt(world, 'memory/pm.md', 'quorum/init')).toBeUndefined();
  });

  test('a repository that the token does not see', async () => {
    const world = await aWorld(['repo', 'workflow'], 'stranger');
    const { code, err } = await world.run('init', ...SOURCE);
    expect([code, err]).toEqual([2, expect.stringContaining('[repository-unknown]')]);
  });

  test('a token that GitHub does not know, and none at all', async () => {
    const { github } = await aWorld();
    const call = ['init', '--pr', '--repo', NAME];
    const env = { PATH: '/nonexistent', GITHUB_API_URL: github.apiUrl };
    const bad = await quorum(call, { env: { ...env, GH_TOKEN: 'not-a-token' } });
    expect([bad.code, bad.err]).toEqual([2, expect.stringContaining('[github-unauthorised]')]);
    const none = await quorum(call, { env });
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('[token-missing]')]);
  });

  test('when there is no network', async () => {
    const env = { GITHUB_TOKEN: 'any-token', GITHUB_API_URL: 'http://127.0.0.1:9' };
    const { code, err } = await quorum(['init', '--pr', '--repo', NAME], { env });
    expect([code, err]).toEqual([1, expect.stringContaining('[github-unreachable]')]);
  });

  test('an archived repository, and one without a commit', async () => {
    const world = await aWorld();
    world.github.repository(NAME).archived = true;
    const archived = await world.run('init', ...SOURCE);
    expect([archived.code, archived.err]).toEqual([
      1,
      expect.stringContaining('[repository-archived]'),
    ]);
    await world.github.createRepository({ owner: 'acme', name: 'bare' });
    const bare = await world.run('init', ...SOURCE, '--repo', 'acme/bare');
    expect([bare.code, bare.err]).toEqual([1, expect.stringContaining('[repository-empty]')]);
  });

  test('a branch that is taken, and takes another one by --branch', async () => {
    const world = await aWorld();
    const { data } = await world.alice.rest.repos.getBranch({ ...REPO, branch: 'main' });
    const taken = { ref: 'refs/heads/quorum/init', sha: data.commit.sha };
    await world.alice.rest.git.createRef({ ...REPO, ...taken });
    const { code, err } = await world.run('init', ...SOURCE);
    expect([code, err]).toEqual([1, expect.stringContaining('[branch-taken]')]);
    const other = await world.run('init', ...SOURCE, '--branch', 'chore/quorum');
    expect([other.code, (await openPulls(world))[0]?.head.ref]).toEqual([0, 'chore/quorum']);
    // GitHub runs the workflow of a pull request for it: this one must not.
    const workflow = await textAt(world, WORKFLOW, 'chore/quorum');
    expect(workflow).toContain("if: github.head_ref != 'chore/quorum'");
  });

  test("to write over somebody's commits on its branch, unless forced", async () => {
    const world = await aWorld();
    await world.run('init', ...SOURCE);
    await world.alice.rest.repos.createOrUpdateFileContents({
      ...REPO,
      path: 'mine.txt',
      branch: 'quorum/init',
      message: 'Mine',
      content: Buffer.from('mine').toString('base64'),
    });
    const { code, err } = await world.run('init', ...SOURCE, '--daily-usd', '1');
    expect([code, err]).toEqual([1, expect.stringContaining('[branch-taken]')]);
    const forced = await world.run('init', ...SOURCE, '--daily-usd', '1', '--force');
    expect([forced.code, await textAt(world, 'mine.txt', 'quorum/init')]).toEqual([0, 'mine']);
  });

  test('a branch that a rule of the repository refuses', async () => {
    const world = await aWorld();
    world.github.repository(NAME).rules = new Map([
      [
        'quorum/init',
        {
          from: 'ruleset',
          checks: [],
          isStrict: false,
          hasQueue: false,
          mustPull: true,
        },
      ],
    ]);
    const { code, err } = await world.run('init', ...SOURCE);
    expect([code, err]).toEqual([1, expect.stringContaining('[branch-refused]')]);
  });

  test('a configuration with errors on the default branch', async () => {
    const world = await aWorld();
    await world.alice.rest.repos.createOrUpdateFileContents({
      ...REPO,
      path: '.github/quorum.yml',
      message: 'Break it',
      content: Buffer.from('concil: {}\n').toString('base64'),
    });
    const { code, err } = await world.run('init', ...SOURCE);
    expect([code, err]).toEqual([2, expect.stringContaining('[config-invalid]')]);
  });

  test.each(['--repo=not a name', '--branch=a..b', '--branch=-x'])('%s', async (flag) => {
    const world = await aWorld();
    const { code, err } = await world.run('init', ...SOURCE, flag);
    expect([code, err]).toEqual([2, expect.stringMatching(/\[(?:repository|choice)-invalid\]/)]);
  });
});
