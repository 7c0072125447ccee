/** What a review costs beside the model: time, and calls to GitHub by how many files a change has. */
import { aPosition, aVerdict } from '../helpers/an-issue.ts';
import { describeLoad, median, watchForeignLoad } from './machine.ts';
import { manyFiles } from './mixed-code.ts';
import type { Row, Section } from './report.ts';
import { openReviewWorld, type ReviewWorld } from './review-world.ts';
import { untilOver, watchRequests } from './watch.ts';

/** Files of one change. */
const SIZES = [1, 100, 250];
const ROUNDS = 3;
const REACH_CALLS = 8;
const LINES = 20;

export const reviews: Section = {
  name: 'reviews',
  title: 'A review of a pull request, without model time',
  method: `The App on the sandbox, a scripted model without delay through the real Anthropic client; from the opened pull request to the last write, less the time in which a request to the model was under way, and less that in which one to GitHub was. Changes of new files with ${LINES} lines each. One after the other; the first does not count; medians. Calls are those of one review, the token not counted.`,
  run: async ({ isLong }) => {
    const loadOf = watchForeignLoad([]);
    const world = await openReviewWorld((call) => ({
      json: call.lastText.includes('Close the review.') ? VERDICT : POSITION,
    }));
    try {
      await review(world, 1, 'warm-up');
      const rows: Row[] = [];
      for (const files of SIZES) {
        const runs: Run[] = [];
        for (let n = 0; n < (isLong ? 3 * ROUNDS : ROUNDS); n += 1)
          runs.push(await review(world, files, `change-${files}-${n}`));
        rows.push(...toRows(files, runs, describeLoad(loadOf())));
      }
      return rows;
    } finally {
      await world.close();
    }
  },
};

const POSITION = aPosition({ vote: 'APPROVE', line: 'does what it says', reasons: 'It is small.' });
const VERDICT = aVerdict({ verdict: 'APPROVE', headline: 'nothing stands in the way' });

interface Run {
  totalMs: number;
  modelMs: number;
  githubMs: number;
  calls: number;
  modelCalls: number;
}

async function review(world: ReviewWorld, files: number, name: string): Promise<Run> {
  const { sandbox, model, store } = world;
  world.push(name, manyFiles(files, LINES));
  const github = watchRequests(sandbox.url);
  const models = watchRequests(model.url);
  const [before, asked] = [sandbox.requests.length, model.calls.length];
  const startedAt = performance.now();
  const { key } = await world.openPull(name);
  await untilOver(store, key);
  const { lastMs, busyMs: githubMs } = github();
  const { busyMs: modelMs } = models();
  const calls = sandbox.requests
    .slice(before)
    .filter(
      ({ route, actor }) => actor.startsWith('installation:') && !route.includes('access_tokens'),
    );
  const modelCalls = model.calls.length - asked;
  return { totalMs: lastMs - startedAt, modelMs, githubMs, calls: calls.length, modelCalls };
}

function toRows(files: number, runs: readonly Run[], load: string): Row[] {
  const of = (what: (run: Run) => number): number => median(runs.map(what));
  const change = `${files} ${files === 1 ? 'file' : 'files'}`;
  const outside = of(({ totalMs, modelMs }) => totalMs - modelMs);
  const own = of(({ totalMs, modelMs, githubMs }) => totalMs - modelMs - githubMs);
  const calls = of((run) => run.calls);
  return [
    {
      what: `${change}: outside the model`,
      reach: '',
      measured: `${outside.toFixed(0)} ms, ${own.toFixed(0)} ms of it outside GitHub too; ${of((run) => run.modelCalls)} questions`,
      load,
    },
    {
      what: `${change}: calls to GitHub`,
      reach: `≤ ${REACH_CALLS}`,
      measured: String(calls),
      isReached: calls <= REACH_CALLS,
      load,
    },
  ];
}
