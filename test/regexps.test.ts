/** Every regular expression of the sources: none whose time grows out of hand with the text that strangers write. */
import { Worker } from 'node:worker_threads';
import { beforeAll, expect, test } from 'vitest';
import {
  attackOf,
  captureConstants,
  constantsOf,
  digestOf,
  findPatterns,
  readVerdicts,
  type FoundPattern,
} from './helpers/regexps.ts';

/** Of one question to recheck, for patterns that the fixture does not know yet. */
const TIMEOUT_MS = 20_000;
/** How many patterns of the fixture are asked about again in each run, and how long each may take. */
const SAMPLE = 10;
const SAMPLE_TIMEOUT_MS = 2_000;
/** A hang guard: each attack takes milliseconds. */
const DEADLINE_MS = 5_000;

const { literals, made } = findPatterns();
const { safe, accepted } = readVerdicts();
const patterns = new Map<string, FoundPattern>();

beforeAll(async () => {
  const constant = made.filter(({ isConstant }) => isConstant).map(({ file }) => file);
  const captured = await captureConstants([...new Set(constant)]);
  const templates = made.flatMap(({ isConstant, source, flags, at }): FoundPattern[] =>
    isConstant || source === undefined ? [] : [{ source, flags, at }],
  );
  for (const one of [...literals, ...templates, ...captured]) patterns.set(digestOf(one), one);
});

async function ask({ source, flags }: FoundPattern, timeout = TIMEOUT_MS): Promise<string> {
  process.env['RECHECK_SYNC_BACKEND'] = 'pure';
  const { checkSync } = await import('recheck');
  return checkSync(source, flags, { timeout }).status;
}

test('the search finds literals and patterns that are made', () => {
  expect(literals.length).toBeGreaterThan(1000);
  expect(made.length).toBeGreaterThan(20);
  expect(patterns.size).toBeGreaterThan(1000);
});

test('recheck calls every pattern safe, or it is argued for', async () => {
  const known = new Set([...safe, ...accepted.map(digestOf)]);
  const bad: string[] = [];
  for (const [digest, pattern] of patterns)
    if (!known.has(digest) && (await ask(pattern)) !== 'safe')
      bad.push(`${pattern.at}: /${pattern.source}/${pattern.flags}`);
  expect(bad, 'node test/helpers/write-regexps.ts says more').toEqual([]);
});

test('recheck contradicts none of a sample of the verdicts', async () => {
  const kept = new Set(safe);
  const all = [...patterns].filter(([digest]) => kept.has(digest)).toSorted(byName);
  const step = Math.max(1, Math.floor(all.length / SAMPLE));
  const answers = new Map<string, string>();
  for (const [, pattern] of all.filter((_, index) => index % step === 0))
    answers.set(pattern.source, await ask(pattern, SAMPLE_TIMEOUT_MS));
  expect([...answers].filter(([, status]) => status === 'vulnerable')).toEqual([]);
});

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}

test('no pattern is argued for that is exponential, unknown, or gone', () => {
  expect(accepted.filter(({ verdict }) => !verdict.includes('polynomial'))).toEqual([]);
  expect(accepted.filter((one) => !patterns.has(digestOf(one)))).toEqual([]);
  for (const { why, reads } of accepted) {
    expect(why.length).toBeGreaterThan(20);
    expect(reads).toBeLessThanOrEqual(65_536);
  }
});

test(
  'the attack of each pattern that is argued for ends at the length that it reads',
  { timeout: 300_000 },
  async () => {
    const slow: string[] = [];
    for (const one of accepted)
      if (!(await endsInTime({ ...one, text: attackOf(one) }))) slow.push(one.source);
    expect(slow).toEqual([]);
  },
);

test('an attack that does not end is noticed', async () => {
  const attack = { source: '^(?:a+)+$', flags: '', text: `${'a'.repeat(60)}!` };
  expect(await endsInTime(attack, 500)).toBe(false);
});

const RUN = `const { parentPort, workerData: { source, flags, text } } = require('node:worker_threads');
for (const _ of text.matchAll(new RegExp(source, flags.includes('g') ? flags : flags + 'g')));
parentPort.postMessage('ended');`;

async function endsInTime(
  workerData: { source: string; flags: string; text: string },
  deadlineMs = DEADLINE_MS,
): Promise<boolean> {
  const worker = new Worker(RUN, { eval: true, workerData });
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const late = setTimeout(() => resolve(false), deadlineMs);
  worker.once('message', () => resolve(true));
  worker.once('error', reject);
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    await worker.terminate();
  }
}

test('what is put into a pattern while the program runs is escaped', () => {
  const loose = made.filter(({ isConstant, file, parts }) => {
    const constants = constantsOf(file);
    const isKnown = (part: string): boolean =>
      part.includes('escapePattern') || constants.has(part);
    return !isConstant && !REVIEWED.has(file) && !parts.every(isKnown);
  });
  expect(loose.map(({ at }) => at)).toEqual([]);
});

/**
 * The router joins pieces that are escaped one by one, made of what the source says. The control address takes patterns of
 * the person who runs the emulator, for that emulator alone.
 */
const REVIEWED = new Set(['emulator/github/router.ts', 'emulator/github/control.ts']);
