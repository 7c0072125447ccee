/** Lists that come in pages, with a cap on how many are read. */
import { RefusedError } from '../../../domain/event/errors.ts';
import { lastPage } from './link.ts';
import type { Calls } from '../installation-client.ts';
import type { Params, Answer } from '../github-answer.ts';
import type { Operation } from '../rest-operations.ts';

export const PER_PAGE = 100;
/** 5,000 entries: more of one list is never read. */
const MAX_PAGES = 50;

/** Pages in GitHub's order, following its links; at most {@link MAX_PAGES}. */
export async function* eachPage<T>(
  calls: Calls,
  list: Operation<T>,
  params: Params,
): AsyncGenerator<T> {
  let answer: Answer<T> | undefined = await calls.get(list, params);
  for (let count = 1; answer !== undefined; count += 1) {
    yield answer.data;
    answer = count < MAX_PAGES ? await calls.next(list, params, answer) : undefined;
  }
}

/**
 * All pages, for lists that a gate rests on: the last entry may forbid the merge.
 *
 * @throws RefusedError `github-too-large` when there are more
 */
export async function* everyPage<T>(
  calls: Calls,
  list: Operation<T>,
  params: Params,
): AsyncGenerator<T> {
  let answer: Answer<T> | undefined = await calls.get(list, params);
  for (let count = 1; answer !== undefined; count += 1) {
    if (count > MAX_PAGES)
      throw new RefusedError({
        code: 'github-too-large',
        message: `GitHub's answer to ${list.route} has more than ${MAX_PAGES * PER_PAGE} entries.`,
        details: 'A decision that needs all of them is left to a person.',
      });
    yield answer.data;
    answer = await calls.next(list, params, answer);
  }
}

/**
 * Pages of a list that GitHub sorts oldest first, newest page first: the first page tells how many there are.
 * Entries within a page stay oldest first.
 */
export async function* newestPages<T>(
  calls: Calls,
  list: Operation<T>,
  params: Params,
): AsyncGenerator<T> {
  const first = await calls.get(list, params);
  const last = lastPage(first);
  if (last === undefined) {
    // This server tells the next page but not the last.
    const pages: T[] = [];
    for await (const page of eachPage(calls, list, params)) pages.push(page);
    yield* pages.toReversed();
    return;
  }
  const at = (page: number): Promise<Answer<T>> => calls.get(list, { ...params, page });
  const newest = await lastOf(last, at);
  if (newest !== undefined) yield newest.answer.data;
  const lowest = Math.max(2, (newest?.page ?? 1) - MAX_PAGES + 2);
  for (let page = (newest?.page ?? 1) - 1; page >= lowest; page -= 1) yield (await at(page)).data;
  yield first.data;
}

/** The page that is the last now: the first page may have been kept while others were added, and names an old last. */
async function lastOf<T>(
  told: number,
  at: (page: number) => Promise<Answer<T>>,
): Promise<{ page: number; answer: Answer<T> } | undefined> {
  if (told < 2) return undefined;
  for (let page = told; ;) {
    const answer = await at(page);
    const next = lastPage(answer) ?? page + 1;
    if (next <= page) return { page, answer };
    page = next;
  }
}
