/** The emulator's pages in a real browser: readable, accessible, folded parts that open. */
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aReviewedPull } from '../../helpers/a-reviewed-pull.ts';
import { noChromium, startChromium } from '../../helpers/chromium.ts';
import { aWorld, READY_ISSUE } from '../../helpers/a-world.ts';

interface Axe {
  run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
}

describe.skipIf(noChromium !== undefined)('pages in Chromium (skipped without Chromium)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser.close());

  test.each(['light', 'dark'] as const)(
    'shows the live comment and passes axe in %s',
    async (scheme) => {
      const world = await aWorld();
      const number = await world.ask(READY_ISSUE);
      await world.idle();
      // Only the test's own axe needs the way around the pages' strict policy.
      const context = await browser.newContext({ colorScheme: scheme, bypassCSP: true });
      const page = await context.newPage();
      await page.goto(`${world.emulator.url}/acme/tidy/issues/${number}`);
      await expect(page.getByRole('heading', { name: /^Ready: / }).count()).resolves.toBe(1);
      expect(await page.content()).not.toContain('quorum:v1');
      const folded = page.locator('details', { hasText: 'Why, by voice' });
      expect(await folded.locator('strong', { hasText: 'Dev' }).isVisible()).toBe(false);
      await folded.locator('summary').click();
      expect(await folded.locator('strong', { hasText: 'Dev' }).isVisible()).toBe(true);
      expect(await violationsOn(page)).toEqual([]);
      await page.getByLabel('Act as').selectOption('ana');
      await page.getByRole('button', { name: 'Switch' }).click();
      await page.getByText('Edit labels').click();
      await page.getByText('Edit title and text').click();
      expect(await violationsOn(page)).toEqual([]);
      await page.getByLabel('Comment', { exact: true }).fill('By a browser');
      await page.getByRole('button', { name: 'Comment', exact: true }).click();
      await page.getByText('By a browser').waitFor();
      await context.close();
    },
  );

  test('a reviewed pull request: settled conversations folded, suggestions as changes, comments in place', async () => {
    const world = await aWorld({
      files: { '.github/quorum.yml': 'review:\n  settleSeconds: 0\n' },
    });
    const pull = await aReviewedPull(world);
    const print = "export function one(): number {\n  console.log('one');\n  return 1;\n}\n";
    await pull.push({
      'src/run.ts': 'export const run = (text: string): unknown => eval(text);\n',
      'src/one.ts': print,
    });
    const { number } = await pull.push({ 'src/run.ts': 'export const run = 1;\n' });
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 390],
    ] as const) {
      const viewport = { width, height: 900 };
      const context = await browser.newContext({ colorScheme, viewport, bypassCSP: true });
      const page = await context.newPage();
      await page.goto(`${world.emulator.url}/acme/tidy/pull/${number}`);
      const settled = page.locator('details.talk', { hasText: 'Text is run as code.' });
      expect(await settled.locator('.said').isVisible()).toBe(false);
      await settled.locator('summary').click();
      expect(await settled.locator('.said').isVisible()).toBe(true);
      const open = page.locator('div.talk', { hasText: 'A line prints for debugging.' });
      expect(await open.locator('.suggestion .del').textContent()).toContain("console.log('one')");
      expect(await page.locator('#checks').textContent()).toContain('Fixed: js-eval');
      expect(await violationsOn(page)).toEqual([]);
      await page.getByRole('link', { name: 'Files changed' }).click();
      const under = page.locator('tr', { has: page.locator('.under .talk') });
      expect(await under.count()).toBe(1);
      const line = under.locator('xpath=preceding-sibling::tr[1]');
      expect(await line.textContent()).toContain("console.log('one')");
      expect(await violationsOn(page)).toEqual([]);
      await context.close();
    }
  });
});

async function violationsOn(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: createRequire(import.meta.url).resolve('axe-core') });
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: Axe }).axe.run(),
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
}
