/** Answers about commits, which never change: kept for the next look of the same run, least recently used goes first. */
import { LRUCache } from 'lru-cache';

export interface KeptAnswers<T> {
  get(key: string): T | undefined;
  /** Takes nothing that is larger than a quarter of the whole. */
  put(key: string, value: T, bytes: number): void;
  /** Everything whose key begins so. */
  forget(prefix: string): void;
}

/** @param limit - in bytes, as the callers that add answers count them */
export function createKept<T extends {}>(limit: number): KeptAnswers<T> {
  const kept = new LRUCache<string, T>({ maxSize: limit, maxEntrySize: limit / 4 });
  return {
    get: (key) => kept.get(key),
    put: (key, value, bytes) => void kept.set(key, value, { size: Math.max(1, bytes) }),
    forget: (prefix) => forgetPrefix(kept, prefix),
  };
}

export function forgetPrefix(
  kept: { keys(): IteratorObject<string>; delete(key: string): unknown },
  prefix: string,
): void {
  for (const key of kept.keys().toArray()) if (key.startsWith(prefix)) kept.delete(key);
}
