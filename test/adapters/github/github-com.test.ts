import nock from 'nock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGitHub } from '../../../src/adapters/github/create-github.ts';
import { systemClock, systemRandom } from '../../../src/adapters/system/system-clock.ts';

/** The real address, with every connection refused that is not written down here. */
beforeEach(() => {
  nock.disableNetConnect();
});
afterEach(() => {
  nock.cleanAll();
  nock.enableNetConnect();
});

test('without a base URL a token asks api.github.com, once, as itself', async () => {
  const token = ['ghp', 'x'.repeat(36)].join('_');
  const asked = nock('https://api.github.com')
    .get('/user')
    .matchHeader('authorization', `token ${token}`)
    .reply(200, { id: 12, login: 'ana', type: 'User' });
  const github = createGitHub({
    auth: { kind: 'token', token },
    markerSecret: 'for a test',
    clock: systemClock,
    random: systemRandom,
  });
  expect(await github.app.self()).toEqual({ id: 12, login: 'ana', isBot: false });
  expect(asked.isDone()).toBe(true);
});

test('a comment is posted once when GitHub answers 502, and found again by its marker', async () => {
  const github = createGitHub({
    auth: { kind: 'token', token: 'a-token' },
    markerSecret: 'for a test',
    clock: systemClock,
    random: systemRandom,
    budgets: 'off',
  });
  const posted: { body: string }[] = [];
  const repository = {
    id: 7,
    name: 'tidy',
    full_name: 'acme/tidy',
    private: false,
    archived: false,
    default_branch: 'main',
    owner: { id: 1, login: 'acme', type: 'Organization' },
  };
  const me = { id: 12, login: 'ana', type: 'User' };
  nock('https://api.github.com')
    .persist()
    .get('/user')
    .reply(200, me)
    .get('/repositories/7')
    .reply(200, repository);
  const comments = /^\/repositories\/7\/issues\/12\/comments/;
  nock('https://api.github.com').get(comments).reply(200, []);
  nock('https://api.github.com')
    .post(comments)
    .reply(502, { message: 'Bad gateway' })
    .on('request', (_request: unknown, _interceptor: unknown, body: string) => {
      posted.push(JSON.parse(body) as { body: string });
    });
  const ref = { installationId: 0, repositoryId: 7, owner: 'acme', repo: 'tidy', number: 12 };
  const comment = { marker: { kind: 'run' as const, run: 'r1', key: 'live' }, body: 'Said once.' };
  await expect(github.at(ref).write.ensureComment(ref, comment)).rejects.toMatchObject({
    retryable: true,
  });
  const made = posted.map(({ body }, index) => ({
    id: index + 1,
    body,
    user: me,
    html_url: 'https://github.com/acme/tidy/issues/12#issuecomment-1',
    created_at: '2026-03-02T09:00:00Z',
    updated_at: '2026-03-02T09:00:00Z',
    performed_via_github_app: null,
  }));
  nock('https://api.github.com').persist().get(comments).reply(200, made);
  const again = await github.at(ref).write.ensureComment(ref, comment);
  expect(again.outcome).toBe('unchanged');
  expect(posted).toHaveLength(1);
});
