/** Follows discussions in the store until each has settled: concluded, stopped, or waiting for a person. */
import { shownRuns, type Run } from '../domain/run/state/run-record.ts';
import { TransientError } from '../domain/event/errors.ts';
import { readState } from '../decide/run/decision.ts';
import { isOpen, THREAD_STATE_VERSION, type ThreadState } from '../decide/run/thread-context.ts';
import type { Clock } from '../ports/clock.ts';
import type { Store } from '../ports/store.ts';

export interface Following {
  store: Pick<Store, 'load' | 'records'>;
  clock: Clock;
  /** Stream keys of the threads. */
  keys: readonly string[];
  /** Gives up after so long. */
  timeoutMs: number;
  /** Told at every look, with the runs in the order of the keys. */
  onLook: (runs: readonly (Run | undefined)[]) => void;
  /** What counts as settled, beside that nothing is left to do; by default not being discussed any more. */
  isSettled?: (run: Run) => boolean;
}

const EVERY_MS = 40;

/** Resolves with the runs as they settled. TransientError `not-settled` when the time is over. */
export async function follow(following: Following): Promise<Run[]> {
  const { clock, keys, timeoutMs, onLook, isSettled = isQuiet } = following;
  return until({ clock, timeoutMs, waitsFor: `${keys.length} discussions` }, async () => {
    const runs = await Promise.all(keys.map((key) => latestRun(following.store, key)));
    onLook(runs);
    const settled = runs.filter((run) => run !== undefined).filter(isSettled);
    return settled.length === keys.length && (await isIdle(following)) ? settled : undefined;
  });
}

export interface Waiting {
  clock: Clock;
  /** Gives up after so long. */
  timeoutMs: number;
  /** For people, when it was in vain. */
  waitsFor: string;
}

/** Looks until there is something to be seen. TransientError `not-settled` when the time is over. */
export async function until<T>(
  { clock, timeoutMs, waitsFor }: Waiting,
  look: () => Promise<T | undefined>,
): Promise<T> {
  const deadline = clock.now() + timeoutMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (clock.now() > deadline)
      throw new TransientError({
        code: 'not-settled',
        message: `After ${timeoutMs / 1000} s there is no end of ${waitsFor}.`,
      });
    await clock.sleep(EVERY_MS);
  }
}

/** Over, or waiting for a person. */
export function isQuiet(run: Run): boolean {
  return !isOpen(run) || (run.status === 'blocked' && run.phase.kind === 'waiting');
}

/** The youngest run of a thread, whatever asked for it. */
export async function latestRun(store: Pick<Store, 'load'>, key: string): Promise<Run | undefined> {
  const state = await threadState(store, key);
  return shownRuns(state).toSorted((a, b) => b.startedAt.localeCompare(a.startedAt))[0];
}

/** What is kept of a thread; nothing of one that was never heard of. */
export async function threadState(store: Pick<Store, 'load'>, key: string): Promise<ThreadState> {
  const snapshot = await store.load(key);
  return readState<ThreadState>(snapshot?.state, { v: THREAD_STATE_VERSION, runs: {} });
}

/** Whether every effect was carried out and only timers are left. */
export async function isIdle({ store, keys }: Pick<Following, 'store' | 'keys'>): Promise<boolean> {
  const pending = await Promise.all(
    keys.flatMap((key) => [
      store.records.effects({ key, status: 'pending', limit: 1 }),
      store.records.events({ key, status: 'pending', limit: 10 }),
    ]),
  );
  return pending.flat().every(({ data }) => data.kind === 'timer');
}
