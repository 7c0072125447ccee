/** CPU time of `GET /api/v1/standups` and its trends at 100,000 insights: `node test/bench/standups.ts`. */
import { listInsights, readTrends } from '../../src/act/standup/read-standups.ts';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import type { Store } from '../../src/ports/store.ts';
import { anInsight, aStandup } from '../helpers/a-kept-standup.ts';

const STANDUPS = 20_000;
const REPOSITORIES = 20;
const ROUNDS = 20;
const PARTS = ['queue', 'cache', 'parser', 'router', 'ledger', 'session', 'lease', 'index'];
const FAULTS = ['has no upper limit', 'swallows errors', 'is tested by hand', 'reads twice'];

/** Spread over the repositories, or all in the first one. */
async function fill(store: Store, repositories: number): Promise<void> {
  for (let n = 0; n < STANDUPS; n += 1) {
    const run = `run-${n}`;
    const insights = [0, 1, 2, 3, 4].map((at) => {
      const part = PARTS[(n * 7 + at * 3) % PARTS.length];
      const said = `The ${part} ${FAULTS[(n + at) % FAULTS.length]} in step ${n % 97}`;
      const from = `persona-${at}`;
      const refs = [{ path: `src/${part}.ts`, line: 1 + (n % 200) }];
      return at < 2 ? anInsight('', { run, from }) : anInsight(said, { run, from, refs });
    });
    const at = new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString();
    const repository = 1 + (n % repositories);
    const saved = store.standups.save(
      aStandup({ repository, name: `acme/repo-${repository}`, run, at, insights }),
    );
    if (n % 64 === 0 || n === STANDUPS - 1) await saved;
  }
}

async function measure(name: string, read: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage();
    await read();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const [p50, most] = [sorted[ROUNDS / 2], sorted.at(-1)].map((ms) => (ms ?? 0).toFixed(1));
  console.log(`${name}: p50 ${p50} ms, most ${most} ms of CPU`);
}

for (const repositories of [REPOSITORIES, 1]) {
  const store = await openSqliteStore({ memory: true, clock: systemClock });
  const { standups } = store;
  await fill(store, repositories);
  const { total } = await standups.insights({ limit: 1 });
  const of = { repositories: [1] };
  console.log(`\n${total} insights of ${repositories} repositories`);
  await measure('all, newest 200', () => listInsights(standups, { limit: 200 }));
  await measure('one repository', () => listInsights(standups, { ...of, limit: 200 }));
  await measure('one repository and type', () =>
    listInsights(standups, { ...of, type: 'risk', limit: 50 }),
  );
  await measure('one run', () => listInsights(standups, { run: 'run-780', limit: 50 }));
  await measure('trends of one repository', () => readTrends(standups, 1));
  await store.close();
}
