/** Text for Bluesky: both limits, whole characters, and links by bytes. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toBlueskyAnnouncement } from '../../../src/domain/channel/bluesky/bluesky-announcement.ts';
import {
  toBlueskyPosts,
  type BlueskyText,
} from '../../../src/domain/channel/bluesky/bluesky-text.ts';
import { findGitHubLinks } from '../../../src/domain/channel/github-links.ts';
import { utf8Length, graphemesOf } from '../../../src/domain/channel/text/graphemes.ts';
import { readMarkdown } from '../../../src/domain/channel/text/read-markdown.ts';
import { anAnnouncement } from './some-announcement.ts';
import { hostileText } from './hostile-text.ts';
import { verifies } from '../../verifies.ts';

const FAMILY = '👨‍👩‍👧‍👦';
const posts = (markdown: string, most = 4): BlueskyText[] =>
  toBlueskyPosts(readMarkdown(markdown), most);
const underlined = ({ text, facets }: BlueskyText): string[] =>
  facets.map(({ start, end }) => Buffer.from(text).subarray(start, end).toString());

function expectWithin({ text, facets }: BlueskyText): void {
  expect(graphemesOf(text).length).toBeLessThanOrEqual(300);
  expect(utf8Length(text)).toBeLessThanOrEqual(3_000);
  expect(text.trim()).not.toBe('');
  expect(text.isWellFormed()).toBe(true);
  expect(text).not.toMatch(/@[\p{L}\p{N}_]/u);
  for (const { start, end, url } of facets) {
    expect(start).toBeLessThan(end);
    expect(end).toBeLessThanOrEqual(utf8Length(text));
    expect(url).toMatch(/^https?:/);
  }
}

describe('limits', () => {
  verifies(
    'OUT-05: graphemes and bytes on Bluesky',
    'no post is over either limit, mentions anybody or breaks a character, whatever the text',
    () => {
      fc.assert(
        fc.property(
          hostileText(),
          fc.nat(30),
          fc.integer({ min: 1, max: 5 }),
          (text, times, most) => {
            const all = posts(text.repeat(times + 1), most);
            expect(all.length).toBeLessThanOrEqual(most);
            for (const post of all) expectWithin(post);
            expectWithin(
              toBlueskyAnnouncement(
                anAnnouncement({ event: 'failed', reason: text }, { title: text }),
              ),
            );
          },
        ),
        { numRuns: 60 },
      );
    },
  );

  test('300 emoji with joiners are too many bytes for one post, and none is cut', () => {
    const all = posts(FAMILY.repeat(300));
    expect(all.length).toBeGreaterThan(1);
    for (const { text } of all) expect(text.replaceAll(FAMILY, '')).toBe('');
    expect(all.map(({ text }) => text).join('')).toBe(FAMILY.repeat(300));
  });

  test('300 letters fit, of 301 the last is in a second post', () => {
    expect(posts('a'.repeat(300))).toHaveLength(1);
    expect(posts('a'.repeat(301)).map(({ text }) => text.length)).toEqual([300, 1]);
  });

  test('what does not fit is cut with an ellipsis', () => {
    const [post] = posts('word '.repeat(200), 1);
    expect(post?.text).toMatch(/^(?:word )+word…$/);
  });

  test('right-to-left text stays whole', () => {
    expect(posts('שלום עולם')[0]?.text).toBe('שלום עולם');
  });
});

describe('links', () => {
  test('a facet covers the bytes of its label', () => {
    const [post] = posts(`${FAMILY} שלום [the issue](https://github.com/o/r/issues/1) end`);
    expect(post === undefined ? [] : underlined(post)).toEqual(['the issue']);
    expect(post?.facets[0]?.start).toBe(utf8Length(`${FAMILY} שלום `));
  });

  test('an announcement has a card and a link on its head', () => {
    const post = toBlueskyAnnouncement(anAnnouncement({ event: 'merged', by: 'ann' }));
    expect(post.text).toBe('✅ octo/shop#12 Orders are lost: merged by ann');
    expect(underlined(post)).toEqual(['octo/shop#12 Orders are lost']);
    expect(post.card).toEqual({
      url: 'https://github.com/octo/shop/issues/12',
      title: 'Orders are lost',
      text: 'octo/shop#12 Orders are lost: merged by ann',
      picture: 'done',
    });
  });
});

test('GitHub links are taken from marked links first, then cards, then text', () => {
  const links = findGitHubLinks({
    marked: [
      'https://github.com/a/marked/pull/1#issuecomment-2',
      'https://evil.example/github.com/x/y',
    ],
    embedded: ['https://www.github.com/b/card/issues/2?x=1'],
    text: 'see github.com/c/text. and https://github.com/a/marked/pull/1, not https://github.com.evil.example/d/e',
  });
  expect(links).toEqual([
    'https://github.com/a/marked/pull/1',
    'https://github.com/b/card/issues/2',
    'https://github.com/c/text',
  ]);
});
