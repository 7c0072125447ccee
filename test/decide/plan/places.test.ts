/** Plans of one repository share its places: never more than there are, the nearest to completion first, nobody for ever last. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decide } from '../../../src/decide/route.ts';
import type { Decision } from '../../../src/decide/run/decision.ts';
import { EVENT_VERSION, type Event, type EventData } from '../../../src/domain/event/event.ts';
import { parsePlan } from '../../../src/domain/plan/body/parse-plan.ts';
import { editPlan } from '../../../src/domain/plan/body/edit-plan.ts';
import {
  MOST_PASSED,
  allocateSlots,
  type PlacesWanted,
  type PlansAtWork,
} from '../../../src/domain/plan/plans-at-work.ts';
import { toRepositoryState } from '../../../src/domain/repository/repository-state.ts';
import { taskKey, type TaskNews, type TaskOrder } from '../../../src/domain/task/task.ts';
import { threadKey } from '../../../src/domain/run/thread-ref.ts';
import { aPersona } from '../../helpers/a-persona.ts';
import { aPlanBody, aPlanLabel, aPlanView, aTask } from '../../helpers/a-plan.ts';
import { ANA, PLAN, TOM } from '../../helpers/a-task.ts';
import { verifies } from '../../verifies.ts';

const REPOSITORY = `repository:${PLAN.repositoryId}`;
const MINUTE = 60_000;
/** A guard against hangs only. */
const MOST_EVENTS = 10_000;
const PERSONAS = ['dev', 'sam', 'kim'].map((handle) => aPersona({ handle }));

interface Ended {
  order: TaskOrder;
  state: 'completed' | 'failed' | 'released';
}

/** Streams, each with what waits for it; tasks and GitHub are played. */
function playRepository(most: number, plans: readonly { count: number; isChain: boolean }[]) {
  const states = new Map<string, unknown>();
  const queues = new Map<string, Event[]>();
  const timers: { at: number; event: Event }[] = [];
  const bodies = new Map<number, string>();
  const working = new Map<string, TaskOrder>();
  /** Plans in the order in which their tasks began. */
  const begun: number[] = [];
  let now = Date.parse('2026-11-22T08:00:00Z');
  let count = 0;
  let mostWorking = 0;
  const put = (event: Event): void => {
    queues.set(event.key, [...(queues.get(event.key) ?? []), event]);
  };
  const post = (key: string, data: EventData): void => {
    count += 1;
    const at = new Date(now).toISOString();
    put({ id: `e${count}`, key, version: EVENT_VERSION, at, data: structuredClone(data) });
  };
  const viewOf = (number: number) => {
    const issue = { number, body: bodies.get(number) ?? '', author: { ...ANA, isBot: false } };
    const view = aPlanView(issue, { personas: PERSONAS, actorPermission: 'write', writer: ANA });
    const access = { ...view.config.access, maxConcurrentThreads: most };
    return { ...view, config: { ...view.config, access } };
  };
  const take = ({ state, effects, events }: Decision, { key }: Event): void => {
    states.set(key, JSON.parse(JSON.stringify(state)));
    for (const { id, run, data } of effects) {
      if (data.kind !== 'look-plan') continue;
      const result = viewOf(data.thread.number);
      post(key, { kind: 'done', effectKind: 'look-plan', effectId: id, run, result });
    }
    for (const event of events)
      if (event.delayMs === undefined) put(event);
      else timers.push({ at: now + event.delayMs, event });
  };
  const reduce = (event: Event): void => {
    if (event.data.kind === 'task-go') {
      const { order } = event.data;
      if (working.has(taskKey(order.ref))) throw new Error('it is worked on already');
      working.set(taskKey(order.ref), order);
      begun.push(order.ref.plan.number);
      mostWorking = Math.max(mostWorking, working.size);
      return;
    }
    take(decide(states.get(event.key), event, { now }), event);
  };
  for (const [n, { count: tasks, isChain }] of plans.entries()) {
    const thread = { ...PLAN, number: n + 1 };
    const all = Array.from({ length: tasks }, (_, at) =>
      aTask(at + 1, { dependencies: isChain && at > 0 ? [at] : [] }),
    );
    const body = aPlanBody({ tasks: all });
    bodies.set(n + 1, body);
    const trigger = aPlanLabel(thread, { ...ANA, isBot: false }, body);
    post(threadKey(thread), { kind: 'trigger', trigger });
  }
  const end = ({ order, state }: Ended): void => {
    const { ref, persona } = order;
    working.delete(taskKey(ref));
    const number = ref.plan.number;
    if (state === 'completed') {
      const plan = parsePlan(bodies.get(number) ?? '');
      bodies.set(number, editPlan(plan, [{ kind: 'status', task: ref.task, status: state }]));
    }
    const at = new Date(now).toISOString();
    const news: TaskNews = { task: ref.task, state, persona, attempt: 1, at };
    post(threadKey(ref.plan), { kind: 'task-told', run: 'r', news });
  };
  return {
    begun,
    mostWorking: () => mostWorking,
    working: () => [...working.values()],
    end,
    post,
    kept: () => toRepositoryState(states.get(REPOSITORY))?.plansAtWork ?? {},
    isDone: () =>
      [...bodies.values()].every((body) =>
        parsePlan(body).tasks.every(({ status }) => status === 'completed'),
      ),
    /** One event of the n-th stream that has any. */
    step: (n: number): boolean => {
      const waiting = [...queues].filter(([, events]) => events.length > 0);
      const [key, events] = waiting[n % Math.max(1, waiting.length)] ?? ['', []];
      const [event, ...rest] = events;
      if (event === undefined) return false;
      queues.set(key, rest);
      reduce(event);
      return true;
    },
    drain(): void {
      for (let n = 0; this.step(0); n += 1)
        if (n > MOST_EVENTS) throw new Error(`There is no end after ${MOST_EVENTS} events.`);
    },
    sleep: (ms: number): void => {
      now += ms;
      for (const timer of timers.splice(0))
        if (timer.at <= now) put(timer.event);
        else timers.push(timer);
    },
  };
}

const somePlans = fc.array(
  fc.record({ count: fc.integer({ min: 1, max: 4 }), isChain: fc.boolean() }),
  { minLength: 1, maxLength: 4 },
);

describe('plans of one repository', () => {
  verifies(
    'TG-4',
    'never work on more tasks than it allows, and all of them finish, whatever comes when',
    () => {
      const chance = fc.array(fc.integer({ min: 0, max: 1_000 }), {
        minLength: 20,
        maxLength: 120,
      });
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 3 }), somePlans, chance, (most, plans, chances) => {
          const play = playRepository(most, plans);
          for (const n of chances) {
            if (n % 5 < 3) play.step(n);
            else if (n % 5 === 3) play.sleep(n * 100);
            else {
              const all = play.working();
              const order = all[n % Math.max(1, all.length)];
              const ends = ['completed', 'failed', 'released'] as const;
              const state = ends[n % 3] ?? 'failed';
              if (order !== undefined) play.end({ order, state });
            }
          }
          for (let rounds = 0; !play.isDone() && rounds < 100; rounds += 1) {
            play.drain();
            for (const order of play.working()) play.end({ order, state: 'completed' });
            play.sleep(15 * MINUTE);
          }
          play.drain();
          expect(play.isDone()).toBe(true);
          expect(play.mostWorking()).toBeLessThanOrEqual(most);
          // Nothing is kept for anybody any more.
          expect(play.kept()).toEqual({});
        }),
        { numRuns: 50 },
      );
    },
  );

  test('begin in the order of how near they are to completion, and the older one first', () => {
    const play = playRepository(1, [
      { count: 3, isChain: true },
      { count: 2, isChain: true },
      { count: 2, isChain: true },
    ]);
    for (let rounds = 0; !play.isDone() && rounds < 20; rounds += 1) {
      play.drain();
      for (const order of play.working()) play.end({ order, state: 'completed' });
    }
    expect(play.begun).toEqual([1, 1, 1, 2, 2, 3, 3]);
  });
});

const wanted = (number: number, over: Partial<PlacesWanted> = {}) => ({
  thread: { ...PLAN, number },
  plan: `plan-${number}`,
  said: 1,
  busy: 0,
  needs: 1,
  left: 1,
  total: 1,
  most: 1,
  ...over,
});

function share(before: PlansAtWork, word: ReturnType<typeof wanted>, now = 0): PlansAtWork {
  return allocateSlots(before, word, { now })?.plans ?? before;
}

function placesIn(plans: PlansAtWork): Record<string, number> {
  return Object.fromEntries(Object.entries(plans).map(([key, { places }]) => [key, places]));
}

describe('a place', () => {
  test('goes to the plan that is nearest to completion', () => {
    const busy = share({}, wanted(1, { busy: 1, left: 9, total: 10 }));
    const far = share(busy, wanted(2, { left: 4, total: 5 }));
    const near = share(far, wanted(3, { left: 2, total: 5 }));
    expect(placesIn(near)).toEqual({ 1: 1, 2: 0, 3: 0 });
    const freed = share(near, wanted(1, { said: 2, needs: 1, left: 8, total: 10 }));
    expect(placesIn(freed)).toEqual({ 1: 0, 2: 0, 3: 1 });
  });

  test('is not given twice to a word that was said before another', () => {
    const first = share({}, wanted(1, { said: 2, busy: 1, needs: 1 }));
    expect(allocateSlots(first, wanted(1, { said: 1, needs: 5 }), { now: 0 })).toBeUndefined();
  });

  test('stays with running work even when the limit is lower now', () => {
    const two = share({}, wanted(1, { busy: 2, needs: 3, most: 1 }));
    expect(placesIn(two)).toEqual({ 1: 2 });
    expect(placesIn(share(two, wanted(2)))).toEqual({ 1: 2, 2: 0 });
  });

  test('is given back by a plan whose record was lost, and counting starts again', () => {
    const before = share({}, wanted(1, { said: 9, busy: 1 }));
    const after = share(before, { ...wanted(2), said: 1 });
    const anew = share(after, { ...wanted(1, { needs: 0 }), plan: 'another life' });
    expect(placesIn(anew)).toEqual({ 2: 1 });
  });

  test('goes to another plan while the Coder has no session for the nearer one', () => {
    const sessions = [{ by: ANA.id, at: new Date(0).toISOString() }];
    const limits = { perHour: 9, perPersonPerHour: 1 };
    const of = (by: number) => ({ session: { by, limits } });
    const near = allocateSlots(
      {},
      { ...wanted(1, { total: 9 }), ...of(ANA.id) },
      { now: 1, sessions },
    );
    const far = { ...wanted(2), ...of(TOM.id) };
    const plans = allocateSlots(near?.plans ?? {}, far, { now: 1, sessions })?.plans ?? {};
    expect(placesIn(plans)).toEqual({ 1: 0, 2: 1 });
  });

  test('is free again a week after its plan spoke last', () => {
    const day = 24 * 3_600_000;
    const gone = share({}, wanted(1, { busy: 1 }));
    const waiting = share(gone, wanted(2), 7 * day - 1);
    expect(placesIn(waiting)).toEqual({ 1: 1, 2: 0 });
    expect(placesIn(share(waiting, wanted(2, { said: 2 }), 7 * day))).toEqual({ 2: 1 });
  });

  test('is given to who was passed over too often, however far from its end that plan is', () => {
    let plans = share(share({}, wanted(1, { busy: 1 })), wanted(9, { left: 9, total: 9 }));
    const given: number[] = [];
    for (let n = 1; n < 9 && given.at(-1) !== 9; n += 1) {
      // A nearer plan is always there, and ends as soon as it began.
      plans = share(plans, wanted(n + 1, { left: 1, total: 9 }));
      plans = share(plans, wanted(n, { said: 2, needs: 0 }));
      given.push(
        ...Object.values(plans).flatMap((each) => (each.places > 0 ? [each.thread.number] : [])),
      );
    }
    expect(given).toEqual([...Array.from({ length: MOST_PASSED }, (_, n) => n + 2), 9]);
  });

  test('never goes to a plan while a nearer one waits that is not passed over more often', () => {
    const word = fc.record({
      number: fc.integer({ min: 1, max: 5 }),
      busy: fc.integer({ min: 0, max: 3 }),
      more: fc.integer({ min: 0, max: 3 }),
      left: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(word), (most, words) => {
        let plans: PlansAtWork = {};
        for (const [n, { number, busy, more, left }] of words.entries()) {
          const before = plans;
          const needs = busy + more;
          plans = share(plans, wanted(number, { said: n + 1, busy, needs, left, total: 9, most }));
          const all = Object.values(plans);
          const sum = all.reduce((total, { places }) => total + places, 0);
          for (const { thread, ...lucky } of all) {
            const was = before[thread.number];
            if (lucky.places <= Math.max(lucky.busy, was?.places ?? 0)) continue;
            expect(sum).toBeLessThanOrEqual(most);
            const isLate = (was?.passed ?? 0) + most > MOST_PASSED;
            const nearer = all.filter((each) => each.needs > each.places && each.left < lucky.left);
            expect(isLate || nearer.length === 0).toBe(true);
          }
        }
      }),
    );
  });
});
