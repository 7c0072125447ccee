/** The small project of the tests' repositories, and an issue about it. */

export const TIDY_FILES = {
  'README.md': '# tidy\n\nMoves files into folders by their date.\n',
  'src/cli.ts': [
    "import { tidy } from './tidy.ts';",
    '',
    '/** Entry of the command. */',
    'export function main(args: string[]): number {',
    '  for (const file of args) {',
    '    tidy(file);',
    '    console.log(`tidied ${file}`);',
    '  }',
    '  return 0;',
    '}',
    '',
  ].join('\n'),
  'src/tidy.ts': 'export function tidy(file: string): string {\n  return file.trim();\n}\n',
  'test/cli.test.ts': "import { main } from '../src/cli.ts';\n",
  'package.json': '{ "name": "tidy", "version": "1.0.0" }\n',
};

/** A clear, small request that the offline rules find ready. */
export const READY_ISSUE = {
  title: 'Add a --quiet flag to the tidy command',
  body: [
    'Running `tidy a.txt` prints a line for every file, from `main` in `src/cli.ts`.',
    '',
    'Expected: with `--quiet` nothing is printed unless a file fails.',
    '',
    'Acceptance:',
    '- `tidy --quiet a.txt` prints nothing and exits 0',
    '- errors still go to stderr',
    '- a case in `test/cli.test.ts`',
  ].join('\n'),
};
