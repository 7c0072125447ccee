/** The two pull requests that the demonstration opens: one that gets change requests, and one that is left alone. */
import type { Edits } from './project-commits.ts';

export interface NewPull {
  /** For people who follow the demonstration. */
  kind: string;
  author: string;
  branch: string;
  title: string;
  body: string;
  commits: readonly Edits[];
  /** Its author may not write to the project. */
  isFromFork?: true;
  expected: PullExpectation;
  /** What the author does about the review. */
  answer?: PullAnswer;
}

export interface PullAnswer {
  /** Rule of the finding whose suggestion is applied, as with GitHub's button. */
  apply: string;
  /** Rule of the finding that is declined, and the reply that says why. */
  decline: { rule: string; body: string };
  commits: readonly Edits[];
  expected: PullExpectation;
}

/** How the pull request has to stand when the team is done with it. */
export interface PullExpectation {
  verdict: 'APPROVE' | 'CHANGES';
  check: 'success' | 'action_required';
  /** Rules by what became of their findings. */
  open: readonly string[];
  fixed: readonly string[];
  dismissed: readonly string[];
  /** Comments on lines, of all reviews so far. */
  comments: number;
  /** Comments in the conversation itself; none by default. */
  ownWords?: number;
}

const SOURCE = `import { execSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const CACHE = join(tmpdir(), 'csvpeek');
const FRESH_MS = 10 * 60_000;
const MAX_BYTES = 256 * 1024 * 1024;

/** Reads what the command line names: a file, a compressed file or a web address. */
export async function readSource(name: string): Promise<string> {
  if (/^https?:\\/\\//.test(name)) return readAddress(name);
  if (name.endsWith('.gz')) return unpack(name);
  return readFileSync(name, 'utf8');
}

function unpack(file: string): string {
  return execSync(\`gunzip -c \${file}\`, { maxBuffer: MAX_BYTES }).toString();
}

/** An answer is kept for ten minutes: looking at another column does not ask again. */
async function readAddress(address: string): Promise<string> {
  const kept = join(CACHE, encodeURIComponent(address));
  try {
    if (Date.now() - statSync(kept).mtimeMs < FRESH_MS) return readFileSync(kept, 'utf8');
  } catch {}
  const answer = await fetch(address);
  console.log('fetched', address, answer.status);
  if (!answer.ok) throw new Error(\`\${address} answers \${answer.status}\`);
  const text = await answer.text();
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(kept, text);
  return text;
}
`;

const SOURCE_TEST = `import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readSource } from '../src/source.ts';

test('reads a compressed file, whatever is in its name', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'csvpeek-')), 'my $(people).csv.gz');
  writeFileSync(file, gzipSync('id\\n1\\n'));
  assert.equal(await readSource(file), 'id\\n1\\n');
});

test('says which address answers with an error', async () => {
  const server = createServer((_, answer) => answer.writeHead(404).end()).listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await assert.rejects(readSource(\`http://localhost:\${port}/people.csv\`), /people.csv answers 404/);
  server.close();
});
`;

const WIDE = `
const WIDE = /^[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}]$/u;

/** Columns of a terminal: signs of East Asian scripts take two. */
function widthOf(cell: string): number {
  return [...cell].reduce((sum, sign) => sum + (WIDE.test(sign) ? 2 : 1), 0);
}
`;

const WIDE_TEST = `
test('counts signs of East Asian scripts as two columns', () => {
  assert.equal(renderTable([['名前', 'id'], ['Ada', '1']]), '名前  id\\nAda   1');
});
`;

const ROWS = `  const widths = rows[0].map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  return rows
    .map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ').trimEnd())
`;
const WIDE_ROWS = `  const widths = rows[0].map((_, at) => Math.max(...rows.map((row) => widthOf(row[at] ?? ''))));
  const pad = (cell: string, at: number) => cell + ' '.repeat((widths[at] ?? 0) - widthOf(cell));
  return rows
    .map((row) => row.map(pad).join('  ').trimEnd())
`;

export const NEW_PULLS: readonly NewPull[] = [
  {
    kind: 'needs work',
    author: 'ben-okafor',
    branch: 'read-other-sources',
    title: 'Read .gz files and web addresses',
    body: `Our exports lie compressed on a server in the house, so looking into one takes \`curl\`, \`gunzip\` and then csvpeek. Now it takes the address or the \`.gz\` as it is:

    csvpeek people.csv.gz
    csvpeek https://exports.example.com/people.csv

Tried with the exports of this week. \`cli.ts\` only changes where the text comes from.
`,
    commits: [
      {
        message: 'Read compressed files and web addresses',
        write: { 'src/source.ts': SOURCE },
        edit: [
          ['src/cli.ts', "import { readFileSync } from 'node:fs';\n", ''],
          [
            'src/cli.ts',
            "import { selectColumns } from './select.ts';\n",
            "import { selectColumns } from './select.ts';\nimport { readSource } from './source.ts';\n",
          ],
          [
            'src/cli.ts',
            "parseCsv(readFileSync(options.file, 'utf8'), options.delimiter)",
            'parseCsv(await readSource(options.file), options.delimiter)',
          ],
        ],
      },
      {
        message: 'Say so in the README',
        edit: [
          [
            'README.md',
            '    csvpeek people.csv\n',
            '    csvpeek people.csv\n    csvpeek people.csv.gz\n    csvpeek https://example.com/people.csv\n',
          ],
        ],
      },
    ],
    expected: {
      verdict: 'CHANGES',
      check: 'action_required',
      open: [
        'code-without-tests',
        'debug-print-left',
        'empty-catch',
        'js-shell-command',
        'unused-import',
      ],
      fixed: [],
      dismissed: [],
      comments: 4,
    },
    answer: {
      apply: 'debug-print-left',
      decline: {
        rule: 'empty-catch',
        body: 'By design: `statSync` throws when nothing is kept yet, and then the address is fetched, which is what should happen.',
      },
      commits: [
        {
          message: 'Unpack without a shell, and test both sources',
          write: { 'test/source.test.ts': SOURCE_TEST },
          edit: [
            ['src/source.ts', "import { execSync } from 'node:child_process';\n", ''],
            [
              'src/source.ts',
              'execSync(`gunzip -c ${file}`, { maxBuffer: MAX_BYTES })',
              'gunzipSync(readFileSync(file), { maxOutputLength: MAX_BYTES })',
            ],
          ],
        },
      ],
      expected: {
        verdict: 'APPROVE',
        check: 'success',
        open: [],
        fixed: ['code-without-tests', 'debug-print-left', 'js-shell-command', 'unused-import'],
        dismissed: ['empty-catch'],
        comments: 4,
      },
    },
  },
  {
    kind: 'nothing to say',
    author: 'ana-lund',
    branch: 'wide-characters',
    title: 'Align columns with wide characters',
    body: 'Fixes #7. Signs of Japanese, Chinese and Korean scripts take two columns of a terminal; `padEnd` counted them as one.\n',
    commits: [
      {
        message: 'Align columns with wide characters\n\nFixes #7.',
        edit: [
          [
            'src/render.ts',
            "import type { Row } from './parse.ts';\n",
            `import type { Row } from './parse.ts';\n${WIDE}`,
          ],
          ['src/render.ts', ROWS, WIDE_ROWS],
          [
            'test/render.test.ts',
            "\ntest('prints Markdown'",
            `${WIDE_TEST}\ntest('prints Markdown'`,
          ],
          [
            'CHANGELOG.md',
            '# Changelog\n',
            '# Changelog\n\n## Unreleased\n\n- Columns with Japanese, Chinese or Korean text are aligned.\n',
          ],
        ],
      },
    ],
    expected: {
      verdict: 'APPROVE',
      check: 'success',
      open: [],
      fixed: [],
      dismissed: [],
      comments: 0,
    },
  },
];
