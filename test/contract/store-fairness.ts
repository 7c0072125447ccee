/** Slots are shared between installations: a flood of one is not felt by the others. */
import { array, assert, asyncProperty, integer } from 'fast-check';
import { describe, expect } from 'vitest';
import type { EffectData } from '../../src/domain/event/effect.ts';
import type { NewEvent } from '../../src/domain/event/event.ts';
import type { Settlement, Store, Work } from '../../src/ports/store.ts';
import { verifies } from '../verifies.ts';
import { DONE, effect, gate, idle, timer } from './store-words.ts';
import { waitUntil } from '../helpers/wait-until.ts';

const FLOOD = 1_000;

/** A piece of work that names its installation, in a lane of its own. */
function workOf(installation: number, name: string): NewEvent {
  const trigger = { kind: 'tick', loop: 'reconcile', installationId: installation } as const;
  return { ...timer(name, `key-${name}`), data: { kind: 'trigger', trigger } };
}

function closing(installation: number): EffectData {
  const thread = {
    installationId: installation,
    repositoryId: 7,
    owner: 'o',
    repo: 'r',
    number: 1,
  };
  return { kind: 'close', thread, reason: 'completed' };
}

function many(installation: number, count: number): NewEvent[] {
  return Array.from({ length: count }, (_, n) => workOf(installation, `i${installation}-${n}`));
}

interface Crew {
  given: Work[];
  /** The most that one installation had in hand at once. */
  most: Map<number, number>;
}

async function start(
  store: Store,
  slots: { concurrency: number; perInstallation?: number },
  answer: (work: Work) => Promise<Settlement> | Settlement = () => DONE,
): Promise<Crew> {
  const crew: Crew = { given: [], most: new Map() };
  const inHand = new Map<number, number>();
  await store.work({
    ...slots,
    consume: async (work) => {
      const { installation = 0 } = work;
      crew.given.push(work);
      const now = (inHand.get(installation) ?? 0) + 1;
      inHand.set(installation, now);
      crew.most.set(installation, Math.max(now, crew.most.get(installation) ?? 0));
      const settlement = await answer(work);
      inHand.set(installation, (inHand.get(installation) ?? 0) - 1);
      await store.settle(work, settlement);
    },
  });
  return crew;
}

export function describeFairness(store: () => Store, reopen: () => Promise<void>): void {
  const seenOf = ({ given }: Crew, installation: number): number[] =>
    given.flatMap((work, at) => (work.installation === installation ? [at] : []));

  describe('several installations', () => {
    verifies(
      'LOOP-06: installations are served in turn',
      'a quiet installation is served next although another has 1,000 pieces of work waiting',
      async () => {
        await store().append(many(1, FLOOD));
        await store().append([workOf(2, 'quiet')]);
        await reopen();
        const { given } = await start(store(), { concurrency: 1 }, async ({ id }) => {
          if (id === 'quiet') await new Promise<never>(() => undefined);
          return DONE;
        });
        await waitUntil(() => given.some(({ id }) => id === 'quiet'));
        expect(given.findIndex(({ id }) => id === 'quiet')).toBeLessThanOrEqual(1);
      },
    );

    verifies(
      'LOOP-06: installations are served in turn',
      'what follows from work belongs to its installation, effects, timers and results alike',
      async () => {
        const follow = (id: string): Settlement => ({
          kind: 'finish',
          status: 'done',
          events: [
            timer(`${id}-result`, `key-${id}`),
            timer(`${id}-later`, 'late', { delayMs: 50 }),
          ],
          effects: [
            effect(`${id}-effect`, { data: closing(2) }),
            effect(`${id}-lane`, { lane: 'l', data: closing(2) }),
            effect(`${id}-plain`, { data: { kind: 'reconcile', since: 'now' } }),
          ],
        });
        await store().append([workOf(2, 'first')]);
        const { given } = await start(store(), { concurrency: 4 }, ({ id }) =>
          id === 'first' ? follow(id) : DONE,
        );
        await idle(store());
        expect(given.map(({ installation }) => installation)).toEqual(Array(6).fill(2));
      },
    );

    verifies(
      'LOOP-06: installations are served in turn',
      'among installations that all wait each is served in turn',
      async () => {
        for (const installation of [1, 2, 3]) await store().append(many(installation, 5));
        const crew = await start(store(), { concurrency: 1 });
        await idle(store());
        for (let round = 0; round < 5; round += 1) {
          const served = crew.given.slice(3 * round, 3 * round + 3);
          expect(new Set(served.map(({ installation }) => installation))).toEqual(
            new Set([1, 2, 3]),
          );
        }
      },
    );

    verifies(
      'LOOP-06: installations are served in turn',
      'no installation holds more than its share of slots',
      async () => {
        const hold = gate();
        await store().append([...many(1, 20), timer('of-none', 'n1'), timer('of-none-2', 'n2')]);
        const crew = await start(store(), { concurrency: 6, perInstallation: 3 }, async (work) => {
          if (work.installation !== 2) await hold.wait;
          return DONE;
        });
        await waitUntil(() => crew.given.length === 5);
        await store().append(many(2, 4));
        await waitUntil(() => seenOf(crew, 2).length === 4);
        expect(seenOf(crew, 1)).toHaveLength(3);
        hold.open();
        await idle(store());
        expect(crew.most.get(1)).toBe(3);
        expect(crew.given).toHaveLength(26);
      },
    );

    verifies(
      'LOOP-06: installations are served in turn',
      'work that waits for a time holds no slot of its installation',
      async () => {
        await store().append(many(1, 6));
        const crew = await start(store(), { concurrency: 2, perInstallation: 1 }, ({ id }) =>
          id === 'i1-0' && crew.given.filter((work) => work.id === id).length === 1
            ? { kind: 'retry', delayMs: 1500, reason: 'limit', countsAsAttempt: false }
            : DONE,
        );
        await idle(store());
        expect(crew.given[1]).toMatchObject({ id: 'i1-1' });
        expect(crew.given).toHaveLength(7);
      },
    );

    verifies(
      'LOOP-06: installations are served in turn',
      'shares hold for any mix of installations, and nothing is left',
      async () => {
        let round = 0;
        const counts = array(integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 5 });
        const crew = await start(store(), { concurrency: 4, perInstallation: 2 }, async () => {
          await new Promise((resolve) => {
            setTimeout(resolve, 1);
          });
          return DONE;
        });
        await assert(
          asyncProperty(counts, async (sizes) => {
            round += 1;
            crew.given.length = 0;
            const events = sizes.flatMap((size, at) =>
              Array.from({ length: size }, (_, n) => workOf(at + 1, `${round}-${at}-${n}`)),
            );
            if (events.length > 0) await store().append(events);
            await waitUntil(() => crew.given.length === events.length);
            for (const most of crew.most.values()) expect(most).toBeLessThanOrEqual(2);
          }),
          { numRuns: 8 },
        );
      },
    );
  });
}
