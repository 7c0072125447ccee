/** Writes the generated pages below docs/ (`node src/hosts/write-docs.ts`); a test fails when they are not current. */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { RULES_FILE, rulesPage } from '../rules/change/rules-page.ts';
import { COMMANDS_FILE, commandsPage } from '../domain/commands/commands-page.ts';
import { configReference, REFERENCE_FILE } from '../domain/config/config-reference.ts';

const PAGES = [
  [REFERENCE_FILE, configReference()],
  [RULES_FILE, rulesPage()],
  [COMMANDS_FILE, commandsPage()],
] as const;

for (const [path, content] of PAGES) {
  await writeFile(fileURLToPath(new URL(`../../${path}`, import.meta.url)), content);
  process.stdout.write(`${path}\n`);
}
