/** The setup in a real browser, whose rules for strict cookies decide what GitHub's redirect brings along. */
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createGitHubEmulator } from '../../src/emulator/github/github-emulator.ts';
import { systemRandom } from '../../src/adapters/system/system-clock.ts';
import { noChromium, startChromium } from '../helpers/chromium.ts';
import { aFolder } from '../helpers/a-folder.ts';
import type { AppCredentials } from '../../src/hosts/environment/app-credentials.ts';
import { CLOCK, openDoor } from '../adapters/http/door.ts';

describe.skipIf(noChromium !== undefined)('in Chromium (skipped without Chromium)', () => {
  test('a person enters the credentials of an App that exists, and sees when one is wrong', async () => {
    const dir = aFolder('setup');
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    });
    writeFileSync(path.join(dir, 'wrong.pem'), 'no key');
    writeFileSync(path.join(dir, 'app.pem'), privateKey);
    const taken: AppCredentials[] = [];
    let address = '';
    const door = await openDoor({
      secrets: [],
      appId: undefined,
      setup: {
        env: {},
        envFile: path.join(dir, '.env'),
        manifestFile: 'app.yml',
        random: systemRandom,
        onAddress: (given) => (address = given),
        onCredentials: async (credentials) => void taken.push(credentials),
      },
    });
    onTestFinished(() => door.stop());
    const browser = await startChromium();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const refused: string[] = [];
    page.on('console', (message) => refused.push(message.text()));
    await page.goto(address);
    await page.getByRole('link', { name: 'Use its credentials' }).click();
    await page.getByLabel('App ID').fill('4711');
    await page.getByLabel('Webhook secret').fill('typed in');
    await page.getByLabel('Private key (.pem)').setInputFiles(path.join(dir, 'wrong.pem'));
    await page.getByRole('button', { name: 'Use this App' }).click();
    await page.getByRole('status').getByText('PEM').waitFor();
    expect(taken).toEqual([]);
    await page.getByLabel('Private key (.pem)').setInputFiles(path.join(dir, 'app.pem'));
    await page.getByRole('button', { name: 'Use this App' }).click();
    await page.getByRole('heading', { name: 'Quorum is set up' }).waitFor();
    expect(taken).toMatchObject([{ appId: 4711, webhookSecrets: ['typed in'] }]);
    // Its own policy for content lets its own style and script through.
    expect(refused.join('\n')).not.toContain('Content Security Policy');
  });

  test('a person opens the address of the terminal, registers the App on GitHub and returns', async () => {
    const dir = aFolder('setup');
    const github = await createGitHubEmulator({
      dir: path.join(dir, 'github'),
      clock: CLOCK,
      behaviour: { refusesLocalHooks: false },
    });
    onTestFinished(() => github.close());
    github.createUser('mona');
    const taken: AppCredentials[] = [];
    let address = '';
    const door = await openDoor({
      secrets: [],
      appId: undefined,
      setup: {
        // Another site than that of the page, as GitHub is.
        env: { GHE_HOST: github.host.replace('127.0.0.1', 'localhost'), GHE_PROTOCOL: 'http' },
        envFile: path.join(dir, '.env'),
        manifestFile: 'app.yml',
        random: systemRandom,
        onAddress: (given) => (address = given),
        onCredentials: async (credentials) => void taken.push(credentials),
      },
    });
    onTestFinished(() => door.stop());
    const browser = await startChromium();
    onTestFinished(() => browser.close());
    const context = await browser.newContext();
    const page = await context.newPage();
    const asked: { url: string; referer: string | undefined; cookie: string | undefined }[] = [];
    context.on('request', (request) => {
      if (!request.isNavigationRequest()) return;
      void request
        .allHeaders()
        .then(({ referer, cookie }) => asked.push({ url: request.url(), referer, cookie }));
    });
    await page.goto(address);
    const button = page.getByRole('button', { name: 'Register GitHub App' });
    await button.waitFor();
    expect(page.url()).toBe(`${door.url}/probot`);
    const [confirmation] = await Promise.all([context.waitForEvent('page'), button.click()]);
    await confirmation.getByRole('button', { name: 'Create GitHub App' }).click();
    await expect.poll(() => taken.length, { timeout: 20_000 }).toBe(1);
    const withCookie = (): boolean[] =>
      asked
        .filter(({ url }) => url.includes('/probot/setup?'))
        .map(({ cookie }) => cookie !== undefined);
    await expect.poll(withCookie, { timeout: 20_000 }).toEqual([false, true]);
    expect(asked.map(({ referer }) => referer ?? '').join(' ')).not.toContain('token=');
  });
});
