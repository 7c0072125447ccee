/**
 * A process that uses a store until it is killed: `node store-child.ts '<json>'`.
 *
 * Each line on standard output is one fact, written before the next step: `acked <id>`, `began <id>`,
 * `settled <id>`.
 */
import { writeSync } from 'node:fs';
import type { Settlement, Store, Work } from '../../src/ports/store.ts';
import { openPostgresStore } from '../../src/adapters/store/postgres/open-postgres.ts';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite.ts';
import { MAX_ENDINGS } from '../../src/domain/event/suspicion.ts';
import { createFastClock } from './fast-clock.ts';
import { realClock } from './real-clock.ts';
import { effect, timer } from './store-words.ts';

export interface ChildOrder {
  /** Data directory of the embedded store, or a schema on PostgreSQL. */
  place: { dir: string } | { url: string; schema: string };
  /** Name of this process: prefix of the ids that it appends. */
  name: string;
  /** Appends events one after the other until it is killed. */
  appends: boolean;
  /** Pieces of work in hand at once. */
  concurrency: number;
  /** How long one effect takes, in milliseconds. */
  effectMs: number;
  /** Dies by its own hand when it is given this work, until that has ended it twice alone. */
  poison?: string;
  /** Ends nothing of what it is given. */
  hangs?: boolean;
  /** Its clock runs 100 times as fast. */
  isFast?: boolean;
}

/** An event makes one effect in a lane and one without, and counts up its stream's state. */
export async function settlementOf(store: Store, work: Work): Promise<Settlement> {
  if (work.kind === 'effect') return { kind: 'finish', status: 'done' };
  const { key } = work.event;
  const before = await store.load(key);
  return {
    kind: 'finish',
    status: 'done',
    state: { key, expected: before?.version ?? 0, value: { last: work.id } },
    effects: [effect(`l-${work.id}`, { key, lane: key }), effect(`f-${work.id}`, { key })],
  };
}

function say(fact: string): void {
  writeSync(1, `${fact}\n`);
}

async function run(order: ChildOrder): Promise<void> {
  const { place } = order;
  const clock = order.isFast === true ? createFastClock(Date.now()) : realClock;
  const store =
    'dir' in place
      ? await openSqliteStore({ dir: place.dir, clock })
      : await openPostgresStore({ ...place, clock });
  say('open');
  await store.work({
    concurrency: order.concurrency,
    consume: async (work) => {
      const isOver = (work.endings ?? 0) >= MAX_ENDINGS;
      if (isOver) {
        await store.settle(work, { kind: 'finish', status: 'dead' });
        return say(`dead ${work.id}`);
      }
      if (work.id === order.poison) process.kill(process.pid, 'SIGKILL');
      say(`began ${work.id}`);
      if (order.hangs === true) return new Promise<never>(() => undefined);
      if (work.kind === 'effect') await clock.sleep(order.effectMs);
      await store.settle(work, await settlementOf(store, work));
      say(`settled ${work.id}`);
    },
  });
  for (let n = 0; order.appends; n += 1) {
    const id = `${order.name}-${n}`;
    await store.append([timer(id, `k${n % 5}`)]);
    say(`acked ${id}`);
  }
}

if (process.argv[2] !== undefined) {
  const order: ChildOrder = JSON.parse(process.argv[2]);
  await run(order);
}
