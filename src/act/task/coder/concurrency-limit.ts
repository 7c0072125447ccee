/**
 * How much of a kind this machine does at once (06). Work over the limit is re-queued, so waiting never occupies a
 * worker.
 */
import { TransientError } from '../../../domain/event/errors.ts';
import type { ProjectType } from '../../../domain/gates/test-command.ts';

interface Most {
  /** Coders at work in a project of the type. */
  sessions: number;
  /** Runs of its tests, with what is installed for them. */
  builds: number;
}

/** What is not named is as every other. */
const MOST: Readonly<Partial<Record<ProjectType, Most>>> & { other: Most } = {
  rust: { sessions: 3, builds: 2 },
  node: { sessions: 5, builds: 3 },
  go: { sessions: 5, builds: 5 },
  python: { sessions: 5, builds: 5 },
  other: { sessions: 5, builds: 5 },
};

/** When to retry: about as long as the shortest of them lasts. */
const AGAIN_MS: Readonly<Most> = { sessions: 60_000, builds: 15_000 };

/** Workers that long work never occupies. They stay free to read what people write, including a stop. */
const KEPT_FREE = 2;

/**
 * Works in a free slot. Work in a slot never asks for another one.
 *
 * @throws TransientError `machine-busy` where no slot is free. The work has not begun then.
 */
export type WithSlot = <T>(type: ProjectType, work: () => Promise<T>) => Promise<T>;

export interface ConcurrencyLimit {
  session: WithSlot;
  build: WithSlot;
}

/** One limit for each process and its workers. Several processes on one machine count separately. */
export function createConcurrencyLimit(concurrency: number): ConcurrencyLimit {
  const most = Math.max(1, concurrency - KEPT_FREE);
  const busy: string[] = [];
  const openLine =
    (what: keyof Most): WithSlot =>
    async (type, work) => {
      const own = `${what} ${type}`;
      const same = busy.filter((each) => each === own).length;
      if (busy.length >= most || same >= (MOST[type] ?? MOST.other)[what])
        throw new TransientError({
          code: 'machine-busy',
          message: `This machine does as much as it may at once of ${own}.`,
          retryAfterMs: AGAIN_MS[what],
        });
      busy.push(own);
      try {
        return await work();
      } finally {
        busy.splice(busy.indexOf(own), 1);
      }
    };
  return { session: openLine('sessions'), build: openLine('builds') };
}
