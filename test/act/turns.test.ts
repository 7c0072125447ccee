/** So much of a kind is done at once on one machine; whoever comes later waits, and may be stopped meanwhile. */
import { setImmediate as settle } from 'node:timers/promises';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTurns } from '../../src/act/task/turns.ts';

const GOING_ON = new AbortController().signal;

/** Work that ends when it is told to. */
function aWork() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let begun = false;
  return {
    isBegun: () => begun,
    work: (): Promise<string> => {
      begun = true;
      return promise;
    },
    end: resolve,
    fail: reject,
  };
}

describe('builds of Rust', () => {
  test('are two at once; the third begins when one ends, well or not', async () => {
    const { build } = createTurns();
    const all = [aWork(), aWork(), aWork(), aWork()];
    const ends = all.map(({ work }) => build('rust', GOING_ON, work).catch(String));
    await settle();
    expect(all.map(({ isBegun }) => isBegun())).toEqual([true, true, false, false]);
    all[1]?.fail(new Error('no'));
    await settle();
    expect(all.map(({ isBegun }) => isBegun())).toEqual([true, true, true, false]);
    for (const each of all) each.end('done');
    expect(await Promise.all(ends)).toEqual(['done', 'Error: no', 'done', 'done']);
  });

  test('wait for nobody else: neither for sessions, nor for other types', async () => {
    const { build, session } = createTurns();
    const busy = [aWork(), aWork()];
    for (const { work } of busy) void build('rust', GOING_ON, work);
    const others = [aWork(), aWork()];
    void session('rust', GOING_ON, others[0]!.work);
    void build('node', GOING_ON, others[1]!.work);
    await settle();
    expect(others.map(({ isBegun }) => isBegun())).toEqual([true, true]);
  });
});

test('whoever is stopped while it waits never begins, and keeps nobody waiting', async () => {
  const { build } = createTurns();
  const stopping = new AbortController();
  const all = [aWork(), aWork(), aWork(), aWork()];
  const ends = all.map(({ work }, n) =>
    build('rust', n === 2 ? stopping.signal : GOING_ON, work).catch(String),
  );
  await settle();
  stopping.abort(new Error('stopped'));
  expect(await ends[2]).toBe('Error: stopped');
  all[0]?.end('done');
  await settle();
  expect(all.map(({ isBegun }) => isBegun())).toEqual([true, true, false, true]);
  for (const each of all) each.end('done');
  await Promise.all(ends);
  await expect(build('rust', stopping.signal, () => Promise.resolve())).rejects.toThrow('stopped');
});

test('whatever ends or is stopped when: never too many at once, and all come to an end', async () => {
  const moves = fc.array(
    fc.record({ at: fc.nat(11), isStop: fc.boolean(), isSudden: fc.boolean() }),
    { maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(moves, async (all) => {
      const { session } = createTurns();
      const works = Array.from({ length: 12 }, () => ({ ...aWork(), stop: new AbortController() }));
      let atOnce = 0;
      const ends = works.map(({ work, stop }) =>
        session('rust', stop.signal, async () => {
          atOnce += 1;
          expect(atOnce).toBeLessThanOrEqual(3);
          await work();
          atOnce -= 1;
        }).catch(() => undefined),
      );
      for (const { at, isStop, isSudden } of all) {
        if (isStop) works[at]?.stop.abort();
        else works[at]?.end('done');
        if (!isSudden) await settle();
      }
      for (const each of works) each.end('done');
      await Promise.all(ends);
      expect(atOnce).toBe(0);
    }),
    { numRuns: 50 },
  );
});
