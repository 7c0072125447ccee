/** What task 1 of the plan leaves for later, and the pull request that does it once somebody asked for it. */
import type { Edits } from './project-commits.ts';

/** In `src/sort.ts`, as task 1 writes it. */
export const LEFT_FOR_LATER = '  // TODO: empty cells come first; a spreadsheet puts them last.\n';

const EMPTY_LAST_TEST = `
test('puts empty cells last', () => {
  const rows = [['id'], ['2'], [''], ['1']];
  assert.deepEqual(sortRows(rows, 'id').map(([id]) => id), ['id', '1', '2', '']);
});
`;

export const FOLLOW_UP_PULL = {
  author: 'ben-okafor',
  branch: 'empty-cells-last',
  title: 'Put empty cells last when rows are sorted',
  commits: [
    {
      message: 'fix: empty cells come last',
      edit: [
        [
          'src/sort.ts',
          LEFT_FOR_LATER,
          "  if (a === '' || b === '') return Number(a === '') - Number(b === '');\n",
        ],
        ['test/sort.test.ts', "\ntest('refuses a name", `${EMPTY_LAST_TEST}\ntest('refuses a name`],
      ],
    },
  ] satisfies Edits[],
} as const;
