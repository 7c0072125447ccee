/** The search of a whole repository: what becomes a candidate, in which order, under which name, and what is left out. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { searchInSteps } from '../../../src/rules/repository/search.ts';
import { WATCH_RULES } from '../../../src/rules/repository/watch-rules.ts';
import { aRepository, kindsIn, search, searchNow } from './a-repository.ts';

const EVAL = 'export function run(text: string): unknown {\n  return eval(text);\n}\n';
const SWALLOWED = 'try {\n  await save(text);\n} catch {}\n';

describe('a candidate', () => {
  test('is all of one kind in one file, worst first, and says how many', () => {
    const { candidates } = search({
      'src/a.ts': `${SWALLOWED}${SWALLOWED.replace('text', 'other')}`,
      'src/b.ts': SWALLOWED,
    });
    expect(candidates.map(({ ruleId, title, places }) => [ruleId, title, places.length])).toEqual([
      ['empty-catch', 'An error is caught and silently dropped, 2 times', 2],
      ['empty-catch', 'An error is caught and silently dropped', 1],
    ]);
  });

  test('keeps its name when lines move, and has another one where the code differs', () => {
    const nameOf = (text: string) => search({ 'src/a.ts': text }).candidates[0]?.names;
    expect(nameOf(EVAL)).toHaveLength(1);
    expect(nameOf(`\n\n// Runs it.\n${EVAL}`)).toEqual(nameOf(EVAL));
    expect(nameOf(EVAL.replace('return eval', '    return  eval'))).toEqual(nameOf(EVAL));
    expect(nameOf(EVAL.replace('eval(text)', 'eval(other)'))).not.toEqual(nameOf(EVAL));
  });

  test('comes the sooner the worse it is, and the surer its rule', () => {
    const { candidates } = search({
      'src/late.ts': '// TODO: remove after 2024-06-30\nlegacy();\n',
      'src/swallow.ts': SWALLOWED,
      'src/run.ts': EVAL,
    });
    expect(candidates.map(({ ruleId }) => ruleId)).toEqual([
      'js-eval',
      'empty-catch',
      'note-overdue',
    ]);
  });

  test('shows the code around it, without what looks like a credential', () => {
    const token = ['ghp', 'a1B2'.repeat(9)].join('_');
    const [first] = search({ 'src/a.ts': `const key = '${token}';\n${EVAL}` }).candidates.filter(
      ({ ruleId }) => ruleId === 'js-eval',
    );
    expect(first?.excerpts).toHaveLength(1);
    expect(first?.excerpts[0]?.text).toContain('return eval(text);');
    expect(first?.excerpts[0]?.text).not.toContain(token);
  });

  test('about a credential shows no code at all and is confidential', () => {
    const token = ['ghp', 'a1B2'.repeat(9)].join('_');
    const { candidates } = search({ 'src/a.ts': `const key = '${token}';\n` });
    expect(candidates.map(({ isConfidential, excerpts }) => [isConfidential, excerpts])).toEqual([
      [true, []],
    ]);
    expect(JSON.stringify(candidates)).not.toContain(token);
  });

  test('in a test or an example is worth little, unless it is about tests', () => {
    const severities = (path: string, text: string) =>
      search({ [path]: text }).candidates.map(({ severity }) => severity);
    expect(severities('src/a.ts', EVAL)).toEqual(['high']);
    expect(severities('examples/a.ts', EVAL)).toEqual(['low']);
    expect(severities('test/a.test.ts', "test.only('adds', () => expect(add()).toBe(1));")).toEqual(
      ['high'],
    );
  });
});

describe('what is left out', () => {
  const MANY = Object.fromEntries(
    Array.from({ length: 6 }, (_, at) => [`src/f${at}.ts`, EVAL.replace('run', `run${at}`)]),
  );

  test('beyond the limit, and beyond two of a kind, is counted by kind', () => {
    const { candidates, left } = search({ ...MANY, 'src/s.ts': SWALLOWED }, { limit: 5 });
    expect(candidates.map(({ ruleId }) => ruleId)).toEqual(['js-eval', 'js-eval', 'empty-catch']);
    expect(left).toEqual([{ ruleId: 'js-eval', count: 4 }]);
  });

  test('what is known is passed over, and the rest of a file is a candidate still', () => {
    const texts = { 'src/a.ts': `${SWALLOWED}${SWALLOWED.replace('text', 'other')}` };
    const [both] = search(texts).candidates;
    const [first = ''] = both?.names ?? [];
    const again = search(texts, { known: [first] });
    expect(again.known).toBe(1);
    expect(again.candidates.map(({ names }) => names)).toEqual([both?.names.slice(1)]);
    expect(search(texts, { known: both?.names ?? [] }).candidates).toEqual([]);
  });

  test('only what was asked about is reported, and names are looked up in the whole repository', () => {
    const texts = {
      'src/a/run.ts': EVAL,
      'src/ab/run.ts': EVAL,
      'package.json': '{ "dependencies": { "left": "1" } }',
    };
    const paths = (path: string) =>
      search(texts, { path }).candidates.flatMap(({ places }) => places.map((each) => each.path));
    expect(paths('src/a')).toEqual(['src/a/run.ts']);
    expect(paths('src/ab/run.ts')).toEqual(['src/ab/run.ts']);
    expect(paths('')).toHaveLength(3);
  });

  test('files that nobody wrote here are named with the reason', () => {
    const { candidates, notRead } = search({
      'src/api.ts': `// Code generated by a tool. DO NOT EDIT.\n${EVAL}`,
      'vendor/a.js': EVAL,
      'src/a.ts': 'run();\n',
    });
    expect(candidates).toEqual([]);
    expect(notRead).toEqual([
      'src/api.ts: marked as generated in its own text',
      'vendor/a.js: vendored',
    ]);
  });
});

test('a clean repository has no candidate', () => {
  const clean = {
    'README.md': 'Run `npm run build`, then see `src/a.ts`.',
    'package.json': '{ "private": true, "scripts": { "build": "tsc" } }',
    'src/a.ts': 'export function add(a: number, b: number): number {\n  return a + b;\n}\n',
    'src/b.ts': "import { add } from './a.ts';\nexport const sum = add(1, 2);\n",
    'test/a.test.ts': "import { add } from '../src/a.ts';\nexpect(add(1, 2)).toBe(3);\n",
  };
  expect(search(clean)).toMatchObject({ candidates: [], left: [], known: 0 });
});

test('a long list of files brings each of its candidates, and takes steps in proportion', () => {
  const stepsFor = (count: number): { steps: number; found: number } => {
    const texts = Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`src/f${at}.ts`, `run${at}();\n${EVAL}`]),
    );
    const going = searchInSteps(aRepository(texts), count);
    for (let steps = 1; ; steps += 1) {
      const step = going.next();
      if (step.done !== true) continue;
      const { candidates, left } = step.value;
      return { steps, found: candidates.length + (left[0]?.count ?? 0) };
    }
  };
  const [small, large] = [stepsFor(100), stepsFor(1_000)];
  expect([small.found, large.found]).toEqual([100, 1_000]);
  expect(large.steps - small.steps).toBe(90);
});

const words = WATCH_RULES.flatMap(({ examples: { yes, no } }) => [...yes, ...no])
  .flatMap((example) => Object.values(example))
  .flatMap((text) => text.split('\n'))
  .filter((line) => line.length < 200);
const line = fc.oneof(
  fc.constantFrom(...words),
  fc.string({ unit: 'binary', maxLength: 30 }).map((text) => text.replaceAll('\n', ' ')),
);
const text = fc.array(line, { maxLength: 20 }).map((lines) => lines.join('\n'));
const path = fc.constantFrom(
  'src/a.ts',
  'src/b.tsx',
  'src/index.ts',
  'lib/a.py',
  'a.go',
  'README.md',
  'docs/use.md',
  'package.json',
  'packages/a/package.json',
  'tsconfig.json',
  '.gitignore',
  '.github/workflows/ci.yml',
  'test/a.test.ts',
  '__proto__',
);
const repository = fc.dictionary(path, text, { minKeys: 1, maxKeys: 6 });

test('no repository makes the search throw, and the same one gives the same bytes in any order', () => {
  fc.assert(
    fc.property(repository, fc.boolean(), (texts, isWhole) => {
      const code = aRepository(texts, { isWhole });
      const found = searchNow(code, 10);
      expect(searchNow(code, 10)).toEqual(found);
      const turned = { ...code, files: code.files.toReversed() };
      expect(kindsIn(searchNow(turned, 10)).toSorted()).toEqual(kindsIn(found).toSorted());
      const names = found.candidates.flatMap((each) => each.names);
      expect(new Set(names).size).toBe(names.length);
      // What was reported once is known by its names.
      const again = searchNow({ ...code, known: names }, 10);
      expect(
        again.candidates.flatMap((each) => each.names).filter((each) => names.includes(each)),
      ).toEqual([]);
    }),
    { numRuns: 200 },
  );
});
