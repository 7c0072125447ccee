/** How many tests ran, by what the common runners print at their end (gate 2, TG-5). */
import { escapePattern } from '../text/pattern.ts';
import { stripVTControlCharacters } from 'node:util';

export interface TestCounts {
  passed: number;
  failed: number;
  skipped: number;
}

interface Runner {
  name: string;
  /** One match for each summary; several projects in one log are added up. */
  summary: RegExp;
  count: (match: RegExpMatchArray) => TestCounts;
}

/** A summary such as `2 failed, 10 passed`: each number comes before its word. */
function byWords(words: Record<keyof TestCounts, RegExp>) {
  return ([text]: RegExpMatchArray): TestCounts => {
    const sum = (word: RegExp): number =>
      Array.from(text.matchAll(word), ([, digits]) => Number(digits)).reduce((a, b) => a + b, 0);
    return { passed: sum(words.passed), failed: sum(words.failed), skipped: sum(words.skipped) };
  };
}

const COMMON = byWords({
  passed: /(?<!\d)(\d+) (?:passed|passing|pass)\b/g,
  failed: /(?<!\d)(\d+) (?:failed|failing|fail|errors?)\b/g,
  skipped: /(?<!\d)(\d+) (?:skipped|pending|todo|ignored|deselected)\b/g,
});

/** A summary of which the parts stand in known places, counted from 1. */
const RUNNERS: readonly Runner[] = [
  {
    name: 'node:test',
    summary:
      /^(?:ℹ|#) tests \d+\n(?:(?:ℹ|#) (?:suites|pass|fail|cancelled|skipped|todo) \d+\n?)+/gm,
    count: byWords({
      passed: /(?:ℹ|#) pass (\d+)/g,
      failed: /(?:ℹ|#) (?:fail|cancelled) (\d+)/g,
      skipped: /(?:ℹ|#) (?:skipped|todo) (\d+)/g,
    }),
  },
  { name: 'vitest', summary: /^ *Tests +\d+ \w+(?: \| \d+ \w+)* \(\d+\)$/gm, count: COMMON },
  { name: 'jest', summary: /^Tests: +(?:\d+ \w+, )+\d+ total$/gm, count: COMMON },
  {
    name: 'mocha',
    summary:
      /^ {2}\d+ passing \([^)\s]{1,20}(?: [^)\s]{1,20}){0,3}\)(?:\n {2}\d+ (?:pending|failing))*/gm,
    count: COMMON,
  },
  {
    name: 'pytest',
    summary: /^(?:=+ )?(?:no tests ran|\d+ \w+(?:, \d+ \w+)*) in [\d.]+s/gm,
    count: COMMON,
  },
  {
    name: 'unittest',
    summary: /^Ran (\d+) tests? in [\d.]+s\n\n(?:OK|FAILED|NO TESTS RAN)(.*)$/gm,
    count: ([, ran, rest = '']) => {
      const of = (word: string): number =>
        Number(new RegExp(`${escapePattern(word)}=(\\d+)`).exec(rest)?.[1] ?? 0);
      const failed = of('failures') + of('errors');
      return { failed, skipped: of('skipped'), passed: Number(ran) - failed - of('skipped') };
    },
  },
  {
    name: 'go test',
    summary: /^ *--- (PASS|FAIL|SKIP): /gm,
    count: ([, word]) => ({
      passed: word === 'PASS' ? 1 : 0,
      failed: word === 'FAIL' ? 1 : 0,
      skipped: word === 'SKIP' ? 1 : 0,
    }),
  },
  { name: 'cargo', summary: /^test result: (?:ok|FAILED)\. .*$/gm, count: COMMON },
  {
    name: 'maven',
    // Each class has a line as well, with its time; the modules' totals have none.
    summary: /^(?:\[\w+\] )?Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)$/gm,
    count: ([, run, failures, errors, skipped]) => {
      const failed = Number(failures) + Number(errors);
      return { failed, skipped: Number(skipped), passed: Number(run) - failed - Number(skipped) };
    },
  },
  {
    name: 'rspec',
    summary: /^(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?/gm,
    count: ([, examples, failures, pending = '0']) => ({
      failed: Number(failures),
      skipped: Number(pending),
      passed: Number(examples) - Number(failures) - Number(pending),
    }),
  },
];

/** Go says of packages, without `-v`, only whether they passed. */
const GO_PACKAGE = /^(ok|FAIL|\?) {0,3}\t\S+(?:\t(.*))?$/gm;
/** Summaries stand at the end; of a longer log only that is looked at. */
const MAX_LOG = 2_000_000;

export interface CountedTests extends TestCounts {
  /** Names of the runners whose summaries were found. */
  runners: string[];
}

/** Undefined when no summary is known: then the exit code is all there is. */
export function countTests(log: string): CountedTests | undefined {
  const text = stripVTControlCharacters(log.slice(-MAX_LOG)).replaceAll(/\r\n?/g, '\n');
  const found = RUNNERS.flatMap(({ name, summary, count }) =>
    Array.from(text.matchAll(summary), (match) => ({ name, ...count(match) })),
  );
  const all = found.length > 0 ? found : countPackages(text);
  if (all.length === 0) return undefined;
  const sum = (of: keyof TestCounts): number => all.reduce((total, each) => total + each[of], 0);
  return {
    runners: [...new Set(all.map(({ name }) => name))],
    passed: sum('passed'),
    failed: sum('failed'),
    skipped: sum('skipped'),
  };
}

/** At least one test for each package that says ok, none for those without any. */
function countPackages(text: string): (TestCounts & { name: string })[] {
  return Array.from(text.matchAll(GO_PACKAGE), ([, word, rest = '']) => {
    const ran = word !== '?' && !/no tests? (?:files|to run)/.test(rest);
    return {
      name: 'go test',
      passed: word === 'ok' && ran ? 1 : 0,
      failed: word === 'FAIL' ? 1 : 0,
      skipped: 0,
    };
  });
}

export type GateResult = 'passed' | 'failed' | 'not-run' | 'timed-out';
