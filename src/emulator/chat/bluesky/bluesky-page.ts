/** The posts of Bluesky as people see them, thread by thread. */
import { article, toHtmlText, page } from '../page.ts';
import type { ChatAnswer } from '../serve.ts';
import { thumbOf } from './bluesky-blobs.ts';
import { asObject, textOf } from './bluesky-records.ts';
import { parentOf, rootOf } from './bluesky-views.ts';
import type { BlueskyRecord, BlueskyWorld } from './bluesky-world.ts';

/** `/` shows everything; undefined is no page. */
export function blueskyPage(world: BlueskyWorld, path: string): ChatAnswer | undefined {
  if (path !== '/') return undefined;
  const posts = world.records.filter(({ collection }) => collection === 'app.bsky.feed.post');
  const heads = posts.filter((post) => parentOf(post) === undefined);
  const ordered = heads.flatMap((head) => [
    head,
    ...posts.filter((post) => post !== head && rootOf(post) === head.uri),
  ]);
  return page('Bluesky (emulated)', ordered.map((post) => shown(world, post)).join(''));
}

function shown(world: BlueskyWorld, post: BlueskyRecord): string {
  const likes = world.records.filter((each) => asObject(each.value['subject'])['uri'] === post.uri);
  const hearts = likes.length === 0 ? '' : `<span class="mark">♥ ${likes.length}</span>`;
  return article({
    who: `@${world.accounts.find(({ did }) => did === post.did)?.handle ?? post.did}`,
    when: post.indexedAt.slice(11, 16),
    html: toHtml(textOf(post.value['text']), post.value['facets']),
    more: card(post.value) + hearts,
    isBelow: parentOf(post) !== undefined,
  });
}

function card(value: BlueskyRecord['value']): string {
  const { uri, title, description } = asObject(asObject(value['embed'])['external']);
  if (typeof uri !== 'string') return '';
  const link = `<a href="${/^https?:/.test(uri) ? toHtmlText(uri) : '#'}">${toHtmlText(String(title))}</a>`;
  const thumb = thumbOf(value);
  // The description says what the picture shows.
  const picture = thumb === undefined ? '' : `<img src="/blobs/${toHtmlText(thumb)}" alt="">`;
  return `<div class="card">${picture}${link}<br>${toHtmlText(String(description))}</div>`;
}

/** Links are over bytes. */
function toHtml(text: string, facets: unknown): string {
  const bytes = Buffer.from(text);
  let at = 0;
  let html = '';
  for (const facet of Array.isArray(facets) ? facets.map(asObject) : []) {
    const { byteStart, byteEnd } = asObject(facet['index']);
    const [feature] = Array.isArray(facet['features']) ? facet['features'].map(asObject) : [];
    const uri = feature?.['uri'];
    if (typeof byteStart !== 'number' || typeof byteEnd !== 'number' || typeof uri !== 'string')
      continue;
    html += toHtmlText(bytes.subarray(at, byteStart).toString());
    html += `<a href="${/^https?:/.test(uri) ? toHtmlText(uri) : '#'}">${toHtmlText(bytes.subarray(byteStart, byteEnd).toString())}</a>`;
    at = byteEnd;
  }
  return html + toHtmlText(bytes.subarray(at).toString());
}
