/** What was read, with its ETag: asking again is free of the rate limit when nothing changed. Least recently used goes first. */
import { LRUCache } from 'lru-cache';
import type { Answer } from '../github-answer.ts';
import { forgetPrefix } from './kept.ts';

/** `isImmutable`: what its address names never changes. */
export type Keepable = Answer & { isImmutable?: boolean };

export interface ReadCache {
  get(owner: number, url: string): Answer | undefined;
  /** Keeps a copy for its owner unless it is larger than an eighth of the whole. */
  put(owner: number, url: string, answer: Keepable): void;
  /** What GitHub has to be asked about by an ETag, which belongs to the token that it was given to. */
  forgetTags(owner: number): void;
  /** Everything of one installation. */
  forget(owner: number): void;
}

export interface ReadCacheLimits {
  entries: number;
  /** Of the bodies as JSON text. */
  bytes: number;
}

export function createReadCache(
  { entries, bytes }: ReadCacheLimits = { entries: 5000, bytes: 32_000_000 },
): ReadCache {
  const kept = new LRUCache<string, Keepable>({
    max: entries,
    maxSize: bytes,
    maxEntrySize: bytes / 8,
    sizeCalculation: ({ data }) => JSON.stringify(data ?? null).length,
  });
  return {
    get: (owner, url) => kept.get(`${owner} ${url}`),
    put: (owner, url, answer) => void kept.set(`${owner} ${url}`, answer),
    forgetTags: (owner) => {
      for (const [key, { isImmutable }] of kept.entries().toArray())
        if (isImmutable !== true && key.startsWith(`${owner} `)) kept.delete(key);
    },
    forget: (owner) => forgetPrefix(kept, `${owner} `),
  };
}
