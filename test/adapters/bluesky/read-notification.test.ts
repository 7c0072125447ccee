/** What a mention on Bluesky says: without the account's own name, with links as the service marked them. */
import { expect, test } from 'vitest';
import { readNotification } from '../../../src/adapters/bluesky/read-notification.ts';

const OWN = { did: 'did:plc:team', githubHost: 'github.com' };

function read(record: object, over: object = {}) {
  const notification = {
    uri: 'at://did:plc:bob/app.bsky.feed.post/1',
    cid: 'bafy',
    isRead: false,
    author: { did: 'did:plc:bob', handle: 'bob.test' },
    reason: 'mention',
    record: { $type: 'app.bsky.feed.post', ...record },
    indexedAt: '2026-06-01T09:00:00.000Z',
    ...over,
  };
  return readNotification(notification, OWN);
}

function mention(byteStart: number, byteEnd: number, did = OWN.did): object {
  const type = 'app.bsky.richtext.facet#mention';
  return { index: { byteStart, byteEnd }, features: [{ $type: type, did }] };
}

test.each([
  ['@team.test /pm status', [mention(0, 10)], '/pm status'],
  ['¡hola @team.test, look', [mention(7, 17)], '¡hola , look'],
  ['look @team.test', [mention(5, 15)], 'look'],
  ['@ana.test look', [mention(0, 9, 'did:plc:ana')], '@ana.test look'],
  ['@team.test look', [], '@team.test look'],
  ['@team.test look', [mention(10, 0)], '@team.test look'],
  ['@team.test look', [mention(0, 9_999)], ''],
  ['@team.test look', [{ features: [{ did: OWN.did }] }], '@team.test look'],
])('%j says %#', (text, facets, said) => {
  expect(read({ text, facets })?.text).toBe(said);
});

test('links come from facets first, then from cards, then from the text', () => {
  const uri = (number: number): string => `https://github.com/octo/shop/issues/${number}`;
  const link = { features: [{ uri: uri(1) }] };
  const embed = { $type: 'app.bsky.embed.external', external: { uri: uri(2) } };
  const text = `see ${uri(3)}`;
  expect(read({ text, facets: [link], embed })?.links).toEqual([uri(1), uri(2), uri(3)]);
  expect(read({ text, embed })?.links).toEqual([uri(2), uri(3)]);
  expect(read({ text })?.links).toEqual([uri(3)]);
});

test('an account that calls itself automated is a bot', () => {
  const author = { did: 'did:plc:bob', handle: 'bob.test', labels: [{ val: 'bot' }] };
  expect(read({ text: 'hi' }, { author })?.author.isBot).toBe(true);
});

test('likes, and what we wrote ourselves, are no messages', () => {
  expect(read({ text: 'hi' }, { reason: 'like' })).toBeUndefined();
  const author = { did: OWN.did, handle: 'team.test' };
  expect(read({ text: 'hi' }, { author })).toBeUndefined();
});
