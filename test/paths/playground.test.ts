/** The path of somebody who plays: `quorum emulator` and `quorum start` as processes, a browser and the real gh. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aFolder } from '../helpers/a-folder.ts';
import { CLI, freePort, startScript, webhookAt } from '../helpers/an-app-process.ts';
import { noChromium, startChromium } from '../helpers/chromium.ts';
import { hasGh } from '../helpers/has-gh.ts';
import { waitUntil } from '../helpers/wait-until.ts';
import { printTimes } from './print-times.ts';

const run = promisify(execFile);

/** What `quorum emulator --json` prints, as far as it is used here. */
interface Printed {
  url: string;
  repository: string;
  app: { id: number; privateKeyFile: string; webhookSecret: string };
  gh: Record<string, string>;
}

const WISH = [
  '`csvpeek --count people.csv` prints `3` for a file with a header and 3 rows.',
  'Done when a test in `test/options.test.ts` shows it.',
].join(' ');

describe.skipIf(!hasGh || noChromium !== undefined)('a playground', () => {
  test('is spoken to by gh and by browser, and the team answers both', async () => {
    const times = printTimes('the playground');
    const dir = aFolder('playground');
    const port = await freePort();
    const started = await startScript([CLI, 'emulator', '--json', '--webhook', webhookAt(port)], {
      cwd: dir,
      env: { HOME: dir },
      until: /\n$/,
    });
    const { url, repository, app, gh: ghEnv } = JSON.parse(started.said()) as Printed;
    await startScript([CLI, 'start'], {
      cwd: dir,
      env: {
        APP_ID: String(app.id),
        PRIVATE_KEY: await readFile(app.privateKeyFile, 'utf8'),
        WEBHOOK_SECRET: app.webhookSecret,
        GHE_HOST: new URL(url).host,
        GHE_PROTOCOL: 'http',
        QUORUM_DATA: path.join(dir, 'data'),
        PORT: port,
        LOG_FORMAT: 'json',
      },
      until: /listening/,
    });
    times.ended('emulator and App started');

    const env = { PATH: process.env['PATH'], HOME: dir, GH_PROMPT_DISABLED: '1', ...ghEnv };
    const gh = async (...args: string[]): Promise<string> =>
      (await run('gh', args, { cwd: dir, env })).stdout.trim();
    const wish = ['--title', 'Print the number of rows', '--body', WISH, '--label', 'deliberate'];
    const issue = await gh('issue', 'create', ...wish);
    const number = issue.split('/').at(-1) ?? '';
    expect(issue).toBe(`${url}/${repository}/issues/${number}`);
    await waitUntil(async () => (await gh('issue', 'list', '--label', 'ready')) !== '');
    expect(await gh('issue', 'view', number, '--comments')).toContain('### Ready: ');
    times.ended('verdict by gh');

    const browser = await startChromium();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.goto(issue);
    await page.getByRole('heading', { name: /^Ready: / }).waitFor();
    await page.getByLabel('Act as').selectOption('ana-lund');
    await page.getByRole('button', { name: 'Switch' }).click();
    await page.getByLabel('Comment', { exact: true }).fill('/pm status');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await waitUntil(async () => {
      await page.reload();
      return page.locator('blockquote', { hasText: '/pm status' }).isVisible();
    });
    times.ended('answer in the browser');
    expect(await gh('issue', 'view', number, '--comments')).toContain('> `/pm status`');
  });
});
