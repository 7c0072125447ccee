/** Failed reflections are found among other failures, however many there are. */
import { expect, test } from 'vitest';
import { findFailedReflections } from '../../../src/act/memory/failed-reflections.ts';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite.ts';
import type { EffectData } from '../../../src/domain/event/effect.ts';
import { realClock as clock } from '../../contract/real-clock.ts';
import { effect, idle, startLog, timer } from '../../contract/store-words.ts';

const ask = (purpose: string) => ({ kind: 'ask', purpose }) as unknown as EffectData;
const learn = (learned: object[]) =>
  ({ kind: 'remember', change: { kind: 'learn', learned } }) as unknown as EffectData;

/** An answer whose words look like a reflection's. */
const quoting = {
  ...ask('answer'),
  prompt: 'the field "purpose":"reflection" and "learned":[{',
} as EffectData;

test('150 newer refused questions and counts of uses hide no failed reflection, and quoted words are not taken for one', async () => {
  const store = await openSqliteStore({ memory: true, clock });
  const effects = [
    effect('run/1-ask', { data: ask('reflection') }),
    effect('run/1-remember', { data: learn([{ persona: 'dev', answer: {} }]) }),
    ...Array.from({ length: 150 }, (_, n) => [
      effect(`run/${n + 2}-ask`, { data: n % 2 === 0 ? ask('answer') : quoting }),
      effect(`run/${n + 2}-remember`, { data: learn([]) }),
    ]).flat(),
  ];
  await store.append([timer('begin', 'o/r#1')]);
  const log = await startLog(store, (work) =>
    work.kind === 'event'
      ? { kind: 'finish', status: 'done', effects }
      : { kind: 'finish', status: 'refused', reason: 'no model' },
  );
  await idle(store);
  await log.stop();
  expect((await store.records.counts()).effects.refused).toBe(302);
  const found = await findFailedReflections(store.records);
  expect(found.map(({ id }) => id).toSorted()).toEqual(['run/1-ask', 'run/1-remember']);
  await store.close();
});
