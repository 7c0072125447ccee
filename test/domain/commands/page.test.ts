import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  COMMANDS_FILE,
  commandsPage,
  commandTable,
} from '../../../src/domain/commands/commands-page.ts';
import { COMMANDS } from '../../../src/domain/commands/registry.ts';

const read = (file: string): string =>
  readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');

test('the guide is current (else run node src/hosts/write-docs.ts)', () => {
  expect(read(COMMANDS_FILE)).toBe(commandsPage());
});

test('the README shows the table of what is built', () => {
  expect(read('README.md')).toContain(`\n${commandTable()}\n`);
});

test('every command is documented, and none of them is placed where it would be run', () => {
  const page = commandsPage();
  expect(
    COMMANDS.filter(
      ({ name }) => !page.includes(`\`${name}\``) && !page.includes(`\n## ${name}\n`),
    ),
  ).toEqual([]);
  expect(page).not.toMatch(/^ {0,3}\/pm/m);
});
