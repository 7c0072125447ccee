/** The page of rules says what the rules say. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { findSecrets } from '../../../src/domain/secrets/secret-text.ts';
import { REVIEW_RULES } from '../../../src/rules/change/review-rules.ts';
import { RULES_FILE, rulesPage } from '../../../src/rules/change/rules-page.ts';

test('the committed page is current (else run node src/hosts/write-docs.ts)', async () => {
  const url = new URL(`../../../${RULES_FILE}`, import.meta.url);
  expect(await readFile(url, 'utf8')).toBe(rulesPage());
});

test('every rule has its section, and the page holds no whole credential', () => {
  const page = rulesPage();
  for (const { id } of REVIEW_RULES) expect(page).toContain(`\n### ${id}\n`);
  expect(findSecrets(page)).toEqual([]);
  expect(REVIEW_RULES.length).toBeGreaterThanOrEqual(45);
});
