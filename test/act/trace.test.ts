/** What the store knows of earlier writes under a marker. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTrace, hasOlderCheck } from '../../src/act/trace.ts';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import type { Effect, EffectData } from '../../src/domain/event/effect.ts';
import type { Result } from '../../src/domain/event/result.ts';
import type { Store, Work } from '../../src/ports/store.ts';

const KEY = 'thread:7/1';
const AT = '2026-11-23T10:00:00.000Z';
const repository = { installationId: 1, repositoryId: 7, owner: 'acme', repo: 'tidy' };
const thread = { ...repository, number: 1 };
const marker = { kind: 'run', run: 'run-1', key: 'live' } as const;
const comment: EffectData = { kind: 'comment', thread, marker, body: 'Our view.' };
const check = (run: string): Extract<EffectData, { kind: 'review-check' }> => ({
  kind: 'review-check',
  repository,
  check: {
    name: 'quorum / review',
    headSha: 'abc',
    run,
    conclusion: undefined,
    title: '',
    summary: '',
    annotations: [],
  },
});
const checks: EffectData = {
  kind: 'check',
  repository,
  headSha: 'abc',
  checks: ['a', 'b'].map((name) => ({ name, conclusion: 'success', title: '', summary: '' })),
};
const DONE: Result = {
  effectKind: 'comment',
  result: { id: 42, url: 'http://x/42', outcome: 'created' },
};

let step = 0;

function effectOf(data: EffectData): Effect {
  step += 1;
  return { id: `run-1/${step}-${data.kind}`, key: KEY, run: 'run-1', at: AT, data };
}

async function openStore(): Promise<Store> {
  const dir = await mkdtemp(join(tmpdir(), 'quorum-trace-'));
  const store = await openSqliteStore({ dir, clock: systemClock });
  onTestFinished(async () => {
    await store.close();
    await rm(dir, { recursive: true, force: true });
  });
  return store;
}

/** Wants the effects and carries them out as told; those without an end stay in hand. */
async function play(store: Store, wanted: [Effect, Result | 'dead' | 'in hand'][]): Promise<void> {
  const begin = { kind: 'timer', timer: 'begin', run: 'run-1' } as const;
  await store.append([{ id: 'begin', key: KEY, version: 1, at: AT, data: begin }]);
  const seen = Promise.withResolvers<void>();
  let left = wanted.length;
  const settle = async (work: Work): Promise<void> => {
    if (work.kind === 'event') {
      const isBegin = work.id === 'begin';
      const effects = isBegin ? wanted.map(([effect]) => effect) : [];
      return store.settle(work, { kind: 'finish', status: 'done', effects });
    }
    const [, end = 'in hand'] = wanted.find(([{ id }]) => id === work.id) ?? [];
    left -= 1;
    if (left === 0) seen.resolve();
    if (end === 'in hand') return new Promise(() => undefined);
    if (end === 'dead') return store.settle(work, { kind: 'finish', status: 'dead' });
    const data = { kind: 'done', ...end, effectId: work.id, run: 'run-1' } as const;
    const told = { id: `${work.id}:done`, key: KEY, version: 1, at: AT, data };
    return store.settle(work, { kind: 'finish', status: 'done', events: [told] });
  };
  const worker = await store.work({ concurrency: 8, consume: settle });
  await seen.promise;
  await worker.stop(50);
}

describe('the trace of a write', () => {
  const find = ({ records }: Store, effect: Effect, { mayHaveBegun = false, name = '' } = {}) =>
    findTrace(effect, { records, mayHaveBegun }, name);

  test('is the id that an earlier effect under its marker was answered, also before that is reduced', async () => {
    const store = await openStore();
    await play(store, [[effectOf(comment), DONE]]);
    expect(await find(store, effectOf(comment))).toEqual({ id: 42 });
    const other: EffectData = { ...comment, marker: { ...marker, key: 'other' } };
    expect(await find(store, effectOf(other))).toEqual({});
  });

  test('is in doubt after an effect under its marker that was begun and left no id', async () => {
    for (const end of ['dead', 'in hand'] as const) {
      const store = await openStore();
      await play(store, [[effectOf(comment), end]]);
      expect(await find(store, effectOf(comment))).toEqual({ isDoubtful: true });
    }
  });

  test('is in doubt where the effect itself may have been begun, and nothing is known before', async () => {
    const store = await openStore();
    expect(await find(store, effectOf(comment), { mayHaveBegun: true })).toEqual({
      isDoubtful: true,
    });
    expect(await find(store, effectOf(comment))).toEqual({});
  });

  test('tells checks of one effect apart by their names', async () => {
    const store = await openStore();
    const told: Result = { effectKind: 'check', result: { ids: { a: 5, b: 6 } } };
    await play(store, [[effectOf(checks), told]]);
    expect(await find(store, effectOf(checks), { name: 'b' })).toEqual({ id: 6 });
  });

  test('takes what an earlier version recorded without an id for doubt', async () => {
    const store = await openStore();
    const told: Result = { effectKind: 'review-check', result: null };
    await play(store, [[effectOf(check('run-1')), told]]);
    expect(await find(store, effectOf(check('run-1')))).toEqual({ isDoubtful: true });
  });

  test('knows of check runs that another run began on the same head', async () => {
    const store = await openStore();
    const told: Result = { effectKind: 'review-check', result: { id: 9 } };
    await play(store, [[effectOf(check('run-1')), told]]);
    expect(await find(store, effectOf(check('run-1')))).toEqual({ id: 9 });
    const has = (run: string) =>
      hasOlderCheck(effectOf(check(run)), check(run).check, store.records);
    expect([await has('run-1'), await has('run-2')]).toEqual([false, true]);
  });
});
