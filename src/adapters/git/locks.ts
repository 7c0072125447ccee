/** One at a time, for each name, in this process. */

export interface Locks {
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
}

export function createLocks(): Locks {
  const tails = new Map<string, Promise<unknown>>();
  return {
    async run(name, work) {
      const before = tails.get(name) ?? Promise.resolve();
      const mine = before.then(work, work);
      tails.set(name, mine);
      try {
        return await mine;
      } finally {
        if (tails.get(name) === mine) tails.delete(name);
      }
    },
  };
}
