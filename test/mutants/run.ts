/**
 * `npm run mutants [-- --scope core|guards] [--count N | --all] [--seed N] [--only PATH] [--lanes N] [--files N]`: plants small mistakes into a
 * copy of the sources (`decide/`, `policy/` and `act/`, or the guards alone), and says which of them the tests without an
 * emulator notice. A sample ends with 1 where it does not prove that they notice enough. `--files` bounds the test files that
 * are tried for one mutant, those nearest to its source first: a survivor then costs seconds, and the score may only fall.
 *
 * `--scope guards --all` tries every mutant, as the end of `npm run test:exhaustive`, but not in CI, where 300 are chosen by
 * the day. It ends with 1 where fewer than 85 % are noticed, where `survivors.json` does not list a survivor with a reason, and
 * where it lists one that is gone. Each unlisted survivor is printed as an entry of that list. It is tried on all other tests
 * that reach it first.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Verdict } from './lane.ts';
import { tryAll, type TimedTask } from './lanes.ts';
import { compareSurvivors, readAccepted, toEntry, type Comparison } from './compare-survivors.ts';
import type { Planted } from './plant.ts';
import { nearestFirst } from './nearest-first.ts';
import { createRandom, sample } from './sample.ts';
import { lowerBound, SCOPES, type Scope } from './scopes.ts';
import type { Times } from './reach.ts';
import { allMutants, copyWith } from './tree.ts';

/** Of all mutants, as far as a sample proves it: for 300 of them 84.3 % have to be noticed. */
const THRESHOLD = 0.8;
/** Where every mutant was tried. */
const THRESHOLD_OF_ALL = 0.85;
/** Longer than this, and a mutant has made something endless. */
const MOST_MS = 120_000;
const checkout = path.resolve(import.meta.dirname, '../..');

const { values } = parseArgs({
  options: {
    scope: { type: 'string', default: 'core' },
    count: { type: 'string', default: '300' },
    all: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string', default: '' },
    lanes: { type: 'string', default: '2' },
    files: { type: 'string', default: '1000' },
  },
});

const scope = SCOPES[values.scope];
if (scope === undefined)
  throw new Error(`--scope is ${Object.keys(SCOPES).join(' or ')}, not ${values.scope}`);
const seed = Number(values.seed);
const found = allMutants(checkout, scope.isIn);
const mutants = sample(
  found.filter(({ file }) => file.includes(values.only)),
  { count: values.all ? Infinity : Number(values.count), random: createRandom(seed) },
).map((mutant, n): Planted => ({ ...mutant, id: n + 1 }));
print(`seed ${seed}: ${mutants.length} of ${found.length} mutants of ${values.scope}`);
const folder = copyWith(checkout, mutants);
try {
  process.exitCode = (await measure(scope)) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(from: Scope): Promise<boolean> {
  const tests = await runAll(from);
  const toTasks = (some: readonly Planted[], most: number): TimedTask[] =>
    some.map((mutant) => toTask(mutant, { tests, last: from.last ?? [], most }));
  const tasks = toTasks(mutants, Number(values.files));
  const noticed = await tryThem(tasks);
  const isReached = new Set(tasks.filter(({ files }) => files.length > 0).map(({ id }) => id));
  for (const { id } of mutants) if (!isReached.has(id)) print(describe('not reached', id));
  if (!values.all || from.accepted === undefined) return judgeSample(noticed.size);

  const accepted = readAccepted(from.accepted).filter(({ file }) => file.includes(values.only));
  const compare = () => {
    const survivors = mutants.filter(({ id }) => !noticed.has(id));
    return compareSurvivors(accepted, { mutants, survivors });
  };
  const more = toTasks(compare().unlisted, Infinity).filter(({ id }) => isReached.has(id));
  print(`${more.length} survivors that are not listed are tried on every test that reaches them`);
  for (const id of await tryThem(more)) noticed.add(id);
  return judgeAll(noticed.size, compare());
}

/** Which of them a test noticed. */
async function tryThem(tasks: readonly TimedTask[]): Promise<Set<number>> {
  const noticed = new Set<number>();
  const tried = tasks.filter(({ files }) => files.length > 0);
  if (tried.length === 0) return noticed;
  const onVerdict = ({ id, by }: Verdict): void => {
    if (by === undefined) print(describe('survived', id));
    else noticed.add(id);
    if (by === 'the time limit') print(describe('took too long', id));
  };
  await tryAll(tried, { folder, lanes: Number(values.lanes), onVerdict });
  return noticed;
}

function judgeSample(noticed: number): boolean {
  const proven = lowerBound(noticed, mutants.length);
  print(
    `${count(noticed)}, ${percent(proven)} proven of all (at least ${percent(THRESHOLD)}), seed ${seed}`,
  );
  return proven >= THRESHOLD;
}

function judgeAll(noticed: number, { unlisted, noticed: gained, gone }: Comparison): boolean {
  for (const each of unlisted) print(`not listed  ${each.file}:${each.line}  ${toEntry(each)}`);
  for (const each of gained) print(`listed, but noticed  ${each.file}  ${toEntry(each)}`);
  for (const each of gone) print(`listed, but gone  ${each.file}  ${toEntry(each)}`);
  print(
    `${count(noticed)} (at least ${percent(THRESHOLD_OF_ALL)}), ${unlisted.length} of them not listed; ` +
      `the list has ${gained.length} that are noticed and ${gone.length} that are gone`,
  );
  return noticed / mutants.length >= THRESHOLD_OF_ALL && unlisted.length === 0 && gone.length === 0;
}

function count(noticed: number): string {
  const share = percent(noticed / mutants.length);
  return `killed ${noticed}, survived ${mutants.length - noticed}: ${share} killed`;
}

interface TestFile {
  file: string;
  ids: ReadonlySet<number>;
  ms: number;
}

/** Which mutants each test file reaches. */
async function runAll({ tests, leftOut = [] }: Scope): Promise<TestFile[]> {
  const reached = path.join(folder, 'reached.jsonl');
  const child = fork(path.join(folder, 'test/mutants/reach.ts'), {
    cwd: folder,
    env: {
      ...process.env,
      REACHED_FILE: reached,
      MUTANT_TESTS: tests.join(' '),
      MUTANT_TESTS_LEFT_OUT: leftOut.join(' '),
    },
  });
  const [{ ms, failed }] = (await once(child, 'message')) as [Times];
  if (failed.length > 0) throw new Error(`These fail without any mutant: ${failed.join(', ')}`);
  const lines = readFileSync(reached, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const { file, ids } = JSON.parse(line) as { file: string; ids: number[] };
    return { file, ids: new Set(ids), ms: ms[file] ?? 0 };
  });
}

interface Tests {
  tests: readonly TestFile[];
  last: readonly string[];
  /** How many of the nearest are tried. */
  most: number;
}

function toTask(mutant: Planted, { tests, last, most }: Tests): TimedTask {
  const reaching = tests.filter(({ ids }) => ids.has(mutant.id));
  const isLast = ({ file }: TestFile): boolean => last.includes(file);
  const others = reaching.filter((test) => !isLast(test));
  const tried = [...nearestFirst(mutant.file, others).slice(0, most), ...reaching.filter(isLast)];
  const total = tried.reduce((sum, { ms }) => sum + ms, 0);
  return {
    id: mutant.id,
    files: tried.map(({ file }) => file),
    limitMs: Math.min(MOST_MS, 15_000 + 5 * total),
  };
}

function describe(fate: string, number: number): string {
  const { file, line, change } = mutants.find(({ id }) => id === number) as Planted;
  return `${fate}  ${file}:${line}  ${change}`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
