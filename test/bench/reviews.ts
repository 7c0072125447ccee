/** What a review costs beside the model: time, and calls to GitHub by how many files a change has. */
import type { ThreadState } from '../../src/decide/run/thread-context.ts';
import { ofKind, type Run as RunRecord } from '../../src/domain/run/state/run-record.ts';
import { aPosition, aVerdict } from '../helpers/an-issue.ts';
import { describeLoad, median, watchForeignLoad } from './machine.ts';
import { manyFiles, mixedFiles, type MixedFile } from './mixed-code.ts';
import type { Row, Section } from './report.ts';
import { openReviewWorld, type ReviewWorld } from './review-world.ts';
import { untilOver, watchRequests } from './watch.ts';

/** Files of one change. */
const SIZES = [1, 100, 250];
const ROUNDS = 3;
/** For a change of up to 100 files; texts come a hundred at a time. */
const REACH_CALLS = 8;
const LINES = 20;
/** Of changes that fill a prompt, or more than one; the budget lets them. */
const LARGE_LINES = [5_000, 10_000];
const AFFORDABLE =
  'budget:\n  perDayUsd: 1000\n  council: { perThreadUsd: 100, perDayUsd: 1000 }\n';

export const reviews: Section = {
  name: 'reviews',
  title: 'A review of a pull request, without model time',
  method: `The App on the emulator, a scripted model without delay through the real Anthropic client; from the opened pull request to the last write, less the time in which a request to the model was under way, and less that in which one to GitHub was. Changes of new files with ${LINES} lines each; then larger ones, with a budget for all their parts: each further part is one more look, and one more question to every voice. One after the other; the first does not count; medians. Calls are those of one review, the token not counted. Two reviews more with a note that a person wrote: the first reads it, and who pushed it; the second has it.`,
  run: async ({ isLong }) => {
    const loadOf = watchForeignLoad([]);
    const world = await openReviewWorld(
      (call) => ({
        json: call.lastText.includes('Close the review.') ? VERDICT : POSITION,
      }),
      AFFORDABLE,
    );
    try {
      await review(world, manyFiles(1, LINES), 'warm-up');
      const rows: Row[] = [];
      for (const files of SIZES) {
        const runs: Run[] = [];
        for (let n = 0; n < (isLong ? 3 * ROUNDS : ROUNDS); n += 1)
          runs.push(await review(world, manyFiles(files, LINES), `change-${files}-${n}`));
        rows.push(...toRows(files, runs, describeLoad(loadOf())));
      }
      rows.push(...(await memoryRows(world, describeLoad(loadOf()))));
      for (const lines of LARGE_LINES) {
        const large = await review(world, mixedFiles(lines), `large-${lines}`);
        rows.push(toLargeRow(lines, large, describeLoad(loadOf())));
      }
      return rows;
    } finally {
      await world.close();
    }
  },
};

const POSITION = aPosition({ vote: 'APPROVE', line: 'does what it says', reasons: 'It is small.' });
const VERDICT = aVerdict({ verdict: 'APPROVE', headline: 'no findings' });

interface Run {
  totalMs: number;
  modelMs: number;
  githubMs: number;
  calls: number;
  modelCalls: number;
  /** In how many prompts of one voice the change was. */
  parts: number;
  /** Files that no voice was shown. */
  unseen: number;
}

async function review(world: ReviewWorld, files: readonly MixedFile[], name: string): Promise<Run> {
  const { emulator, model, store } = world;
  world.push(name, files);
  const github = watchRequests(emulator.url);
  const models = watchRequests(model.url);
  const [before, asked] = [emulator.requests.length, model.calls.length];
  const startedAt = performance.now();
  const { key } = await world.openPull(name);
  await untilOver(store, key);
  const { lastMs, busyMs: githubMs } = github();
  const { busyMs: modelMs } = models();
  const calls = emulator.requests
    .slice(before)
    .filter(
      ({ route, actor }) => actor.startsWith('installation:') && !route.includes('access_tokens'),
    );
  const modelCalls = model.calls.length - asked;
  const { reading, review: told } = await runOf(world, key);
  return {
    totalMs: lastMs - startedAt,
    modelMs,
    githubMs,
    calls: calls.length,
    modelCalls,
    parts: reading?.heard.length ?? 1,
    unseen: told?.unseen?.length ?? 0,
  };
}

async function runOf({ store }: ReviewWorld, key: string): Promise<RunRecord<'pr_review'>> {
  const found = await store.load(key);
  const run = ofKind((found?.state as ThreadState | undefined)?.runs['pr_review'], 'pr_review');
  if (run === undefined) throw new Error(`no review in ${key}`);
  return run;
}

/** A person changes memory before one review, and nobody before the next. */
async function memoryRows(world: ReviewWorld, load: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const isChanged of [true, false]) {
    const name = isChanged ? 'memory-changed' : 'memory-same';
    const files = manyFiles(1, LINES);
    if (isChanged) await world.remember(`- [PATTERN] \`${files[0]?.path}\` counts from zero.\n`);
    const asked = world.model.calls.length;
    const { calls } = await review(world, files, name);
    const prompts = world.model.calls.slice(asked);
    const noted = prompts.filter(({ body }) => JSON.stringify(body).includes('[m:')).length;
    const most = isChanged ? REACH_CALLS + 1 : REACH_CALLS;
    rows.push({
      what: `1 file, memory that ${isChanged ? 'a person changed' : 'nobody changed since'}: calls to GitHub`,
      reach: `≤ ${most}`,
      measured: `${calls}; the note is in ${noted} of ${prompts.length} prompts`,
      isReached: calls <= most && noted > 0,
      load,
    });
  }
  return rows;
}

function toLargeRow(lines: number, run: Run, load: string): Row {
  const { totalMs, modelMs, calls, modelCalls, parts, unseen } = run;
  return {
    what: `${lines.toLocaleString('en')} lines, in as many prompts as it takes`,
    reach: 'all of it shown',
    measured: `${parts} ${parts === 1 ? 'part' : 'parts'}, ${modelCalls} questions, ${calls} calls to GitHub, ${(totalMs - modelMs).toFixed(0)} ms outside the model, ${unseen} files shown to nobody`,
    isReached: unseen === 0,
    load,
  };
}

function toRows(files: number, runs: readonly Run[], load: string): Row[] {
  const of = (what: (run: Run) => number): number => median(runs.map(what));
  const change = `${files} ${files === 1 ? 'file' : 'files'}`;
  const outside = of(({ totalMs, modelMs }) => totalMs - modelMs);
  const own = of(({ totalMs, modelMs, githubMs }) => totalMs - modelMs - githubMs);
  const calls = of((run) => run.calls);
  const mostCalls = REACH_CALLS + Math.max(0, Math.ceil(files / 100) - 1);
  return [
    {
      what: `${change}: outside the model`,
      reach: '',
      measured: `${outside.toFixed(0)} ms, ${own.toFixed(0)} ms of it outside GitHub too; ${of((run) => run.modelCalls)} questions`,
      load,
    },
    {
      what: `${change}: calls to GitHub`,
      reach: `≤ ${mostCalls}`,
      measured: String(calls),
      isReached: calls <= mostCalls,
      load,
    },
  ];
}
