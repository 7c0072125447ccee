/**
 * An engine with its store and GitHub, as a process: `node core-worker.ts '<json>'`.
 *
 * It appends the events of its order, says `ready`, and waits for any message. Then it reports how
 * much it has settled so far, until it is killed.
 */
import { createGitHub } from '../../src/adapters/github/create-github.ts';
import { openPostgresStore } from '../../src/adapters/store/postgres/open-postgres.ts';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite.ts';
import {
  systemClock as clock,
  systemRandom as random,
} from '../../src/adapters/system/system-clock.ts';
import { createPerform } from '../../src/act/perform.ts';
import type { Decision } from '../../src/decide/run/decision.ts';
import type { Effect, EffectData } from '../../src/domain/event/effect.ts';
import { EVENT_VERSION, type Event, type NewEvent } from '../../src/domain/event/event.ts';
import type { ThreadRef } from '../../src/domain/run/thread-ref.ts';
import type { Model } from '../../src/ports/model.ts';
import { consume, type Engine } from '../../src/run.ts';
import { SCAN_HERE } from '../../src/hosts/scan/scan-here.ts';

export interface CoreOrder {
  place: { dir: string } | { url: string };
  github: { apiUrl: string; appId: number; privateKey: string };
  /** Of the issues that are written to: numbers 1 to `threads`. */
  thread: ThreadRef;
  threads: number;
  /** Events to append; each makes one effect, whose result is another event. */
  events: number;
  concurrency: number;
}

/** What an effect asks of GitHub, in turn. */
const WRITES: readonly ((thread: ThreadRef, id: string) => EffectData)[] = [
  (thread) => ({ kind: 'react', thread, add: 'eyes' }),
  (thread) => ({
    kind: 'labels',
    thread,
    add: [{ name: 'ready', color: '0e8a16', description: 'Ready to be worked on' }],
    remove: [],
  }),
  (thread, id) => ({
    kind: 'comment',
    thread,
    marker: { kind: 'notice', run: id, key: 'bench' },
    body: `What ${id} came to.`,
  }),
];

/** The smallest reducer that uses the whole engine: counts, and turns each timer into an effect. */
function decideFor(order: CoreOrder): Engine['decide'] {
  return (state, event): Decision => {
    const seen = typeof state === 'number' ? state : 0;
    const effects = event.data.kind === 'timer' ? [toEffect(order, event, seen)] : [];
    return { state: seen + 1, effects, events: [] };
  };
}

function toEffect(order: CoreOrder, event: Event, seen: number): Effect {
  const thread = { ...order.thread, number: Number(event.key.slice(event.key.indexOf('/') + 1)) };
  const write = WRITES[seen % WRITES.length]!;
  const id = `${event.id}/effect`;
  return { id, key: event.key, run: event.id, at: event.at, data: write(thread, event.id) };
}

function toEvents({ thread, threads, events }: CoreOrder): NewEvent[] {
  return Array.from({ length: events }, (_, n) => ({
    id: `event-${n}`,
    key: `thread:${thread.repositoryId}/${1 + (n % threads)}`,
    version: EVENT_VERSION,
    at: new Date().toISOString(),
    data: { kind: 'timer', timer: 'bench', run: 'bench' },
  }));
}

const noModel: Model = {
  name: 'none',
  generate: () => Promise.reject(new Error('no model is asked here')),
};
const quiet = (): void => undefined;
const log = { debug: quiet, info: quiet, warn: say, error: say };

function say(fields: object, message: string): void {
  process.stderr.write(`${message} ${JSON.stringify(fields)}\n`);
}

async function run(order: CoreOrder): Promise<void> {
  const { place, github: hub, concurrency } = order;
  const store =
    'dir' in place
      ? await openSqliteStore({ dir: place.dir, clock })
      : await openPostgresStore({ url: place.url, clock });
  const { appId, privateKey } = hub;
  const markerSecret = 'bench';
  const github = createGitHub({
    auth: { kind: 'app', appId, privateKey },
    baseUrl: hub.apiUrl,
    budgets: 'off',
    markerSecret,
    clock,
    random,
  });
  const ports = {
    github,
    model: noModel,
    store,
    clock,
    random,
    personas: [],
    markerSecret,
    scanner: SCAN_HERE,
  };
  const perform = createPerform({ ...ports, estimateUsd: () => undefined });
  const engine: Engine = { store, clock, random, log, perform, decide: decideFor(order) };
  if (order.events > 0) await store.append(toEvents(order));
  let settled = 0;
  process.once('message', () => {
    void store.work({
      concurrency,
      consume: async (work) => {
        await consume(work, engine);
        settled += 1;
      },
    });
    setInterval(() => process.send?.({ settled }), REPORT_MS);
  });
  process.send?.({ ready: true });
}

const REPORT_MS = 20;

if (process.argv[2] !== undefined) {
  const order: CoreOrder = JSON.parse(process.argv[2]);
  await run(order);
}
