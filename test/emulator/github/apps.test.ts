/** Authentication, permissions, installations, deliveries and the manifest flow. */
import { createSign, generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { NAME, octokitOf, refusal, REPO, start, type Started } from './start.ts';

function jwt(claims: object, privateKey: string, alg = 'RS256'): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const body = `${part({ alg, typ: 'JWT' })}.${part(claims)}`;
  return `${body}.${createSign('RSA-SHA256').update(body).sign(privateKey).toString('base64url')}`;
}

async function status(started: Started, path: string, authorization?: string): Promise<number> {
  const headers = authorization === undefined ? {} : { authorization };
  const response = await fetch(`${started.github.apiUrl}${path}`, { headers });
  await response.text();
  return response.status;
}

describe('credentials', () => {
  test('an App JWT is checked for key, issuer, algorithm and times', async () => {
    const started = await start();
    const { app, clock } = started;
    const now = Math.floor(clock.now() / 1000);
    const good = { iat: now - 30, exp: now + 570, iss: app.appId };
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
      type: 'pkcs8',
      format: 'pem',
    }) as string;
    const rows: [object, string, string, number][] = [
      [good, app.privateKey, 'RS256', 200],
      [{ ...good, iss: String(app.appId) }, app.privateKey, 'RS256', 200],
      [{ ...good, iss: app.clientId }, app.privateKey, 'RS256', 200],
      [{ ...good, iss: 1 }, app.privateKey, 'RS256', 401],
      [good, other, 'RS256', 401],
      [good, app.privateKey, 'HS256', 401],
      [{ ...good, exp: now - 1 }, app.privateKey, 'RS256', 401],
      [{ ...good, exp: now + 3600 }, app.privateKey, 'RS256', 401],
      [{ ...good, iat: now + 300, exp: now + 600 }, app.privateKey, 'RS256', 401],
    ];
    const seen: number[] = [];
    for (const [claims, key, alg] of rows)
      seen.push(await status(started, '/app', `Bearer ${jwt(claims, key, alg)}`));
    expect(seen).toEqual(rows.map(([, , , expected]) => expected));
  });

  test('unknown, expired, revoked and suspended tokens are refused', async () => {
    const started = await start();
    const { github, clock, installationId } = started;
    const path = `/repos/${NAME}`;
    expect(await status(started, path, `token ghs_${'0'.repeat(36)}`)).toBe(401);
    expect(await status(started, path)).toBe(404);
    const token = await started.installationToken();
    expect(await status(started, path, `token ${token}`)).toBe(200);
    github.suspendInstallation(installationId);
    expect(await status(started, path, `token ${token}`)).toBe(403);
    github.suspendInstallation(installationId, false);
    expect(await status(started, path, `token ${token}`)).toBe(200);
    clock.advance(3_600_001);
    expect(await status(started, path, `token ${token}`)).toBe(401);
    // Octokit signs its JWT by the date of the server's answers, which is that of the emulator's clock.
    const again = await started.appOctokit.rest.apps.createInstallationAccessToken({
      installation_id: installationId,
    });
    expect(await status(started, path, `token ${again.data.token}`)).toBe(200);
  });

  test('a token can be narrowed to repositories and permissions, never widened', async () => {
    const { github, appOctokit, installationId, as } = await start();
    await github.createRepository({ owner: 'acme', name: 'other', private: true });
    const { rest } = appOctokit;
    const { data } = await rest.apps.createInstallationAccessToken({
      installation_id: installationId,
      repositories: ['widgets'],
      permissions: { issues: 'read' },
    });
    expect(data.permissions).toEqual({ metadata: 'read', issues: 'read' });
    const narrow = as(data.token);
    await narrow.rest.issues.listForRepo(REPO);
    expect(await refusal(narrow.rest.issues.create({ ...REPO, title: 'x' }))).toMatchObject({
      status: 403,
      message: expect.stringContaining('Resource not accessible by integration') as string,
    });
    expect(await refusal(narrow.rest.repos.getReadme(REPO))).toMatchObject({ status: 403 });
    expect(await refusal(narrow.rest.repos.get({ owner: 'acme', repo: 'other' }))).toMatchObject({
      status: 404,
    });
    const widen = rest.apps.createInstallationAccessToken({
      installation_id: installationId,
      permissions: { administration: 'write' },
    });
    expect(await refusal(widen)).toMatchObject({ status: 422 });
    const foreign = rest.apps.createInstallationAccessToken({
      installation_id: installationId,
      repositories: ['other'],
    });
    expect(await refusal(foreign)).toMatchObject({ status: 422 });
  });

  test('a permission taken away is gone from tokens already minted', async () => {
    const { github, octokit, installationId } = await start();
    await octokit.rest.issues.create({ ...REPO, title: 'before' });
    github.setPermissions(installationId, { issues: 'read', contents: 'read' });
    expect(await refusal(octokit.rest.issues.create({ ...REPO, title: 'after' }))).toMatchObject({
      status: 403,
    });
  });

  test('people are held to their role', async () => {
    const { github, as } = await start();
    const alice = as(github.createUserToken('alice'));
    const carol = as(github.createUserToken('carol'));
    const stranger = as(github.createUserToken('stranger'));
    await github.as('alice').openIssue(NAME, { title: 'x' });
    expect(await refusal(stranger.rest.issues.get({ ...REPO, issue_number: 1 }))).toMatchObject({
      status: 404,
    });
    await carol.rest.issues.addLabels({ ...REPO, issue_number: 1, labels: ['bug'] });
    expect(await refusal(carol.rest.issues.createLabel({ ...REPO, name: 'x' }))).toMatchObject({
      status: 403,
    });
    const level = async (username: string): Promise<unknown[]> => {
      const { data } = await alice.rest.repos.getCollaboratorPermissionLevel({ ...REPO, username });
      return [data.permission, data.role_name];
    };
    github.addCollaborator(NAME, 'stranger', 'maintain');
    expect(await level('alice')).toEqual(['admin', 'admin']);
    expect(await level('bob')).toEqual(['write', 'write']);
    expect(await level('carol')).toEqual(['read', 'triage']);
    expect(await level('stranger')).toEqual(['write', 'maintain']);
  });
});

describe('installations and deliveries', () => {
  test('the App reads itself, its installations and what they cover', async () => {
    const started = await start();
    const { appOctokit, octokit, installationId, openApi } = started;
    const { data: app } = await appOctokit.rest.apps.getAuthenticated();
    expect(app?.slug).toBe('quorum');
    const { data: list } = await appOctokit.rest.apps.listInstallations();
    expect(list.map((one) => one.id)).toEqual([installationId]);
    await appOctokit.rest.apps.getInstallation({ installation_id: installationId });
    await appOctokit.rest.apps.getRepoInstallation(REPO);
    await appOctokit.rest.apps.getOrgInstallation({ org: 'acme' });
    const { data: covered } = await octokit.rest.apps.listReposAccessibleToInstallation();
    expect(covered.repositories.map((one) => one.full_name)).toEqual([NAME]);
    expect(await status(started, '/app', `token ${await started.installationToken()}`)).toBe(401);
    expect(openApi.violations).toEqual([]);
  });

  test('a failed delivery is on record and is redelivered under the same id', async () => {
    const { github, app, appOctokit, received, openApi } = await start();
    const { webhookUrl } = github.app(app.appId);
    github.app(app.appId).webhookUrl = 'http://127.0.0.1:9/nobody';
    await github.as('alice').openIssue(NAME, { title: 'x' });
    await github.settled();
    expect(received).toEqual([]);
    const { data: failed } = await appOctokit.rest.apps.listWebhookDeliveries({ per_page: 1 });
    expect(failed[0]).toMatchObject({
      event: 'issues',
      action: 'opened',
      status_code: 502,
      redelivery: false,
    });
    github.app(app.appId).webhookUrl = webhookUrl;
    const deliveryId = failed[0]?.id ?? 0;
    const logged = github.deliveries.find((one) => one.id === deliveryId);
    if (logged !== undefined) logged.url = webhookUrl ?? '';
    await appOctokit.rest.apps.redeliverWebhookDelivery({ delivery_id: deliveryId });
    await github.settled();
    expect(received.map((one) => one.id)).toEqual([failed[0]?.guid]);
    const { data: one } = await appOctokit.rest.apps.getWebhookDelivery({
      delivery_id: deliveryId,
    });
    expect(one.request.payload).toMatchObject({ action: 'opened' });
    expect(openApi.violations).toEqual([]);
  });

  test('duplicated, lost, late and reordered deliveries happen on demand', async () => {
    const { github, received } = await start();
    github.faults.addHook({
      event: 'issues',
      action: 'opened',
      nth: 1,
      fault: { kind: 'duplicate' },
    });
    github.faults.addHook({ event: 'issues', action: 'opened', nth: 2, fault: { kind: 'lost' } });
    github.faults.addHook({
      event: 'issues',
      action: 'opened',
      nth: 3,
      fault: { kind: 'reorder' },
    });
    github.faults.addHook({
      event: 'issues',
      action: 'opened',
      nth: 5,
      fault: { kind: 'delay', ms: 5000 },
    });
    for (const title of ['a', 'b', 'c', 'd', 'e'])
      await github.as('alice').openIssue(NAME, { title });
    await github.settled();
    const titles = received.map((one) => (one.payload['issue'] as { title: string }).title);
    expect(titles).toEqual(['a', 'a', 'd', 'c', 'e']);
    expect(received[0]?.id).toBe(received[1]?.id);
    expect(github.deliveries.filter((one) => one.status !== 'OK')).toMatchObject([
      { event: 'issues', statusCode: 0 },
    ]);
  });

  test('a renamed repository answers under its old name with a redirect that Octokit follows', async () => {
    const { github, octokit } = await start();
    github.renameRepository(NAME, 'gadgets');
    const { data } = await octokit.rest.repos.get(REPO);
    expect(data.full_name).toBe('acme/gadgets');
    await github.deleteRepository('acme/gadgets');
    expect(await refusal(octokit.rest.repos.get({ owner: 'acme', repo: 'gadgets' }))).toMatchObject(
      { status: 404 },
    );
  });

  test('no repository takes a name that its owner gave to another one', async () => {
    const { github } = await start();
    await github.createRepository({ owner: 'acme', name: 'gadgets' });
    await github.createRepository({ owner: 'alice', name: 'gadgets' });
    expect(() => github.renameRepository(NAME, 'gadgets')).toThrow('acme/gadgets is taken');
    expect(() => github.transferRepository('alice/gadgets', 'acme')).toThrow(
      'acme/gadgets is taken',
    );
    github.renameRepository(NAME, 'gears');
    github.transferRepository('acme/gears', 'alice');
    github.transferRepository('alice/gears', 'acme');
    expect(github.repository('acme/gears').name).toBe('gears');
  });

  test('the manifest flow makes an App with working credentials', async () => {
    const { github, clock, openApi } = await start();
    const manifest = JSON.stringify({
      name: 'Made Here',
      url: 'https://example.test',
      redirect_url: 'http://127.0.0.1:3000/probot/setup',
      hook_attributes: { url: 'https://quorum.example/api/github/webhooks' },
      default_permissions: { issues: 'write' },
      default_events: ['issues'],
    });
    const post = (fields: Record<string, string>): Promise<Response> =>
      fetch(`${github.url}/settings/apps/new?state=abc`, {
        method: 'POST',
        body: new URLSearchParams(fields),
        redirect: 'manual',
      });
    const page = await post({ manifest });
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining('Create GitHub App Made Here'),
    ]);
    const confirmed = await post({ manifest, confirmed: 'yes' });
    const location = new URL(confirmed.headers.get('location') ?? '');
    expect([location.origin, location.searchParams.get('state')]).toEqual([
      'http://127.0.0.1:3000',
      'abc',
    ]);
    const anonymous = octokitOf({ baseUrl: github.apiUrl });
    const code = location.searchParams.get('code') ?? '';
    const { data: made } = await anonymous.rest.apps.createFromManifest({ code });
    expect(made).toMatchObject({ slug: 'made-here', permissions: { issues: 'write' } });
    expect(await refusal(anonymous.rest.apps.createFromManifest({ code }))).toMatchObject({
      status: 404,
    });
    const now = Math.floor(clock.now() / 1000);
    const token = jwt({ iat: now, exp: now + 60, iss: made.id }, made.pem);
    const response = await fetch(`${github.apiUrl}/app`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await response.json()).toMatchObject({ slug: 'made-here' });
    const installUrl = `${made.html_url}/installations/new`;
    expect(await (await fetch(installUrl)).text()).toContain('Install Made Here');
    await fetch(installUrl, { method: 'POST', body: new URLSearchParams({ account: 'acme' }) });
    const list = await fetch(`${github.apiUrl}/app/installations`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await list.json()).toMatchObject([{ account: { login: 'acme' } }]);
    expect(openApi.violations).toEqual([]);
  });

  test('an App of a name that is taken is refused with 422 on the page, and when the code is converted', async () => {
    const { github } = await start();
    const manifest = JSON.stringify({
      name: 'Late  Comer',
      url: 'https://example.test',
      redirect_url: 'http://127.0.0.1:3000/probot/setup',
    });
    const post = (fields: Record<string, string>): Promise<Response> =>
      fetch(`${github.url}/settings/apps/new`, {
        method: 'POST',
        body: new URLSearchParams({ manifest, ...fields }),
        redirect: 'manual',
      });
    const confirmed = await post({ confirmed: 'yes' });
    const code = new URL(confirmed.headers.get('location') ?? '').searchParams.get('code') ?? '';
    await github.createApp({ name: 'Late Comer' });
    const anonymous = octokitOf({ baseUrl: github.apiUrl });
    const converted = await refusal(anonymous.rest.apps.createFromManifest({ code }));
    expect(converted.status).toBe(422);
    expect(converted.message).toContain('Name has already been taken');
    const again = await post({ confirmed: 'yes' });
    expect(again.status).toBe(422);
    expect(await again.text()).toContain('Name has already been taken');
    const renamed = await post({ confirmed: 'yes', name: 'Later Comer' });
    const location = new URL(renamed.headers.get('location') ?? '');
    const made = await anonymous.rest.apps.createFromManifest({
      code: location.searchParams.get('code') ?? '',
    });
    expect(made.data.slug).toBe('later-comer');
  });

  test.each([
    { url: 'http://127.0.0.1:3000/hooks', refusesLocalHooks: true, expected: 422 },
    { url: 'http://localhost:3000/hooks', refusesLocalHooks: true, expected: 422 },
    { url: 'http://localhost:3000/hooks', refusesLocalHooks: false, expected: 200 },
    { url: 'https://quorum.example/hooks', refusesLocalHooks: true, expected: 200 },
  ])(
    'the form with the webhook address $url answers $expected where local addresses are refused: $refusesLocalHooks',
    async ({ url, refusesLocalHooks, expected }) => {
      const { github } = await start({ behaviour: { refusesLocalHooks } });
      const manifest = { name: 'Made Here', url: 'https://example.test', hook_attributes: { url } };
      const answer = await fetch(`${github.url}/settings/apps/new`, {
        method: 'POST',
        body: new URLSearchParams({ manifest: JSON.stringify(manifest) }),
      });
      expect(answer.status).toBe(expected);
    },
  );
});
