/** Says what the store could not do: at once, and then not for every time. */
import { toFailure } from '../domain/event/errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { OnTrouble, Work } from '../ports/store.ts';

/** An outage stops up to eight pieces of work a second: one line in this time says enough. */
const EVERY_MS = 30_000;

interface TroubleLog {
  /** The end of a piece of work was not taken. */
  unsettled: (error: unknown, work: Work) => void;
  /** Something that the store does by itself failed. */
  onTrouble: OnTrouble;
}

/** Warns at most once in 30 s of each thing; `failures` counts what happened since the line before, this one included. */
export function createTroubleLog({ clock, log }: { clock: Clock; log: Log }): TroubleLog {
  const seen = new Map<string, { failures: number; lastAt: number }>();
  const tell = (message: string, error: unknown, about: object): void => {
    const trouble = seen.get(message) ?? { failures: 0, lastAt: -Infinity };
    seen.set(message, trouble);
    trouble.failures += 1;
    const now = clock.now();
    if (now - trouble.lastAt < EVERY_MS) return;
    const { failures } = trouble;
    log.warn({ err: error, code: toFailure(error).code, ...about, failures }, message);
    seen.set(message, { failures: 0, lastAt: now });
  };
  return {
    unsettled: (error, { id, attempt }) =>
      tell('the store did not take the end of a piece of work: it is given out again', error, {
        work: id,
        attempt,
      }),
    onTrouble: (error, doing) => tell(`the store could not ${doing}: it tries again`, error, {}),
  };
}
