/** What the store knows of whether anybody can have begun an effect: writers that need not look rest on it. */
import { describe, expect } from 'vitest';
import { ConflictError } from '../../src/domain/event/errors.ts';
import type { Settlement, Store } from '../../src/ports/store.ts';
import { verifies } from '../verifies.ts';
import { DONE, effect, idle, startLog, timer } from './store-words.ts';
import { waitUntil } from '../helpers/wait-until.ts';

const DEAD: Settlement = { kind: 'finish', status: 'dead' };

function toEffects(ids: readonly string[]): Settlement {
  return { kind: 'finish', status: 'done', effects: ids.map((id) => effect(id)) };
}

function again(countsAsAttempt: boolean): Settlement {
  return { kind: 'retry', delayMs: 0, reason: 'busy', countsAsAttempt };
}

/** What becomes of each effect at its first time. */
const FIRST: Record<string, () => Settlement> = {
  done: () => DONE,
  counted: () => again(true),
  free: () => again(false),
  thrown: () => {
    throw new Error('bug');
  },
  forgiven: () => {
    throw new ConflictError({ code: 'state-moved', message: 'moved' });
  },
  dead: () => DEAD,
};

export function describeFirstTime(current: () => Store, reopen: () => Promise<void>): void {
  describe('the first time', () => {
    verifies('P2', 'is marked once for each effect, whatever its outcome', async () => {
      const store = current();
      await store.append([timer('a', 'k')]);
      const log = await startLog(store, (work) => {
        if (work.kind === 'event') return toEffects(Object.keys(FIRST));
        return work.isFirst ? FIRST[work.id]?.() : DONE;
      });
      await waitUntil(async () => (await store.records.counts()).effects.dead === 1);
      await store.requeue({ status: 'dead' });
      await idle(store);
      const seen = (id: string) =>
        log.given.flatMap((work) =>
          work.kind === 'effect' && work.id === id ? [work.isFirst] : [],
        );
      expect(Object.keys(FIRST).map(seen)).toEqual([
        [true],
        ...Array.from({ length: 5 }, () => [true, false]),
      ]);
    });

    verifies('TG-22', 'brings no reason, and each later one the last', async () => {
      const store = current();
      await store.append([timer('a', 'k')]);
      const told = ['one', 'two'].map((reason): Settlement => ({
        kind: 'retry',
        delayMs: 0,
        reason,
        countsAsAttempt: true,
      }));
      const log = await startLog(store, (work) =>
        work.kind === 'event' ? toEffects(['r']) : (told.shift() ?? DONE),
      );
      await idle(store);
      const reasons = log.given.flatMap((work) => (work.kind === 'effect' ? [work.reason] : []));
      expect(reasons).toEqual([undefined, 'one', 'two']);
    });

    verifies('TG-22', 'and what it waits for stays with it until it is put back', async () => {
      const store = current();
      await store.append([timer('a', 'k')]);
      const waits = { code: 'disk-full', since: 7 } as const;
      const told = [{ ...again(false), waits }, again(false), DEAD];
      const log = await startLog(store, (work) =>
        work.kind === 'event' ? toEffects(['w']) : (told.shift() ?? DONE),
      );
      await waitUntil(async () => (await store.records.counts()).effects.dead === 1);
      await store.requeue({ status: 'dead' });
      await idle(store);
      const seen = log.given.flatMap((work) => (work.kind === 'effect' ? [work.waits] : []));
      expect(seen).toEqual([undefined, waits, waits, undefined]);
    });

    verifies('P2', 'is over for what was in hand when the store was closed', async () => {
      await current().append([timer('a', 'k')]);
      const log = await startLog(current(), (work) =>
        work.kind === 'event' ? toEffects(['f']) : new Promise<undefined>(() => undefined),
      );
      await waitUntil(() => log.given.length === 2);
      await reopen();
      const after = await startLog(current());
      await idle(current());
      expect(after.given).toMatchObject([{ id: 'f', isFirst: false }]);
    });
  });
}
