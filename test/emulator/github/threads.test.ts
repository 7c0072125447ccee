/** Issues, comments, labels, reactions and their webhooks, through Octokit as the product uses it. */
import { describe, expect, test } from 'vitest';
import { NAME, refusal, REPO, start } from './start.ts';

describe('threads in the embedded GitHub', () => {
  test('an issue opened by a person reaches the App signed, with installation and sender', async () => {
    const { github, received, app, installationId, openApi } = await start();
    await github.as('alice').openIssue(NAME, { title: 'Crash', body: 'It does.', labels: ['bug'] });
    await github.settled();
    const [opened, labeled] = received;
    expect(received.map((one) => `${one.event}.${String(one.payload['action'])}`)).toEqual([
      'issues.opened',
      'issues.labeled',
    ]);
    expect(opened?.payload).toMatchObject({
      installation: { id: installationId },
      sender: { login: 'alice', type: 'User' },
      repository: { full_name: NAME, private: true },
      organization: { login: 'acme' },
      issue: {
        number: 1,
        title: 'Crash',
        labels: [{ name: 'bug' }],
        performed_via_github_app: null,
      },
    });
    expect(labeled?.payload).toMatchObject({ label: { name: 'bug', color: 'd73a4a' } });
    const { createHmac } = await import('node:crypto');
    const expected = createHmac('sha256', app.webhookSecret ?? '')
      .update(opened?.raw ?? '')
      .digest('hex');
    expect(opened?.signature).toBe(`sha256=${expected}`);
    expect(opened?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(openApi.violations).toEqual([]);
  });

  test('the whole life of a thread by the App fits GitHub’s description', async () => {
    const { github, octokit, openApi, received } = await start();
    const { issues, reactions } = octokit.rest;
    const { data: issue } = await issues.create({
      ...REPO,
      title: 'One',
      body: 'text',
      labels: ['new-label'],
      assignees: ['bob'],
    });
    const at = { ...REPO, issue_number: issue.number };
    expect(issue.performed_via_github_app?.slug).toBe('quorum');
    expect(issue.user).toMatchObject({ login: 'quorum[bot]', type: 'Bot' });
    const { data: comment } = await issues.createComment({ ...at, body: 'hello' });
    await issues.updateComment({ ...REPO, comment_id: comment.id, body: 'hello again' });
    await issues.getComment({ ...REPO, comment_id: comment.id });
    await issues.listComments(at);
    await issues.listCommentsForRepo(REPO);
    await reactions.createForIssue({ ...at, content: 'eyes' });
    const { data: reaction } = await reactions.createForIssueComment({
      ...REPO,
      comment_id: comment.id,
      content: 'rocket',
    });
    const twice = await reactions.createForIssueComment({
      ...REPO,
      comment_id: comment.id,
      content: 'rocket',
    });
    expect([twice.status, twice.data.id]).toEqual([200, reaction.id]);
    await reactions.listForIssueComment({ ...REPO, comment_id: comment.id });
    await reactions.deleteForIssueComment({
      ...REPO,
      comment_id: comment.id,
      reaction_id: reaction.id,
    });
    await issues.createLabel({ ...REPO, name: 'plan', color: '0e8a16', description: 'A plan' });
    await issues.updateLabel({ ...REPO, name: 'plan', new_name: 'plan:active' });
    await issues.addLabels({ ...at, labels: ['plan:active'] });
    await issues.listLabelsOnIssue(at);
    await issues.setLabels({ ...at, labels: ['bug'] });
    await issues.removeLabel({ ...at, name: 'bug' });
    await issues.listLabelsForRepo(REPO);
    await issues.addAssignees({ ...at, assignees: ['carol'] });
    await issues.removeAssignees({ ...at, assignees: ['bob'] });
    await issues.lock({ ...at, lock_reason: 'resolved' });
    await issues.unlock(at);
    const { data: closed } = await issues.update({
      ...at,
      state: 'closed',
      state_reason: 'not_planned',
      title: 'Two',
    });
    expect(closed).toMatchObject({
      state: 'closed',
      state_reason: 'not_planned',
      title: 'Two',
      closed_by: { login: 'quorum[bot]' },
    });
    await issues.listForRepo({ ...REPO, state: 'all', labels: '' });
    await issues.listEventsForTimeline(at);
    await issues.listEvents(at);
    await issues.deleteComment({ ...REPO, comment_id: comment.id });
    await octokit.rest.search.issuesAndPullRequests({ q: `repo:${NAME} is:issue Two` });
    await github.settled();
    expect(new Set(received.map((one) => `${one.event}.${String(one.payload['action'])}`))).toEqual(
      new Set([
        'label.created',
        'issues.opened',
        'issues.labeled',
        'issues.assigned',
        'issue_comment.created',
        'issue_comment.edited',
        'label.edited',
        'issues.unlabeled',
        'issues.unassigned',
        'issues.locked',
        'issues.unlocked',
        'issues.edited',
        'issues.closed',
        'issue_comment.deleted',
      ]),
    );
    expect(openApi.checked()).toBeGreaterThan(25);
    expect(openApi.violations).toEqual([]);
  });

  test('lists are filtered, sorted and paged with a Link header', async () => {
    const { github, octokit, clock } = await start();
    for (let index = 1; index <= 5; index += 1) {
      await github
        .as('alice')
        .openIssue(NAME, { title: `Issue ${index}`, labels: index % 2 === 0 ? ['bug'] : [] });
      clock.advance(60_000);
    }
    await github.as('alice').close(NAME, 5);
    const page = await octokit.rest.issues.listForRepo({ ...REPO, per_page: 2, page: 1 });
    expect(page.data.map((one) => one.number)).toEqual([4, 3]);
    expect(page.headers.link).toContain('rel="next"');
    const all = await octokit.paginate(octokit.rest.issues.listForRepo, {
      ...REPO,
      state: 'all',
      per_page: 2,
      direction: 'asc',
    });
    expect(all.map((one) => one.number)).toEqual([1, 2, 3, 4, 5]);
    const bugs = await octokit.rest.issues.listForRepo({ ...REPO, labels: 'BUG' });
    expect(bugs.data.map((one) => one.number)).toEqual([4, 2]);
    const recent = await octokit.rest.issues.listForRepo({
      ...REPO,
      since: new Date(clock.now() - 130_000).toISOString(),
    });
    expect(recent.data.map((one) => one.number)).toEqual([4]);
  });

  test('bad input is refused in GitHub’s shape', async () => {
    const { octokit, github } = await start();
    await github.as('alice').openIssue(NAME, { title: 'x' });
    const at = { ...REPO, issue_number: 1 };
    expect(await refusal(octokit.rest.issues.createComment({ ...at, body: ' ' }))).toMatchObject({
      status: 422,
    });
    expect(
      await refusal(octokit.rest.issues.createComment({ ...at, body: 'x'.repeat(65_537) })),
    ).toMatchObject({
      status: 422,
      message: expect.stringContaining('body is too long (maximum is 65536 characters)') as string,
    });
    await octokit.rest.issues.createComment({ ...at, body: 'x'.repeat(65_536) });
    expect(await refusal(octokit.rest.issues.get({ ...REPO, issue_number: 99 }))).toMatchObject({
      status: 404,
    });
    expect(await refusal(octokit.rest.issues.createLabel({ ...REPO, name: 'bug' }))).toMatchObject({
      status: 422,
      message: expect.stringContaining('already_exists') as string,
    });
    expect(
      await refusal(
        octokit.request('POST /repos/{owner}/{repo}/issues', {
          ...REPO,
          title: undefined as never,
        }),
      ),
    ).toMatchObject({
      status: 422,
      message: expect.stringContaining('"title" wasn\'t supplied') as string,
    });
  });

  test('a locked thread takes no comments from strangers', async () => {
    const { github } = await start({}, false);
    await github.as('alice').openIssue(NAME, { title: 'x' });
    await github.as('stranger').comment(NAME, 1, 'first');
    await github.as('alice').request('PUT', `/repos/${NAME}/issues/1/lock`, {});
    await expect(github.as('stranger').comment(NAME, 1, 'second')).rejects.toThrow('locked');
    await github.as('bob').comment(NAME, 1, 'third');
    expect(
      github
        .repository(NAME)
        .threads.get(1)
        ?.comments.map((one) => one.body),
    ).toEqual(['first', 'third']);
  });
});

const PIN = 'mutation ($id: ID!) { pinIssue(input: { issueId: $id }) { issue { isPinned } } }';
const UNPIN =
  'mutation ($id: ID!) { unpinIssue(input: { issueId: $id }) { id issue { isPinned } } }';
const PINNED =
  'query { repository(owner: "acme", name: "widgets") { pinnedIssues(first: 9) { totalCount nodes { issue { number } } } } }';

describe('pinned issues', () => {
  test('are three at most, pinned and unpinned by GraphQL, and told by webhooks', async () => {
    const { github, octokit, received, openApi } = await start();
    const open = async (title: string): Promise<string> =>
      (await octokit.rest.issues.create({ ...REPO, title })).data.node_id;
    const [one = '', two = '', three = '', four = ''] = await Promise.all(
      ['one', 'two', 'three', 'four'].map(open),
    );
    await octokit.graphql(PIN, { id: one });
    // Pinned before: nothing changes.
    expect(await octokit.graphql(PIN, { id: one })).toEqual({
      pinIssue: { issue: { isPinned: true } },
    });
    for (const id of [two, three]) await octokit.graphql(PIN, { id });
    await expect(octokit.graphql(PIN, { id: four })).rejects.toThrow('Maximum 3 pinned issues');
    expect(await octokit.graphql(UNPIN, { id: two })).toEqual({
      unpinIssue: { id: two, issue: { isPinned: false } },
    });
    await octokit.graphql(PIN, { id: four });
    const told = await octokit.graphql<{
      repository: { pinnedIssues: { totalCount: number } };
    }>(PINNED);
    expect(told.repository.pinnedIssues.totalCount).toBe(3);
    await github.settled();
    const actions = received.map(({ payload }) => String(payload['action']));
    expect(actions.filter((action) => action.endsWith('pinned'))).toEqual([
      'pinned',
      'pinned',
      'pinned',
      'unpinned',
      'pinned',
    ]);
    expect(openApi.violations).toEqual([]);
  });

  test('are no matter of somebody who may not write, and no pull requests', async () => {
    const { github, octokit, as } = await start();
    const { data } = await octokit.rest.issues.create({ ...REPO, title: 'one' });
    github.createUser('reader');
    github.addCollaborator(NAME, 'reader', 'read');
    const reader = as(github.createUserToken('reader'));
    await expect(reader.graphql(PIN, { id: data.node_id })).rejects.toThrow(
      'Resource not accessible',
    );
    expect(github.repository(NAME).pinned ?? []).toEqual([]);
  });
});

test('a repository whose issues are switched off takes none, and says so', async () => {
  const { github, octokit, openApi } = await start();
  await github.as('alice').request('PATCH', `/repos/${NAME}`, { has_issues: false });
  expect((await octokit.rest.repos.get(REPO)).data.has_issues).toBe(false);
  expect(await refusal(octokit.rest.issues.create({ ...REPO, title: 'one' }))).toMatchObject({
    status: 410,
  });
  await github.as('alice').request('PATCH', `/repos/${NAME}`, { has_issues: true });
  expect((await octokit.rest.issues.create({ ...REPO, title: 'one' })).status).toBe(201);
  expect(openApi.violations).toEqual([]);
});
