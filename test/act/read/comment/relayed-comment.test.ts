/** What the App relays from a channel: the words and the moment are the person's. */
import { expect, test } from 'vitest';
import type { ActPorts } from '../../../../src/act/ports.ts';
import type { DataOf } from '../../../../src/act/effect-context.ts';
import { toRelayed } from '../../../../src/act/read/comment/relayed-comment.ts';
import { renderMarker } from '../../../../src/domain/github/marker.ts';
import { threadKey } from '../../../../src/domain/run/thread-ref.ts';
import type { CommentFacts } from '../../../../src/ports/github/github-reader.ts';
import { verifies } from '../../../verifies.ts';
import { ANA, THREAD } from '../../../helpers/play.ts';

const SECRET = 'for-tests';
const RELAYED_AT = '2026-06-01T09:05:00Z';

function relay(at?: string) {
  const marker = renderMarker(
    { kind: 'notice', run: 'chat-1', key: 'said-1' },
    SECRET,
    threadKey(THREAD),
  );
  const comment = {
    id: 7,
    isOurs: true,
    author: { id: 1, login: 'quorum[bot]', isBot: true },
    body: `ana in Slack:\n\n> /pm approve\n\n${marker}`,
    createdAt: RELAYED_AT,
  } as unknown as CommentFacts;
  const relayed = {
    text: '/pm approve',
    run: 'chat-1',
    key: 'said-1',
    ...(at !== undefined && { at }),
  };
  const data = { thread: THREAD, actor: ANA, address: { relayed } };
  const ports = { markerSecret: SECRET } as Pick<ActPorts, 'markerSecret'>;
  return toRelayed({ comment, comments: [comment] }, data as DataOf<'look-comment'>, ports);
}

verifies(
  ['CMD-09', 'CB-4'],
  'counts from when the person said it, not from when it was relayed',
  () => {
    const said = relay('2026-06-01T09:00:00.000Z');
    expect(said?.comment).toMatchObject({
      createdAt: '2026-06-01T09:00:00.000Z',
      body: '/pm approve',
      isOurs: false,
    });
    expect(said?.comments).toEqual([said?.comment]);
  },
);

test.each([
  ['a service whose clock is ahead', '2026-06-01T10:00:00Z'],
  ['an event of an older version', undefined],
])('of %s it counts from when it was relayed', (_, at) => {
  expect(relay(at)?.comment.createdAt).toBe(RELAYED_AT);
});
