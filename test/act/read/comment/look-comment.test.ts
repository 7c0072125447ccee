/** A comment that the list does not show: the queue looks again before it counts as deleted. */
import { expect, test } from 'vitest';
import { lookAtComment } from '../../../../src/act/read/comment/look-comment.ts';
import type { ActPorts } from '../../../../src/act/ports.ts';
import type { Waits } from '../../../../src/ports/store.ts';
import { createTestClock } from '../../../adapters/github/stage.ts';
import { ANA, THREAD } from '../../../helpers/play.ts';

const DATA = {
  kind: 'look-comment' as const,
  thread: THREAD,
  actor: ANA,
  comment: { id: 7, place: 'thread' as const },
  address: {
    place: 'thread' as const,
    digest: 'd',
    updatedAt: '2026-03-02T09:01:00Z',
    isOnlyCommands: true,
  },
};

function aLook() {
  const clock = createTestClock();
  const at = new Date(clock.now()).toISOString();
  const session = { read: { comments: () => Promise.resolve([]) }, counts: {} };
  // Nothing else of the ports is used where there is no comment.
  const ports = { clock, github: { at: () => session } } as unknown as ActPorts;
  const unused = () => Promise.reject(new Error('not used'));
  const context = {
    ports,
    readSettings: unused,
    readMemory: async () => undefined,
    teamNames: unused,
    at,
  };
  return { clock, look: (waits?: Waits) => lookAtComment(DATA, { ...context, waits }) };
}

const later = (retryAfterMs: number) => ({ code: 'comment-not-there', retryAfterMs });

test('is looked for often, then seldom, and never in the slot of a worker', async () => {
  const { clock, look } = aLook();
  await expect(look()).rejects.toMatchObject(later(700));
  clock.advance(4_000);
  await expect(look()).rejects.toMatchObject(later(4_000));
  expect(clock.naps).toEqual([]);
});

test('is deleted once it was missed twice, at least 3 s apart', async () => {
  const { clock, look } = aLook();
  clock.advance(60_000);
  await expect(look()).rejects.toMatchObject(later(3_000));
  const waits = { code: 'comment-not-there' as const, since: clock.now(), times: 1 };
  clock.advance(2_000);
  await expect(look(waits)).rejects.toMatchObject(later(1_000));
  clock.advance(1_000);
  await expect(look({ ...waits, code: 'github-unavailable' })).rejects.toMatchObject(later(3_000));
  expect((await look(waits)).result).toMatchObject({ kind: 'gone' });
  expect(clock.naps).toEqual([]);
});
