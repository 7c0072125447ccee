/** The App as a child process that kills itself, with SIGKILL, around the n-th effect of a kind. Run by kill-points.test.ts. */
import { systemClock, systemRandom } from '../../src/adapters/system/clock.ts';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open.ts';
import { startApp } from '../../src/hosts/app.ts';
import { createLog } from '../../src/hosts/log.ts';
import type { Store, Work } from '../../src/ports/store.ts';

interface KillPoint {
  kind: string;
  point: 'before-effect' | 'after-effect' | 'after-record';
  nth: number;
}

const env: Record<string, string | undefined> = { ...process.env };
const killAt = env['KILL_AT'] === undefined ? undefined : (JSON.parse(env['KILL_AT']) as KillPoint);

function isHit(work: Work, seen: Set<string>): boolean {
  if (killAt === undefined || work.kind !== 'effect' || work.effect.data.kind !== killAt.kind)
    return false;
  seen.add(work.id);
  return seen.size === killAt.nth;
}

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('unreachable');
}

/** The store with a trap in it: the only place through which all work passes. */
function trapped(store: Store): Store {
  const before = new Set<string>();
  const after = new Set<string>();
  return {
    ...store,
    append: (events) => store.append(events),
    load: (key) => store.load(key),
    requeue: (filter) => store.requeue(filter),
    close: () => store.close(),
    records: store.records,
    work: (options) =>
      store.work({
        ...options,
        consume: (work) => {
          if (killAt?.point === 'before-effect' && isHit(work, before)) die();
          return options.consume(work);
        },
      }),
    settle: async (work, settlement) => {
      const hit = isHit(work, after);
      if (hit && killAt?.point === 'after-effect') die();
      await store.settle(work, settlement);
      if (hit && killAt?.point === 'after-record') die();
    },
  };
}

const store = await openSqliteStore({ dir: env['QUORUM_DATA'] ?? '', clock: systemClock });
const app = await startApp({
  env,
  clock: systemClock,
  random: systemRandom,
  log: createLog({ level: 'silent', format: 'json' }),
  envFile: `${env['QUORUM_DATA']}/.env`,
  manifestFile: 'app.yml',
  budgets: 'off',
  reconcileEveryMs: 0,
  store: trapped(store),
});
process.send?.({ url: app.url });
process.on('message', (message) => {
  if (message === 'counts')
    void store.records.counts().then((counts) => process.send?.({ counts }));
});
