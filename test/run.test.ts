/** The engine alone: a real embedded store, a reducer and effects of the test's own. */
import type { ErrorCode } from '../src/domain/event/error-codes.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Attempt } from '../src/act/effect-context.ts';
import type { Performed } from '../src/act/ports.ts';
import { openSqliteStore } from '../src/adapters/store/sqlite/open-sqlite.ts';
import { systemRandom } from '../src/adapters/system/system-clock.ts';
import type { Decision } from '../src/decide/run/decision.ts';
import type { Effect } from '../src/domain/event/effect.ts';
import { ConfigError, RefusedError, TransientError } from '../src/domain/event/errors.ts';
import { EVENT_VERSION, UNHEARD, type Event, type NewEvent } from '../src/domain/event/event.ts';
import type { Settlement, Store, Work } from '../src/ports/store.ts';
import { MAX_ENDINGS } from '../src/domain/event/suspicion.ts';
import { MAX_ATTEMPTS } from '../src/retry.ts';
import { consume } from '../src/run.ts';
import { createFastClock } from './contract/fast-clock.ts';
import { ANA, THREAD } from './helpers/play.ts';
import { verifies } from './verifies.ts';

const KEY = 'thread:7/12';
const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };

interface Told {
  decide?: (state: unknown, event: Event) => Decision;
  perform?: (effect: Effect, nth: number, attempt: Attempt) => Promise<Performed>;
  /** What the engine sees instead of the store's own. */
  around?: (store: Store) => Partial<Pick<Store, 'load' | 'settle'>>;
}

interface Bench {
  store: Store;
  clock: ReturnType<typeof createFastClock>;
  performed: string[];
  /** Log lines of level error. */
  errors: [object, string][];
  send(event?: Partial<NewEvent>): Promise<void>;
  rest(): Promise<void>;
}

function anEffect(id: string, at: number): Effect {
  return {
    id,
    key: KEY,
    run: 'run-1',
    at: new Date(at).toISOString(),
    lane: 'one',
    data: { kind: 'react', thread: THREAD, add: 'eyes' },
  };
}

const DONE: Performed = {
  effectKind: 'react',
  result: null,
  githubCalls: { 'POST /reactions': 1 },
};

async function bench(told: Told): Promise<Bench> {
  const clock = createFastClock(Date.now());
  const store = await openSqliteStore({ memory: true, clock });
  const performed: string[] = [];
  const errors: [object, string][] = [];
  const engine = {
    store: {
      ...store,
      load: (key: string) => store.load(key),
      settle: (work: Work, settlement: Settlement) => store.settle(work, settlement),
      ...told.around?.(store),
    },
    clock,
    random: systemRandom,
    log: {
      ...QUIET,
      error: (fields: object, message: string) => void errors.push([fields, message]),
    },
    decide: told.decide ?? ((state: unknown) => ({ state: state ?? {}, effects: [], events: [] })),
    perform: (effect: Effect, attempt: Attempt) => {
      performed.push(effect.id);
      return told.perform?.(effect, performed.length, attempt) ?? Promise.resolve(DONE);
    },
  };
  const worker = await store.work({ concurrency: 4, consume: (work) => consume(work, engine) });
  onTestFinished(async () => {
    await worker.stop(1_000);
    await store.close();
  });
  let count = 0;
  return {
    store,
    clock,
    performed,
    errors,
    send: async (event = {}) => {
      count += 1;
      await store.append([
        {
          id: `event-${count}`,
          key: KEY,
          version: EVENT_VERSION,
          at: new Date(clock.now()).toISOString(),
          data: { kind: 'trigger', trigger: { kind: 'edited', thread: THREAD, actor: ANA } },
          ...event,
        },
      ]);
    },
    rest: async () => {
      for (let i = 0, quiet = 0; i < 8_000 && quiet < 3; i += 1) {
        const { events, effects } = await store.records.counts();
        quiet = events.pending + effects.pending === 0 ? quiet + 1 : 0;
        await wait(10);
      }
    },
  };
}

/** Wants one effect for the trigger, and notes its result. */
function wantsOne(clock: () => number): (state: unknown, event: Event) => Decision {
  return (state, event) => {
    const before = (state ?? { v: 1, back: [] }) as { v: number; back: string[] };
    const isTrigger = event.data.kind === 'trigger';
    return {
      state: isTrigger ? before : { ...before, back: [...before.back, event.data.kind] },
      effects: isTrigger ? [anEffect(`${event.id}/1`, clock())] : [],
      events: [],
    };
  };
}

describe('a result that no reducer waits for', () => {
  const unheard = (state: unknown, event: Event): Decision => {
    const { effects, ...rest } = wantsOne(Date.now)(state, event);
    return { ...rest, effects: effects.map((effect) => ({ ...effect, isUnheard: true as const })) };
  };

  test('is kept for traces, and never reduced', async () => {
    const it = await bench({ decide: unheard });
    await it.send();
    await it.rest();
    const [result] = await it.store.records.events({ idEnd: ':done', limit: 5 });
    expect(result).toMatchObject({
      status: 'ignored',
      reason: UNHEARD,
      data: { kind: 'done', effectKind: 'react' },
    });
    expect((await it.store.load(KEY))?.state).toEqual({ v: 1, back: [] });
  });

  test('is reduced all the same when it is a failure', async () => {
    const refused = new RefusedError({ code: 'github-forbidden', message: 'no' });
    const it = await bench({ decide: unheard, perform: () => Promise.reject(refused) });
    await it.send();
    await it.rest();
    expect((await it.store.load(KEY))?.state).toEqual({ v: 1, back: ['failed'] });
  });
});

describe('the engine', () => {
  verifies(
    ['P1', 'DUR-07: event of a newer version'],
    'an event of a newer version is parked, with the reason',
    async () => {
      const it = await bench({});
      await it.send({ version: EVENT_VERSION + 1 });
      await it.rest();
      const [parked] = await it.store.records.events({ status: 'parked', limit: 5 });
      expect(parked?.reason).toContain('newer than this worker');
    },
  );

  verifies(
    'P1',
    'state that a newer worker wrote is left alone and its events are parked',
    async () => {
      const it = await bench({
        decide: () => {
          throw new ConfigError({ code: 'state-newer', message: 'of another version' });
        },
      });
      await it.send();
      await it.rest();
      expect(await it.store.records.events({ status: 'parked', limit: 5 })).toHaveLength(1);
    },
  );

  verifies(
    ['P1', 'DUR-06'],
    'a reducer that throws puts its event aside; the others go on, and it can be requeued',
    async () => {
      let isBroken = true;
      const it = await bench({
        decide: (state, event) => {
          if (isBroken && event.id === 'event-1') throw new Error('a bug');
          return { state: state ?? {}, effects: [], events: [] };
        },
      });
      await it.send();
      await it.send();
      await it.rest();
      expect(await it.store.records.counts()).toMatchObject({ events: { dead: 1, done: 1 } });
      isBroken = false;
      expect(await it.store.requeue({ status: 'dead' })).toBe(1);
      await it.rest();
      expect(await it.store.records.counts()).toMatchObject({ events: { dead: 0, done: 2 } });
    },
  );

  verifies(
    'TG-22',
    'a transient failure is retried with growing waits, and the result is returned as an event',
    async () => {
      const it = await bench({
        perform: (_, nth) =>
          nth < 3
            ? Promise.reject(new TransientError({ code: 'github-unavailable', message: '502' }))
            : Promise.resolve(DONE),
        decide: (state, event) => wantsOne(() => it.clock.now())(state, event),
      });
      await it.send();
      await it.rest();
      expect(it.performed).toEqual(['event-1/1', 'event-1/1', 'event-1/1']);
      const snapshot = await it.store.load(KEY);
      expect(snapshot?.state).toMatchObject({ back: ['done'] });
      const [effect] = await it.store.records.effects({ limit: 1 });
      expect(effect).toMatchObject({ status: 'done', githubCalls: { 'POST /reactions': 1 } });
    },
  );

  verifies(
    ['TG-22', 'LIM-01'],
    'waiting out a named limit costs no attempt, however often',
    async () => {
      const it = await bench({
        perform: (_, nth) =>
          nth <= MAX_ATTEMPTS + 5
            ? Promise.reject(
                new TransientError({
                  code: 'github-rate-limited',
                  message: 'later',
                  retryAfterMs: 2_000,
                }),
              )
            : Promise.resolve(DONE),
        decide: (state, event) => wantsOne(() => it.clock.now())(state, event),
      });
      await it.send();
      await it.rest();
      expect(it.performed).toHaveLength(MAX_ATTEMPTS + 6);
      expect(await it.store.records.counts()).toMatchObject({ effects: { done: 1, dead: 0 } });
    },
  );

  verifies(
    'P7',
    'what has not passed for three days is given up, visibly, and its run receives the failure',
    async () => {
      const it = await bench({
        perform: () => {
          it.clock.advance(13 * 3_600_000);
          return Promise.reject(new TransientError({ code: 'github-unavailable', message: '502' }));
        },
        decide: (state, event) => wantsOne(() => it.clock.now())(state, event),
      });
      await it.send();
      await it.rest();
      const [effect] = await it.store.records.effects({ limit: 1 });
      expect(effect?.status).toBe('dead');
      expect(it.performed.length).toBeGreaterThan(3);
      expect((await it.store.load(KEY))?.state).toMatchObject({ back: ['failed'] });
    },
  );

  verifies(
    'TG-22',
    'an effect with a shorter limit of its own is tried a few times, and its run receives the failure',
    async () => {
      const again = { retryAfterMs: 5 * 60_000, maxRetryMs: 30 * 60_000 };
      const it = await bench({
        perform: () => {
          it.clock.advance(5 * 60_000);
          return Promise.reject(
            new TransientError({ code: 'disk-full', message: 'no room', ...again }),
          );
        },
        decide: (state, event) => wantsOne(() => it.clock.now())(state, event),
      });
      await it.send();
      await it.rest();
      expect(it.performed.length).toBeGreaterThan(2);
      expect(it.performed.length).toBeLessThan(8);
      expect((await it.store.load(KEY))?.state).toMatchObject({ back: ['failed'] });
    },
  );

  verifies(
    'TG-22',
    'what is given up sooner by its own word has that long from its first refusal, not from its decision',
    async () => {
      const errors = (['disk-full', 'git-unreachable', 'disk-full', 'disk-full'] as const).map(
        (code) => new TransientError({ code, message: 'no', maxRetryMs: 30 * 60_000 }),
      );
      const it = await bench({
        perform: () => {
          const error = errors.shift();
          it.clock.advance(20 * 60_000);
          return error === undefined ? Promise.resolve(DONE) : Promise.reject(error);
        },
        decide: (state, event) => wantsOne(() => it.clock.now() - 3_600_000)(state, event),
      });
      await it.send();
      await it.rest();
      expect(it.performed).toHaveLength(5);
      expect((await it.store.load(KEY))?.state).toMatchObject({ back: ['done'] });
    },
  );

  verifies(
    'LOOP-06',
    'a wait in the queue is no attempt, and an effect receives how often it waited',
    async () => {
      const again = (code: ErrorCode) =>
        new TransientError({ code, message: 'no', retryAfterMs: 300 });
      const codes: ErrorCode[] = [
        'model-again',
        'model-again',
        'model-busy',
        ...Array<ErrorCode>(7).fill('model-again'),
      ];
      const seen: string[] = [];
      const it = await bench({
        perform: (_effect, nth, { waits }) => {
          seen.push(waits === undefined ? '' : `${waits.code} ${waits.times}`);
          const code = codes[nth - 1];
          return code === undefined ? Promise.resolve(DONE) : Promise.reject(again(code));
        },
        decide: (state, event) => wantsOne(() => it.clock.now())(state, event),
      });
      await it.send();
      await it.rest();
      expect(seen.slice(0, 6)).toEqual([
        '',
        'model-again 1',
        'model-again 2',
        'model-busy 1',
        'model-again 1',
        'model-again 2',
      ]);
      const [effect] = await it.store.records.effects({ limit: 1 });
      expect(effect).toMatchObject({ status: 'done', attempts: 1 });
    },
  );

  verifies('TG-22', 'what is refused is not tried again', async () => {
    const it = await bench({
      perform: () => Promise.reject(new RefusedError({ code: 'github-forbidden', message: 'no' })),
      decide: (state, event) => wantsOne(() => it.clock.now())(state, event),
    });
    await it.send();
    await it.rest();
    expect(it.performed).toHaveLength(1);
    const [effect] = await it.store.records.effects({ limit: 1 });
    expect(effect).toMatchObject({ status: 'refused', reason: 'github-forbidden: no' });
  });

  verifies(
    'TG-22',
    'a refusal that may be a copy’s lag is asked for once more, and then believed',
    async () => {
      const init = {
        code: 'github-not-found',
        message: 'no',
        isEventuallyConsistent: true,
      } as const;
      const it = await bench({
        perform: () => Promise.reject(new RefusedError(init)),
        decide: (state, event) => wantsOne(() => it.clock.now())(state, event),
      });
      await it.send();
      await it.rest();
      expect(it.performed).toHaveLength(2);
      const [effect] = await it.store.records.effects({ limit: 1 });
      expect(effect).toMatchObject({ status: 'refused', reason: 'github-not-found: no' });
      expect(it.errors).toEqual([]);
    },
  );

  /** What each attempt is refused with; later ones are not. */
  const REFUSED: [what: string, codes: ErrorCode[], performed: number, status: string][] = [
    [
      'two refusals of different calls are each asked again',
      ['git-refused', 'github-forbidden'],
      3,
      'done',
    ],
    [
      'a refusal after an outage is asked again',
      ['github-unavailable', 'github-forbidden'],
      3,
      'done',
    ],
    [
      'what says something else each time is believed in the end',
      ['no-pull', 'no-ref', 'no-work', 'no-issues', 'no-builds', 'no-folder'],
      5,
      'refused',
    ],
  ];
  for (const [what, codes, performed, status] of REFUSED)
    verifies('TG-22', what, async () => {
      const it = await bench({
        perform: (_, nth) => {
          const code = codes[nth - 1];
          if (code === undefined) return Promise.resolve(DONE);
          const init = { code, message: 'no' };
          if (code === 'github-unavailable') return Promise.reject(new TransientError(init));
          return Promise.reject(new RefusedError({ ...init, isEventuallyConsistent: true }));
        },
        decide: (state, event) => wantsOne(() => it.clock.now())(state, event),
      });
      await it.send();
      await it.rest();
      expect(it.performed).toHaveLength(performed);
      expect(await it.store.records.effects({ limit: 1 })).toMatchObject([{ status }]);
    });

  verifies('P7', 'an event outlives ten settlements that the store did not take', async () => {
    let refused = 0;
    const it = await bench({
      around: (store) => ({
        settle: (work, settlement) => {
          if (refused === 10) return store.settle(work, settlement);
          refused += 1;
          const init = { code: 'store-down', message: 'away', retryAfterMs: 1000 } as const;
          return Promise.reject(new TransientError(init));
        },
      }),
    });
    await it.send();
    await it.rest();
    const [event] = await it.store.records.events({ limit: 1 });
    expect(event).toMatchObject({ status: 'done', attempts: 1 });
    expect(refused).toBe(10);
    expect(await it.store.load(KEY)).toMatchObject({ version: 1 });
  });

  verifies(
    'DUR-06',
    'an event that fails five times is dead-lettered, and the log says so',
    async () => {
      const it = await bench({
        around: () => ({ load: () => Promise.reject(new Error('a row that nobody can read')) }),
      });
      await it.send();
      await it.rest();
      const [event] = await it.store.records.events({ limit: 1 });
      expect(event).toMatchObject({ status: 'dead', attempts: MAX_ATTEMPTS + 1 });
      expect(it.errors).toEqual([
        [
          {
            event: 'event-1',
            key: KEY,
            attempts: MAX_ATTEMPTS + 1,
            code: 'given-out-too-often',
          },
          expect.stringContaining('dead-lettered'),
        ],
      ]);
    },
  );

  verifies(
    'DUR-06',
    'work that failed too often, or ends processes, is dead-lettered',
    async () => {
      const it = await bench({});
      const engine = {
        store: it.store,
        clock: it.clock,
        random: systemRandom,
        log: QUIET,
        decide: () => ({ state: {}, effects: [], events: [] }),
        perform: () => Promise.resolve(DONE),
      };
      const settled: unknown[] = [];
      const store = {
        ...it.store,
        settle: (_: unknown, settlement: unknown) => Promise.resolve(void settled.push(settlement)),
      };
      const work = {
        kind: 'effect',
        id: 'e',
        lane: undefined,
        attempt: MAX_ATTEMPTS + 1,
        isFirst: false,
        reason: undefined,
        effect: anEffect('e', it.clock.now()),
        token: 't',
      } as const;
      await consume(work, { ...engine, store });
      const ending = { ...work, attempt: 1, endings: MAX_ENDINGS };
      await consume(ending, { ...engine, store });
      const data = { kind: 'timer', timer: 't', run: 'r' } as const;
      const event = { id: 'v', key: KEY, version: 1, at: '2026-01-01T00:00:00.000Z', data };
      await consume({ ...ending, kind: 'event', id: 'v', lane: KEY, event }, { ...engine, store });
      await consume({ ...ending, endings: MAX_ENDINGS - 1 }, { ...engine, store });
      const dead = (reason: string, more: object) => ({
        kind: 'finish',
        status: 'dead',
        reason: expect.stringMatching(`^${reason}: `),
        ...more,
      });
      const failed = (code: ErrorCode) => ({
        events: [{ data: { kind: 'failed', failure: { code } } }],
      });
      expect(settled).toMatchObject([
        dead('given-out-too-often', failed('given-out-too-often')),
        dead('ends-the-process', failed('ends-the-process')),
        dead('ends-the-process', {}),
        { kind: 'finish', status: 'done' },
      ]);
    },
  );
});

test.each([
  [59_999, 'is still performed as the first attempt', true],
  [60_000, 'looks for its own traces before it writes', false],
])('an effect decided %d ms ago %s', async (ageMs, _, isFirst) => {
  const { store } = await bench({});
  const now = Date.parse('2026-01-05T09:00:00Z');
  const attempts: Attempt[] = [];
  const engine = {
    store: { ...store, settle: () => Promise.resolve() },
    clock: { now: () => now, sleep: () => Promise.resolve() },
    random: systemRandom,
    log: QUIET,
    decide: () => ({ state: {}, effects: [], events: [] }),
    perform: (_effect: Effect, attempt: Attempt) => {
      attempts.push(attempt);
      return Promise.resolve(DONE);
    },
  };
  const work = {
    kind: 'effect',
    id: 'e',
    lane: undefined,
    attempt: 1,
    isFirst: true,
    reason: undefined,
    effect: anEffect('e', now - ageMs),
    token: 't',
  } as const;
  await consume(work, engine);
  expect(attempts).toEqual([{ isFirst, isUntouched: true }]);
});
