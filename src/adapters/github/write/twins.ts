/** What is written once: found although a list may lag behind, and folded away where it was written twice all the same. */
import type { FindTrace, Trace } from '../../../ports/github/github-writer.ts';
import type { SessionContext } from '../bound.ts';

/** Between two reads of a list: GitHub's copies lag behind each other by seconds. */
export const LAG_MS = 2_000;
/** Reads of a list until it shows what was just written. */
const MAX_READS = 4;

/** What is said of a check run whose place a newer one took. */
export const SUPERSEDED = {
  status: 'completed',
  conclusion: 'neutral',
  output: { title: 'Superseded', summary: 'A newer check run on this commit replaces this one.' },
};

/** One kind of thing that we write at most once under a marker. */
export interface Once<T> {
  /** All of Quorum's items with the marker that the server lists. */
  list: () => Promise<T[]>;
  /** Ids grow with the time of writing. */
  idOf: (one: T) => number;
  /** Which of several stays: the first, or the newest where GitHub shows that one only. */
  stays: 'first' | 'last';
  /** Takes a superfluous one out of people's sight; safe to repeat. */
  fold: (twin: T) => Promise<void>;
}

/** Nothing is known where the caller says nothing. */
export async function askTrace(find: FindTrace | undefined): Promise<Trace> {
  return (await find?.()) ?? {};
}

/**
 * What is there of it, its twins folded away. In doubt the list is read twice: the first may lag behind and show nothing,
 * or only the older of two.
 */
export async function findOnce<T>(
  bound: SessionContext,
  once: Once<T>,
  { isDoubtful }: Trace,
): Promise<T | undefined> {
  return keepOne(once, await (isDoubtful === true ? readTwice(bound, once) : once.list()));
}

/** What either of two reads shows, as the later one shows it. */
export async function readTwice<T>(
  bound: SessionContext,
  { list, idOf }: Pick<Once<T>, 'list' | 'idOf'>,
): Promise<T[]> {
  const found = await list();
  await bound.clock.sleep(LAG_MS);
  const later = await list();
  const known = new Set(later.map((one) => idOf(one)));
  return [...found.filter((one) => !known.has(idOf(one))), ...later];
}

/**
 * What was just written in doubt, or its older twin. A list that shows what is new shows everything older, so that this
 * settles whether there are two. Undefined when the one with this id is the only one, or was never listed.
 */
export async function findOlder<T>(
  bound: SessionContext,
  once: Once<T>,
  writtenId: number,
): Promise<T | undefined> {
  for (let read = 1; read <= MAX_READS; read += 1) {
    if (read > 1) await bound.clock.sleep(LAG_MS);
    const found = await once.list();
    if (!found.some((one) => once.idOf(one) === writtenId)) continue;
    const kept = await keepOne(once, found);
    return kept === undefined || once.idOf(kept) === writtenId ? undefined : kept;
  }
  bound.log.warn({ id: writtenId }, 'a write is not listed yet; a duplicate cannot be ruled out');
  return undefined;
}

/** Folds away all but the one that stays. */
export async function keepOne<T>(once: Once<T>, found: readonly T[]): Promise<T | undefined> {
  const inOrder = found.toSorted((a, b) => once.idOf(a) - once.idOf(b));
  const kept = once.stays === 'first' ? inOrder.at(0) : inOrder.at(-1);
  for (const twin of inOrder) if (twin !== kept) await once.fold(twin);
  return kept;
}

/** Entries of a list in pages that fit, and those of the page after the first hit: twins were written close together. */
export async function gatherTwins<T>(
  pages: AsyncIterable<readonly T[]>,
  isWanted: (one: T) => Promise<boolean>,
): Promise<T[]> {
  const found: T[] = [];
  for await (const page of pages) {
    const isLast = found.length > 0;
    for (const one of page) if (await isWanted(one)) found.push(one);
    if (isLast) break;
  }
  return found;
}
