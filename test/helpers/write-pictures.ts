/**
 * Makes the pictures of the documents again: `node test/helpers/write-pictures.ts`, where Chromium is. It plays the
 * demonstration and takes the verdict on its first issue from the embedded GitHub's page, in light and dark, and what was
 * announced from the pages of the emulated Slack and Bluesky. Then it sets up a small project with `quorum init --pr` and
 * takes the pull request. Without a font with emoji (`fonts-noto-color-emoji`), their places are empty boxes.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { chromium, type Browser, type Page } from 'playwright-core';
import { createGitHubEmulator } from '../../src/emulator/github/github-emulator.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const CHROMIUM = '/usr/bin/chromium';
/** A README is read on every kind of line. */
const MAX_BYTES = 150_000;
/** For a picture of one guide, which only its readers load. */
const MAX_GUIDE_BYTES = 200_000;
/** Of a page of messages, in CSS pixels: all of it is long. */
const CHAT_HEIGHT = 900;
const CLI = 'src/hosts/cli.ts';

const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
try {
  await takeDemo(browser);
  await takeSetup(browser);
} finally {
  await browser.close();
}

async function takeDemo(from: Browser): Promise<void> {
  const demo = spawn(process.execPath, [CLI, 'demo', '--serve', '--json'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const { issue, slack, bluesky } = await addressesOf(demo.stdout);
    for (const scheme of ['light', 'dark'] as const) {
      const page = await openPage(from, issue, { colorScheme: scheme, deviceScaleFactor: 1.5 });
      const comment = page.locator('.item', { has: page.locator('.badge', { hasText: 'bot' }) });
      const verdict = comment.filter({ has: page.locator('.md') }).first();
      await save(`docs/verdict-${scheme}.png`, (file) => verdict.screenshot({ path: file }));
    }
    await takeChat(from, slack, 'docs/announcements-slack.png');
    await takeChat(from, bluesky, 'docs/announcements-bluesky.png');
  } finally {
    demo.kill('SIGTERM');
  }
}

/** The beginning of a page. */
async function takeChat(from: Browser, url: string, name: string): Promise<void> {
  const page = await openPage(from, url, { colorScheme: 'light', deviceScaleFactor: 1 });
  const main = await page.locator('main').boundingBox();
  if (main === null) throw new Error(`${url} is empty.`);
  const clip = { ...main, height: Math.min(main.height, CHAT_HEIGHT) };
  const take = (file: string) => page.screenshot({ path: file, clip, fullPage: true });
  await save(name, take, MAX_GUIDE_BYTES);
}

interface Addresses {
  issue: string;
  slack: string;
  bluesky: string;
}

/** The demonstration ends with one line of JSON. */
async function addressesOf(output: NodeJS.ReadableStream): Promise<Addresses> {
  for await (const line of createInterface({ input: output })) {
    const [issue, slack, bluesky] = ['issue', 'slack', 'bluesky'].map(
      (name) => new RegExp(`"${name}":"(http[^"]+)"`).exec(line)?.[1],
    );
    if (issue !== undefined && slack !== undefined && bluesky !== undefined)
      return { issue, slack, bluesky };
  }
  throw new Error('The demonstration ended without an address.');
}

async function takeSetup(from: Browser): Promise<void> {
  const dir = mkdtempSync(path.join(tmpdir(), 'quorum-picture-'));
  const clock = {
    now: () => Date.now(),
    sleep: (ms: number) => new Promise<void>((done) => setTimeout(done, ms)),
  };
  const github = await createGitHubEmulator({ dir, clock });
  try {
    github.createUser('ana-lund', 'Ana Lund');
    github.createOrg('tablewright', { 'ana-lund': 'admin' });
    const manifest = { name: 'csvpeek', scripts: { test: 'node --test' } };
    await github.createRepository({
      owner: 'tablewright',
      name: 'csvpeek',
      files: {
        'README.md': '# csvpeek\n',
        'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
        'src/read.js': 'export const read = (text) => text.split("\\n");\n',
      },
    });
    const env = {
      PATH: process.env['PATH'],
      GITHUB_TOKEN: github.createUserToken('ana-lund', ['repo', 'workflow']),
      GITHUB_API_URL: github.apiUrl,
    };
    const where = ['--repo', 'tablewright/csvpeek', '--source', 'tablewright/quorum'];
    const args = [CLI, 'init', '--pr', ...where, '--ref', 'v1'];
    // The embedded GitHub answers in this process.
    await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
    const pull = `${github.url}/tablewright/csvpeek/pull/1`;
    // It is long: at the size of the others it would be too large.
    const page = await openPage(from, pull, { colorScheme: 'light', deviceScaleFactor: 1 });
    const first = page.locator('.item').first();
    const take = (file: string) => first.screenshot({ path: file });
    await save('docs/setup-pull-request.png', take, MAX_GUIDE_BYTES);
  } finally {
    await github.close();
    rmSync(dir, { recursive: true });
  }
}

async function openPage(
  from: Browser,
  url: string,
  look: { colorScheme: 'light' | 'dark'; deviceScaleFactor: number },
): Promise<Page> {
  const page = await from.newPage({ viewport: { width: 1120, height: 900 }, ...look });
  await page.goto(url);
  return page;
}

async function save(
  name: string,
  take: (file: string) => Promise<unknown>,
  max = MAX_BYTES,
): Promise<void> {
  const file = path.join(ROOT, name);
  await take(file);
  const { size } = statSync(file);
  if (size > max) throw new Error(`${file} has ${size} bytes; at most ${max}.`);
  process.stdout.write(`${file}: ${size} bytes\n`);
}
