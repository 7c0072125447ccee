/** How much of a kind this machine does at once (06). Whoever comes too early goes back into the queue: a wait holds no hand. */
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

/** How soon it is asked for again: about as long as one of them lasts at the least. */
const AGAIN_MS: Readonly<Most> = { sessions: 60_000, builds: 15_000 };

/** Hands that no work of this length ever has: people are heard, and stop it, with these. */
const KEPT_FREE = 2;

/**
 * Works where there is a turn. One is never asked for within another.
 *
 * @throws TransientError `machine-busy` where there is none now; nothing of the work was begun
 */
export type WithSlot = <T>(type: ProjectType, work: () => Promise<T>) => Promise<T>;

export interface ConcurrencyLimit {
  session: WithSlot;
  build: WithSlot;
}

/** One for each process, which has so many pieces of work in hand: those of one machine count apart. */
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
