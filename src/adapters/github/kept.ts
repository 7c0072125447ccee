/** Answers about commits, which never change: kept for the next look of the same run, least recently used goes first. */

export interface Kept<T> {
  get(key: string): T | undefined;
  /** Takes nothing that is larger than a quarter of the whole. */
  put(key: string, value: T, bytes: number): void;
  /** Everything whose key begins so. */
  forget(prefix: string): void;
}

/** @param limit - in bytes, as whoever puts something in counts them */
export function createKept<T>(limit: number): Kept<T> {
  // A Map keeps the order of insertion: the first key is the one not used for longest.
  const kept = new Map<string, { value: T; bytes: number }>();
  let total = 0;
  const drop = (key: string): void => {
    total -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  };
  return {
    get(key) {
      const found = kept.get(key);
      if (found === undefined) return undefined;
      kept.delete(key);
      kept.set(key, found);
      return found.value;
    },
    put(key, value, bytes) {
      drop(key);
      if (bytes > limit / 4) return;
      kept.set(key, { value, bytes });
      total += bytes;
      for (const oldest of kept.keys()) {
        if (total <= limit) return;
        drop(oldest);
      }
    },
    forget(prefix) {
      for (const key of kept.keys()) if (key.startsWith(prefix)) drop(key);
    },
  };
}
