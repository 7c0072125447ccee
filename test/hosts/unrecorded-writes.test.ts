/** What an apply job without a key takes for its own after a job that was killed: what its intents want, and nothing else. */
import { describe, expect, test } from 'vitest';
import { assembleComment } from '../../src/adapters/github/write/comment-body.ts';
import type { Intent } from '../../src/domain/actions/intents.ts';
import { renderMarker, type MarkerData } from '../../src/domain/github/marker.ts';
import { threadKey } from '../../src/domain/run/thread-ref.ts';
import { believeUnrecorded } from '../../src/hosts/action/steps/unrecorded-writes.ts';

const SECRET = 'known to everybody';
const THREAD = { installationId: 0, repositoryId: 7, owner: 'acme', repo: 'tidy', number: 3 };
const MARKER = { kind: 'run', run: 'r1', key: 'live' } satisfies MarkerData;
const ABOUT = { id: 'r1/1', key: 'thread:7/3', run: 'r1', at: '2026-11-29T00:00:00.000Z' };

const COMMENT: Intent = {
  ...ABOUT,
  data: { kind: 'comment', thread: THREAD, marker: MARKER, body: 'Ready.' },
};
const REVIEW: Intent = {
  ...ABOUT,
  data: {
    kind: 'review',
    thread: THREAD,
    review: {
      marker: MARKER,
      headSha: 'a'.repeat(40),
      event: 'COMMENT',
      body: 'One thing.',
      comments: [],
    },
  },
};

function written(body: string, { marker = MARKER, number = 3 } = {}): string {
  const scope = threadKey({ ...THREAD, number });
  return assembleComment(body, renderMarker(marker, SECRET, scope));
}

function isOurs(intent: Intent, body: string | undefined): boolean | undefined {
  const known = { markerSecret: SECRET, isRecorded: ({ id }: { id: number }) => id === 5 };
  const { isRecorded } = believeUnrecorded(known, [intent]);
  return isRecorded?.({ id: 6, ...(body !== undefined && { body }) });
}

describe('a comment, which is edited to what is wanted, is ours', () => {
  test('under its own marker', () => {
    expect(isOurs(COMMENT, written('Anything.'))).toBe(true);
  });

  test.each<[string, string | undefined]>([
    ['without a marker', 'Ready.'],
    ['under the marker of another run', written('Ready.', { marker: { ...MARKER, run: 'r2' } })],
    ['under another key', written('Ready.', { marker: { ...MARKER, key: 'other' } })],
    ['copied from another thread', written('Ready.', { number: 4 })],
    ['that is only read', undefined],
  ])('and not %s', (_, body) => {
    expect(isOurs(COMMENT, body)).toBe(false);
  });
});

describe('a review, which stays as it is, is ours', () => {
  test.each<[string, string, boolean]>([
    ['where it says what is wanted', written('One thing.'), true],
    ['and not where somebody else made its marker', written('All is well.'), false],
  ])('%s', (_, body, is) => {
    expect(isOurs(REVIEW, body)).toBe(is);
  });
});

test('recorded texts stay ours, and with a key the signature alone decides', () => {
  const known = { markerSecret: SECRET, isRecorded: ({ id }: { id: number }) => id === 5 };
  expect(believeUnrecorded(known, []).isRecorded?.({ id: 5 })).toBe(true);
  const signed = { markerSecret: SECRET, isRecorded: undefined };
  expect(believeUnrecorded(signed, [COMMENT])).toBe(signed);
});
