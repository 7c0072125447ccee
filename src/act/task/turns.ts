/** How much of a kind this machine does at once (06): whoever comes later waits for a turn, in the order of coming. */
import type { ProjectType } from '../../domain/gates/test-command.ts';

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

/**
 * Works as soon as it is its turn. A turn is never asked for within another.
 *
 * @throws what `signal` says, when it aborts before that
 */
export type TakeTurn = <T>(
  type: ProjectType,
  signal: AbortSignal,
  work: () => Promise<T>,
) => Promise<T>;

export interface Turns {
  session: TakeTurn;
  build: TakeTurn;
}

/** One for each process: those of one machine count apart. */
export function createTurns(): Turns {
  return { session: takeIn('sessions'), build: takeIn('builds') };
}

function takeIn(what: keyof Most): TakeTurn {
  const lines = new Map<ProjectType, Line>();
  return async (type, signal, work) => {
    const line = lines.get(type) ?? createLine((MOST[type] ?? MOST.other)[what]);
    lines.set(type, line);
    await line.enter(signal);
    try {
      return await work();
    } finally {
      line.leave();
    }
  };
}

interface Line {
  enter(signal: AbortSignal): Promise<void>;
  leave(): void;
}

function createLine(most: number): Line {
  const waiting: (() => void)[] = [];
  let busy = 0;
  return {
    enter: async (signal) => {
      signal.throwIfAborted();
      if (busy < most) {
        busy += 1;
        return;
      }
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const go = (): void => {
        resolve(true);
      };
      const stop = (): void => {
        const at = waiting.indexOf(go);
        // Whose turn has come in the same moment has left the line already.
        if (at >= 0) waiting.splice(at, 1);
        resolve(false);
      };
      waiting.push(go);
      signal.addEventListener('abort', stop, { once: true });
      const isOn = await promise;
      signal.removeEventListener('abort', stop);
      if (!isOn) signal.throwIfAborted();
    },
    // Who waits longest goes on in the place of who leaves.
    leave: () => {
      const next = waiting.shift();
      if (next === undefined) busy -= 1;
      else next();
    },
  };
}
