/** GitHub's own command line against the emulator, over its unix socket. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  gitEnvironment,
  HOST_OF_GH,
  writeGhConfig,
} from '../../../src/emulator/github/gh-config.ts';
import { hasGh } from '../../helpers/has-gh.ts';
import { NAME, start, type Started } from './start.ts';

const run = promisify(execFile);

interface Gh extends Started {
  /** Where gh is run. */
  dir: string;
  /** Runs gh in the name of a person, or with another token, and gives its output. */
  gh: (who: string, ...args: string[]) => Promise<string>;
  /** Its complaint, where it is refused. */
  refused: (who: string, ...args: string[]) => Promise<string>;
  /** Event and action of each webhook since the last call. */
  hooks: () => Promise<string[]>;
}

async function withGh(): Promise<Gh> {
  const dir = await mkdtemp(`${tmpdir()}/gh-`);
  onTestFinished(() => rm(dir, { recursive: true }));
  const socketPath = `${dir}/gh.sock`;
  const started = await start({ socketPath }, false);
  const { github, received } = started;
  const configDir = await writeGhConfig(dir, socketPath);
  const gh = async (who: string, ...args: string[]): Promise<string> => {
    const token = who.startsWith('ghs_') ? who : github.createUserToken(who);
    const env = {
      PATH: process.env['PATH'],
      HOME: dir,
      GH_CONFIG_DIR: configDir,
      GH_HOST: HOST_OF_GH,
      GH_REPO: `${HOST_OF_GH}/${NAME}`,
      GH_ENTERPRISE_TOKEN: token,
      ...gitEnvironment(github.url, token),
      GH_NO_UPDATE_NOTIFIER: '1',
      GH_PROMPT_DISABLED: '1',
    };
    const { stdout } = await run('gh', args, { env, cwd: dir });
    return stdout.trim();
  };
  return {
    ...started,
    dir,
    gh,
    refused: async (...args) =>
      gh(...args).then(
        (out) => `not refused: ${out}`,
        (error: { stderr: string }) => error.stderr,
      ),
    hooks: async () => {
      await github.settled();
      return received
        .splice(0)
        .map(({ event, payload }) => [event, payload['action']].filter(Boolean).join('.'));
    },
  };
}

/** A branch with one file more, and a pull request of it. */
async function openPull({ github }: Started): Promise<string> {
  const alice = github.as('alice');
  const main = `/repos/${NAME}/git/ref/heads/main`;
  const { object } = (await alice.request('GET', main)) as { object: { sha: string } };
  const ref = { ref: 'refs/heads/feature', sha: object.sha };
  await alice.request('POST', `/repos/${NAME}/git/refs`, ref);
  const file = { message: 'Add c\n\nIt was missing.', content: 'Yw==', branch: 'feature' };
  const put = await alice.request('PUT', `/repos/${NAME}/contents/src/c.ts`, file);
  await alice.openPull(NAME, { title: 'The third', head: 'feature', body: 'Fixes #1' });
  return (put as { commit: { sha: string } }).commit.sha;
}

describe.skipIf(!hasGh)('the gh command line (skipped where gh is not installed)', () => {
  test('gh api works with the token of an installation', async () => {
    const started = await withGh();
    const { github, gh } = started;
    await github.as('alice').openIssue(NAME, { title: 'Through the socket' });
    const token = await started.installationToken();
    const issue = `repos/${NAME}/issues/1`;
    expect(await gh(token, 'api', issue, '--jq', '.title')).toBe('Through the socket');
    const comment = [`${issue}/comments`, '-f', 'body=from gh', '--jq', '.user.login'];
    expect(await gh(token, 'api', ...comment)).toBe('quorum[bot]');
    const query = ['-f', 'query={viewer{login}}', '--jq', '.data.viewer.login'];
    expect(await gh(token, 'api', 'graphql', ...query)).toBe('quorum');
  });

  test('a repository is cloned by who may read it', async () => {
    const { github, gh, dir, refused } = await withGh();
    await gh('bob', 'repo', 'clone', NAME, 'here');
    const clone = `${dir}/here`;
    const git = async (...args: string[]) =>
      (await run('git', ['-C', clone, ...args])).stdout.trim();
    const { object } = (await github
      .as('bob')
      .request('GET', `/repos/${NAME}/git/ref/heads/main`)) as {
      object: { sha: string };
    };
    expect(await git('rev-parse', 'HEAD')).toBe(object.sha);
    // What git keeps has no token in it.
    expect(await git('config', '--get', 'remote.origin.url')).toBe(
      `https://${HOST_OF_GH}/${NAME}.git`,
    );
    github.repository(NAME).private = true;
    await gh('bob', 'repo', 'clone', NAME, 'private');
    expect(await refused('stranger', 'repo', 'clone', NAME, 'theirs')).toMatch(
      /not found|Could not resolve/i,
    );
  });

  test('an issue is created, listed, viewed, commented on, edited, closed and reopened', async () => {
    const { github, gh, hooks } = await withGh();
    const fields = ['--title', 'From gh', '--body', 'one\ntwo', '--label', 'bug'];
    const url = await gh('bob', 'issue', 'create', ...fields, '--assignee', 'carol');
    expect(url).toBe(`${github.url}/${NAME}/issues/1`);
    await github.as('stranger').openIssue(NAME, { title: 'Another' });
    const list = (...args: string[]): Promise<string> =>
      gh('bob', 'issue', 'list', ...args, '--json', 'number', '--jq', 'map(.number)|join(",")');
    expect(await list()).toBe('2,1');
    expect(await list('--label', 'bug')).toBe('1');
    expect(await list('--assignee', 'carol')).toBe('1');
    expect(await list('--author', 'stranger')).toBe('2');
    expect(await list('--search', 'from')).toBe('1');
    expect(await gh('bob', 'issue', 'list')).toMatch(
      /^2\tOPEN\tAnother\t.*\n1\tOPEN\tFrom gh\tbug\t/,
    );
    const said = await gh('stranger', 'issue', 'comment', '1', '--body', '/pm help');
    expect(said).toMatch(new RegExp(`^${url}#issuecomment-\\d+$`));
    const change = ['--title', 'Edited', '--add-label', 'question', '--remove-label', 'bug'];
    expect(await gh('carol', 'issue', 'edit', '1', ...change)).toBe(url);
    // A label that is not there is passed over.
    expect(await gh('carol', 'issue', 'edit', '1', '--remove-label', 'bug')).toBe(url);
    const shown = await gh('bob', 'issue', 'view', '1', '--comments');
    expect(shown).toContain('author:\tstranger');
    expect(shown).toContain('/pm help');
    const view = await gh('bob', 'issue', 'view', '1');
    for (const line of [
      'title:\tEdited',
      'state:\tOPEN',
      'author:\tbob',
      'labels:\tquestion',
      'comments:\t1',
      'assignees:\tcarol',
      'one\ntwo',
    ])
      expect(view).toContain(line);
    await gh('bob', 'issue', 'close', '1', '--reason', 'not planned');
    expect(github.repository(NAME).threads.get(1)).toMatchObject({
      title: 'Edited',
      state: 'closed',
      stateReason: 'not_planned',
      comments: [{ body: '/pm help' }],
    });
    await gh('bob', 'issue', 'reopen', '1');
    const heard = await hooks();
    expect(heard.toSorted()).toEqual([
      'issue_comment.created',
      'issues.assigned',
      'issues.closed',
      'issues.edited',
      'issues.labeled',
      'issues.labeled',
      'issues.opened',
      'issues.opened',
      'issues.reopened',
      'issues.unlabeled',
    ]);
  });

  test('a pull request is listed, viewed, checked, reviewed and merged', async () => {
    const started = await withGh();
    const { github, gh, octokit } = started;
    await github.as('alice').openIssue(NAME, { title: 'First' });
    const sha = await openPull(started);
    expect(await gh('bob', 'pr', 'list')).toMatch(/^2\tThe third\tfeature\tOPEN\t/);
    expect(await gh('bob', 'pr', 'list', '--base', 'other')).toBe('');
    const view = await gh('bob', 'pr', 'view', '2');
    for (const line of ['title:\tThe third', 'author:\talice', 'additions:\t1', 'Fixes #1'])
      expect(view).toContain(line);
    const json = 'commits,files,mergeable,mergeStateStatus,headRefOid,isCrossRepository';
    expect(JSON.parse(await gh('bob', 'pr', 'view', '2', '--json', json))).toMatchObject({
      commits: [
        {
          oid: sha,
          messageHeadline: 'Add c',
          messageBody: 'It was missing.',
          authors: [{ login: 'alice' }],
        },
      ],
      files: [{ path: 'src/c.ts', additions: 1, deletions: 0 }],
      mergeable: 'MERGEABLE',
      mergeStateStatus: 'CLEAN',
      headRefOid: sha,
      isCrossRepository: false,
    });
    expect(await started.refused('bob', 'pr', 'checks', '2')).toContain('no checks reported');
    const at = { owner: 'acme', repo: 'widgets', head_sha: sha };
    const done = { status: 'completed', conclusion: 'success' } as const;
    await octokit.rest.checks.create({ ...at, name: 'quorum / review', ...done });
    const status = { context: 'ci', state: 'pending' } as const;
    await octokit.rest.repos.createCommitStatus({ ...at, sha, ...status });
    // gh says by its exit code that something is pending.
    const checks = await gh('bob', 'pr', 'checks', '2').catch(
      (error: { stdout: string }) => error.stdout,
    );
    expect(checks).toContain('quorum / review\tpass');
    expect(checks).toContain('ci\tpending');
    const own = ['pr', 'review', '2', '--approve', '--body', 'Mine'];
    expect(await started.refused('alice', ...own)).toContain('Can not approve your own');
    await gh('bob', 'pr', 'review', '2', '--approve', '--body', 'Good');
    const reviews = ['--json', 'reviews,latestReviews'];
    expect(JSON.parse(await gh('bob', 'pr', 'view', '2', ...reviews))).toMatchObject({
      reviews: [{ author: { login: 'bob' }, state: 'APPROVED', body: 'Good' }],
      latestReviews: [{ state: 'APPROVED' }],
    });
    expect(await gh('bob', 'pr', 'diff', '2')).toContain('+++ b/src/c.ts');
    await gh('bob', 'pr', 'merge', '2', '--squash');
    expect(await gh('bob', 'pr', 'list', '--state', 'merged')).toMatch(
      /^2\tThe third\tfeature\tMERGED/,
    );
    expect(github.repository(NAME).threads.get(1)?.state).toBe('closed');
  });

  test('a repository is shown with its description and README', async () => {
    const { gh } = await withGh();
    const view = await gh('bob', 'repo', 'view', NAME);
    expect(view).toContain(`name:\t${NAME}`);
    expect(view).toContain('# Widgets');
    const fields = 'nameWithOwner,isPrivate,viewerPermission,defaultBranchRef,hasIssuesEnabled';
    expect(JSON.parse(await gh('bob', 'repo', 'view', NAME, '--json', fields))).toEqual({
      nameWithOwner: NAME,
      isPrivate: false,
      viewerPermission: 'WRITE',
      defaultBranchRef: { name: 'main' },
      hasIssuesEnabled: true,
    });
    expect(await gh('bob', 'label', 'list')).toContain("bug\tSomething isn't working\t#d73a4a");
  });

  test('the repositories of an owner are listed, those that the caller may see', async () => {
    const { gh, github } = await withGh();
    const owner = NAME.split('/')[0] ?? '';
    expect(await gh('bob', 'repo', 'list', owner)).toMatch(
      new RegExp(`^${NAME}\\t.*\\tpublic\\t`, 'm'),
    );
    expect(await gh('bob', 'repo', 'list', owner, '--visibility', 'private')).toBe('');
    expect(await gh('bob', 'repo', 'list')).toBe('');
    github.repository(NAME).private = true;
    expect(await gh('stranger', 'repo', 'list', owner)).toBe('');
    expect(await gh('bob', 'repo', 'list', owner, '--visibility', 'private')).toContain(NAME);
  });

  test('a person without a role is refused as on GitHub, and changes nothing', async () => {
    const { github, refused, hooks } = await withGh();
    await github.as('alice').openIssue(NAME, { title: 'Of another' });
    await hooks();
    const stranger = (...args: string[]) => refused('stranger', 'issue', ...args);
    expect(await stranger('edit', '1', '--add-label', 'bug')).toContain(
      'stranger does not have the correct permissions to execute `AddLabelsToLabelable`',
    );
    expect(await stranger('edit', '1', '--title', 'Mine')).toContain('`UpdateIssue`');
    expect(await stranger('close', '1')).toContain('`CloseIssue`');
    expect(await hooks()).toEqual([]);
    expect(github.repository(NAME).threads.get(1)).toMatchObject({
      title: 'Of another',
      state: 'open',
      labelIds: [],
    });
  });
});
