/** Reads GitHub's link header: where the next page is, and how many there are. */
import type { Answer } from '../github-answer.ts';

const LINK = /<([^<>]+)>\s*;[^,]*\brel="?([a-z]+)"?/g;

/**
 * Address of the next page: the first page's address with the link's query. So no answer leads to another repository,
 * or to another origin, which would see the token. From another origin only the page's number or cursor is used.
 *
 * @param own - address of the first page
 */
export function nextPage(from: Answer, own: string): string | undefined {
  const target = links(from).get('next');
  if (target === undefined) return undefined;
  const here = new URL(own);
  if (target.origin === here.origin) {
    here.search = target.search;
    return here.href;
  }
  for (const name of ['page', 'after', 'cursor']) {
    const value = target.searchParams.get(name);
    if (value !== null) here.searchParams.set(name, value);
  }
  return here.href === new URL(own).href ? undefined : here.href;
}

/** Number of the last page; 1 when there is only one, undefined when it is not told. */
export function lastPage(from: Answer): number | undefined {
  const all = links(from);
  const page = Number(all.get('last')?.searchParams.get('page'));
  if (Number.isInteger(page) && page > 1) return page;
  return all.has('next') ? undefined : 1;
}

/**
 * Whether a kept page does not link to a next one but may have one now. GitHub's ETag covers the body and its 304
 * names no pages. So a full last page stays 304 after the next page has appeared. An object has its total in the
 * body.
 */
export function mayHaveGrown(kept: Answer, url: string): boolean {
  if (!Array.isArray(kept.data) || links(kept).has('next')) return false;
  const perPage = Number(URL.parse(url)?.searchParams.get('per_page') ?? NaN);
  return kept.data.length >= perPage;
}

function links(answer: Answer): Map<string, URL> {
  const found = new Map<string, URL>();
  for (const [, url = '', rel = ''] of (answer.headers['link'] ?? '').matchAll(LINK)) {
    const parsed = URL.parse(url);
    if (parsed !== null) found.set(rel, parsed);
  }
  return found;
}
