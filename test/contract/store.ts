/** What every store promises: run by each adapter's own test with a place of its own for the data. */
import { array, assert, asyncProperty, constantFrom } from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConflictError, TransientError } from '../../src/domain/event/errors.ts';
import type { Retention } from '../../src/adapters/store/retention.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Store, Work } from '../../src/ports/store.ts';
import { realClock } from './real-clock.ts';
import { describeFairness } from './store-fairness.ts';
import { describeErasure } from './store-erasure.ts';
import { describeFirstTime } from './store-first-time.ts';
import type { ChildOrder } from './store-child.ts';
import { describeFlood } from './store-flood.ts';
import { describeRecords } from './store-records.ts';
import { describeSuspects } from './store-suspects.ts';
import { DONE, effect, gate, idle, nth, startLog, timer } from './store-words.ts';
import { waitUntil } from '../helpers/wait-until.ts';

export interface OpenOptions {
  retentionMs?: number;
  retention?: Partial<Retention>;
  clock?: Clock;
}

export interface Place {
  /** Opens the same data each time. */
  open: (options?: OpenOptions) => Promise<Store>;
  remove: () => Promise<void>;
  /** The same data for another process. */
  shared: ChildOrder['place'];
  /** All that is kept, in every table and file, as one text. */
  dump: () => Promise<string>;
  /** What a killed process held is free at once, without waiting until its claims run out. */
  endClaims: () => Promise<void>;
}

export function storeContract(makePlace: () => Promise<Place>): void {
  let place: Place;
  let store: Store;

  beforeEach(async () => {
    place = await makePlace();
    store = await place.open();
  });

  afterEach(async () => {
    await store.close();
    await place.remove();
  });

  async function reopen(options?: OpenOptions): Promise<void> {
    await store.close();
    store = await place.open(options);
  }

  describe('events', () => {
    test('an event is given out as it was appended, and its end is on record', async () => {
      const event = timer('e1', 'k');
      expect(await store.append([event])).toEqual(['queued']);
      const log = await startLog(store, () => ({
        kind: 'finish',
        status: 'ignored',
        reason: 'why',
      }));
      await idle(store);
      expect(log.given).toMatchObject([{ kind: 'event', id: 'e1', lane: 'k', attempt: 1, event }]);
      const [kept] = await store.records.events({ limit: 9 });
      expect(kept).toMatchObject({ ...event, status: 'ignored', reason: 'why', attempts: 1 });
      expect(kept?.seq).toBeGreaterThan(0);
      expect(kept?.settledAt).toMatch(/^\d{4}-.*Z$/);
    });

    test('the same id twice changes nothing, in one call or in two', async () => {
      const second = timer('a', 'other');
      expect(await store.append([timer('a', 'k'), second])).toEqual(['queued', 'duplicate']);
      expect(await store.append([second])).toEqual(['duplicate']);
      expect(await store.records.events({ limit: 9 })).toMatchObject([{ id: 'a', key: 'k' }]);
    });

    test('the same id from many callers at once is queued once', async () => {
      const other = await place.open().catch(() => store);
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          (n % 2 === 0 ? store : other).append([timer('a', 'k')]),
        ),
      );
      expect(results.flat().filter((result) => result === 'queued')).toHaveLength(1);
      if (other !== store) await other.close();
    });

    test('a second event with the same dedup key is kept as ignored', async () => {
      const both = [timer('a', 'k', { dedupKey: 'd' }), timer('b', 'k', { dedupKey: 'd' })];
      expect(await store.append(both)).toEqual(['queued', 'duplicate']);
      expect(await store.append([timer('c', 'k', { dedupKey: 'd' })])).toEqual(['duplicate']);
      expect(await store.append([timer('c', 'k', { dedupKey: 'd' })])).toEqual(['duplicate']);
      const ignored = await store.records.events({ status: 'ignored', limit: 9 });
      expect(ignored.map(({ id, reason }) => [id, reason])).toEqual([
        ['b', 'duplicate of a'],
        ['c', 'duplicate of a'],
      ]);
    });

    test('what the door refused is on record and never given out', async () => {
      expect(await store.append([timer('a', 'k', { ignoredReason: 'own event' })])).toEqual([
        'queued',
      ]);
      await store.append([timer('b', 'k')]);
      const log = await startLog(store);
      await idle(store);
      expect(log.ids()).toEqual(['b']);
      expect(await store.records.events({ status: 'ignored', limit: 9 })).toMatchObject([
        { id: 'a', reason: 'own event' },
      ]);
    });

    test('events of one key come one at a time in order, of others beside them', async () => {
      const hold = gate();
      const names = ['a1', 'a2', 'a3', 'b1', 'c1'];
      await store.append(names.map((name) => timer(name, name.charAt(0))));
      let inHand = 0;
      const log = await startLog(store, async (work) => {
        if (work.lane !== 'a') return DONE;
        inHand += 1;
        expect(inHand).toBe(1);
        await hold.wait;
        inHand -= 1;
        return DONE;
      });
      await waitUntil(() => log.given.length === 3);
      expect(log.ids().toSorted()).toEqual(['a1', 'b1', 'c1']);
      hold.open();
      await idle(store);
      expect(log.ids().filter((id) => id.startsWith('a'))).toEqual(['a1', 'a2', 'a3']);
    });

    test('order within a key holds for any mix of keys and batches', async () => {
      let round = 0;
      const seen: Work[] = [];
      const log = await startLog(store, (work) => {
        seen.push(work);
        return DONE;
      });
      const batches = array(array(constantFrom('x', 'y', 'z'), { minLength: 1, maxLength: 6 }), {
        minLength: 1,
        maxLength: 5,
      });
      await assert(
        asyncProperty(batches, async (calls) => {
          round += 1;
          seen.length = 0;
          let n = 0;
          const sent: { id: string; key: string }[] = [];
          for (const keys of calls) {
            const events = keys.map((key) => timer(`${round}-${(n += 1)}`, `${key}${round}`));
            sent.push(...events);
            await store.append(events);
          }
          await waitUntil(() => seen.length === sent.length);
          for (const key of ['x', 'y', 'z'].map((name) => `${name}${round}`))
            expect(seen.filter(({ lane }) => lane === key).map(({ id }) => id)).toEqual(
              sent.filter((event) => event.key === key).map(({ id }) => id),
            );
        }),
        { numRuns: 12 },
      );
      await log.stop();
    });

    test('a timer waits for its time, blocks nobody and then joins the end', async () => {
      await store.append([timer('late', 'k', { delayMs: 400 }), timer('now', 'k')]);
      const log = await startLog(store);
      await waitUntil(() => log.given.length === 1);
      expect(log.ids()).toEqual(['now']);
      await idle(store);
      expect(log.ids()).toEqual(['now', 'late']);
    });

    test('a timer survives a restart', async () => {
      await store.append([timer('late', 'k', { delayMs: 300 })]);
      await reopen();
      const log = await startLog(store);
      await idle(store);
      expect(log.ids()).toEqual(['late']);
    });

    test('work appended while a worker is idle is given out', async () => {
      const log = await startLog(store);
      await realClock.sleep(300);
      await store.append([timer('a', 'k')]);
      await idle(store);
      expect(log.ids()).toEqual(['a']);
    });

    test('any text survives', async () => {
      const text = 'nul \u0000 lone \ud800 pair 🦉 "quoted" \\u0000 \u2028';
      const event = timer('a', 'k');
      event.data = { kind: 'timer', timer: text, run: 'r' };
      await store.append([event]);
      const log = await startLog(store, () => ({
        kind: 'finish',
        status: 'done',
        reason: 'nul \u0000',
        state: { key: 'k', expected: 0, value: { text } },
      }));
      await idle(store);
      expect(log.given[0]).toMatchObject({ event: { data: { timer: text } } });
      expect(await store.load('k')).toEqual({ version: 1, state: { text } });
    });
  });

  describe('settling', () => {
    test('state, events and effects are written together', async () => {
      await store.append([timer('a', 'k')]);
      const log = await startLog(store, (work) =>
        work.id === 'a'
          ? {
              kind: 'finish',
              status: 'done',
              state: { key: 'k', expected: 0, value: { n: 1 } },
              events: [timer('b', 'k'), timer('a', 'k')],
              effects: [effect('f', { key: 'k' }), effect('f', { key: 'never' })],
            }
          : { kind: 'finish', status: 'done', githubCalls: { 'issues.get': 2 } },
      );
      await idle(store);
      expect(log.ids().toSorted()).toEqual(['a', 'b', 'f']);
      expect(await store.load('k')).toEqual({ version: 1, state: { n: 1 } });
      expect(await store.records.effects({ run: 'run-1', limit: 9 })).toMatchObject([
        { id: 'f', key: 'k', status: 'done', githubCalls: { 'issues.get': 2 }, attempts: 1 },
      ]);
      expect(await store.load('none')).toBeUndefined();
    });

    test('a state that moved on stops the whole settlement, and the work can be settled again', async () => {
      await store.append([timer('a', 'k'), timer('b', 'k')]);
      const failures: unknown[] = [];
      await startLog(store, async (work) => {
        const state = { key: 'k', expected: work.id === 'a' ? 0 : 7, value: work.id };
        if (work.id === 'a') return { kind: 'finish', status: 'done', state };
        const wrong = { kind: 'finish', status: 'done', state, effects: [effect('f')] } as const;
        await store.settle(work, { ...wrong, effects: [effect('f')] }).catch((error: unknown) => {
          failures.push(error);
        });
        const zero = { ...state, expected: 0 };
        await store
          .settle(work, { kind: 'finish', status: 'done', state: zero })
          .catch((error: unknown) => {
            failures.push(error);
          });
        return { kind: 'finish', status: 'done', state: { ...state, expected: 1 } };
      });
      await idle(store);
      expect(failures).toMatchObject([{ code: 'state-moved' }, { code: 'state-moved' }]);
      expect(await store.load('k')).toEqual({ version: 2, state: 'b' });
      expect(await store.records.effects({ limit: 9 })).toEqual([]);
    });

    test('of settlements that arrive together, one that is refused holds up no other', async () => {
      await store.append([timer('a', 'k'), timer('b', 'q')]);
      const over = gate();
      const results = new Map<string, PromiseSettledResult<void>>();
      const log = await startLog(store, async () => {
        if (log.given.length > 2) return DONE;
        if (log.given.length === 2) {
          const settled = await Promise.allSettled(
            log.given.map((work) => {
              const [key, expected] = work.id === 'a' ? (['k', 7] as const) : (['q', 0] as const);
              const state = { key, expected, value: work.id };
              return store.settle(work, { kind: 'finish', status: 'done', state });
            }),
          );
          settled.forEach((result, at) => results.set(nth(log, at).id, result));
          over.open();
        }
        await over.wait;
        return undefined;
      });
      await idle(store);
      expect(results.get('a')).toMatchObject({ reason: { code: 'state-moved' } });
      expect(results.get('b')).toMatchObject({ status: 'fulfilled' });
      expect(await store.load('q')).toEqual({ version: 1, state: 'b' });
      expect(await store.load('k')).toBeUndefined();
    });

    test('work is settled once', async () => {
      await store.append([timer('a', 'k')]);
      const results: PromiseSettledResult<void>[] = [];
      const log = await startLog(store, async (work) => {
        results.push(
          ...(await Promise.allSettled([store.settle(work, DONE), store.settle(work, DONE)])),
        );
        return undefined;
      });
      await idle(store);
      await waitUntil(() => results.length === 2);
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
      expect(results[1]).toMatchObject({ reason: { code: 'work-lost' } });
      await expect(store.settle(nth(log, 0), DONE)).rejects.toMatchObject({
        code: 'work-lost',
      });
    });

    test('effects of one lane come in order, those without beside them', async () => {
      await store.append([timer('a', 'k')]);
      const hold = gate();
      const effects = ['l1', 'l2', 'l3'].map((id) => effect(id, { lane: 'l' }));
      const log = await startLog(store, async (work) => {
        if (work.id === 'a')
          return {
            kind: 'finish',
            status: 'done',
            effects: [...effects, effect('f1'), effect('f2')],
          };
        if (work.lane === 'l') await hold.wait;
        return DONE;
      });
      await waitUntil(() => log.given.length === 4);
      expect(log.ids().toSorted()).toEqual(['a', 'f1', 'f2', 'l1']);
      hold.open();
      await idle(store);
      expect(log.ids().filter((id) => id.startsWith('l'))).toEqual(['l1', 'l2', 'l3']);
    });

    test('a retry keeps its place, and waiting is no failed attempt', async () => {
      await store.append([timer('a', 'k'), timer('b', 'k')]);
      const log = await startLog(store, (work) => {
        if (work.id === 'b' || log.given.length > 3) return DONE;
        const countsAsAttempt = log.given.length !== 2;
        return { kind: 'retry', delayMs: 150, reason: 'busy', countsAsAttempt };
      });
      await waitUntil(() => log.given.length > 0);
      await idle(store);
      expect(log.given.map(({ id, attempt }) => `${id}${attempt}`)).toEqual([
        'a1',
        'a2',
        'a2',
        'a3',
        'b1',
      ]);
    });

    test('a consumer that throws or forgets is given the work again, in order', async () => {
      await store.append([timer('a', 'k'), timer('b', 'k')]);
      const log = await startLog(store, (work) => {
        if (work.id === 'b' || work.attempt > 2) return DONE;
        if (work.attempt === 1) throw new Error('bug');
        return undefined;
      });
      await idle(store);
      expect(log.given.map(({ id, attempt }) => `${id}${attempt}`)).toEqual([
        'a1',
        'a2',
        'a3',
        'b1',
      ]);
    });

    test('what was thrown for "later" costs no attempt, for events and effects, in order', async () => {
      await store.append([timer('a', 'k'), timer('b', 'k')]);
      const later = (): never => {
        throw new TransientError({ code: 'store-down', message: 'away', retryAfterMs: 1 });
      };
      const again = (): never => {
        throw new ConflictError({ code: 'state-moved', message: 'moved' });
      };
      const bug = (): never => {
        throw new Error('bug');
      };
      const ways = [later, again, bug, later, later, bug, later];
      const log = await startLog(
        store,
        (work) => {
          if (work.id === 'b') return DONE;
          ways[log.given.length - 1]?.();
          if (work.kind === 'event' && log.given.length === ways.length + 1)
            return { kind: 'finish', status: 'done', effects: [effect('f')] };
          if (log.given.filter(({ id }) => id === 'f').length < 4) later();
          return DONE;
        },
        1,
      );
      await idle(store);
      const seen = (id: string) =>
        log.given.filter((work) => work.id === id).map(({ attempt }) => attempt);
      expect(seen('a')).toEqual([1, 1, 1, 2, 2, 2, 3, 3]);
      expect(seen('f')).toEqual([1, 1, 1, 1]);
      expect(log.ids().indexOf('b')).toBeGreaterThan(log.ids().lastIndexOf('a'));
      const [a] = await store.records.events({ limit: 9 });
      expect(a).toMatchObject({ id: 'a', status: 'done', attempts: 3 });
    });

    test('a newer effect of the same stream and slot replaces one that never started', async () => {
      await store.append([timer('a', 'k'), timer('b', 'k')]);
      const hold = gate();
      const slot = { lane: 'l', slot: 's', key: 'k' };
      const log = await startLog(store, async (work) => {
        if (work.id === 'a')
          return {
            kind: 'finish',
            status: 'done',
            effects: [
              effect('f1', slot),
              effect('f2', slot),
              effect('other', { ...slot, key: 'k2' }),
            ],
          };
        if (work.id === 'b') {
          await waitUntil(() => log.ids().includes('f2'));
          return {
            kind: 'finish',
            status: 'done',
            effects: [effect('f3', slot), effect('f4', slot)],
          };
        }
        if (work.id === 'f2') await hold.wait;
        return DONE;
      });
      await waitUntil(async () => (await store.records.counts()).events.done === 2);
      hold.open();
      await idle(store);
      expect(log.ids().filter((id) => id !== 'a' && id !== 'b')).toEqual(['f2', 'other', 'f4']);
      const superseded = await store.records.effects({ status: 'superseded', limit: 9 });
      expect(superseded.map(({ id, reason }) => [id, reason])).toEqual([
        ['f1', 'superseded by f2'],
        ['f3', 'superseded by f4'],
      ]);
    });

    test('an effect keeps whether its result is reported, apart from its data', async () => {
      await store.append([timer('a', 'k')]);
      const wanted = [{ ...effect('f1'), isUnheard: true as const }, effect('f2')];
      const log = await startLog(store, (work) =>
        work.id === 'a' ? { kind: 'finish', status: 'done', effects: wanted } : DONE,
      );
      await idle(store);
      const given = log.given.flatMap((work) => (work.kind === 'effect' ? [work.effect] : []));
      expect(given.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual(wanted);
      const kept = await store.records.effects({ limit: 9 });
      expect(new Map(kept.map(({ id, isUnheard }) => [id, isUnheard]))).toEqual(
        new Map([
          ['f1', true],
          ['f2', undefined],
        ]),
      );
    });

    test('dead and parked work is put back with fresh attempts', async () => {
      await store.append([timer('a', 'k'), timer('b', 'k'), timer('p', 'k')]);

      const first = await startLog(store, ({ id }) => ({
        kind: 'finish',
        status: id === 'p' ? 'parked' : 'dead',
        reason: 'end',
      }));
      await idle(store);
      await first.stop();
      expect(await store.requeue({ ids: ['a', 'p'], status: 'dead' })).toBe(1);
      expect(await store.requeue({ status: 'parked' })).toBe(1);
      expect((await store.records.counts()).events).toMatchObject({
        pending: 2,
        dead: 1,
        parked: 0,
      });
      const log = await startLog(store);
      await idle(store);
      expect(log.given.map(({ id, attempt }) => `${id}${attempt}`)).toEqual(['a1', 'p1']);
    });

    test('a dead effect is put back into its lane', async () => {
      await store.append([timer('a', 'k')]);
      let isDown = true;
      const log = await startLog(store, (work) => {
        if (work.kind === 'event')
          return {
            kind: 'finish',
            status: 'done',
            effects: [effect('f'), effect('g', { lane: 'l' })],
          };
        return { kind: 'finish', status: isDown ? 'dead' : 'done' };
      });
      await waitUntil(async () => (await store.records.counts()).effects.dead === 2);
      isDown = false;
      expect(await store.requeue({ status: 'dead' })).toBe(2);
      await idle(store);
      expect(log.ids().toSorted()).toEqual(['a', 'f', 'f', 'g', 'g']);
    });
  });

  describeFirstTime(() => store, reopen);

  describe('stopping and starting', () => {
    test('what waited or was in hand at the end is given out by the next opening', async () => {
      await store.append([timer('a', 'k'), timer('b', 'k')]);
      const log = await startLog(store, () => new Promise<undefined>(() => undefined));
      await waitUntil(() => log.given.length === 1);
      const lost = nth(log, 0);
      await reopen();
      const again = await startLog(store);
      await idle(store);
      expect(again.given.map(({ id, attempt }) => `${id}${attempt}`)).toEqual(['a1', 'b1']);
      await expect(store.settle(lost, DONE)).rejects.toMatchObject({ code: 'work-lost' });
    });

    test('a stopping worker takes no more work and finishes what it has', async () => {
      await store.append([timer('a', 'k'), timer('b', 'k')]);
      const hold = gate();
      const log = await startLog(store, () => hold.wait.then(() => DONE));
      await waitUntil(() => log.given.length === 1);
      const stopped = log.stop();
      hold.open();
      expect(await stopped).toBe('drained');
      expect(log.ids()).toEqual(['a']);
      expect((await store.records.counts()).events).toMatchObject({ done: 1, pending: 1 });
    });

    test('what a stopped worker did not finish goes to another, and its late result is refused', async () => {
      await store.append([timer('a', 'k')]);
      const hold = gate();
      const late: unknown[] = [];
      const log = await startLog(store, async (work) => {
        await hold.wait;
        await store.settle(work, DONE).catch((error: unknown) => late.push(error));
        return undefined;
      });
      await waitUntil(() => log.given.length === 1);
      expect(await log.stop(20)).toBe('abandoned');
      const next = await startLog(store);
      await idle(store);
      expect(next.given).toMatchObject([{ id: 'a', attempt: 1 }]);
      hold.open();
      await waitUntil(() => late.length === 1);
      expect(late).toMatchObject([{ code: 'work-lost' }]);
    });

    test('a closed store says that it is down', async () => {
      await store.append([timer('a', 'k')]);
      const log = await startLog(store, () => new Promise<undefined>(() => undefined));
      await waitUntil(() => log.given.length === 1);
      await store.close();
      const down = { code: 'store-down', retryable: true };
      await expect(store.append([timer('b', 'k')])).rejects.toMatchObject(down);
      await expect(store.load('k')).rejects.toMatchObject(down);
      await expect(store.records.ping()).rejects.toMatchObject(down);
      await expect(
        store.work({ concurrency: 1, consume: async () => undefined }),
      ).rejects.toMatchObject(down);
    });
  });

  describeFairness(() => store, reopen);
  describeFlood(() => store, reopen);
  describeErasure({ store: () => store, reopen, dump: () => place.dump() });
  describeRecords({ store: () => store, reopen });
  describeSuspects({
    place: () => place,
    store: () => store,
    reopen: async (clock) => {
      await store.close();
      store = await place.open(clock === undefined ? {} : { clock });
      return store;
    },
  });
}
