/** The figures of the house, on a small tree whose figures are known. */
import { expect, test } from 'vitest';
import { countFloors, findCircles } from './circles.ts';
import { measure } from './figures.ts';
import { readSource } from './source-tree.ts';

const TREE = {
  'index.ts':
    "export { parse, type Plan } from './domain/plan.ts';\nexport { run } from './decide/run/run.ts';\n",
  'domain/plan.ts':
    "import type { Task } from './task.ts';\n\n/**\n * @example\n * parse('')\n */\nexport function parse(): void {}\nexport type Plan = Task;\n",
  'domain/task.ts':
    "import type { Plan } from './plan.ts';\nexport interface TaskRun {\n  id: string;\n  /** Its words. */\n  readonly plan?: { title: string };\n  end(): void;\n}\nexport type Task = Plan;\n",
  'decide/run/run.ts':
    "import { parse } from '../plan/parse.ts';\nexport function run(): void {}\n",
  'decide/plan/parse.ts':
    "import { run } from '../run/run.ts';\nexport async function parse(): Promise<void> {}\n",
  'decide/run/parse.ts': "const lazy = () => import('../../domain/plan.ts');\n",
};

const sources = Object.entries(TREE).map(([file, text]) => readSource(file, text));

test('prints files, circles, names, fields and examples', () => {
  const figures = Object.fromEntries(measure(sources).map(({ name, value }) => [name, value]));
  expect(figures).toEqual({
    files: '6',
    lines: '23',
    'core files': '6',
    'core lines': '23',
    'largest circle of imports, types included': '2',
    'folders with more than 15 files': '0',
    'files that share a basename': '2',
    'basenames shared by sibling folders': '1',
    'rooms in decide/ besides kinds of run': '2',
    'kinds of run': '0',
    'floors in decide/': '1',
    'pairs in decide/ that import each other': '1',
    'fields of the largest record of a task': '3',
    'exported values of index.ts with an @example': '1 of 2',
    'names of exported functions that more than one file has': '1',
  });
});

test('an import() counts as an import', () => {
  expect(sources.find(({ file }) => file === 'decide/run/parse.ts')?.imports).toEqual([
    'domain/plan.ts',
  ]);
});

test('a circle counts as one floor', () => {
  const graph = new Map(
    Object.entries({ a: ['b'], b: ['c'], c: ['b', 'd'], d: [], e: ['a'] }).map(([from, to]) => [
      from,
      new Set(to),
    ]),
  );
  expect(findCircles(graph)).toEqual([['b', 'c']]);
  expect(countFloors(graph)).toBe(4);
});
