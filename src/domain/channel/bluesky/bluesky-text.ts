/** Text with marks as posts of Bluesky: plain text within both of its limits, and links by the bytes they cover. */
import { stripInvisible } from '../../text/invisible.ts';
import { utf8Length, fitting, graphemesOf, tameGraphemes } from '../text/graphemes.ts';
import {
  defuseMentions,
  gapBetween,
  honestLabel,
  type Block,
  type Span,
} from '../text/rich-text.ts';

/** Bluesky refuses a post over either. */
export const BLUESKY_LIMIT = { graphemes: 300, bytes: 3_000 } as const;

/** A link over the bytes `[start, end)` of a post's UTF-8. */
export interface LinkFacet {
  start: number;
  end: number;
  url: string;
}

export interface BlueskyText {
  text: string;
  facets: readonly LinkFacet[];
}

interface Linked {
  text: string;
  /** Places in the text, in UTF-16 units. */
  links: { start: number; end: number; url: string }[];
}

/** At most `most` posts; the last one ends with `…` where something was left out. Never empty. */
export function toBlueskyPosts(blocks: readonly Block[], most: number): BlueskyText[] {
  const whole = flatten(blocks, (most + 1) * BLUESKY_LIMIT.bytes);
  const all = graphemesOf(whole.text);
  const posts: BlueskyText[] = [];
  let at = 0;
  let unit = 0;
  while (at < all.length && posts.length < most) {
    const isLast = posts.length === most - 1;
    const left = fitting(all, at, BLUESKY_LIMIT);
    const isCut = isLast && at + left < all.length;
    const count = isCut ? fitting(all, at, { graphemes: 298, bytes: 2_900 }) : left;
    const length = all.slice(at, at + count).join('').length;
    const post = cutOut(whole, unit, { length, isCut });
    if (post.text !== '') posts.push(post);
    at += count;
    unit += length;
  }
  return posts.length === 0 ? [{ text: '…', facets: [] }] : posts;
}

function cutOut(
  whole: Linked,
  from: number,
  { length, isCut }: { length: number; isCut: boolean },
): BlueskyText {
  const raw = whole.text.slice(from, from + length);
  const start = from + raw.length - raw.trimStart().length;
  const text = raw.trim();
  const end = start + text.length;
  const facets = whole.links
    .map((link) => ({ ...link, start: Math.max(link.start, start), end: Math.min(link.end, end) }))
    .filter((link) => link.start < link.end)
    .map(({ url, ...link }) => ({
      start: utf8Length(whole.text.slice(start, link.start)),
      end: utf8Length(whole.text.slice(start, link.end)),
      url,
    }));
  return { text: isCut ? `${text}…` : text, facets };
}

/** Stops where no post could hold what follows. */
function flatten(blocks: readonly Block[], enough: number): Linked {
  const linked: Linked = { text: '', links: [] };
  for (const [at, block] of blocks.entries()) {
    if (linked.text.length > enough) break;
    if (linked.text !== '') linked.text += gapBetween(blocks[at - 1], block);
    if (block.kind === 'code') linked.text += clean(block.text.slice(0, enough));
    else
      for (const span of block.spans) append(linked, { ...span, text: span.text.slice(0, enough) });
  }
  return linked;
}

function append(linked: Linked, span: Span): void {
  const start = linked.text.length;
  linked.text += clean(span.url === undefined ? span.text : honestLabel(span));
  if (span.url !== undefined) linked.links.push({ start, end: linked.text.length, url: span.url });
}

function clean(text: string): string {
  return defuseMentions(tameGraphemes(stripInvisible(text.toWellFormed()).text));
}
