/**
 * Limits how much work of one kind runs at once on one machine. Work over the limit is re-queued.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createConcurrencyLimit } from '../../../../src/act/task/coder/concurrency-limit.ts';

/** Work that ends on request. */
function aWork() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { work: (): Promise<string> => promise, end: resolve, fail: reject };
}

const NOTHING = (): Promise<string> => Promise.resolve('done');
const BUSY = { code: 'machine-busy', retryable: true };

describe('builds of Rust', () => {
  test('are two at once; a third is sent back for so long, and begins once one has ended, well or not', async () => {
    const { build } = createConcurrencyLimit(8);
    const all = [aWork(), aWork()];
    const ends = all.map(({ work }) => build('rust', work).catch(String));
    await expect(build('rust', NOTHING)).rejects.toMatchObject({ ...BUSY, retryAfterMs: 15_000 });
    all[1]?.fail(new Error('no'));
    expect(await ends[1]).toBe('Error: no');
    expect(await build('rust', NOTHING)).toBe('done');
    all[0]?.end('done');
    expect(await ends[0]).toBe('done');
  });

  test('are in nobody else’s way: neither of sessions, nor of other types', async () => {
    const { build, session } = createConcurrencyLimit(8);
    const busy = [aWork(), aWork()];
    for (const { work } of busy) void build('rust', work);
    expect(await session('rust', NOTHING)).toBe('done');
    expect(await build('node', NOTHING)).toBe('done');
  });
});

test('of all kinds together two hands fewer are busy than there are, and at least one may be', async () => {
  for (const [hands, most] of [
    [8, 6],
    [3, 1],
    [1, 1],
  ] as const) {
    const { session, build } = createConcurrencyLimit(hands);
    const takes = [session, build].flatMap((take) =>
      (['node', 'go'] as const).flatMap((type) => [0, 1, 2].map(() => ({ take, type }))),
    );
    const one = aWork();
    const ends = takes.map(({ take, type }) => take(type, one.work).catch(() => 'busy'));
    one.end('done');
    expect((await Promise.all(ends)).filter((end) => end === 'done')).toHaveLength(most);
  }
});

test('whatever ends when: never too many at once, and every place is free in the end', async () => {
  const moves = fc.array(fc.record({ at: fc.nat(5), isEnd: fc.boolean() }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(moves, async (all) => {
      const { session } = createConcurrencyLimit(8);
      const works = new Map<number, { end: () => Promise<string> }>();
      for (const { at, isEnd } of all) {
        const before = works.get(at);
        if (isEnd) {
          await before?.end();
          works.delete(at);
        } else if (before === undefined) {
          const { work, end } = aWork();
          const ended = session('rust', work);
          const ending = { end: () => (end('done'), ended) };
          if (works.size < 3) works.set(at, ending);
          else await expect(ended).rejects.toMatchObject(BUSY);
        }
      }
      for (const { end } of works.values()) await end();
      const last = [0, 1, 2].map(() => session('rust', NOTHING));
      expect(await Promise.all(last)).toEqual(['done', 'done', 'done']);
    }),
    { numRuns: 50 },
  );
});
