/** For which heads of memory branches it is known who pushed what, so that each is asked about once. */
import { LRUCache } from 'lru-cache';
import type {
  DoubtfulLines,
  KnownDoubt,
  MemoryOutcome,
  MemoryPlace,
  MemorySession,
} from '../../ports/github/memory-branch.ts';

/** The head before and after our commit. */
export type Moved = Pick<MemoryOutcome, 'head' | 'base'>;

export interface VouchedHeads {
  at(session: MemorySession, place: MemoryPlace, head: string): Promise<DoubtfulLines>;
  /** Without asking; undefined where it is not known. */
  known(place: MemoryPlace, head: string): ReadonlySet<string> | undefined;
  /** We made a commit: what was known of its parent holds for it. */
  noteOwn(place: MemoryPlace, moved: Moved): void;
  /** Forgets what an installation's keys begin with. */
  forget(prefix: string): void;
}

/** A server that does not say who pushed will hardly do so a moment later. */
const ASK_AGAIN_MS = 3_600_000;

export function createVouchedHeads(most: number, now: () => number): VouchedHeads {
  const known = new LRUCache<string, KnownDoubt>({ max: most });
  /** Until when nothing is asked. */
  const untold = new LRUCache<string, number>({ max: most });
  return {
    at: async (session, place, head) => {
      const key = placeKey(place);
      const before = known.get(key);
      if (before?.head === head) return before.doubtful;
      if ((untold.get(key) ?? 0) > now()) return 'untold';
      const doubtful = await session.memory.doubtful(place, head, before);
      if (doubtful === 'untold') untold.set(key, now() + ASK_AGAIN_MS);
      // A push that GitHub does not list yet is asked about again.
      else if (doubtful !== 'all') known.set(key, { head, doubtful });
      return doubtful;
    },
    known: (place, head) => {
      const kept = known.get(placeKey(place));
      return kept?.head === head ? kept.doubtful : undefined;
    },
    noteOwn: (place, moved) => moveOn(known, placeKey(place), { ...moved, first: OWN_BRANCH }),
    forget: (prefix) => {
      forgetKeys(known, prefix);
      forgetKeys(untold, prefix);
    },
  };
}

const OWN_BRANCH: KnownDoubt = { head: '', doubtful: new Set() };

export function placeKey({ repository, branch }: MemoryPlace): string {
  return `${repository.installationId}/${repository.repositoryId}/${branch}`;
}

/** What was kept of our commit's parent holds for our commit. `first`: what holds for a branch that we made. */
export function moveOn<T extends { head: string }>(
  cache: LRUCache<string, T>,
  key: string,
  { head, base, first }: Moved & { first: T },
): void {
  const before = base === undefined ? first : cache.get(key);
  const isKept = base === undefined || before?.head === base;
  if (head !== undefined && before !== undefined && isKept) cache.set(key, { ...before, head });
}

export function forgetKeys<T extends object | number>(
  cache: LRUCache<string, T>,
  prefix: string,
): void {
  for (const key of cache.keys().toArray()) if (key.startsWith(prefix)) cache.delete(key);
}
