/** The plan that the demonstration opens: two tasks at once, and one that builds on the first. */
import { LEFT_FOR_LATER } from './follow-up-pull.ts';
import type { Edits } from './project-commits.ts';

export interface NewTask {
  title: string;
  /** Numbers of the tasks that must be completed before. */
  dependencies: readonly number[];
  files: readonly { path: string; note: string }[];
  description: string;
  /** The change that does it. */
  edits: Omit<Edits, 'message'>;
  /** What its coder says of it when done, and of what the task left open. */
  summary: string;
  decisions: readonly string[];
}

const SORT = `import type { Row } from './parse.ts';

/** Sorts by the named column, smallest first. The head stays on top, and rows that are equal keep their order. */
export function sortRows(rows: Row[], column: string): Row[] {
  const [head = [], ...body] = rows;
  const place = head.indexOf(column);
  if (place < 0) throw new Error(\`no column \${column}; there are: \${head.join(', ')}\`);
  return [head, ...body.toSorted((a, b) => compareCells(a[place] ?? '', b[place] ?? ''))];
}

/** Numbers by their size, everything else by the alphabet. */
function compareCells(a: string, b: string): number {
${LEFT_FOR_LATER}  return a.localeCompare(b, 'en', { numeric: true });
}
`;

const SORT_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sortRows } from '../src/sort.ts';

const ROWS = [['id', 'name'], ['10', 'Bob'], ['9', 'Ada'], ['9', 'Cleo']];

test('sorts numbers by their size, below the head', () => {
  assert.deepEqual(sortRows(ROWS, 'id').map(([id]) => id), ['id', '9', '9', '10']);
});

test('keeps the order of equal rows', () => {
  assert.deepEqual(sortRows(ROWS, 'id').map(([, name]) => name), ['name', 'Ada', 'Cleo', 'Bob']);
});

test('refuses a name that is no column', () => {
  assert.throws(() => sortRows(ROWS, 'nam'), /no column nam; there are: id, name/);
});
`;

const EMPTY_TEST = `
test('prints nothing where there are no rows', () => {
  assert.equal(renderTable([]), '');
  assert.equal(renderMarkdown([]), '');
});
`;

const OPTIONS_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOptions } from '../src/options.ts';

test('reads the column to sort by', () => {
  assert.equal(readOptions(['people.csv', '--sort', 'name']).sort, 'name');
});

test('leaves rows as they come unless told otherwise', () => {
  assert.equal(readOptions(['people.csv']).sort, '');
});
`;

const NOTES = '- `--sort <column>` sorts the rows.\n- An empty file prints nothing.\n';

export const NEW_PLAN = {
  author: 'chloe-marchetti',
  title: '[PLAN] Sorted rows, and no crash on empty files',
  heading: 'Sorted rows, and no crash on empty files',
  goal: '`csvpeek --sort name people.csv` shows rows in the order of a column, and an empty file prints nothing instead of a TypeError (#6).',
  context:
    'Sorting is a function of its own, as selecting columns is; the command line only calls it. The crash is in `src/render.ts`, which nothing else here touches.',
} as const;

/** Task 1 is the first of them. */
export const NEW_TASKS: readonly NewTask[] = [
  {
    title: 'Sort rows by a column',
    dependencies: [],
    files: [
      { path: 'src/sort.ts', note: 'the function' },
      { path: 'test/sort.test.ts', note: 'its tests' },
    ],
    description:
      'Add `sortRows(rows, column)`: smallest first, numbers by their size, the head on top, equal rows in their order. A name that is no column is the error that `selectColumns` throws.',
    edits: { write: { 'src/sort.ts': SORT, 'test/sort.test.ts': SORT_TEST } },
    summary: 'Adds `sortRows`, which sorts below the head and refuses names that are no column.',
    decisions: ['Words sort by the English alphabet: the order is the same on every machine.'],
  },
  {
    title: 'Print nothing for an empty file',
    dependencies: [],
    files: [
      { path: 'src/render.ts', note: 'both layouts' },
      { path: 'test/render.test.ts', note: 'a case for no rows' },
    ],
    description:
      '`renderTable` and `renderMarkdown` read `rows[0]`, which an empty file has not. Both return an empty text where there are no rows.',
    edits: {
      edit: [
        [
          'src/render.ts',
          '  const widths = ',
          "  if (rows.length === 0) return '';\n  const widths = ",
        ],
        [
          'src/render.ts',
          '  const lines = ',
          "  if (rows.length === 0) return '';\n  const lines = ",
        ],
        [
          'test/render.test.ts',
          "\ntest('prints Markdown'",
          `${EMPTY_TEST}\ntest('prints Markdown'`,
        ],
      ],
    },
    summary: 'Both layouts return an empty text where there are no rows, so nothing crashes.',
    decisions: [],
  },
  {
    title: 'Sort from the command line',
    dependencies: [1],
    files: [
      { path: 'src/options.ts', note: '`--sort <column>`' },
      { path: 'src/cli.ts', note: 'sorts before it cuts' },
      { path: 'test/options.test.ts', note: 'with the option and without' },
      { path: 'README.md', note: 'the table of options' },
      { path: 'CHANGELOG.md', note: 'what users notice' },
    ],
    description:
      '`--sort <column>` sorts all rows before `--limit` cuts them. Without it they stay as they come.',
    edits: {
      write: { 'test/options.test.ts': OPTIONS_TEST },
      edit: [
        [
          'src/options.ts',
          '  legacy: boolean;\n',
          '  legacy: boolean;\n  /** Name of the column to sort by; empty means as they come. */\n  sort: string;\n',
        ],
        [
          'src/options.ts',
          "      legacy: { type: 'boolean', default: false },\n",
          "      legacy: { type: 'boolean', default: false },\n      sort: { type: 'string', default: '' },\n",
        ],
        [
          'src/options.ts',
          'legacy: values.legacy };',
          'legacy: values.legacy, sort: values.sort };',
        ],
        [
          'src/cli.ts',
          "import { selectColumns } from './select.ts';\n",
          "import { selectColumns } from './select.ts';\nimport { sortRows } from './sort.ts';\n",
        ],
        [
          'src/cli.ts',
          '  const shown = rows.slice(',
          "  const sorted = options.sort === '' ? rows : sortRows(rows, options.sort);\n  const shown = sorted.slice(",
        ],
        [
          'README.md',
          '| `--legacy` |',
          '| `--sort <column>` | sort by this column, smallest first |\n| `--legacy` |',
        ],
        ['CHANGELOG.md', '# Changelog\n', `# Changelog\n\n## Unreleased\n\n${NOTES}`],
      ],
    },
    summary:
      '`--sort <column>` sorts the rows before `--limit` cuts them; README and changelog say so.',
    decisions: ['Sorting comes before cutting, so that `--limit 5` shows the five smallest.'],
  },
];
