/**
 * `node test/walks/write-walks.ts FOLDER` chooses from what `record.config.ts` recorded there, and writes the fixtures;
 * `node test/walks/write-walks.ts again` keeps the recordings and writes down what today's code makes of them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PACKAGE_PERSONAS, readPersonaFolder } from '../../src/adapters/files/load-personas.ts';
import { decide } from '../../src/decide/route.ts';
import { choose, type Candidate } from './choose.ts';
import { countBlocks, type Blocks } from './covered.ts';
import { differences } from './differences.ts';
import { readTapes, readWalks, writeTapes, writeWalks } from './fixture.ts';
import { isSame, replayTape } from './replay-tape.ts';
import type { Tape } from './tape.ts';
import { replayWalk, type Step, type Walk } from './walk.ts';

const WALKS = { most: 150, bytes: 16_000_000 };
const TAPES = { most: 800, bytes: 20_000_000 };
/** Longer ones say the same again and again. */
const LONGEST = { walk: 600_000, tape: 250_000 };

interface WalkLine {
  from: string;
  walk: number;
  before: string;
  after: string;
  step: Step;
}

const [source = ''] = process.argv.slice(2);
await (source === 'again' ? writeAgain() : writeChosen(source));

async function writeChosen(folder: string): Promise<void> {
  const personas = await readPersonaFolder(PACKAGE_PERSONAS);
  const { walks, tapes } = readRecordings(folder);
  const rooms = await countBlocks((url) => /\/src\/(?:decide|policy|act)\//.test(url));
  const goodWalks = await tryEach(walks, rooms, {
    longest: LONGEST.walk,
    isGood: async ({ steps }) => {
      const decided = replayWalk({ steps }, decide);
      return steps.every((step, n) => JSON.stringify(step.decided) === JSON.stringify(decided[n]));
    },
  });
  const goodTapes = await tryEach(tapes, rooms, {
    longest: LONGEST.tape,
    isGood: async (tape) => isSame(tape, await replayTape(tape, personas)),
  });
  const kept = { walks: choose(goodWalks, WALKS), tapes: choose(goodTapes, TAPES) };
  print(`${kept.walks.length} walks of ${goodWalks.length}, ${writeWalks(kept.walks)} bytes`);
  const bytes = writeTapes({ personas, tapes: kept.tapes });
  print(`${kept.tapes.length} tapes of ${goodTapes.length}, ${bytes} bytes`);
}

/** Those that come to the same again, with what of the code they run. */
async function tryEach<T>(
  all: readonly T[],
  rooms: Blocks,
  { longest, isGood }: { longest: number; isGood: (each: T) => Promise<boolean> },
): Promise<Candidate<T>[]> {
  const good: Candidate<T>[] = [];
  for (const value of all) {
    const size = JSON.stringify(value).length;
    if (size > longest) continue;
    await rooms.take();
    if (await isGood(value)) good.push({ value, size, blocks: await rooms.take() });
  }
  print(`${good.length} of ${all.length} come to the same again`);
  return good;
}

function readRecordings(folder: string): { walks: Walk[]; tapes: Tape[] } {
  const files = readdirSync(folder).map((file) => path.join(folder, file));
  const linesOf = (end: string): unknown[][] =>
    files
      .filter((file) => file.endsWith(end))
      .map((file) => readFileSync(file, 'utf8').split('\n').slice(0, -1).map(parse));
  return {
    walks: linesOf('.walks.jsonl').flatMap((lines) => toWalks(lines as WalkLine[])),
    tapes: linesOf('.tapes.jsonl').flat() as Tape[],
  };
}

function parse(line: string): unknown {
  return JSON.parse(line);
}

/** A step that was decided twice, after a conflict, ends its walk: only one of the two counted. */
function toWalks(lines: WalkLine[]): Walk[] {
  return [...Map.groupBy(lines, ({ walk }) => walk).values()].map((steps) => {
    const end = steps.findIndex(({ before }, n) => n > 0 && before !== steps[n - 1]?.after);
    const whole = end === -1 ? steps : steps.slice(0, end);
    return { from: whole[0]?.from ?? '', steps: whole.map(({ step }) => step) };
  });
}

async function writeAgain(): Promise<void> {
  const walks = readWalks();
  for (const [n, walk] of walks.entries()) {
    const before = structuredClone(walk.steps);
    const decided = replayWalk(walk, decide);
    for (const [index, step] of walk.steps.entries()) step.decided = decided[index] ?? {};
    printChange(`walk ${n} of ${walk.from}`, before, walk.steps);
  }
  const { personas, tapes } = readTapes();
  for (const [n, tape] of tapes.entries()) {
    const before = structuredClone(tape);
    const name = `tape ${n}, ${tape.effect.data.kind} of ${tape.from}`;
    const { unknown } = await replayTape(tape, personas, { isRewriting: true });
    if (unknown.length > 0) {
      // Nobody knows what the port would have answered: what comes after it is no recording.
      tapes[n] = before;
      process.exitCode = 1;
      print(`${name}\n  is kept as it was. It asks what was not recorded: ${unknown.join(', ')}`);
    } else printChange(name, before, tape);
  }
  print(`walks: ${writeWalks(walks)} bytes, tapes: ${writeTapes({ personas, tapes })} bytes`);
}

function printChange(name: string, before: unknown, after: unknown): void {
  const lines = differences(before, after);
  if (lines.length > 0) print(`${name}\n${lines.map((line) => `  ${line}`).join('\n')}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
