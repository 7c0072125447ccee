/** csvpeek, the demonstration's project: from the first commit to a command line with columns. */
import type { Change } from './project-commits.ts';

const PACKAGE = `{
  "name": "csvpeek",
  "version": "0.1.0",
  "description": "Look into CSV files from a terminal",
  "type": "module",
  "license": "MIT",
  "bin": { "csvpeek": "src/cli.ts" },
  "engines": { "node": ">=22.18" },
  "scripts": { "test": "node --test" }
}
`;

const README = `# csvpeek

Look into CSV files from a terminal.

    csvpeek people.csv

## Development

\`npm test\` runs the tests. There are no dependencies.
`;

const PARSE = `/** One row of cells. */
export type Row = string[];

/** Splits text into rows and cells. */
export function parseCsv(text: string): Row[] {
  const rows: Row[] = [];
  for (const line of text.split('\\n')) if (line !== '') rows.push(line.split(','));
  return rows;
}
`;

const PARSE_QUOTED = `/** One row of cells. */
export type Row = string[];

/** The text is no CSV that we can read. */
export class CsvError extends Error {}

/** Splits text into rows and cells. A cell in quotes may hold the delimiter; "" is a quote. */
export function parseCsv(text: string): Row[] {
  const rows: Row[] = [];
  for (const line of text.split('\\n')) if (line !== '') rows.push(parseLine(line));
  return rows;
}

function parseLine(line: string): Row {
  const row: Row = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at];
    if (isQuoted && sign === '"' && line[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (sign === '"') isQuoted = !isQuoted;
    else if (sign === ',' && !isQuoted) {
      row.push(cell);
      cell = '';
    } else cell += sign;
  }
  if (isQuoted) throw new CsvError('unterminated quoted field');
  return [...row, cell];
}
`;

const PARSE_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCsv } from '../src/parse.ts';

test('splits rows and cells', () => {
  assert.deepEqual(parseCsv('a,b\\n1,2\\n'), [['a', 'b'], ['1', '2']]);
});
`;

const QUOTED_TEST = `
test('keeps the delimiter inside quotes', () => {
  assert.deepEqual(parseCsv('"a,b",c'), [['a,b', 'c']]);
});

test('refuses a quote that is never closed', () => {
  assert.throws(() => parseCsv('"a,b'), /unterminated/);
});
`;

const RENDER = `import type { Row } from './parse.ts';

/** Aligns columns with spaces; the first row is the head. */
export function renderTable(rows: Row[]): string {
  const widths = rows[0].map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  return rows
    .map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ').trimEnd())
    .join('\\n');
}
`;

const RENDER_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderTable } from '../src/render.ts';

test('aligns columns', () => {
  assert.equal(renderTable([['id', 'name'], ['1', 'Ada']]), 'id  name\\n1   Ada');
});
`;

const OPTIONS = `import { parseArgs } from 'node:util';

export interface Options {
  file: string;
  /** Most rows that are shown. */
  limit: number;
}

/** Reads the command line. Throws with a sentence for people. */
export function readOptions(args: string[]): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      limit: { type: 'string', default: '20' },
    },
  });
  const [file] = positionals;
  if (file === undefined) throw new Error('Name a file: csvpeek people.csv');
  return { file, limit: Number(values.limit) };
}
`;

const CLI = `#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { readOptions } from './options.ts';
import { parseCsv } from './parse.ts';
import { renderTable } from './render.ts';

try {
  const options = readOptions(process.argv.slice(2));
  const rows = parseCsv(readFileSync(options.file, 'utf8'));
  console.log(renderTable(rows.slice(0, options.limit + 1)));
} catch (error) {
  console.error(\`csvpeek: \${error instanceof Error ? error.message : error}\`);
  process.exitCode = 1;
}
`;

const WORKFLOW = `name: ci
on: [push, pull_request]
permissions:
  contents: read
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with:
          node-version: 24
      - run: npm test
`;

/** Oldest first. */
export const BEGINNINGS: readonly Change[] = [
  {
    message: 'Split CSV into rows and cells',
    author: 'ana-lund',
    daysAgo: 192.3,
    write: {
      'package.json': PACKAGE,
      'README.md': README,
      'src/parse.ts': PARSE,
      'test/parse.test.ts': PARSE_TEST,
    },
  },
  {
    message: 'Parse quoted fields',
    author: 'ana-lund',
    daysAgo: 186.1,
    write: {
      'src/parse.ts': PARSE_QUOTED,
      'test/parse.test.ts': `${PARSE_TEST}${QUOTED_TEST}`,
    },
  },
  {
    message: 'Print rows as aligned columns',
    author: 'ben-okafor',
    daysAgo: 177.6,
    write: { 'src/render.ts': RENDER, 'test/render.test.ts': RENDER_TEST },
  },
  {
    message: 'Add the command line',
    author: 'ana-lund',
    daysAgo: 165.9,
    write: { 'src/cli.ts': CLI, 'src/options.ts': OPTIONS },
  },
  {
    message: 'Run the tests on every push',
    author: 'chloe-marchetti',
    daysAgo: 151.2,
    write: { '.github/workflows/ci.yml': WORKFLOW },
  },
];
