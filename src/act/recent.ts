/** Remembers answers for a while, and never more than so many of them. */
import type { Clock } from '../ports/clock.ts';

export interface Recent<T> {
  /** Undefined when it was never known, or too long ago. */
  get(key: string): T | undefined;
  /** Forgets what is too old, and the oldest beyond the limit. */
  set(key: string, value: T): void;
}

/** `ttlMs` in milliseconds. */
export function createRecent<T>(
  clock: Clock,
  { ttlMs, most }: { ttlMs: number; most: number },
): Recent<T> {
  // In the order in which they were set, which is that in which they grow too old.
  const kept = new Map<string, { until: number; value: T }>();
  return {
    get: (key) => {
      const found = kept.get(key);
      return found === undefined || found.until <= clock.now() ? undefined : found.value;
    },
    set: (key, value) => {
      const now = clock.now();
      kept.delete(key);
      kept.set(key, { until: now + ttlMs, value });
      for (const [oldest, { until }] of kept) {
        if (until > now && kept.size <= most) return;
        kept.delete(oldest);
      }
    },
  };
}
