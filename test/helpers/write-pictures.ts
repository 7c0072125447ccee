/**
 * Makes the README's picture again: `node test/helpers/write-pictures.ts`, where Chromium is. It plays the demonstration
 * and takes the verdict on its first issue from the embedded GitHub's page, in light and dark.
 */
import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

const ROOT = path.resolve(import.meta.dirname, '../..');
const CHROMIUM = '/usr/bin/chromium';
/** A README is read on every kind of line. */
const MAX_BYTES = 150_000;

const demo = spawn(process.execPath, ['src/hosts/cli.ts', 'demo', '--serve', '--json'], {
  cwd: ROOT,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
try {
  const issue = await issueOf(demo.stdout);
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({
      viewport: { width: 1120, height: 900 },
      colorScheme,
      deviceScaleFactor: 1.5,
    });
    await page.goto(issue);
    const file = path.join(ROOT, `docs/verdict-${colorScheme}.png`);
    const comment = page.locator('.item', { has: page.locator('.badge', { hasText: 'bot' }) });
    await comment
      .filter({ has: page.locator('.md') })
      .first()
      .screenshot({ path: file });
    const { size } = statSync(file);
    if (size > MAX_BYTES) throw new Error(`${file} has ${size} bytes; at most ${MAX_BYTES}.`);
    process.stdout.write(`${file}: ${size} bytes\n`);
  }
} finally {
  await browser.close();
  demo.kill('SIGTERM');
}

/** The demonstration ends with one line of JSON. */
async function issueOf(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const found = /"issue":"(http[^"]+)"/.exec(line)?.[1];
    if (found !== undefined) return found;
  }
  throw new Error('The demonstration ended without an address.');
}
