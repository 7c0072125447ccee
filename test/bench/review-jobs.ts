/** What the jobs of a review take together, from the bundles, each job as a process of its own. */
import path from 'node:path';
import {
  systemClock as clock,
  systemRandom as random,
} from '../../src/adapters/system/system-clock.ts';
import {
  actionIn,
  failuresIn,
  openActionsWorld,
} from '../../src/demo/actions/open-actions-world.ts';
import { openPull } from '../../src/demo/open-pulls.ts';
import { NEW_PULLS } from '../../src/demo/project/new-pulls.ts';
import { REPOSITORY } from '../../src/demo/project/people.ts';
import { createLog } from '../../src/hosts/create-log.ts';
import { describeLoad, median, watchForeignLoad } from './machine.ts';
import type { Row } from './report.ts';

const REACH_MS = 3_000;
const REACH_CALLS = 8;

/** @param build - folder with the bundles of the actions */
export async function measureReviewJobs(build: string, runs: number): Promise<Row[]> {
  const log = createLog({ level: 'error', format: 'json' });
  const bundleOf = (uses: string): string => path.resolve(build, actionIn(uses), 'dist/index.js');
  const world = await openActionsWorld({ env: {}, clock, random, log }, bundleOf);
  try {
    const loadOf = watchForeignLoad([]);
    const times: number[] = [];
    const calls: number[] = [];
    // The first one fills the caches.
    for (let run = 0; run <= runs; run += 1) {
      const took = await review(world, run);
      if (run === 0) continue;
      times.push(took.ms);
      calls.push(took.calls);
    }
    const ms = median(times);
    const load = describeLoad(Math.max(0, loadOf() - 0.5));
    const asked = median(calls);
    return [
      {
        what: 'a review: claim, agent and apply together',
        reach: `≤ ${REACH_MS / 1_000} s`,
        measured: `${(ms / 1_000).toFixed(2)} s`,
        isReached: ms <= REACH_MS,
        load,
      },
      {
        what: 'a review by workflow: calls until its check has ended',
        reach: `≤ ${REACH_CALLS}`,
        measured: `${asked} calls`,
        isReached: asked <= REACH_CALLS,
        load,
      },
    ];
  } finally {
    await world.close();
  }
}

type World = Awaited<ReturnType<typeof openActionsWorld>>;

interface Took {
  ms: number;
  /** All requests of its jobs to GitHub, the token not counted. */
  calls: number;
}

/** Of a pull request of its own. */
async function review(world: World, nth: number): Promise<Took> {
  const [pull] = NEW_PULLS;
  if (pull === undefined) throw new Error('The demonstration opens no pull request');
  const { author: by } = pull;
  const { number } = await openPull(world, { ...pull, branch: `${pull.branch}-${nth}` });
  const opened = await world.emulator.as(by).request('GET', `/repos/${REPOSITORY}/pulls/${number}`);
  const payload = { action: 'opened', number, pull_request: opened };
  const before = world.emulator.requests.length;
  const startedAt = performance.now();
  const jobs = await world.play({ workflow: 'quorum.yml', name: 'pull_request', payload, by });
  const ms = performance.now() - startedAt;
  const ended = jobs.filter(({ conclusion }) => conclusion === 'success').map(({ name }) => name);
  if (ended.length < 3) throw new Error(`The review ended early: ${failuresIn(jobs).join('; ')}`);
  return { ms, calls: callsUntilCheck(world.emulator.requests.slice(before)) };
}

function callsUntilCheck(requests: World['emulator']['requests']): number {
  const asked = requests.filter(({ actor }) => actor.startsWith('installation:'));
  const isCheck = ({ method, route }: (typeof asked)[number]): boolean =>
    method === 'POST' && route.endsWith('/check-runs');
  const end = asked.findLastIndex(isCheck);
  if (end < 0) throw new Error('The review wrote no check run');
  return end + 1;
}
