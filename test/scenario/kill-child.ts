/**
 * The App as a child process that kills itself, with SIGKILL, around the n-th effect of a kind. Run by
 * test/helpers/a-killed-app.ts and test/chaos/drain-chats.ts.
 */
import { systemClock, systemRandom } from '../../src/adapters/system/system-clock.ts';
import { MAX_ENDINGS } from '../../src/domain/event/suspicion.ts';
import { startApp } from '../../src/hosts/start-app.ts';
import { createLog } from '../../src/hosts/create-log.ts';
import { openStore } from '../../src/hosts/open-store.ts';
import { readHostSettings } from '../../src/hosts/environment/host-settings.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Store, Work } from '../../src/ports/store.ts';
import type { KillAt } from '../helpers/a-killed-app.ts';
import { createSharedClock, type SharedTime } from '../helpers/a-shared-clock.ts';

const env: Record<string, string | undefined> = { ...process.env };
const killAt = env['KILL_AT'] === undefined ? undefined : (JSON.parse(env['KILL_AT']) as KillAt);

const offset = Number(env['CLOCK_OFFSET_MS'] ?? '0');
const shared = env['CLOCK_SHARED'];
const clock: Clock =
  shared === undefined
    ? { ...systemClock, now: () => systemClock.now() + offset }
    : createSharedClock(JSON.parse(shared) as SharedTime);

function isHit(work: Work, seen: Set<string>): boolean {
  if (killAt === undefined || work.kind !== 'effect' || work.effect.data.kind !== killAt.kind)
    return false;
  // What is given out only to be given up is not carried out.
  if ((work.endings ?? 0) >= MAX_ENDINGS) return false;
  if (killAt.key !== undefined && work.effect.key !== killAt.key) return false;
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
      const hit = settlement.kind === 'finish' && isHit(work, after);
      if (hit && killAt?.point === 'after-effect') die();
      await store.settle(work, settlement);
      if (hit && killAt?.point === 'after-record') die();
    },
  };
}

const log = createLog({ level: 'silent', format: 'json' });
const store = await openStore(readHostSettings(env), { clock, log });
const app = await startApp({
  env,
  clock,
  random: systemRandom,
  log,
  envFile: `${env['QUORUM_DATA']}/.env`,
  manifestFile: 'app.yml',
  budgets: 'off',
  reconcileEveryMs: Number(env['RECONCILE_MS']),
  store: trapped(store),
});
process.send?.({ url: app.url });
process.on('message', (message) => {
  if (message === 'pending') void pending().then((left) => process.send?.({ pending: left }));
});

/** What is still to be done; timers wait for their time. */
async function pending(): Promise<number> {
  const { events, effects } = await store.records.counts();
  const waiting = await store.records.events({ status: 'pending', limit: 1000 });
  const timers = waiting.filter((event) => event.data.kind === 'timer').length;
  return events.pending - timers + effects.pending;
}
