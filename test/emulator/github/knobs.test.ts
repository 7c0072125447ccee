/** Limits, conditional requests, faults and the request log. */
import { describe, expect, test } from 'vitest';
import { NAME, refusal, REPO, start, type Started } from './start.ts';

async function ask(started: Started, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('authorization', `token ${await started.installationToken()}`);
  return fetch(`${started.github.apiUrl}${path}`, { ...init, headers });
}

describe('limits', () => {
  test('more than 80 new comments a minute are refused with a time to wait', async () => {
    const { octokit, github, clock } = await start();
    await github.as('alice').openIssue(NAME, { title: 'x' });
    const comment = (): Promise<unknown> =>
      octokit.rest.issues.createComment({ ...REPO, issue_number: 1, body: 'b' });
    for (let index = 0; index < 80; index += 1) await comment();
    const error = await comment().then(
      () => undefined,
      (reason: unknown) =>
        reason as {
          status: number;
          message: string;
          response: { headers: Record<string, string> };
        },
    );
    expect(error).toMatchObject({
      status: 403,
      message: expect.stringContaining('secondary rate limit') as string,
    });
    expect(Number(error?.response.headers['retry-after'])).toBeGreaterThan(0);
    expect(github.repository(NAME).threads.get(1)?.comments).toHaveLength(80);
    clock.advance(60_001);
    await comment();
  });

  test('the hourly limit counts down, refuses and resets; asking for it is free', async () => {
    const started = await start({ limits: { primaryPerHour: 3 } });
    const { clock } = started;
    const remaining = async (path: string): Promise<[number, string | null]> => {
      const response = await ask(started, path);
      return [response.status, response.headers.get('x-ratelimit-remaining')];
    };
    const path = `/repos/${NAME}`;
    expect(await remaining(path)).toEqual([200, '2']);
    expect(await remaining('/rate_limit')).toEqual([200, '2']);
    expect(await remaining(path)).toEqual([200, '1']);
    expect(await remaining(path)).toEqual([200, '0']);
    expect(await remaining(path)).toEqual([403, '0']);
    clock.advance(3_600_001);
    expect((await remaining(path))[0]).toBe(401);
  });

  test('relaxed limits count and never refuse', async () => {
    const started = await start({
      limits: { enforced: false, primaryPerHour: 1, contentPerMinute: 1 },
    });
    for (const title of ['a', 'b', 'c'])
      await started.octokit.rest.issues.create({ ...REPO, title });
    const response = await ask(started, `/repos/${NAME}`);
    expect([response.status, response.headers.get('x-ratelimit-used')]).toEqual([200, '4']);
  });

  test('an unchanged resource is 304 and costs nothing', async () => {
    const started = await start();
    await started.github.as('alice').openIssue(NAME, { title: 'x' });
    const path = `/repos/${NAME}/issues/1/comments`;
    const first = await ask(started, path);
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    const second = await ask(started, path, { headers });
    expect([second.status, await second.text()]).toEqual([304, '']);
    expect(second.headers.get('x-ratelimit-used')).toBe(first.headers.get('x-ratelimit-used'));
    await started.github.as('bob').comment(NAME, 1, 'new');
    expect((await ask(started, path, { headers })).status).toBe(200);
  });
});

test('another token has other ETags: nothing is 304 with it at first', async () => {
  const { github } = await start({}, false);
  const read = (token: string, etag = ''): Promise<Response> =>
    fetch(`${github.apiUrl}/repos/${NAME}`, {
      headers: { authorization: `token ${token}`, 'if-none-match': etag },
    });
  const [first, second] = [github.createUserToken('alice'), github.createUserToken('alice')];
  const etag = (await read(first)).headers.get('etag') ?? '';
  expect((await read(first, etag)).status).toBe(304);
  expect((await read(second, etag)).status).toBe(200);
});

describe('faults', () => {
  const comments = (started: Started): string[] =>
    (started.github.repository(NAME).threads.get(1)?.comments ?? []).map((one) => one.body);
  const post = (started: Started, body: string): Promise<{ status: number; message: string }> =>
    refusal(started.octokit.rest.issues.createComment({ ...REPO, issue_number: 1, body }));

  test('a call can fail with or without its effect, by status or by a cut line', async () => {
    const started = await start();
    const { github } = started;
    await github.as('alice').openIssue(NAME, { title: 'x' });
    const path = '/repos/{owner}/{repo}/issues/{issue_number}/comments';
    github.faults.add({ method: 'POST', path, fault: { kind: 'effect-then-fail', status: 502 } });
    expect(await post(started, 'one')).toMatchObject({ status: 502 });
    github.faults.add({ method: 'POST', path, fault: { kind: 'effect-then-fail', reset: true } });
    expect((await post(started, 'two')).status).toBe(500);
    github.faults.add({ method: 'POST', path, fault: { kind: 'fail-without-effect' } });
    expect(await post(started, 'three')).toMatchObject({ status: 502 });
    github.faults.add({ method: 'POST', path, fault: { kind: 'reset' } });
    expect((await post(started, 'four')).status).toBe(500);
    github.faults.add({
      path: /comments$/,
      fault: {
        kind: 'status',
        status: 429,
        headers: { 'retry-after': '7' },
        body: { message: 'slow down' },
      },
    });
    expect(await post(started, 'five')).toMatchObject({ status: 429, message: 'slow down' });
    await started.octokit.rest.issues.createComment({ ...REPO, issue_number: 1, body: 'six' });
    expect(comments(started)).toEqual(['one', 'two', 'six']);
    expect(
      github.requests
        .filter((one) => one.fault !== undefined)
        .map((one) => [one.fault, one.status]),
    ).toEqual([
      ['effect-then-fail', 502],
      ['effect-then-fail', 0],
      ['fail-without-effect', 502],
      ['reset', 0],
      ['status', 429],
    ]);
  });

  test('the n-th call is hit, as often as asked, and no other', async () => {
    const started = await start();
    started.github.faults.add({
      path: `/repos/${NAME}`,
      nth: 2,
      times: 2,
      fault: { kind: 'status', status: 500 },
    });
    const seen: number[] = [];
    for (let index = 0; index < 5; index += 1)
      seen.push((await ask(started, `/repos/${NAME}`)).status);
    expect(seen).toEqual([200, 500, 500, 200, 200]);
    expect(started.github.faults.hits()).toEqual([2]);
  });

  test('reads can be late, stale or cut short', async () => {
    const started = await start();
    const { github, clock } = started;
    await github.as('alice').openIssue(NAME, { title: 'old' });
    const title = async (): Promise<unknown> =>
      ((await (await ask(started, `/repos/${NAME}/issues/1`)).json()) as { title: string }).title;
    expect(await title()).toBe('old');
    await github.as('alice').request('PATCH', `/repos/${NAME}/issues/1`, { title: 'new' });
    github.faults.add({ path: /issues\/1$/, fault: { kind: 'stale' } });
    expect(await title()).toBe('old');
    expect(await title()).toBe('new');
    const before = clock.now();
    github.faults.add({ path: /issues\/1$/, fault: { kind: 'latency', ms: 5000 } });
    expect(await title()).toBe('new');
    expect(clock.now() - before).toBe(5000);
    github.faults.add({ path: /issues\/1$/, fault: { kind: 'truncated' } });
    await expect(title()).rejects.toBeInstanceOf(Error);
  });

  test('a push can land although the client gets an error', async () => {
    const started = await start();
    const { github } = started;
    const { execFile } = await import('node:child_process');
    const { promisify } = await import('node:util');
    const { mkdtemp, rm, writeFile } = await import('node:fs/promises');
    const dir = await mkdtemp('/tmp/clone-');
    const env = { PATH: process.env['PATH'], HOME: dir, GIT_TERMINAL_PROMPT: '0' };
    const git = (...args: string[]): Promise<unknown> =>
      promisify(execFile)(
        'git',
        ['-c', 'user.name=T', '-c', 'user.email=t@example.test', ...args],
        { cwd: dir, env },
      );
    const url = github.url.replace('http://', `http://x:${await started.installationToken()}@`);
    await git('clone', '-q', `${url}/${NAME}`, '.');
    await writeFile(`${dir}/x.txt`, 'x');
    await git('add', '.');
    await git('commit', '-q', '-m', 'x');
    github.faults.add({
      method: 'POST',
      path: /git-receive-pack$/,
      fault: { kind: 'effect-then-fail', reset: true },
    });
    await expect(git('push', '-q', 'origin', 'main')).rejects.toBeInstanceOf(Error);
    const { data } = await started.octokit.rest.repos.getContent({ ...REPO, path: 'x.txt' });
    expect(data).toMatchObject({ type: 'file', name: 'x.txt' });
    await rm(dir, { recursive: true });
  });

  test('the clock of the server can be wrong', async () => {
    const started = await start();
    started.github.setClockOffset(-3_600_000);
    await started.github.as('alice').openIssue(NAME, { title: 'x' });
    expect(started.github.repository(NAME).threads.get(1)?.createdAt).toBe('2026-11-20T08:00:00Z');
  });
});

test('the log names each request’s route, status and actor', async () => {
  const { github, octokit, installationId } = await start();
  await octokit.rest.issues.create({ ...REPO, title: 'x' });
  expect(github.requests).toMatchObject([
    {
      method: 'POST',
      route: '/app/installations/{installation_id}/access_tokens',
      status: 201,
      actor: 'app:quorum',
    },
    {
      method: 'POST',
      path: `/repos/${NAME}/issues`,
      route: '/repos/{owner}/{repo}/issues',
      status: 201,
      actor: `installation:${installationId}`,
    },
  ]);
});
