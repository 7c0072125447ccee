/** csvpeek, the demonstration's project: what came after the first release. */
import type { Change } from './project-commits.ts';

const SELECT = `import type { Row } from './parse.ts';

/** Keeps the named columns, in the order in which they are named. */
export function selectColumns(rows: Row[], names: string[]): Row[] {
  const [head = []] = rows;
  const places = names.map((name) => head.indexOf(name)).filter((place) => place >= 0);
  return rows.map((row) => places.map((place) => row[place] ?? ''));
}
`;

const SELECT_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectColumns } from '../src/select.ts';

const ROWS = [['id', 'name'], ['1', 'Ada']];

test('keeps the named columns in order', () => {
  assert.deepEqual(selectColumns(ROWS, ['name', 'id']), [['name', 'id'], ['Ada', '1']]);
});
`;

const UNKNOWN_TEST = `
test('refuses a name that is no column', () => {
  assert.throws(() => selectColumns(ROWS, ['nam']), /no column nam/);
});
`;

const MARKDOWN = `
/** A Markdown table; the first row is the head. */
export function renderMarkdown(rows: Row[]): string {
  const lines = rows.map((row) => \`| \${row.map((cell) => cell.replaceAll('|', '\\\\|')).join(' | ')} |\`);
  const rule = \`| \${rows[0].map(() => '---').join(' | ')} |\`;
  return [lines[0], rule, ...lines.slice(1)].join('\\n');
}
`;

const MARKDOWN_TEST = `
test('prints Markdown', () => {
  assert.equal(renderMarkdown([['id'], ['a|b']]), '| id |\\n| --- |\\n| a\\\\|b |');
});
`;

const TO_FORMAT = `function toFormat(name: string): Options['format'] {
  if (name === 'table' || name === 'markdown') return name;
  throw new Error(\`no format \${name}; there are table and markdown\`);
}
`;

const LEGACY = `
/** The layout of 0.x: cells between tabs, nothing aligned. Scripts of that time cut at tabs. */
export function renderLegacy(rows: Row[]): string {
  return rows.map((row) => row.join('\\t')).join('\\n');
}
`;

const BREAKS_TEST = `
test('keeps line breaks inside quotes', () => {
  assert.deepEqual(parseCsv('"a\\nb",c\\n'), [['a\\nb', 'c']]);
});
`;

const PARSE_BREAKS = `/** One row of cells. */
export type Row = string[];

/** The text is no CSV that we can read. */
export class CsvError extends Error {}

/**
 * Splits text into rows and cells. A cell in quotes may hold the delimiter and line breaks; "" is a quote.
 * Throws CsvError when a quoted field is never closed.
 */
export function parseCsv(text: string, delimiter = ','): Row[] {
  const rows: Row[] = [];
  let row: Row = [];
  let cell = '';
  let isQuoted = false;
  const endRow = () => {
    if (row.length > 0 || cell !== '') rows.push([...row, cell]);
    row = [];
    cell = '';
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (isQuoted && sign === '"' && text[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (sign === '"') isQuoted = !isQuoted;
    else if (sign === '\\n' && !isQuoted) endRow();
    else if (sign === delimiter && !isQuoted) {
      row.push(cell);
      cell = '';
    } else cell += sign;
  }
  if (isQuoted) throw new CsvError('unterminated quoted field');
  endRow();
  return rows;
}
`;

const CHANGELOG = `# Changelog

## 0.3.0

- \`--columns\` shows only the columns that it names.
- \`--limit\` says how many rows are shown.
`;

const USAGE = `## Options

| option | what it does |
|---|---|
| \`--limit <n>\` | show at most so many rows (20) |
| \`--columns <a,b>\` | show only these columns, in this order |
| \`--delimiter <sign>\` | what stands between cells (a comma) |
| \`--format <name>\` | \`table\` or \`markdown\` |
| \`--legacy\` | the layout of 0.x: cells between tabs |

## Development
`;

const QUORUM = `# Quorum: the team that discusses issues labelled \`deliberate\`, reviews pull requests and works on plans
version: 1
access:
  owner: ana-lund
# Seconds of quiet after a comment or a push before the team goes on; people usually want a minute.
council:
  debounceSeconds: 1
review:
  settleSeconds: 1
gates: { testCommand: node --test }
# With one person's approval and all gates, without another \`/pm merge\`.
merge:
  mode: auto
quietHours: { enabled: false }
channels: { slack: { channel: '#team' } }
`;

/** Oldest first. */
export const GROWTH: readonly Change[] = [
  {
    message: 'Select columns by name',
    author: 'ben-okafor',
    daysAgo: 139.4,
    write: { 'src/select.ts': SELECT, 'test/select.test.ts': SELECT_TEST },
    edit: [
      [
        'src/options.ts',
        '  limit: number;\n',
        '  limit: number;\n  /** Names of columns; empty means all. */\n  columns: string[];\n',
      ],
      [
        'src/options.ts',
        "      limit: { type: 'string', default: '20' },\n",
        "      limit: { type: 'string', default: '20' },\n      columns: { type: 'string', default: '' },\n",
      ],
      [
        'src/options.ts',
        'return { file, limit: Number(values.limit) };',
        "const columns = values.columns.split(',').filter((name) => name !== '');\n  return { file, limit: Number(values.limit), columns };",
      ],
      [
        'src/cli.ts',
        "import { renderTable } from './render.ts';\n",
        "import { renderTable } from './render.ts';\nimport { selectColumns } from './select.ts';\n",
      ],
      [
        'src/cli.ts',
        '  console.log(renderTable(rows.slice(0, options.limit + 1)));\n',
        '  const shown = rows.slice(0, options.limit + 1);\n  const chosen = options.columns.length === 0 ? shown : selectColumns(shown, options.columns);\n  console.log(renderTable(chosen));\n',
      ],
    ],
  },
  {
    message: 'Release 0.3.0',
    author: 'ana-lund',
    daysAgo: 121.7,
    write: { 'CHANGELOG.md': CHANGELOG },
    edit: [['package.json', '"version": "0.1.0"', '"version": "0.3.0"']],
  },
  {
    message: 'Fail on unknown column names\n\nFixes #2.',
    author: 'chloe-marchetti',
    daysAgo: 98.2,
    write: { 'test/select.test.ts': `${SELECT_TEST}${UNKNOWN_TEST}` },
    edit: [
      [
        'src/select.ts',
        'names.map((name) => head.indexOf(name)).filter((place) => place >= 0);',
        'names.map((name) => placeOf(name, head));',
      ],
      [
        'src/select.ts',
        "row[place] ?? ''));\n}\n",
        "row[place] ?? ''));\n}\n\nfunction placeOf(name: string, head: Row): number {\n  const place = head.indexOf(name);\n  if (place < 0) throw new Error(`no column ${name}; there are: ${head.join(', ')}`);\n  return place;\n}\n",
      ],
    ],
  },
  {
    message:
      'Keep line breaks inside quoted fields, and take other delimiters\n\nFixes #1, closes #4.',
    author: 'ben-okafor',
    daysAgo: 80.5,
    write: { 'src/parse.ts': PARSE_BREAKS },
    edit: [
      ['test/parse.test.ts', "\ntest('refuses a quote", `${BREAKS_TEST}\ntest('refuses a quote`],
      [
        'src/options.ts',
        '  columns: string[];\n',
        '  columns: string[];\n  /** What stands between cells. */\n  delimiter: string;\n',
      ],
      [
        'src/options.ts',
        "      columns: { type: 'string', default: '' },\n",
        "      columns: { type: 'string', default: '' },\n      delimiter: { type: 'string', default: ',' },\n",
      ],
      [
        'src/options.ts',
        'limit: Number(values.limit), columns };',
        'limit: Number(values.limit), columns, delimiter: values.delimiter };',
      ],
      [
        'src/cli.ts',
        "readFileSync(options.file, 'utf8'));",
        "readFileSync(options.file, 'utf8'), options.delimiter);",
      ],
    ],
  },
  {
    message: 'Print Markdown tables with --format markdown',
    author: 'ana-lund',
    daysAgo: 61.3,
    edit: [
      ['src/render.ts', ".join('\\n');\n}\n", `.join('\\n');\n}\n${MARKDOWN}`],
      ['test/render.test.ts', 'import { renderTable }', 'import { renderMarkdown, renderTable }'],
      [
        'test/render.test.ts',
        "'id  name\\n1   Ada');\n});\n",
        `'id  name\\n1   Ada');\n});\n${MARKDOWN_TEST}`,
      ],
      [
        'src/options.ts',
        '  delimiter: string;\n',
        "  delimiter: string;\n  format: 'table' | 'markdown';\n",
      ],
      [
        'src/options.ts',
        "      delimiter: { type: 'string', default: ',' },\n",
        "      delimiter: { type: 'string', default: ',' },\n      format: { type: 'string', default: 'table' },\n",
      ],
      [
        'src/options.ts',
        'columns, delimiter: values.delimiter };',
        'columns, delimiter: values.delimiter, format: toFormat(values.format) };',
      ],
      [
        'src/options.ts',
        '/** Reads the command line.',
        `${TO_FORMAT}\n/** Reads the command line.`,
      ],
      ['src/cli.ts', 'import { renderTable }', 'import { renderMarkdown, renderTable }'],
      [
        'src/cli.ts',
        '  console.log(renderTable(chosen));\n',
        "  const render = options.format === 'markdown' ? renderMarkdown : renderTable;\n  console.log(render(chosen));\n",
      ],
    ],
  },
  {
    message: 'Keep the 0.x layout behind --legacy',
    author: 'ana-lund',
    daysAgo: 33.8,
    edit: [
      ['src/render.ts', '\n/** A Markdown table', `${LEGACY}\n/** A Markdown table`],
      [
        'src/options.ts',
        "  format: 'table' | 'markdown';\n",
        "  format: 'table' | 'markdown';\n  /** The layout of 0.x. */\n  legacy: boolean;\n",
      ],
      [
        'src/options.ts',
        "      format: { type: 'string', default: 'table' },\n",
        "      format: { type: 'string', default: 'table' },\n      legacy: { type: 'boolean', default: false },\n",
      ],
      [
        'src/options.ts',
        'format: toFormat(values.format) };',
        'format: toFormat(values.format), legacy: values.legacy };',
      ],
      [
        'src/cli.ts',
        'import { renderMarkdown, renderTable }',
        'import { renderLegacy, renderMarkdown, renderTable }',
      ],
      [
        'src/cli.ts',
        "  const render = options.format === 'markdown' ? renderMarkdown : renderTable;\n",
        "  const current = options.format === 'markdown' ? renderMarkdown : renderTable;\n  const render = options.legacy ? renderLegacy : current;\n",
      ],
    ],
  },
  {
    message: 'Release 1.0.0',
    author: 'ana-lund',
    daysAgo: 20.1,
    edit: [
      ['package.json', '"version": "0.3.0"', '"version": "1.0.0"'],
      ['README.md', '## Development\n', USAGE],
      [
        'CHANGELOG.md',
        '# Changelog\n',
        '# Changelog\n\n## 1.0.0\n\n- Columns are aligned; `--legacy` prints the layout of 0.x.\n- `--format markdown` prints a Markdown table.\n- `--delimiter` takes other signs than a comma.\n- Line breaks inside quoted fields are kept.\n- An unknown column is an error.\n',
      ],
    ],
  },
  {
    message: 'Discuss issues and review pull requests with Quorum',
    author: 'ana-lund',
    daysAgo: 6.4,
    write: { '.github/quorum.yml': QUORUM },
  },
];
