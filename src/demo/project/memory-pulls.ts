/** The pull request from which the team learns, and one that makes the same mistake. */
import type { NewPull } from './new-pulls.ts';

const FILTER = `import type { Row } from './parse.ts';

/** Keeps the header and the rows for which the condition holds; the cells of a row are \`cells\`. */
export function filterRows([header, ...rows]: Row[], condition: string): Row[] {
  const holds = new Function('cells', \`return \${condition}\`);
  return [header, ...rows.filter((cells) => holds(cells))];
}
`;

const FILTER_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterRows } from '../src/filter.ts';

test('keeps the rows for which the condition holds', () => {
  assert.deepEqual(filterRows([['id'], ['1'], ['2']], 'cells[0] > 1'), [['id'], ['2']]);
});
`;

const COMPUTE = `import type { Row } from './parse.ts';

/** Adds a column with the value of the formula for each row; the cells of a row are \`cells\`. */
export function addColumn([header, ...rows]: Row[], name: string, formula: string): Row[] {
  const valueOf = new Function('cells', \`return \${formula}\`);
  return [[...header, name], ...rows.map((cells) => [...cells, String(valueOf(cells))])];
}
`;

const COMPUTE_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addColumn } from '../src/compute.ts';

test('adds a column', () => {
  const rows = addColumn([['id'], ['1']], 'next', 'Number(cells[0]) + 1');
  assert.deepEqual(rows, [['id', 'next'], ['1', '2']]);
});
`;

const MISTAKE = {
  verdict: 'CHANGES',
  check: 'action_required',
  open: ['js-eval'],
  fixed: [],
  dismissed: [],
  comments: 1,
} as const;

/** By somebody without write access: what is learned from it waits for a person. */
export const LESSON_PULL: NewPull = {
  kind: 'from a fork',
  author: 'dario-perez',
  branch: 'filter-rows',
  isFromFork: true,
  title: 'Keep only rows for which a condition holds',
  body: 'I often need a part of a table. The condition is an expression; the command line follows.\n',
  commits: [
    {
      message: 'Filter rows',
      write: { 'src/filter.ts': FILTER, 'test/filter.test.ts': FILTER_TEST },
    },
  ],
  // The proposal, and the answer to the approval.
  expected: { ...MISTAKE, ownWords: 2 },
};

export const MEMORY_PULL: NewPull = {
  kind: 'the same mistake',
  author: 'ben-okafor',
  branch: 'computed-columns',
  title: 'Add a column that is computed from others',
  body: 'Partners ask for sums of two columns. This computes them; the command line follows.\n',
  commits: [
    {
      message: 'feat: compute columns',
      write: { 'src/compute.ts': COMPUTE, 'test/compute.test.ts': COMPUTE_TEST },
    },
  ],
  expected: MISTAKE,
};
