/** Rules about tests that do not run, or prove nothing. */
import { around, lines } from '../line-rule.ts';
import { inFile } from '../change-rule.ts';
import type { ChangedFile } from '../read-change.ts';
import type { ReviewRule, Sighting } from '../change-rule.ts';
import type { ScriptFacts } from '../syntax/script-facts.ts';
import { askTree } from '../script-rule.ts';

/** Titles of tests that prove something by not failing. */
const MUST_NOT_THROW =
  /\b(?:not|never|without|no)\b.*\b(?:throw|crash|fail|error|hang)|\b(?:smoke|types?|compiles?|can|allows?|accepts?|tolerates?|survives?|succeeds?|works|waits?|completes?|resolves?|idempotent)\b/i;

/** Told once for a file, however many tests of it wait. */
function longWaits({ waits }: ScriptFacts, { path, added }: ChangedFile): Omit<Sighting, 'file'>[] {
  const news = new Set(added.map(({ line }) => line));
  const fresh = waits.filter(({ line }) => news.has(line)).toSorted((a, b) => a.line - b.line);
  const [first] = fresh;
  if (first === undefined || BENCH.test(path)) return [];
  const title = `${fresh.length} tests wait for a fixed time.`;
  return [fresh.length === 1 ? first : { ...first, title }];
}

/** There waiting is what is measured. */
const BENCH = /(?:^|\/)bench/;

/** Where no syntax tree tells whose wait it is: one that is awaited on its own line. */
const WAITS = lines(
  {
    in: ['script'],
    tests: 'only',
    notPath: BENCH,
    // There it is a limit and not a wait.
    unless: /Promise\.race|fakeTimers/i,
    pattern:
      /\bawait\b.*(?:\bset\w*Timeout\(\s*(?:resolve|done|r|res|ok|\(\)\s*=>\s*\w+\(\))\s*,\s*(?:[5-9]\d{2}|\d{1,3}_?\d{3,})\s*\)|(?:(?<![\w.])(?:sleep|delay|wait)|\bwaitForTimeout)\(\s*(?:[5-9]\d{2}|\d{1,3}_?\d{3,})\s*\))/,
  },
  {
    in: ['python'],
    tests: 'only',
    pattern: /\btime\.sleep\(\s*(?:[1-9]\d*(?:\.\d+)?|0\.[5-9]\d*)\s*\)/,
  },
  {
    in: ['go'],
    tests: 'only',
    pattern:
      /\btime\.Sleep\(\s*(?:[1-9]\d*\s*\*\s*time\.Second|time\.Second|[5-9]\d{2}\s*\*\s*time\.Millisecond)\s*\)/,
  },
);

export const TEST_RULES: readonly ReviewRule[] = [
  {
    id: 'test-only',
    area: 'tests',
    severity: 'high',
    personas: ['priya'],
    title: 'Only this test runs.',
    explanation:
      'All other tests in the file are skipped silently, and the suite stays green whatever breaks.',
    advice: 'remove `.only`',
    examples: {
      yes: [
        inFile('test/a.test.ts', "+test.only('adds', () => {"),
        inFile('test/a.test.ts', "+fdescribe('sums', () => {"),
      ],
      no: [
        inFile('test/a.test.ts', "+test('adds only once', () => {"),
        inFile('src/a.ts', '+list.only((item) => item);'),
      ],
    },
    find: lines({
      in: ['script'],
      tests: 'only',
      pattern: /^(\s*(?:describe|it|test|suite|context))\.only\b|^\s*f(describe|it)\(/,
      suggest: ({ text }) =>
        text.replace(/^(\s*\w+)\.only\b/, '$1').replace(/^(\s*)f(describe|it)\(/, '$1$2('),
    }),
  },
  {
    id: 'test-skipped',
    area: 'tests',
    severity: 'medium',
    personas: ['priya'],
    title: 'A test is switched off without a reason.',
    explanation: 'What it proved is no longer proven, and nobody will know when to restore it.',
    advice: 'repair it, or say why in the same place, with an issue',
    examples: {
      yes: [
        inFile('test/a.test.ts', "-test('adds', () => {\n+test.skip('adds', () => {"),
        inFile('tests/test_a.py', '+@pytest.mark.skip\n+def test_adds():'),
        inFile('a_test.go', '+\tt.Skip()'),
      ],
      no: [
        inFile(
          'test/a.test.ts',
          "+// Waits for #12: the server closes early.\n+test.skip('adds', () => {",
        ),
        inFile(
          'tests/test_a.py',
          '+@pytest.mark.skip(reason="needs a server, #12")\n+def test_adds():',
        ),
        inFile('test/a.test.ts', '+test.skipIf(isWindows)("adds", () => {'),
        inFile('a_test.go', '+\tt.Skip("needs a database")'),
      ],
    },
    find: lines(
      {
        in: ['script'],
        tests: 'only',
        pattern:
          /^\s*(?:(?:describe|it|test|suite|context)\.(?:skip|todo)\(\s*["'`]|x(?:describe|it|test)\()/,
        unless: /#\d+|\.todo\(/,
        confirm: ({ line }, file) =>
          around(file, line, { before: 2, after: 1, view: 'comment' }).trim() === '',
      },
      {
        in: ['python'],
        tests: 'only',
        pattern: /^\s*@(?:pytest\.mark\.skip|unittest\.skip)\s*(?:\(\s*\))?\s*$/,
      },
      { in: ['go'], tests: 'only', pattern: /\bt\.Skip(?:Now)?\(\s*\)/ },
    ),
  },
  {
    id: 'test-always-passes',
    area: 'tests',
    severity: 'medium',
    personas: ['priya'],
    title: 'This assertion can never fail.',
    explanation: 'It compares a fixed value with itself; the test says nothing about the code.',
    advice: 'assert something that the code produced',
    examples: {
      yes: [
        inFile('test/a.test.ts', '+expect(true).toBe(true);'),
        inFile('tests/test_a.py', '+    assert True'),
      ],
      no: [
        inFile('test/a.test.ts', '+expect(isReady).toBe(true);'),
        inFile('tests/test_a.py', '+    assert True is ready'),
      ],
    },
    find: lines(
      {
        in: ['script'],
        tests: 'only',
        view: 'live',
        pattern:
          /\bexpect\(\s*(true|false|null|undefined|\d+|(["'])[^"']*\2)\s*\)\.(?:toBe|toEqual|toStrictEqual)\(\s*\1\s*\)|\bexpect\(\s*true\s*\)\.toBeTruthy\(\)|\bassert(?:\.ok)?\(\s*true\s*\)/,
      },
      {
        in: ['python'],
        tests: 'only',
        pattern: /^\s*(?:assert\s+True\s*|self\.assertTrue\(\s*True\s*\))$/,
      },
      { in: ['go'], tests: 'only', pattern: /\b(?:assert|require)\.True\(t,\s*true\)/ },
    ),
  },
  {
    id: 'test-waits',
    area: 'tests',
    severity: 'low',
    personas: ['priya'],
    title: 'A test waits for a fixed time.',
    explanation: 'It is slow on every machine and fails on a busy one.',
    advice: 'wait for what should happen, or give the code a clock that the test moves',
    examples: {
      yes: [
        inFile('test/a.test.ts', '+await new Promise((resolve) => setTimeout(resolve, 2000));'),
        inFile('tests/test_a.py', '+    time.sleep(3)'),
        inFile(
          'test/a.test.ts',
          "+test.serial('is told', async (t) => {\n+  start();\n+  await delay(1500);\n+  t.true(isTold);\n+});",
        ),
      ],
      no: [
        inFile('test/a.test.ts', '+await clock.advance(2000);'),
        inFile('test/a.test.ts', '+await new Promise((resolve) => setTimeout(resolve, 5));'),
        inFile(
          'test/a.test.ts',
          "+test('a slow server', async () => {\n+  server.get('/', async (_request, response) => {\n+    await delay(1500);\n+    response.end();\n+  });\n+  expect(await get()).toBe('');\n+});",
        ),
        inFile(
          'test/a.test.ts',
          "+test('ends in time', async () => {\n+  await Promise.race([\n+    run(),\n+    delay(2000).then(() => {\n+      throw new Error('too slow');\n+    }),\n+  ]);\n+});",
        ),
      ],
    },
    find: askTree(longWaits, WAITS),
  },
  {
    id: 'test-without-assertion',
    area: 'tests',
    severity: 'low',
    personas: ['priya'],
    title: 'A test asserts nothing.',
    explanation:
      'It fails only when something throws; whatever the code gives back is right to it.',
    advice: 'assert what the code should have done, or say in the title that it must not throw',
    examples: {
      yes: [inFile('test/a.test.ts', "+test('adds', () => {\n+  add(1, 2);\n+});")],
      no: [
        inFile('test/a.test.ts', "+test('adds', () => {\n+  expect(add(1, 2)).toBe(3);\n+});"),
        inFile('test/a.test.ts', "+test('does not throw on empty input', () => {\n+  add();\n+});"),
        inFile(
          'test/a.test.ts',
          "+const same = (a, b) => expect(a).toBe(b);\n+test('adds', () => {\n+  same(add(1, 2), 3);\n+});",
        ),
        inFile(
          'test/a.test.js',
          "+test('sends on', ({ end, equals }) => {\n+  send({ to: (text) => equals(text, 'a') });\n+  end();\n+});",
        ),
        inFile(
          'test/a.test.ts',
          "+import { holds } from './helper.ts';\n+test('adds', () => {\n+  holds(add(1, 2), 3);\n+});",
        ),
        inFile(
          'test/a.test.ts',
          "+test('waits for a start under way before it stops', async () => {\n+  await stop();\n+});",
        ),
      ],
    },
    find: askTree(({ tests }, { isTest, added }) => {
      const news = new Set(added.map(({ line }) => line));
      const silent = tests.filter(
        ({ line, isAsserting, title }) =>
          isTest && news.has(line) && !isAsserting && !MUST_NOT_THROW.test(title),
      );
      const [first, ...others] = silent;
      if (first === undefined) return [];
      const count = others.length + 1;
      const title =
        count === 1 ? `“${first.title}” asserts nothing.` : `${count} tests assert nothing.`;
      return [{ line: first.line, title }];
    }),
  },
];
