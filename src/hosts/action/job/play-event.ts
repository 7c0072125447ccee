/** Plays one event in a job, by the App's reducers, until nothing is left to do. The store ends with the job. */
import type { Perform } from '../../../act/perform.ts';
import type { Reducer } from '../../../decide/route.ts';
import { RefusedError } from '../../../domain/event/errors.ts';
import { EVENT_VERSION, type EventData } from '../../../domain/event/event.ts';
import { derivedId } from '../../../domain/run/ids.ts';
import type { Store } from '../../../ports/store.ts';
import { consume } from '../../../run.ts';
import { isIdle, until } from '../../follow-runs.ts';
import type { Basics } from '../../host-parts.ts';

export interface EventPlay {
  basics: Basics;
  store: Store;
  /** Streams that have to come to rest; the event is of the first. */
  keys: readonly [string, ...string[]];
  /** Key of the claim: ids derive from it. */
  claim: string;
  /** ISO 8601. */
  at: string;
  data: EventData;
  decide: Reducer;
  perform: Perform;
  /** For people: `the plan`. */
  what: string;
  timeoutMs: number;
}

const STOP_MS = 2_000;
const AT_ONCE = 8;

/** Id of the event that a job plays: the same in each attempt. */
export function playedId({ claim, at }: Pick<EventPlay, 'claim' | 'at'>): string {
  return `actions:${derivedId(claim, Date.parse(at))}`;
}

/**
 * Returns what `read` finds in the store at the end.
 *
 * @throws RefusedError `action-run-failed` where an event was not decided, or is for a newer version. Nothing came of it, and
 *   nobody would know. TransientError `not-settled` when the time is over
 */
export async function playEvent<T>(play: EventPlay, read: () => Promise<T>): Promise<T> {
  const { basics, store, keys, at, data, decide, perform, what, timeoutMs } = play;
  const { clock, random, log } = basics;
  const engine = { store, clock, random, log, decide, perform };
  const worker = await store.work({
    concurrency: AT_ONCE,
    perInstallation: AT_ONCE,
    consume: (work) => consume(work, engine),
  });
  try {
    const [key] = keys;
    await store.append([{ id: playedId(play), key, version: EVENT_VERSION, at, data }]);
    await until({ clock, timeoutMs, waitsFor: `${what} of this job` }, async () =>
      (await isBegun(play)) && (await isIdle({ store, keys })) ? true : undefined,
    );
    await refuseUndecided(play);
    return await read();
  } finally {
    await worker.stop(STOP_MS);
  }
}

/** A timer that is due may be the event itself, and timers alone count as idle. */
async function isBegun({ store, keys: [key], ...play }: EventPlay): Promise<boolean> {
  const pending = await store.records.events({ key, status: 'pending', limit: 10 });
  return pending.every(({ id }) => id !== playedId(play));
}

/** What became of an event that nothing came of, and what to do. */
const UNDECIDED = {
  dead: 'Run the failed job again.',
  // Another version wrote it, or the state that it meets: this one would end as if all were done.
  parked: 'Set a newer version of Quorum in this workflow, then run it again.',
} as const;

async function refuseUndecided({ store, keys, what }: EventPlay): Promise<void> {
  for (const key of keys)
    for (const status of ['dead', 'parked'] as const) {
      const [undecided] = await store.records.events({ key, status, limit: 1 });
      if (undecided === undefined) continue;
      const why = undecided.reason ?? `an event is ${status}`;
      const name = `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
      throw new RefusedError({
        code: 'action-run-failed',
        message: `${name} could not go on: ${why}. ${UNDECIDED[status]}`,
      });
    }
}
