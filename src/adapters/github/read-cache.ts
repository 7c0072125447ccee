/** What was read, with its ETag: asking again is free of the rate limit when nothing changed. Least recently used goes first. */
import type { Answer } from './wire.ts';

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

interface Kept {
  owner: number;
  answer: Keepable;
  bytes: number;
}

export function createReadCache(
  limits: ReadCacheLimits = { entries: 5000, bytes: 32_000_000 },
): ReadCache {
  // A Map keeps the order of insertion: the first key is the one not used for longest.
  const kept = new Map<string, Kept>();
  let bytes = 0;
  const drop = (key: string): void => {
    const found = kept.get(key);
    if (found === undefined) return;
    kept.delete(key);
    bytes -= found.bytes;
  };
  const shrink = (): void => {
    for (const key of kept.keys()) {
      if (kept.size <= limits.entries && bytes <= limits.bytes) return;
      drop(key);
    }
  };
  return {
    get(owner, url) {
      const key = `${owner} ${url}`;
      const found = kept.get(key);
      if (found === undefined) return undefined;
      kept.delete(key);
      kept.set(key, found);
      return found.answer;
    },
    put(owner, url, answer) {
      const key = `${owner} ${url}`;
      drop(key);
      const size = JSON.stringify(answer.data ?? null).length;
      if (size > limits.bytes / 8) return;
      kept.set(key, { owner, answer, bytes: size });
      bytes += size;
      shrink();
    },
    forgetTags(owner) {
      for (const [key, { owner: whose, answer }] of kept)
        if (whose === owner && answer.isImmutable !== true) drop(key);
    },
    forget(owner) {
      for (const [key, found] of kept) if (found.owner === owner) drop(key);
    },
  };
}
