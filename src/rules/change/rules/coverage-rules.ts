/** Rules about tests that are missing or were taken away. */
import { isSourcePath, nameOf } from '../../../domain/repository/paths.ts';
import { declaredLines } from '../syntax/declared-lines.ts';
import { PROGRAMS } from '../syntax/language.ts';
import type { ReadLine } from '../syntax/lex.ts';
import type { Change, ChangedFile } from '../read-change.ts';
import { inFile } from '../change-rule.ts';
import type { ReviewRule, Sighting } from '../change-rule.ts';
import { goneNames, knownTests, lostTests, nearestTest, TEST_START } from '../tested-code.ts';
import type { KnownTests } from '../tested-code.ts';

const ASSERTION =
  /\bexpect\w*\(|\bassert\w*[.( ]|\bself\.assert\w+\(|\bshould\b|\.to\.\w+|\brequire\.\w+\(|\bt\.(?:Error|Fatal)\w*\(|\bpytest\.raises\(/;
/** There one check is two lines: a condition, and what ends the test. */
const GO_ASSERTION = /\bt\.(?:Error|Fatal)\w*\(|\b(?:assert|require)\.\w+\(/;
/** Statements of code that a test would have something to say about. */
const MIN_UNTESTED = 20;
/** Nobody drops so many by the way. */
const MANY_LOST = 5;
const MANY_UNTESTED = 80;
export const NO_TEST_NEEDED =
  /(?:^|\/)configs?\/|(?:^|\/)(?:types?|index|constants|main|cli|config|conftest|setup|__init__|version|migrations?)\.[a-z]+$|\.d\.ts$|[.-]config\.[cm]?[jt]s$|(?:^|\/)(?:scripts?|bin|examples?|docs?|migrations?|bench(?:marks?)?|tools?|e2e)\//i;

/** A member of a type or an interface, methods too: nothing that runs. */
const TYPE_MEMBER =
  /^\s*(?:readonly\s+)?[\w$'"]{1,80}\??(?:\s{0,3}:\s[^=()]*|(?:<[^<>]{1,80}>)?\([^(){}=]{0,200}\):\s[^={}]{1,200};)$/;

export function statementsIn(file: ChangedFile): ReadLine[] {
  const declared = declaredLines(file);
  return file.added.filter(
    ({ code, line }) =>
      !declared.has(line) &&
      /[;{(=]|\b(?:return|if|for|while)\b/.test(code) &&
      !/^\s*(?:import|export \*|from|package|using|\}|type|interface)\b/.test(code) &&
      !TYPE_MEMBER.test(code),
  );
}

/** New statements of a file that no test seems to reach; none for a file that needs no test. */
function untestedIn(file: ChangedFile, tests: KnownTests): ReadLine[] {
  const { path, language, isNew } = file;
  const needsTest = PROGRAMS.includes(language) && language !== 'shell' && isSourcePath(path);
  if (!needsTest || NO_TEST_NEEDED.test(path)) return [];
  const nearest = nearestTest(file, tests);
  // Tests of a folder reach files that they do not name; only much new code is likely beyond them.
  if (nearest === 'own' || (nearest === 'folder' && !isNew)) return [];
  const statements = statementsIn(file);
  return statements.length < (nearest === 'folder' ? MANY_UNTESTED : MIN_UNTESTED)
    ? []
    : statements;
}

/** Whether as much code goes as comes: whatever proved the old one proves the new one. */
function isRewrite({ files }: Change): boolean {
  const sources = files.filter(({ path }) => isSourcePath(path));
  const lines = (side: 'added' | 'removed'): number =>
    sources.reduce((sum, file) => sum + file[side].length, 0);
  return lines('removed') >= lines('added');
}

function countIn(items: readonly ReadLine[], pattern: RegExp): number {
  return items.filter(({ code, live }) => pattern.test(pattern === TEST_START ? live : code))
    .length;
}

/** Tests and assertions over the whole change: one that moved between files is not gone. */
function balance({ files }: Change, pattern: RegExp): number {
  const tests = files.filter(({ isTest }) => isTest);
  return tests.reduce(
    (sum, file) => sum + countIn(file.added, pattern) - countIn(file.removed, pattern),
    0,
  );
}

function times(count: number, line: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => line(at)).join('\n');
}

/** A source file of 24 statements, as an example. */
const MANY = times(24, (at) => `+export const value${at} = compute(${at});`);

/** The same number of lines that only say what things look like. */
const CONTRACT = `+export interface Store {\n${times(24, (at) => `+  load${at}<T>(key: string, more?: { at: number }): Promise<T | undefined>;`)}\n+}\n+export const Row = z.object({\n${times(24, (at) => `+  field${at}: z.string().max(${at}),`)}\n+});`;
const GO_TYPES = `+package shop\n+\n+type Store interface {\n${times(24, (at) => `+\tLoad${at}(ctx context.Context, key string) (Row, error)`)}\n+}`;
const ERRORS = times(
  12,
  (at) => `+class Late${at}(ShopError):\n+    code = "late-${at}"\n+    retry = wait(${at})\n+`,
);

export const COVERAGE_RULES: readonly ReviewRule[] = [
  {
    id: 'code-without-tests',
    area: 'tests',
    severity: 'medium',
    personas: ['priya'],
    title: 'New code has no test.',
    explanation: 'Nothing tells whether it works today, and nothing will tell when it stops.',
    advice: 'add a test of the main path and of one that fails',
    examples: {
      yes: [
        {
          change: {
            'src/parse.ts': MANY,
          },
          repository: { 'test/other.test.ts': '' },
        },
      ],
      no: [
        {
          change: {
            'src/parse.ts': MANY,
          },
          repository: { 'test/parse.test.ts': '' },
        },
        {
          change: {
            'src/parse.ts': MANY,
            'test/all.test.ts': "+test('parses', () => {\n+  expect(1).toBe(2);\n+});",
          },
          repository: {},
        },
        inFile('src/parse.ts', '+export const value = compute(1);'),
        { change: { 'src/contract.ts': CONTRACT }, repository: { 'test/other.test.ts': '' } },
        { change: { 'shop/store.go': GO_TYPES }, repository: { 'shop/other_test.go': '' } },
        { change: { 'shop/errors.py': ERRORS }, repository: { 'tests/test_other.py': '' } },
      ],
    },
    find: (change) => {
      // A change that brings tests of its own is tested, whatever its files are called.
      if (
        balance(change, TEST_START) > 0 ||
        change.files.some(({ isTest, added }) => isTest && countIn(added, ASSERTION) > 2)
      )
        return [];
      if (isRewrite(change)) return [];
      const tests = knownTests(change);
      const untested = change.files
        .map((file) => ({ file, statements: untestedIn(file, tests) }))
        .filter(({ statements }) => statements.length > 0)
        .toSorted((a, b) => b.statements.length - a.statements.length);
      const [worst] = untested;
      const [first] = worst?.statements ?? [];
      if (worst === undefined || first === undefined) return [];
      const { file, statements } = worst;
      const names = untested.map((each) => nameOf(each.file.path));
      const others = untested.length > 1 ? ` and ${untested.length - 1} other files` : '';
      return [
        {
          file,
          line: first.line,
          scope: 'file' as const,
          // Without the list of paths it is unknown whether a test exists already.
          ...(change.context.paths === undefined ? { severity: 'low' as const } : {}),
          title: `\`${nameOf(file.path)}\`${others} ${untested.length > 1 ? 'have' : 'has'} new code and no test.`,
          evidence: `${statements.length} new statements; no test is named after ${names.slice(0, 5).join(', ')}`,
          code: file.basePath,
        },
      ];
    },
  },
  {
    id: 'tests-removed',
    area: 'tests',
    severity: 'medium',
    personas: ['priya', 'carlos'],
    title: 'Tests are removed.',
    explanation: 'What they proved is no longer proved; a change that needs them gone says why.',
    advice: 'keep them, adapt them, or say in the description why they are obsolete',
    examples: {
      yes: [
        inFile(
          'test/a.test.ts',
          "-test('adds', () => {\n-  expect(add(1, 2)).toBe(3);\n-});\n test('x', () => {});",
        ),
      ],
      no: [
        inFile('test/a.test.ts', "-test('adds', () => {\n+test('adds two numbers', () => {"),
        {
          change: {
            'test/a.test.ts': "-test('adds', () => {\n-  expect(add(1, 2)).toBe(3);\n-});",
            'test/b.test.ts': "+test('adds up', () => {\n+  expect(sum(1, 2)).toBe(3);\n+});",
          },
        },
        {
          change: {
            'test/a.test.ts': "-test('adds', () => {\n-  expect(add(1, 2)).toBe(3);\n-});",
            'src/a.ts':
              '-export function add(a: number, b: number): number {\n-  return a + b;\n-}',
          },
        },
        {
          change: {
            'test/help.test.js':
              "-test('colours', () => {\n-  expect(stripColour('a')).toBe('a');\n-});",
            'lib/help.js': ' run();\n-function stripColour(text) {\n-  return text;\n-}',
          },
        },
        {
          change: {
            'examples/old/run.spec.js': "-test('runs', () => {\n-  expect(run()).toBe(1);\n-});",
            'examples/old/package.json': '-{}',
          },
        },
      ],
    },
    find: removedTests,
  },
  {
    id: 'assertions-removed',
    area: 'tests',
    severity: 'medium',
    personas: ['priya'],
    title: 'A test stays and what it checked goes.',
    explanation: 'A test without its assertions passes whatever the code does.',
    advice: 'keep an assertion of what the code should do now',
    examples: {
      yes: [
        inFile(
          'test/a.test.ts',
          " test('adds', () => {\n   const sum = add(1, 2);\n-  expect(sum).toBe(3);\n-  expect(calls).toBe(1);\n });",
        ),
      ],
      no: [
        inFile(
          'test/a.test.ts',
          " test('adds', () => {\n   const sum = add(1, 2);\n-  expect(sum).toBe(3);\n-  expect(calls).toBe(1);\n+  expect([sum, calls]).toEqual([3, 1]);\n });",
        ),
        inFile(
          'a_test.go',
          ' func TestA(t *testing.T) {\n-\tif err := assertLine(x); err != nil {\n-\t\tt.Fatalf("no line: %v", err)\n-\t}\n }',
        ),
        {
          change: {
            'test/a.test.ts':
              " test('adds', () => {\n-  expect(sum).toBe(3);\n-  expect(calls).toBe(1);\n+  allIsWell(sum, calls);\n });",
            'test/helpers/all-is-well.ts':
              '+export function allIsWell(sum: number, calls: number) {\n+  expect({ sum, calls }).toEqual({ sum: 3, calls: 1 });\n+  expect(calls).toBeLessThan(2);\n+}',
          },
        },
      ],
    },
    find: (change) =>
      // Tests that go are another rule's; checks that moved to another file are not gone.
      balance(change, TEST_START) < 0 || balance(change, ASSERTION) >= 0
        ? []
        : change.files
            .filter(({ isTest, file }) => isTest && file.status === 'modified')
            .filter(
              ({ added, removed, language }) =>
                countIn(removed, language === 'go' ? GO_ASSERTION : ASSERTION) >= 2 &&
                countIn(added, ASSERTION) === 0 &&
                countIn(removed, TEST_START) === 0,
            )
            .flatMap((file) => {
              const first = file.removed.find(({ code }) => ASSERTION.test(code));
              return first === undefined ? [] : [{ file, line: first.line, side: 'LEFT' as const }];
            }),
  },
];

function removedTests(change: Change): Sighting[] {
  if (balance(change, TEST_START) >= 0) return [];
  const gone = goneNames(change);
  return change.files
    .filter(({ isTest }) => isTest)
    .flatMap((file): Sighting[] => {
      const lost = lostTests(file, { change, gone });
      const count = lost.length - countIn(file.added, TEST_START);
      const [first] = lost;
      if (first === undefined || count <= 0) return [];
      return [
        {
          file,
          line: first.line,
          side: 'LEFT',
          ...(count >= MANY_LOST ? { severity: 'high' } : {}),
          title: `${count === 1 ? 'A test is' : `${count} tests are`} removed.`,
        },
      ];
    })
    .slice(0, 5);
}
