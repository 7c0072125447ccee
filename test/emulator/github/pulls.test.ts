/** Pull requests, reviews, checks and git data over real repositories, through Octokit and git. */
import { execFile } from 'node:child_process';
import { mkdtemp, writeFile, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ProbotOctokit } from 'probot';
import { NAME, refusal, REPO, start } from './start.ts';

const run = promisify(execFile);

async function branchWith(
  octokit: ProbotOctokit,
  branch: string,
  files: Record<string, string>,
): Promise<string> {
  const { git } = octokit.rest;
  const base = (await git.getRef({ ...REPO, ref: 'heads/main' })).data.object.sha;
  const { data: parent } = await git.getCommit({ ...REPO, commit_sha: base });
  const { data: tree } = await git.createTree({
    ...REPO,
    base_tree: parent.tree.sha,
    tree: Object.entries(files).map(([path, content]) => ({
      path,
      mode: '100644' as const,
      type: 'blob' as const,
      content,
    })),
  });
  const { data: commit } = await git.createCommit({
    ...REPO,
    message: `Change ${branch}\n\nMore.`,
    tree: tree.sha,
    parents: [base],
  });
  await git.createRef({ ...REPO, ref: `refs/heads/${branch}`, sha: commit.sha });
  return commit.sha;
}

describe('pull requests', () => {
  test('a pull request goes from branch to merge, closes its issue and tells every event', async () => {
    const { github, octokit, received, openApi } = await start();
    const { pulls, checks, repos } = octokit.rest;
    await github.as('alice').openIssue(NAME, { title: 'Fix a' });
    const headSha = await branchWith(octokit, 'fix', {
      'src/a.ts': 'export const a = 10;\nexport const more = 1;\n',
      'new.txt': 'x\n',
    });
    const { data: pull } = await pulls.create({
      ...REPO,
      title: 'Fix',
      head: 'fix',
      base: 'main',
      body: 'Closes #1',
    });
    expect(pull).toMatchObject({
      number: 2,
      mergeable: true,
      additions: 3,
      deletions: 1,
      changed_files: 2,
      commits: 1,
      head: { sha: headSha },
    });
    const at = { ...REPO, pull_number: 2 };
    const { data: files } = await pulls.listFiles(at);
    expect(files.map((one) => [one.filename, one.status, one.additions])).toEqual([
      ['new.txt', 'added', 1],
      ['src/a.ts', 'modified', 2],
    ]);
    expect(files[1]?.patch).toContain('+export const a = 10;');
    await pulls.listCommits(at);
    await pulls.list(REPO);
    const twin = pulls.create({ ...REPO, title: 'Again', head: 'fix', base: 'main' });
    expect(await refusal(twin)).toMatchObject({
      status: 422,
      message: expect.stringContaining('already exists') as string,
    });
    const { data: run1 } = await checks.create({
      ...REPO,
      name: 'quorum / review',
      head_sha: headSha,
      status: 'in_progress',
    });
    await checks.update({
      ...REPO,
      check_run_id: run1.id,
      conclusion: 'success',
      output: {
        title: 'ok',
        summary: 's',
        annotations: [
          {
            path: 'src/a.ts',
            start_line: 1,
            end_line: 1,
            annotation_level: 'notice',
            message: 'm',
          },
        ],
      },
    });
    await checks.listForRef({ ...REPO, ref: 'fix' });
    await checks.listAnnotations({ ...REPO, check_run_id: run1.id });
    await checks.listSuitesForRef({ ...REPO, ref: headSha });
    await repos.createCommitStatus({ ...REPO, sha: headSha, state: 'success', context: 'ci' });
    expect((await repos.getCombinedStatusForRef({ ...REPO, ref: headSha })).data.state).toBe(
      'success',
    );
    expect(await refusal(pulls.merge({ ...at, sha: 'f'.repeat(40) }))).toMatchObject({
      status: 409,
    });
    const { data: merged } = await pulls.merge({ ...at, sha: headSha, merge_method: 'squash' });
    const { data: after } = await pulls.get(at);
    expect(after).toMatchObject({
      merged: true,
      state: 'closed',
      merge_commit_sha: merged.sha,
      merged_by: { login: 'quorum[bot]' },
    });
    const { data: tip } = await repos.getCommit({ ...REPO, ref: 'main' });
    expect([tip.sha, tip.parents.length, tip.commit.message.split('\n')[0]]).toEqual([
      merged.sha,
      1,
      'Fix (#2)',
    ]);
    expect(github.repository(NAME).threads.get(1)).toMatchObject({
      state: 'closed',
      stateReason: 'completed',
    });
    await github.settled();
    const names = received.map((one) =>
      [one.event, one.payload['action']].filter(Boolean).join('.'),
    );
    expect(names).toEqual(
      expect.arrayContaining([
        'create',
        'push',
        'pull_request.opened',
        'check_run.created',
        'check_run.completed',
        'check_suite.completed',
        'status',
        'pull_request.closed',
        'issues.closed',
      ]),
    );
    expect(openApi.violations).toEqual([]);
  });

  test('a conflict is seen and not merged; merge and rebase keep their shapes', async () => {
    const { octokit } = await start();
    const { pulls, repos } = octokit.rest;
    await branchWith(octokit, 'one', { 'src/a.ts': 'export const a = 1.1;\n' });
    await branchWith(octokit, 'two', { 'src/a.ts': 'export const a = 2.2;\n' });
    await branchWith(octokit, 'three', { 'c.txt': 'c\n' });
    for (const head of ['one', 'two', 'three'])
      await pulls.create({ ...REPO, title: head, head, base: 'main' });
    await pulls.merge({ ...REPO, pull_number: 1, merge_method: 'merge' });
    expect((await repos.getCommit({ ...REPO, ref: 'main' })).data.parents).toHaveLength(2);
    expect((await pulls.get({ ...REPO, pull_number: 2 })).data).toMatchObject({
      mergeable: false,
      mergeable_state: 'dirty',
    });
    expect(await refusal(pulls.merge({ ...REPO, pull_number: 2 }))).toMatchObject({ status: 405 });
    await pulls.merge({ ...REPO, pull_number: 3, merge_method: 'rebase' });
    const { data: tip } = await repos.getCommit({ ...REPO, ref: 'main' });
    expect([tip.parents.length, tip.files?.map((one) => one.filename)]).toEqual([1, ['c.txt']]);
  });

  test('reviews carry line comments, and nobody approves their own pull request', async () => {
    const { github, octokit, as, received, openApi } = await start();
    await branchWith(octokit, 'fix', { 'src/a.ts': 'export const a = 10;\nexport const z = 1;\n' });
    const { pulls } = octokit.rest;
    await pulls.create({ ...REPO, title: 'Fix', head: 'fix', base: 'main' });
    const at = { ...REPO, pull_number: 1 };
    expect(await refusal(pulls.createReview({ ...at, event: 'APPROVE' }))).toMatchObject({
      status: 422,
    });
    const off = pulls.createReview({
      ...at,
      event: 'COMMENT',
      comments: [{ path: 'src/a.ts', line: 99, body: 'x' }],
    });
    expect(await refusal(off)).toMatchObject({ status: 422 });
    expect((await pulls.listReviews(at)).data).toEqual([]);
    const { data: review } = await pulls.createReview({
      ...at,
      event: 'COMMENT',
      body: 'See',
      comments: [{ path: 'src/a.ts', line: 2, side: 'RIGHT', body: 'Why z?' }],
    });
    const bob = as(github.createUserToken('bob'));
    await bob.rest.pulls.createReview({ ...at, event: 'APPROVE' });
    const { data: comments } = await pulls.listReviewComments(at);
    expect(comments).toMatchObject([
      { path: 'src/a.ts', line: 2, pull_request_review_id: review.id },
    ]);
    await bob.rest.pulls.createReplyForReviewComment({
      ...at,
      comment_id: comments[0]?.id ?? 0,
      body: 'Because.',
    });
    await pulls.listCommentsForReview({ ...at, review_id: review.id });
    expect((await pulls.listReviews(at)).data.map((one) => one.state)).toEqual([
      'COMMENTED',
      'APPROVED',
      'COMMENTED',
    ]);
    await pulls.requestReviewers({ ...at, reviewers: ['alice'] });
    await octokit.rest.reactions.createForPullRequestReviewComment({
      ...REPO,
      comment_id: comments[0]?.id ?? 0,
      content: '+1',
    });
    await github.settled();
    expect(received.filter((one) => one.event === 'pull_request_review')).toHaveLength(3);
    expect(openApi.violations).toEqual([]);
  });

  test('GraphQL resolves threads, hides comments and toggles drafts on GitHub’s own schema', async () => {
    const { github, octokit, received } = await start();
    await branchWith(octokit, 'fix', { 'src/a.ts': 'export const a = 10;\n' });
    await octokit.rest.pulls.create({
      ...REPO,
      title: 'Fix',
      head: 'fix',
      base: 'main',
      draft: true,
    });
    const at = { ...REPO, pull_number: 1 };
    await octokit.rest.pulls.createReview({
      ...at,
      event: 'COMMENT',
      body: 'x',
      comments: [{ path: 'src/a.ts', line: 1, body: 'y' }],
    });
    const { data: comment } = await octokit.rest.issues.createComment({
      ...REPO,
      issue_number: 1,
      body: 'hide me',
    });
    const query = `query($o:String!,$n:String!){viewer{login} repository(owner:$o,name:$n){pullRequest(number:1){id isDraft mergeable reviewThreads(first:5){nodes{id isResolved comments(first:1){nodes{body}}}}}}}`;
    type Answer = {
      viewer: { login: string };
      repository: {
        pullRequest: {
          id: string;
          isDraft: boolean;
          mergeable: string;
          reviewThreads: { nodes: { id: string; isResolved: boolean }[] };
        };
      };
    };
    const read = (): Promise<Answer> => octokit.graphql<Answer>(query, { o: 'acme', n: 'widgets' });
    const before = await read();
    expect(before).toMatchObject({
      viewer: { login: 'quorum' },
      repository: {
        pullRequest: {
          isDraft: true,
          mergeable: 'MERGEABLE',
          reviewThreads: { nodes: [{ isResolved: false, comments: { nodes: [{ body: 'y' }] } }] },
        },
      },
    });
    const { pullRequest } = before.repository;
    await octokit.graphql(
      'mutation($id:ID!){resolveReviewThread(input:{threadId:$id}){thread{isResolved}}}',
      { id: pullRequest.reviewThreads.nodes[0]?.id },
    );
    await octokit.graphql(
      'mutation($id:ID!){markPullRequestReadyForReview(input:{pullRequestId:$id}){pullRequest{isDraft}}}',
      { id: pullRequest.id },
    );
    await octokit.graphql(
      'mutation($id:ID!){minimizeComment(input:{subjectId:$id,classifier:OUTDATED}){minimizedComment{isMinimized minimizedReason}}}',
      { id: comment.node_id },
    );
    const after = (await read()).repository.pullRequest;
    expect([after.isDraft, after.reviewThreads.nodes[0]?.isResolved]).toEqual([false, true]);
    expect(github.repository(NAME).threads.get(1)?.comments[0]?.minimizedReason).toBe('OUTDATED');
    await expect(octokit.graphql('{ nonsense }')).rejects.toThrow('Cannot query field');
    await expect(octokit.graphql('{ repository(owner:"acme",name:"none"){id} }')).rejects.toThrow(
      'Could not resolve to a Repository',
    );
    await github.settled();
    expect(received.some((one) => one.payload['action'] === 'ready_for_review')).toBe(true);
  });
});

describe('git', () => {
  async function workTree(
    url: string,
    token: string,
  ): Promise<(...args: string[]) => Promise<string>> {
    const dir = await mkdtemp(`${tmpdir()}/clone-`);
    onTestFinished(() => rm(dir, { recursive: true, force: true }));
    const env = {
      PATH: process.env['PATH'],
      HOME: dir,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_AUTHOR_NAME: 'T',
      GIT_AUTHOR_EMAIL: 't@example.test',
      GIT_COMMITTER_NAME: 'T',
      GIT_COMMITTER_EMAIL: 't@example.test',
    };
    const git = async (...args: string[]): Promise<string> =>
      (await run('git', args, { cwd: dir, env })).stdout.trim();
    await git(
      'clone',
      '-q',
      `${url.replace('http://', `http://x-access-token:${token}@`)}/${NAME}`,
      '.',
    );
    await mkdir(`${dir}/.github/workflows`, { recursive: true });
    await writeFile(`${dir}/.github/workflows/ci.yml`, 'on: push\n');
    await writeFile(`${dir}/pushed.txt`, 'pushed\n');
    return git;
  }

  test('a push with an installation token becomes push and synchronize events', async () => {
    const started = await start();
    const { github, octokit, received } = started;
    await branchWith(octokit, 'fix', { 'a.txt': 'a\n' });
    await octokit.rest.pulls.create({ ...REPO, title: 'Fix', head: 'fix', base: 'main' });
    const git = await workTree(github.url, await started.installationToken());
    await git('checkout', '-q', 'fix');
    await git('add', 'pushed.txt');
    await git('commit', '-q', '-m', 'Push it');
    await git('push', '-q', 'origin', 'fix');
    const sha = await git('rev-parse', 'HEAD');
    await github.settled();
    const push = received.findLast((one) => one.event === 'push')?.payload;
    expect(push).toMatchObject({
      ref: 'refs/heads/fix',
      after: sha,
      forced: false,
      commits: [{ id: sha, added: ['pushed.txt'] }],
      pusher: { name: 'quorum[bot]' },
    });
    expect(received.findLast((one) => one.event === 'pull_request')?.payload).toMatchObject({
      action: 'synchronize',
      after: sha,
    });
    expect(await git('ls-remote', 'origin', 'refs/pull/1/head')).toContain(sha);
  });

  test('workflow files are refused from an App without the permission, by push and by API', async () => {
    const started = await start();
    const git = await workTree(started.github.url, await started.installationToken());
    await git('add', '.');
    await git('commit', '-q', '-m', 'Add workflow');
    await expect(git('push', '-q', 'origin', 'main')).rejects.toThrow(
      'without `workflows` permission',
    );
    const put = started.octokit.rest.repos.createOrUpdateFileContents({
      ...REPO,
      path: '.github/workflows/x.yml',
      message: 'x',
      content: '',
    });
    expect(await refusal(put)).toMatchObject({ status: 403 });
    const alice = started.github.createUserToken('alice');
    await git(
      'push',
      '-q',
      `${started.github.url.replace('http://', `http://alice:${alice}@`)}/${NAME}`,
      'main',
    );
    expect(
      (await started.octokit.rest.actions.listRepoWorkflows(REPO)).data.workflows.map(
        (one) => one.path,
      ),
    ).toEqual(['.github/workflows/ci.yml']);
  });

  test('strangers and readers cannot clone or push', async () => {
    const { github, installationId } = await start();
    const ask = async (service: string, token?: string): Promise<number> => {
      const headers =
        token === undefined
          ? {}
          : { authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}` };
      return (await fetch(`${github.url}/${NAME}.git/info/refs?service=${service}`, { headers }))
        .status;
    };
    expect(await ask('git-upload-pack')).toBe(401);
    expect(await ask('git-upload-pack', 'nonsense')).toBe(401);
    expect(await ask('git-upload-pack', github.createUserToken('stranger'))).toBe(404);
    expect(await ask('git-upload-pack', github.createUserToken('carol'))).toBe(200);
    expect(await ask('git-receive-pack', github.createUserToken('carol'))).toBe(403);
    expect(await ask('git-receive-pack', github.createUserToken('bob'))).toBe(200);
    expect(installationId).toBeGreaterThan(0);
  });

  test('refs are compare-and-swap: one of two creators wins, and history is not rewritten by accident', async () => {
    const { octokit, openApi } = await start();
    const { git, repos } = octokit.rest;
    const sha = (await git.getRef({ ...REPO, ref: 'heads/main' })).data.object.sha;
    const ref = 'refs/quorum/leases/1-1';
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map(() => git.createRef({ ...REPO, ref, sha })),
    );
    expect(outcomes.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
    const forked = await branchWith(octokit, 'fix', { 'x.txt': 'x' });
    await git.updateRef({ ...REPO, ref: 'heads/main', sha: forked });
    expect(await refusal(git.updateRef({ ...REPO, ref: 'heads/main', sha }))).toMatchObject({
      status: 422,
      message: expect.stringContaining('not a fast forward') as string,
    });
    await git.updateRef({ ...REPO, ref: 'heads/main', sha, force: true });
    await git.listMatchingRefs({ ...REPO, ref: 'quorum/' });
    await git.deleteRef({ ...REPO, ref: 'quorum/leases/1-1' });
    expect(await refusal(git.getRef({ ...REPO, ref: 'quorum/leases/1-1' }))).toMatchObject({
      status: 404,
    });
    await git.getTree({ ...REPO, tree_sha: 'main', recursive: '1' });
    const { data: blob } = await git.createBlob({ ...REPO, content: 'aGk=', encoding: 'base64' });
    expect(
      Buffer.from(
        (await git.getBlob({ ...REPO, file_sha: blob.sha })).data.content,
        'base64',
      ).toString(),
    ).toBe('hi');
    await git.createTag({ ...REPO, tag: 'v1', message: 'v1', object: sha, type: 'commit' });
    const { data: file } = await repos.getContent({ ...REPO, path: 'src/a.ts' });
    const fileSha = Array.isArray(file) ? '' : file.sha;
    const put = (old?: string): Promise<unknown> =>
      repos.createOrUpdateFileContents({
        ...REPO,
        path: 'src/a.ts',
        message: 'm',
        content: 'eA==',
        ...(old === undefined ? {} : { sha: old }),
      });
    expect(await refusal(put())).toMatchObject({ status: 422 });
    expect(await refusal(put('f'.repeat(40)))).toMatchObject({ status: 409 });
    await put(fileSha);
    await repos.getContent({ ...REPO, path: '' });
    await repos.getReadme(REPO);
    await repos.listCommits(REPO);
    const { data: comparison } = await repos.compareCommitsWithBasehead({
      ...REPO,
      basehead: `${sha}...main`,
    });
    expect([comparison.status, comparison.ahead_by, comparison.files?.length]).toEqual([
      'ahead',
      1,
      1,
    ]);
    await repos.listBranches(REPO);
    await repos.getBranch({ ...REPO, branch: 'main' });
    expect(openApi.violations).toEqual([]);
  });

  test('a pull request from a fork has its head fetched and merged', async () => {
    const { github, octokit } = await start({}, false);
    await github.createFork(NAME, 'stranger');
    const stranger = github.as('stranger');
    await stranger.request('PUT', '/repos/stranger/widgets/contents/hi.txt', {
      message: 'Hi',
      content: 'aGkK',
      branch: 'main',
    });
    const pull = await stranger.openPull(NAME, { title: 'Hi', head: 'stranger:main' });
    const { data } = await octokit.rest.pulls.get({ ...REPO, pull_number: pull.number });
    expect([data.head.repo?.full_name, data.changed_files, data.mergeable]).toEqual([
      'stranger/widgets',
      1,
      true,
    ]);
    await expect(
      stranger.request('PUT', `/repos/${NAME}/pulls/${pull.number}/merge`),
    ).rejects.toThrow('Must have push access');
    await octokit.rest.pulls.merge({ ...REPO, pull_number: pull.number });
    expect((await octokit.rest.repos.getContent({ ...REPO, path: 'hi.txt' })).status).toBe(200);
  });

  test('the diff of a fork is there as soon as the pull request is', async () => {
    const { github, octokit } = await start({}, false);
    await github.createFork(NAME, 'stranger');
    const stranger = github.as('stranger');
    const write = (path: string) =>
      stranger.request('PUT', `/repos/stranger/widgets/contents/${path}`, {
        message: path,
        content: 'aGkK',
        branch: 'main',
      });
    /** What is answered to somebody who asks for the files all the time while `change` is made. */
    const filesDuring = async (change: () => Promise<unknown>): Promise<Set<number>> => {
      const seen = new Set<number>();
      const ask = () =>
        octokit.rest.pulls.listFiles({ ...REPO, pull_number: 1 }).then(
          ({ data }) => seen.add(data.length),
          (error: { status: number }) => seen.add(-error.status),
        );
      await ask();
      const state = { isChanged: false };
      const changed = change().finally(() => (state.isChanged = true));
      while (!state.isChanged) await ask();
      await changed;
      await ask();
      return seen;
    };
    await write('hi.txt');
    const open = () => stranger.openPull(NAME, { title: 'Hi', head: 'stranger:main' });
    expect(await filesDuring(open)).toEqual(new Set([-404, 1]));
    expect(await filesDuring(() => write('ho.txt'))).toEqual(new Set([1, 2]));
  });

  test('of requests that open the same pull request at once, one opens it', async () => {
    const { github } = await start({}, false);
    await github.createFork(NAME, 'stranger');
    const stranger = github.as('stranger');
    await stranger.request('PUT', '/repos/stranger/widgets/contents/hi.txt', {
      message: 'Hi',
      content: 'aGkK',
      branch: 'main',
    });
    const open = () => stranger.openPull(NAME, { title: 'Hi', head: 'stranger:main' });
    const answers = await Promise.allSettled([open(), open(), open(), open()]);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
