/** Remembers answers for a while, and never more than so many of them. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../ports/clock.ts';

export interface TtlCache<T> {
  /** Undefined when it was never known, or too long ago. */
  get(key: string): T | undefined;
  set(key: string, value: T): void;
  /** Everything whose key begins so. */
  forget(prefix: string): void;
}

/** `ttlMs` in milliseconds. */
export function createTtlCache<T extends {}>(
  clock: Clock,
  { ttlMs, most }: { ttlMs: number; most: number },
): TtlCache<T> {
  const kept = new LRUCache<string, T>({ max: most, ttl: ttlMs, ttlResolution: 0, perf: clock });
  return {
    get: (key) => kept.get(key),
    set: (key, value) => void kept.set(key, value),
    forget: (prefix) => {
      // What is too old is no key any more, and must not stay in memory either.
      kept.purgeStale();
      for (const key of kept.keys().toArray()) if (key.startsWith(prefix)) kept.delete(key);
    },
  };
}
