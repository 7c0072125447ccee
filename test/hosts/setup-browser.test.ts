/** The setup in a real browser, whose rules for strict cookies decide what GitHub's redirect brings along. */
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createGitHubEmulator } from '../../src/emulator/github/github-emulator.ts';
import { systemRandom } from '../../src/adapters/system/system-clock.ts';
import type { AppCredentials } from '../../src/hosts/environment/app-credentials.ts';
import { CLOCK, openDoor } from '../adapters/http/door.ts';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((file) =>
  existsSync(file),
);
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
];

describe.skipIf(CHROMIUM === undefined)('in Chromium (skipped where there is none)', () => {
  test('a person opens the address of the terminal, registers the App on GitHub and comes back', async () => {
    const dir = mkdtempSync(path.join(tmpdir(), 'quorum-setup-'));
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
    const browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: FLAGS });
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
