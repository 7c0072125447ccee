/** One at a time for each key. */
import pLimit, { type LimitFunction } from 'p-limit';

export interface Locks {
  use<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createKeyLocks(): Locks {
  const held = new Map<string, LimitFunction>();
  return {
    use: async (key, work) => {
      const lock = held.get(key) ?? pLimit(1);
      held.set(key, lock);
      try {
        return await lock(work);
      } finally {
        if (lock.activeCount + lock.pendingCount === 0) held.delete(key);
      }
    },
  };
}
