/** What was in hand when a process ended runs alone next, and only what ends processes by itself is given up. */
import { describe, expect } from 'vitest';
import { MAX_ENDINGS } from '../../src/domain/event/suspicion.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Settlement, Store, Work } from '../../src/ports/store.ts';
import { verifies } from '../verifies.ts';
import { createFastClock } from './fast-clock.ts';
import { realClock } from './real-clock.ts';
import { startChild, type Child } from './store-process.ts';
import type { Place } from './store.ts';
import { DONE, effect, gate, idle, startLog, timer } from './store-words.ts';
import { waitUntil } from '../helpers/wait-until.ts';

interface Suspects {
  place: () => Place;
  store: () => Store;
  /** Closes the store in order, and opens it again. */
  reopen: (clock?: Clock) => Promise<Store>;
}

const KILLS = 6;
/** Two endings alone, one before in company, and the start that gives it up. */
const STARTS = 4;

export function describeSuspects({ place, store, reopen }: Suspects): void {
  async function start(more: object): Promise<Child> {
    const order = { name: 'c', appends: false, concurrency: 4, effectMs: 0, place: place().shared };
    return startChild({ ...order, ...more });
  }

  /** A process that is killed with all of these in hand. */
  async function killHolding(ids: readonly string[]): Promise<void> {
    const child = await start({ hangs: true });
    await waitUntil(() => ids.every((id) => child.ids('began').includes(id)));
    await child.kill();
    await place().endClaims();
  }

  describe('after a kill', () => {
    verifies('DUR-06', 'what was in hand runs alone, and costs no attempt', async () => {
      await store().append(['a', 'b', 'c'].map((id) => timer(id, id)));
      await store().close();
      await killHolding(['a', 'b', 'c']);
      const again = await reopen();
      await again.append([1, 2, 3, 4].map((n) => timer(`other${n}`, `other${n}`)));
      const inHand = new Set<string>();
      const beside = new Map<string, string[]>();
      const log = await startLog(again, async ({ id }) => {
        for (const other of inHand) beside.get(other)?.push(id);
        beside.set(id, [...inHand]);
        inHand.add(id);
        await realClock.sleep(50);
        inHand.delete(id);
        return DONE;
      });
      await idle(again);
      expect(['a', 'b', 'c'].map((id) => beside.get(id))).toEqual([[], [], []]);
      expect(log.given.map(({ attempt, endings }) => [attempt, endings])).toEqual(
        log.given.map(() => [1, undefined]),
      );
    });

    verifies('DUR-06', 'a suspect that takes long lets others run beside it', async () => {
      await store().append([timer('long', 'a')]);
      await store().close();
      await killHolding(['long']);
      const again = await reopen(createFastClock(Date.now()));
      await again.append([timer('other', 'b')]);
      const hold = gate();
      const log = await startLog(again, async ({ id }) => {
        if (id === 'long') await hold.wait;
        else await waitUntil(() => log.ids().includes('long'));
        return DONE;
      });
      await again.append([timer('late', 'c')]);
      await waitUntil(async () => (await again.records.counts()).events.done === 2);
      hold.open();
      await idle(again);
      expect(log.ids().toSorted()).toEqual(['late', 'long', 'other']);
    });

    verifies('P1', 'time alone ends where the process has no room for more work', async () => {
      await store().append([timer('long', 'a')]);
      await store().close();
      await killHolding(['long']);
      const full = await start({ hangs: true, isFast: true, concurrency: 1 });
      await waitUntil(() => full.ids('began').includes('long'));
      // Longer than its time alone, by the clock of that process.
      await realClock.sleep(1500);
      await full.kill();
      await place().endClaims();
      const again = await reopen(createFastClock(Date.now()));
      const log = await startLog(again);
      await idle(again);
      expect(log.given.map(({ id, endings }) => [id, endings])).toEqual([['long', undefined]]);
    });

    verifies('P1', 'work that is killed from outside again and again is not given up', async () => {
      await store().append([timer('long', 'a'), timer('other', 'b')]);
      await store().close();
      for (let kill = 0; kill < KILLS; kill += 1) {
        const child = await start({ hangs: true });
        // From the second ending on it waits for its trial longer than such a process lives.
        await Promise.race([
          waitUntil(() => child.ids('began').includes('long')),
          realClock.sleep(2500),
        ]);
        await child.kill();
        await place().endClaims();
      }
      const again = await reopen(createFastClock(Date.now()));
      const log = await startLog(again);
      await idle(again);
      expect((await again.records.counts()).events).toMatchObject({ done: 2, dead: 0 });
      for (const { endings = 0, attempt } of log.given) {
        expect(endings).toBeLessThan(MAX_ENDINGS);
        expect(attempt).toBe(1);
      }
    });

    verifies('DUR-06', 'what ends the process by itself is given up, others are done', async () => {
      const others = ['b', 'c', 'd', 'e'];
      await store().append([timer('poison', 'k'), timer('next', 'k')]);
      await store().append(others.map((id) => timer(id, id)));
      await store().close();
      let starts = 0;
      let last: Child | undefined;
      for (let isOver = false; !isOver && starts < 2 * STARTS; starts += 1) {
        const child = await start({ poison: 'poison', isFast: true });
        const end = child.ended().then(() => false);
        isOver = await Promise.race([
          end,
          waitUntil(() => child.ids('dead').length > 0).then(() => true),
        ]);
        last = child;
        await place().endClaims();
      }
      expect(starts).toBe(STARTS);
      await waitUntil(() => last?.ids('settled').includes('next') === true);
      await last?.kill();
      await place().endClaims();
      // Others may have been in hand at several ends, and wait the longer for it.
      const again = await reopen(createFastClock(Date.now()));
      const log = await startLog(again);
      await idle(again);
      expect((await again.records.counts()).events).toMatchObject({ done: 5, dead: 1 });
      expect(log.ids()).not.toContain('poison');
      expect(await again.requeue({ status: 'dead' })).toBe(1);
      await waitUntil(() => log.ids().includes('poison'));
      expect(log.given.at(-1)).toMatchObject({ id: 'poison', attempt: 1 });
      expect(log.given.at(-1)).not.toHaveProperty('endings');
    });
  });

  describe('without a kill', () => {
    verifies(
      'DUR-06',
      'what passes its deadline three times is given up, others go on',
      async () => {
        const slow = await reopen(createFastClock(Date.now()));
        await slow.append([timer('hangs', 'k'), timer('next', 'k'), timer('other', 'o')]);
        const given: Work[] = [];
        await slow.work({
          concurrency: 2,
          deadlineMs: 2000,
          consume: async (work) => {
            given.push(work);
            if (work.id === 'hangs' && (work.endings ?? 0) < MAX_ENDINGS)
              return new Promise<never>(() => undefined);
            await slow.settle(work, {
              kind: 'finish',
              status: work.id === 'hangs' ? 'dead' : 'done',
            });
          },
        });
        await idle(slow);
        const seen = given.filter(({ id }) => id === 'hangs');
        expect(seen.map(({ attempt, endings = 0 }) => [attempt, endings])).toEqual([
          [1, 0],
          [1, 0],
          [1, 1],
          [1, 2],
        ]);
        expect((await slow.records.counts()).events).toMatchObject({ done: 2, dead: 1 });
      },
    );

    verifies('DUR-06', 'an orderly stop costs no attempt and makes nothing suspect', async () => {
      await store().append([timer('a', 'a'), timer('b', 'b')]);
      const hang = (): Promise<undefined> => new Promise(() => undefined);
      const first = await startLog(store(), hang);
      await waitUntil(() => first.given.length === 2);
      expect(await first.stop(20)).toBe('abandoned');
      const second = await startLog(store(), hang);
      await waitUntil(() => second.given.length === 2);
      // Each ends when both are in hand, and no time alone ever ends.
      const now = Date.now();
      const again = await reopen({ ...realClock, now: () => now });
      const last = await startLog(again, async () => {
        await waitUntil(() => last.given.length === 2);
        return DONE;
      });
      await idle(again);
      expect([...second.given, ...last.given].map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1]);
    });

    verifies(
      'P2',
      'an effect that was begun is not replaced by a newer one of its slot',
      async () => {
        const lane = { lane: 'l', slot: 's' };
        const give = (id: string): Settlement => ({
          kind: 'finish',
          status: 'done',
          effects: [effect(id, lane)],
        });
        await store().append([timer('a', 'a')]);
        const first = await startLog(
          store(),
          ({ id }) => (id === 'a' ? give('f') : new Promise<undefined>(() => undefined)),
          1,
        );
        await waitUntil(() => first.given.length === 2);
        // It waits in front of what is given back now.
        await store().append([timer('b', 'b')]);
        expect(await first.stop(20)).toBe('abandoned');
        const after = await startLog(store(), ({ id }) => (id === 'b' ? give('g') : DONE), 1);
        await idle(store());
        const effects = after.given.filter(({ kind }) => kind === 'effect');
        expect(effects).toMatchObject([
          { id: 'f', isFirst: false, attempt: 1 },
          { id: 'g', isFirst: true },
        ]);
      },
    );
  });
}
