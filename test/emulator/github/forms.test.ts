/** What people do on the emulator's pages is what GitHub would make of it, and other sites can do nothing there. */
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { aBrowser } from '../../helpers/a-browser.ts';
import { NAME, start, type Started } from './start.ts';

/** Event and action of each webhook since the last call. */
async function hooksOf({ github, received }: Started): Promise<string[]> {
  await github.settled();
  return received
    .splice(0)
    .map(({ event, payload }) => [event, payload['action']].filter(Boolean).join('.'));
}

async function open(): Promise<Started & { browser: ReturnType<typeof aBrowser> }> {
  const started = await start({}, false);
  return { ...started, browser: aBrowser(started.github) };
}

test('an issue is opened, edited, commented on, closed and reopened in the name of the person chosen', async () => {
  const { github, browser, ...rest } = await open();
  await browser.actAs('carol');
  const fields = { title: 'A <b> & "c"', body: 'one\r\ntwo', label: 'bug' };
  const opened = await browser.send(`/${NAME}/issues/new`, `/${NAME}/issues`, fields);
  expect(opened).toMatchObject({ status: 200, at: `/${NAME}/issues/1` });
  expect(opened.html).toContain('A &lt;b&gt; &amp; &quot;c&quot;');
  expect(opened.html.replaceAll('\r', '')).toContain('<p>one<br>\ntwo</p>');
  const page = `/${NAME}/issues/1`;
  await browser.send(page, `${page}/edit`, { title: 'Edited', body: 'two' });
  const said = await browser.send(page, `${page}/comments`, { body: 'Said', do: 'comment' });
  expect(said.at).toMatch(/^\/acme\/widgets\/issues\/1#issuecomment-\d+$/);
  await browser.send(page, `${page}/comments`, { body: 'Last', do: 'not_planned' });
  expect(github.repository(NAME).threads.get(1)).toMatchObject({
    title: 'Edited',
    body: 'two',
    state: 'closed',
    stateReason: 'not_planned',
    comments: [{ body: 'Said' }, { body: 'Last' }],
  });
  await browser.send(page, `${page}/comments`, { body: '', do: 'reopen' });
  expect(await hooksOf({ github, ...rest })).toEqual([
    'issues.opened',
    'issues.labeled',
    'issues.edited',
    'issue_comment.created',
    'issue_comment.created',
    'issues.closed',
    'issues.reopened',
  ]);
});

test('the label picker changes what was changed on the page, and nothing that was changed meanwhile', async () => {
  const { github, browser, ...rest } = await open();
  await github.as('alice').openIssue(NAME, { title: 'Labels', labels: ['bug', 'question'] });
  await browser.actAs('bob');
  await hooksOf({ github, ...rest });
  const page = `/${NAME}/issues/1`;
  const { html } = await browser.open(page);
  expect(html.match(/\schecked\b/g)).toHaveLength(2);
  const token = /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? '';
  await github.as('alice').label(NAME, 1, ['invalid']);
  const body = new URLSearchParams([
    ['form_token', token],
    ['had', 'bug'],
    ['had', 'question'],
    ['label', 'bug'],
    ['label', 'brand new'],
  ]);
  const cookie = 'emulator_act_as=bob';
  await fetch(`${github.url}${page}/labels`, { method: 'POST', body, headers: { cookie } });
  const repository = github.repository(NAME);
  const names = repository.threads
    .get(1)
    ?.labelIds.map((id) => repository.labels.find((one) => one.id === id)?.name);
  expect(names).toEqual(['bug', 'invalid', 'brand new']);
  expect(await hooksOf({ github, ...rest })).toEqual([
    'issues.labeled',
    'issues.unlabeled',
    'label.created',
    'issues.labeled',
  ]);
});

test('a pull request is reviewed, approved and merged; its author cannot approve it', async () => {
  const { github, browser, ...rest } = await open();
  const alice = github.as('alice');
  const main = `/repos/${NAME}/git/ref/heads/main`;
  const { object } = (await alice.request('GET', main)) as { object: { sha: string } };
  const branch = 'feature';
  await alice.request('POST', `/repos/${NAME}/git/refs`, {
    ref: `refs/heads/${branch}`,
    sha: object.sha,
  });
  const file = { message: 'New', content: 'bmV3', branch };
  await alice.request('PUT', `/repos/${NAME}/contents/new.txt`, file);
  await alice.openPull(NAME, { title: 'Feature', head: branch });
  await hooksOf({ github, ...rest });
  const page = `/${NAME}/pull/1`;
  await browser.actAs('alice');
  const own = await browser.send(page, `${page}/reviews`, { event: 'APPROVE', body: 'Mine' });
  expect(own.status).toBe(422);
  expect(own.html).toContain('Can not approve your own pull request');
  await browser.actAs('bob');
  const empty = await browser.send(`${page}/files`, `${page}/reviews`, {
    event: 'REQUEST_CHANGES',
  });
  expect(empty.html).toContain('Body cannot be blank for a request-changes review');
  const approved = await browser.send(page, `${page}/reviews`, { event: 'APPROVE', body: 'Good' });
  expect(approved.html).toContain('approved these changes');
  const merged = await browser.send(page, `${page}/merge`, { way: 'squash' });
  expect(merged).toMatchObject({ status: 200, at: page });
  expect(github.repository(NAME).threads.get(1)?.pull).toMatchObject({ merged: true });
  expect(await hooksOf({ github, ...rest })).toEqual([
    'pull_request_review.submitted',
    'pull_request.closed',
    'push',
    'check_suite.requested',
  ]);
});

describe('who may do what', () => {
  test('a person without a role sees no label picker, and is refused like on GitHub when the form is forged', async () => {
    const { github, browser } = await open();
    await github.as('alice').openIssue(NAME, { title: 'Of another' });
    await browser.actAs('stranger');
    const page = `/${NAME}/issues/1`;
    const { html } = await browser.open(page);
    expect(html).toContain(`action="${page}/comments"`);
    for (const deed of ['labels', 'edit']) expect(html).not.toContain(`action="${page}/${deed}"`);
    expect(html).not.toContain('Close issue');
    const token = /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const forge = (deed: string, fields: object) =>
      browser.post(`${page}/${deed}`, { form_token: token, ...fields });
    for (const [deed, fields] of [
      ['labels', { label: 'bug' }],
      ['comments', { do: 'close', body: '' }],
      ['edit', { title: 'Mine', body: '' }],
    ] as const) {
      const { status, html: says } = await forge(deed, fields);
      expect({ deed, status }).toEqual({ deed, status: 403 });
      expect(says).toContain('Must have push access to repository');
    }
    const thread = github.repository(NAME).threads.get(1);
    expect(thread).toMatchObject({ title: 'Of another', state: 'open', labelIds: [] });
    const labelled = await browser.send(`/${NAME}/issues/new`, `/${NAME}/issues`, {
      title: 'With a label',
      label: 'bug',
    });
    expect(labelled.at).toBe(`/${NAME}/issues/2`);
    expect(github.repository(NAME).threads.get(2)?.labelIds).toEqual([]);
  });

  test('nobody can act before a person was chosen, and a private repository takes nothing from a stranger', async () => {
    const { github } = await start();
    await github.as('alice').openIssue(NAME, { title: 'Private' });
    const browser = aBrowser(github);
    const page = `/${NAME}/issues/1`;
    const { html } = await browser.open(page);
    expect(html).not.toContain(`action="${page}/comments"`);
    const token = /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const fields = { form_token: token, body: 'x', do: 'comment' };
    expect((await browser.post(`${page}/comments`, fields)).status).toBe(401);
    await browser.actAs('stranger');
    expect((await browser.post(`${page}/comments`, fields)).status).toBe(404);
    expect(github.repository(NAME).threads.get(1)?.comments).toEqual([]);
  });
});

describe('other sites', () => {
  test('a form without the token, with a wrong one, or from another origin changes nothing', async () => {
    const { github, browser } = await open();
    await github.as('alice').openIssue(NAME, { title: 'Target' });
    await browser.actAs('alice');
    const path = `/${NAME}/issues/1/comments`;
    const { html } = await browser.open(`/${NAME}/issues/1`);
    const token = /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const fields = { body: 'x', do: 'comment' };
    expect((await browser.post(path, fields)).status).toBe(403);
    expect((await browser.post(path, { ...fields, form_token: 'guess' })).status).toBe(403);
    const good = { ...fields, form_token: token };
    const foreign = { origin: 'https://elsewhere.example' };
    expect((await browser.post(path, good, foreign)).status).toBe(403);
    expect((await browser.post('/act-as', { login: 'bob' })).status).toBe(403);
    expect(github.repository(NAME).threads.get(1)?.comments).toEqual([]);
    expect((await browser.post(path, good)).status).toBe(200);
  });

  test('what is asked for under another name than this machine has is not shown', async () => {
    const { github, browser } = await open();
    const statusFor = (host: string, method = 'GET', path = `/${NAME}/issues`): Promise<number> =>
      new Promise((resolve, reject) => {
        request(`${github.url}${path}`, { method, headers: { host } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        })
          .on('error', reject)
          .end();
      });
    expect(await statusFor('rebound.example')).toBe(403);
    expect(await statusFor('rebound.example:80', 'POST')).toBe(403);
    expect(await statusFor('127.0.0.1.example')).toBe(403);
    const issues = `/api/v3/repos/${NAME}/issues`;
    expect(await statusFor('rebound.example', 'GET', issues)).toBe(403);
    expect(await statusFor('127.0.0.1', 'GET', issues)).toBe(200);
    const git = `/${NAME}.git/info/refs?service=git-upload-pack`;
    expect(await statusFor('rebound.example', 'GET', git)).toBe(403);
    expect(await statusFor('localhost', 'GET', git)).toBe(200);
    expect(await statusFor('localhost:4000')).toBe(200);
    expect(await statusFor('[::1]:4000')).toBe(200);
    const { html } = await browser.open(`/${NAME}/issues`);
    expect(html).toContain('New issue');
  });

  test('the choice of a person leads back to a page of this server only', async () => {
    const { browser } = await open();
    const away = await browser.send('/', '/act-as', { login: 'bob', to: '//elsewhere.example' });
    expect(away.at).toBe('/');
    const back = await browser.send('/', '/act-as', { login: 'bob', to: `/${NAME}/issues` });
    expect(back.at).toBe(`/${NAME}/issues`);
    expect(back.html).toContain('<option value="bob" selected>');
  });
});

test('a pull request is opened from a branch that was pushed, and refused a second time', async () => {
  const { github, browser } = await open();
  const page = `/${NAME}/pulls/new`;
  expect((await browser.open(page)).html).toContain('Choose whom to act as');
  await browser.actAs('alice');
  expect((await browser.open(page)).html).toContain('Push a branch first');
  const alice = github.as('alice');
  const at = `/repos/${NAME}/git/ref/heads/main`;
  const { object } = (await alice.request('GET', at)) as { object: { sha: string } };
  const ref = { ref: 'refs/heads/feature', sha: object.sha };
  await alice.request('POST', `/repos/${NAME}/git/refs`, ref);
  const file = { message: 'Add c', content: 'Yw==', branch: 'feature' };
  await alice.request('PUT', `/repos/${NAME}/contents/src/c.ts`, file);
  expect((await browser.open(`/${NAME}/pulls`)).html).toContain(`href="${page}"`);
  const fields = { head: 'feature', title: 'Add c', body: 'It was missing.' };
  const opened = await browser.send(page, `/${NAME}/pulls`, fields);
  expect(opened).toMatchObject({ status: 200, at: `/${NAME}/pull/1` });
  expect(github.repository(NAME).threads.get(1)).toMatchObject({
    title: 'Add c',
    pull: { headRef: 'feature', baseRef: 'main' },
  });
  const again = await browser.send(page, `/${NAME}/pulls`, fields);
  expect(again.status).toBe(422);
  expect(again.html).toContain(`href="${page}"`);
});
