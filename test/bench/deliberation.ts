/** What a discussion costs beside the model: time outside GitHub's answers, and calls to GitHub. */
import {
  systemClock as clock,
  systemRandom as random,
} from '../../src/adapters/system/system-clock.ts';
import { createLog } from '../../src/hosts/create-log.ts';
import { openWorld, type World } from '../../src/demo/open-world.ts';
import { setStage } from '../../src/demo/stage.ts';
import { OWNER, REPOSITORY, TRIAGER } from '../../src/demo/project/people.ts';
import { NEW_ISSUES } from '../../src/demo/project/new-issues.ts';
import { threadKey } from '../../src/domain/run/thread-ref.ts';
import { describeLoad, median, watchForeignLoad } from './machine.ts';
import type { Row, Section } from './report.ts';
import { untilOver, watchRequests } from './watch.ts';

const RUNS = 9;
const REACH_MS = 300;

interface Run {
  totalMs: number;
  /** In which at least one request to GitHub was under way. */
  githubMs: number;
  calls: number;
}

export const deliberation: Section = {
  name: 'deliberation',
  title: 'A discussion of an issue, without model time',
  method:
    'The demonstration repository on the emulator, offline rules instead of a model; from the label to the last write of a run that has ended, less the time in which a request to GitHub was under way. One after the other; the first does not count. Budgets of our own towards GitHub are off. Calls are those of one discussion, the token not counted.',
  run: async ({ isLong }) => {
    const loadOf = watchForeignLoad([]);
    const world = await openWorld({
      env: {},
      clock,
      random,
      log: createLog({ level: 'error', format: 'json' }),
      owner: OWNER,
      app: { budgets: 'off', reconcileEveryMs: 0 },
      prepare: (emulator) => setStage(emulator, clock),
    });
    try {
      const runs: Run[] = [];
      for (let n = 0; n <= (isLong ? 3 * RUNS : RUNS); n += 1) runs.push(await discuss(world));
      return toRows(runs.slice(1), describeLoad(loadOf()));
    } finally {
      await world.close();
    }
  },
};

function toRows(runs: readonly Run[], load: string): Row[] {
  const own = median(runs.map(({ totalMs, githubMs }) => totalMs - githubMs));
  const total = median(runs.map(({ totalMs }) => totalMs));
  const calls = median(runs.map((run) => run.calls));
  return [
    {
      what: 'label to the end of the run, p50',
      reach: '',
      measured: `${total.toFixed(0)} ms`,
      load,
    },
    {
      what: 'of it outside GitHub, p50',
      reach: `≤ ${REACH_MS} ms`,
      measured: `${own.toFixed(0)} ms`,
      isReached: own <= REACH_MS,
      load,
    },
    {
      what: 'calls to GitHub, p50',
      reach: '',
      measured: String(calls),
      load,
    },
  ];
}

/** The first of the demonstration's issues, which ends without a question. */
async function discuss({ emulator, store }: World): Promise<Run> {
  const issue = NEW_ISSUES[0]!;
  const opened = await emulator.as(issue.author).openIssue(REPOSITORY, {
    title: issue.title,
    body: issue.body,
  });
  await emulator.settled();
  const key = threadKey({
    repositoryId: emulator.repository(REPOSITORY).id,
    number: opened.number,
  });
  const before = emulator.requests.length;
  const watch = watchRequests(emulator.url);
  const startedAt = performance.now();
  await emulator.as(TRIAGER).label(REPOSITORY, opened.number, ['deliberate']);
  await untilOver(store, key);
  const { lastMs, busyMs } = watch();
  const calls = emulator.requests
    .slice(before)
    .filter(
      ({ route, actor }) => actor.startsWith('installation:') && !route.includes('access_tokens'),
    );
  return { totalMs: lastMs - startedAt, githubMs: busyMs, calls: calls.length };
}
