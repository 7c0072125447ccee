/** Lets at most so many pieces of work run at once, first come first served. */

export interface Semaphore {
  use<T>(work: () => Promise<T>): Promise<T>;
}

export function createSemaphore(limit: number): Semaphore {
  let running = 0;
  const waiting: (() => void)[] = [];
  const enter = async (): Promise<void> => {
    if (running < limit) {
      running += 1;
      return;
    }
    // The one who leaves hands its place on, so `running` stays as it is.
    await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return {
    use: async (work) => {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}

/** One at a time for each key. */
export interface Locks {
  use<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createLocks(): Locks {
  const held = new Map<string, { gate: Semaphore; users: number }>();
  return {
    use: async (key, work) => {
      const lock = held.get(key) ?? { gate: createSemaphore(1), users: 0 };
      held.set(key, lock);
      lock.users += 1;
      try {
        return await lock.gate.use(work);
      } finally {
        lock.users -= 1;
        if (lock.users === 0) held.delete(key);
      }
    },
  };
}
