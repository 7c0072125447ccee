/** What several personas on one matter cost in input, against one of them alone, by the usage that a model server reports. */
import { findPrice } from '../../src/adapters/model/pool/prices.ts';
import type { ScriptedCall, ScriptedUsage } from '../../src/emulator/model-server/script.ts';
import { costUsd } from '../../src/domain/run/ledger.ts';
import { aPosition, aVerdict } from '../helpers/an-issue.ts';
import { mostReflectionUsd } from '../helpers/reflection-cost.ts';
import { mixedFiles } from './mixed-code.ts';
import { byRatio, type Row, type Section } from './report.ts';
import { openReviewWorld, type Opened, type ReviewWorld } from './review-world.ts';
import { untilOver } from './watch.ts';

/** Anthropic's multiples of plain input: what a write to the cache costs, and a read from it. */
const WRITE = 1.25;
const READ = 0.1;
const SPEAKERS = 4;
const REACH = 1.6;
/** What notes may add to the input of a review. */
const NOTES_REACH = 1.15;
/** More than a prompt has room for, long and short, of a file that every change has. */
const NOTES = Array.from({ length: 12 }, (_, n) => {
  const [{ path } = { path: '' }] = mixedFiles(40);
  return n % 2 === 0
    ? `- [PATTERN] Case ${n} of \`${path}\` counts its steps from zero.\n`
    : `- [PATTERN] Steps of \`${path}\` start at zero in case ${n}. Before you add one, check the callers that start at one.\n`;
}).join('');
const REFLECTION_USD = 0.002;
const PARAGRAPH =
  'When the stock of a parcel changes while a basket is open, the total in `src/cli.ts` is the old one until somebody reloads the page. ';

interface Case {
  what: string;
  /** Whether the target applies to it. The others are listed for comparison. */
  isWanted: boolean;
  open: (world: ReviewWorld) => Promise<Opened>;
}

const CASES: readonly Case[] = [
  ...[40, 500, 5_000].map((lines) => ({
    what: `review of ${lines.toLocaleString('en')} lines`,
    isWanted: true,
    open: (world: ReviewWorld) => {
      world.push(`lines-${lines}`, mixedFiles(lines));
      return world.openPull(`lines-${lines}`);
    },
  })),
  ...(['small', 'long'] as const).map((size) => ({
    what: `discussion of a ${size} issue`,
    isWanted: false,
    open: (world: ReviewWorld) =>
      world.openIssue({
        title: 'Show the total of today',
        body: PARAGRAPH.repeat(size === 'small' ? 4 : 100),
      }),
  })),
];

export const prompts: Section = {
  name: 'prompts',
  title: 'Input cost of several personas',
  method: `Changes and issues of several sizes through the App and the real Anthropic client against the scripted model server, which counts cache writes (${WRITE}) and reads (${READ}) as the provider does, for prompts from 1,024 tokens on, and takes 100 ms for an answer. The voices of the blind round, the lead's own among them, in input tokens' worth, against the first of them alone; scaled to four where another number spoke: each further one costs what the average further one cost. Then every call of the run, the verdict too, at the list prices of their models. The same reviews again in a repository whose memory has 12 notes about a file of each change: all input of the run against that without notes. Last, the most that looking back on a whole run can cost with the model that is cheap by default: long findings, the longest answer, and a repair.`,
  run: async () => {
    const without = await callsOf(CASES);
    const withNotes = await callsOf(
      CASES.filter(({ isWanted }) => isWanted),
      NOTES,
    );
    return [
      ...CASES.flatMap((each) => toRows(each, without.get(each) ?? [])),
      ...[...withNotes].map(([each, calls]) => notesRow(each, without.get(each) ?? [], calls)),
      ...[1, SPEAKERS].map(reflectionRow),
    ];
  },
};

/** In a world of their own, so that nothing is in the cache yet. `notes` are remembered before. */
async function callsOf(
  cases: readonly Case[],
  notes = '',
): Promise<Map<Case, readonly ScriptedCall[]>> {
  const world = await openReviewWorld((call) => ({ json: answerTo(call), delayMs: 100 }));
  try {
    if (notes !== '') await world.remember(notes);
    const calls = new Map<Case, readonly ScriptedCall[]>();
    for (const each of cases) {
      const before = world.model.calls.length;
      const { key } = await each.open(world);
      await untilOver(world.store, key);
      calls.set(each, world.model.calls.slice(before));
    }
    return calls;
  } finally {
    await world.close();
  }
}

/** Every call of the run counts, the verdict too. A prompt without a note would make notes look cheap. */
function notesRow(
  { what }: Case,
  without: readonly ScriptedCall[],
  calls: readonly ScriptedCall[],
): Row {
  const [before, after] = [sum(without.map(worthOf)), sum(calls.map(worthOf))];
  const noted = calls.filter(({ body }) => JSON.stringify(body).includes('[m:')).length;
  const row = {
    what: `${what}: the whole run with notes against without (${noted} of ${calls.length} prompts have some)`,
    reach: `≤ ${NOTES_REACH}×`,
    measured: `${after.toFixed(0)} against ${before.toFixed(0)}`,
    load: '',
  };
  const judged = byRatio(row, after / before, { atMost: NOTES_REACH });
  return { ...judged, isReached: judged.isReached === true && noted === calls.length };
}

/** Not what it did cost: no answer is longer, and none is repaired twice. */
function reflectionRow(voices: number): Row {
  const usd = mostReflectionUsd(voices);
  return {
    what: `the reflection of a run of ${voices === 1 ? 'one voice' : `${voices} voices`}, at most`,
    reach: `≤ $${REFLECTION_USD}`,
    measured: `$${usd.toFixed(4)}`,
    isReached: usd <= REFLECTION_USD,
    load: '',
  };
}

function answerTo(call: ScriptedCall): unknown {
  const isReview = /Close the review\.|Review this change/.test(call.lastText);
  const vote = isReview ? 'APPROVE' : 'READY';
  return isVerdict(call)
    ? aVerdict({ verdict: vote })
    : aPosition({ vote, line: `${call.n} says so`, reasons: `The ${call.n} reasons are its own.` });
}

function isVerdict(call: ScriptedCall): boolean {
  return /Close the (?:discussion|review)\./.test(call.lastText);
}

function toRows({ what, isWanted }: Case, calls: readonly ScriptedCall[]): Row[] {
  const blind = calls.filter((call) => !isVerdict(call)).map(worthOf);
  const [first = Number.NaN, ...others] = blind;
  const further = sum(others) / others.length;
  const ratio = (first + (SPEAKERS - 1) * further) / first;
  const row = {
    what: `${what}: ${SPEAKERS} voices against one (${blind.length} spoke)`,
    reach: isWanted ? `≤ ${REACH}×` : '',
    measured: blind.map((worth) => worth.toFixed(0)).join(' + '),
    load: '',
  };
  const { isReached, ...judged } = byRatio(row, ratio, { atMost: REACH });
  return [
    isWanted ? { ...judged, ...(isReached === undefined ? {} : { isReached }) } : judged,
    {
      what: `${what}: the whole run`,
      reach: '',
      measured: `${calls.length} calls, ${sum(calls.map(worthOf)).toFixed(0)} input tokens' worth, $${sum(calls.map(usdOf)).toFixed(4)}`,
      load: '',
    },
  ];
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

function worthOf({ usage }: ScriptedCall): number {
  const { input, cacheRead, cacheWrite } = usage ?? NOTHING;
  return input + READ * cacheRead + WRITE * cacheWrite;
}

const NOTHING: ScriptedUsage = { input: Number.NaN, output: 0, cacheRead: 0, cacheWrite: 0 };

/** Of the input alone: answers cost the same however prompts are laid out. */
function usdOf({ usage, model }: ScriptedCall): number {
  const { input, cacheRead, cacheWrite } = usage ?? NOTHING;
  const tokens = { inputTokens: input, cacheReadTokens: cacheRead, cacheWriteTokens: cacheWrite };
  const price = findPrice({ provider: 'anthropic', model });
  return costUsd({ ...tokens, outputTokens: 0 }, price) ?? Number.NaN;
}
