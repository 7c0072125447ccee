/** A comment that is not written where the thread wears a label: the label is read right before. */
import { expect, test } from 'vitest';
import { writeComment } from '../../../src/act/write/thread-writes.ts';
import type { EffectContext } from '../../../src/act/effect-context.ts';

const THREAD = { installationId: 1, repositoryId: 7, owner: 'acme', repo: 'tidy', number: 3 };
const MARKER = { kind: 'report', run: 'r', key: 'source' } as const;

async function write(labels: string[], unlessLabelled?: string) {
  const calls: string[] = [];
  const session = {
    counts: {},
    read: {
      issue: async () => {
        calls.push('read');
        return { labels };
      },
    },
    write: {
      ensureComment: async () => {
        calls.push('write');
        return { id: 9, url: '', outcome: 'created', updatedAt: '' };
      },
    },
  };
  const context = {
    ports: { github: { at: () => session } },
    isNew: true,
    trace: async () => undefined,
  } as unknown as EffectContext;
  const wanted = { kind: 'comment', thread: THREAD, marker: MARKER, body: 'Done.' } as const;
  const { result } = await writeComment(
    { ...wanted, ...(unlessLabelled !== undefined && { unlessLabelled }) },
    context,
  );
  return { calls, outcome: result.outcome };
}

test('nothing is written in a thread that wears the label, however it is spelled', async () => {
  const silent = { calls: ['read'], outcome: 'withdrawn' };
  expect(await write(['bug', 'quorum:skip'], 'quorum:skip')).toEqual(silent);
  expect(await write(['Quorum:Skip'], 'quorum:skip')).toEqual(silent);
});

test('a thread with other labels gets the comment, and no label is read where none matters', async () => {
  expect((await write(['bug'], 'quorum:skip')).calls).toEqual(['read', 'write']);
  expect((await write(['quorum:skip'])).calls).toEqual(['write']);
});
