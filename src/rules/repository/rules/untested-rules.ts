/** A rule about code that no test reaches. */
import { isSourcePath, isTestPath, nameOf } from '../../../domain/repository/paths.ts';
import { NO_TEST_NEEDED, statementsIn } from '../../change/rules/coverage-rules.ts';
import { knownTests, nearestTest } from '../../change/tested-code.ts';
import type { ChangedFile } from '../../change/read-change.ts';
import type { Sighting } from '../../change/change-rule.ts';
import type { Language } from '../../change/syntax/language.ts';
import { reachedFrom, type Repository } from '../repository-links.ts';
import type { WatchRule } from '../watch-rule.ts';

/** Statements of a module that a test would have something to say about. */
const MIN_STATEMENTS = 40;
/** From now on nobody knows by reading whether it works. */
const MANY_STATEMENTS = 150;
/** From so many on it is the whole that is not tested, not this one or that. */
const MANY = 6;
/** Languages whose tests are recognised by name, or by their imports. */
const TESTED: readonly Language[] = ['script', 'python', 'go'];

interface Untested {
  file: ChangedFile;
  statements: number;
}

function candidatesIn({ files }: Repository): Untested[] {
  return files
    .filter(({ path, language }) => isSourcePath(path) && TESTED.includes(language))
    .filter(({ path }) => !NO_TEST_NEEDED.test(path))
    .map((file) => ({ file, statements: statementsIn(file).length }))
    .filter(({ statements }) => statements >= MIN_STATEMENTS)
    .toSorted((a, b) => b.statements - a.statements);
}

/** Names of files and modules that tests write down, wherever: imports, programs they start, patches. */
function wordsOfTests({ files }: Repository): Set<string> {
  const words = new Set<string>();
  for (const file of files) {
    if (!file.isTest) continue;
    for (const { text } of file.lines.values())
      for (const [word] of text.matchAll(/[\w-]+/g)) words.add(word.toLowerCase());
  }
  return words;
}

/** The name by which others speak of a module: an index is called by its folder. */
function spokenName(path: string): string {
  const stem = nameOf(path)
    .replace(/\.[^]*$/, '')
    .toLowerCase();
  return stem === 'index' || stem === '__init__' ? (path.split('/').at(-2) ?? '') : stem;
}

function untested(repository: Repository): Sighting[] {
  const { files, isWhole } = repository;
  const tests = files.filter(({ path }) => isTestPath(path));
  const candidates = candidatesIn(repository);
  const [largest] = candidates;
  // What was not read may be the test.
  if (!isWhole || largest === undefined) return [];
  if (![...repository.paths].some(isTestPath)) return [nothingTested(largest, candidates.length)];
  const reached = reachedFrom(
    tests.map(({ path }) => path),
    repository,
  );
  const words = wordsOfTests(repository);
  const known = knownTests(repository.change);
  const found = candidates.filter(({ file }) => {
    const isNamed = words.has(spokenName(file.path));
    return !isNamed && !reached.has(file.path) && nearestTest(file, known) === 'none';
  });
  const [first] = found;
  if (first !== undefined && found.length >= MANY && found.length > candidates.length / 2)
    return [mostlyUntested(first, { untested: found.length, all: candidates.length })];
  return found.map(({ file, statements }) =>
    wholeFile(file, {
      ...(statements >= MANY_STATEMENTS ? { severity: 'medium' as const } : {}),
      title: `No test reaches \`${nameOf(file.path)}\`.`,
      evidence: `${statements} statements; no test imports it, names it, or is next to it`,
      code: file.basePath,
    }),
  );
}

function wholeFile(
  file: ChangedFile,
  about: Pick<Sighting, 'severity' | 'title' | 'evidence' | 'code'>,
): Sighting {
  return { file, line: 1, scope: 'file', ...about };
}

/** Where most modules have no test, one finding covers them all, at the largest module. */
function mostlyUntested({ file }: Untested, counts: { untested: number; all: number }): Sighting {
  return wholeFile(file, {
    severity: 'medium',
    title: `No test reaches ${counts.untested} of ${counts.all} modules.`,
    evidence: `modules of ${MIN_STATEMENTS} statements and more; the largest is ${file.path}`,
    code: 'most modules',
  });
}

function nothingTested({ file }: Untested, modules: number): Sighting {
  return wholeFile(file, {
    severity: 'medium',
    title: 'This repository has no test.',
    evidence: `${modules} modules of ${MIN_STATEMENTS} statements and more; the largest is ${file.path}`,
    code: 'no test at all',
  });
}

const MODULE = Array.from(
  { length: MIN_STATEMENTS },
  (_, at) => `export const value${at} = compute(${at});`,
).join('\n');

export const UNTESTED_RULES: readonly WatchRule[] = [
  {
    id: 'module-without-test',
    area: 'tests',
    severity: 'low',
    certainty: 0.7,
    personas: ['priya'],
    title: 'No test reaches a module.',
    explanation: 'Nothing tells whether it works today, and nothing will tell when it stops.',
    advice: 'add one test of its main path, and one of what should fail',
    examples: {
      yes: [
        { 'src/parse.ts': MODULE, 'test/other.test.ts': "import '../src/other.ts';" },
        { 'lib/parse.py': MODULE, 'tests/test_other.py': 'from lib import other' },
        { 'src/parse.ts': MODULE },
      ],
      no: [
        { 'src/parse.ts': MODULE, 'test/parse.test.ts': '' },
        {
          'src/parse.ts': MODULE,
          'src/all.ts': "export * from './parse.ts';",
          'test/all.test.ts': "import { value1 } from '../src/all.ts';",
        },
        { 'src/parse.ts': MODULE, 'test/cli.test.ts': "run('node', ['src/parse.ts']);" },
        {
          'src/parse.ts': MODULE,
          'src/parse.d.ts': MODULE,
          'test/a.test.ts': "import '../src/parse'",
        },
        { 'src/config.ts': MODULE, 'test/other.test.ts': '' },
      ],
    },
    find: untested,
  },
];
