/**
 * `npm run mutants [-- --scope core|guards] [--count N] [--seed N] [--only PATH] [--lanes N]`: plants small mistakes into a
 * copy of the sources (`decide/`, `policy/` and `act/`, or the guards alone), and says which of them the tests without an
 * emulator notice. Ends with 1 where the sample does not prove that they notice enough.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { tryAll, type TimedTask } from './lanes.ts';
import type { Planted } from './plant.ts';
import { createRandom, sample } from './sample.ts';
import { lowerBound, SCOPES } from './scopes.ts';
import type { Times } from './reach.ts';
import { allMutants, copyWith } from './tree.ts';

/** Of all mutants, as far as a sample proves it: for 300 of them 84.3 % have to be noticed. */
const THRESHOLD = 0.8;
const checkout = path.resolve(import.meta.dirname, '../..');

const { values } = parseArgs({
  options: {
    scope: { type: 'string', default: 'core' },
    count: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string', default: '' },
    lanes: { type: 'string', default: '2' },
  },
});

const scope = SCOPES[values.scope];
if (scope === undefined)
  throw new Error(`--scope is ${Object.keys(SCOPES).join(' or ')}, not ${values.scope}`);
const seed = Number(values.seed);
const found = allMutants(checkout, scope.isIn);
const mutants = sample(
  found.filter(({ file }) => file.includes(values.only)),
  { count: Number(values.count), random: createRandom(seed) },
).map((mutant, n): Planted => ({ ...mutant, id: n + 1 }));
print(`seed ${seed}: ${mutants.length} of ${found.length} mutants of ${values.scope}`);
const folder = copyWith(checkout, mutants);
try {
  process.exitCode = (await measure()) < THRESHOLD ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<number> {
  const tests = await runAll(scope?.tests ?? []);
  const tasks = mutants.map(({ id }) => toTask(id, tests));
  const noticed = new Map<number, string>();
  const tried = tasks.filter(({ files }) => files.length > 0);
  await tryAll(tried, {
    folder,
    lanes: Number(values.lanes),
    onVerdict: ({ id, by }) => by !== undefined && noticed.set(id, by),
  });
  const reached = new Set(tried.map(({ id }) => id));
  for (const mutant of mutants) if (!noticed.has(mutant.id)) printSurvivor(mutant, reached);
  const survived = tried.length - noticed.size;
  const proven = lowerBound(noticed.size, mutants.length);
  print(
    `killed ${noticed.size}, survived ${survived}, not reached ${mutants.length - tried.length}: ` +
      `${percent(noticed.size / mutants.length)} killed, ${percent(proven)} proven of all (at least ${percent(THRESHOLD)}), seed ${seed}`,
  );
  return proven;
}

interface TestFile {
  file: string;
  ids: ReadonlySet<number>;
  ms: number;
}

/** Which mutants each test file reaches. */
async function runAll(tests: readonly string[]): Promise<TestFile[]> {
  const reached = path.join(folder, 'reached.jsonl');
  const child = fork(path.join(folder, 'test/mutants/reach.ts'), {
    cwd: folder,
    env: { ...process.env, REACHED_FILE: reached, MUTANT_TESTS: tests.join(' ') },
  });
  const [{ ms, failed }] = (await once(child, 'message')) as [Times];
  if (failed.length > 0) throw new Error(`These fail without any mutant: ${failed.join(', ')}`);
  const lines = readFileSync(reached, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const { file, ids } = JSON.parse(line) as { file: string; ids: number[] };
    return { file, ids: new Set(ids), ms: ms[file] ?? 0 };
  });
}

/** Fast files first: most mutants are noticed there. */
function toTask(id: number, tests: readonly TestFile[]): TimedTask {
  const reaching = tests.filter(({ ids }) => ids.has(id)).toSorted((a, b) => a.ms - b.ms);
  const total = reaching.reduce((sum, { ms }) => sum + ms, 0);
  return { id, files: reaching.map(({ file }) => file), limitMs: 30_000 + 5 * total };
}

function printSurvivor({ id, file, line, change }: Planted, reached: ReadonlySet<number>): void {
  print(`${reached.has(id) ? 'survived' : 'not reached'}  ${file}:${line}  ${change}`);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
