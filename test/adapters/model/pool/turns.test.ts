/** Turns as a value: whatever an installation asks for, the others get theirs. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  requestTurn,
  finishTurn,
  grantTurns,
  isNextOfItsOwn,
  keepTurn,
  cancelTurn,
  mostOf,
  noTurns,
  rateWaitMs,
  SHARED_MS,
  type Turns,
  type Waiting,
} from '../../../../src/adapters/model/pool/turns.ts';
import { verifies } from '../../../verifies.ts';

const who = fc.constantFrom('a', 'b', 'c', 'd');
const moves = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('enter'), who }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('finish'), who }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave'), who }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('away'), who }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('pass'), who }) },
  ),
  { maxLength: 120, size: 'max' },
);

interface Play {
  turns: Turns;
  now: number;
  ids: number;
  /** Of installations that have nothing under way and want a turn: how often each other one was served meanwhile. */
  passedOver: Map<string, Map<string, number>>;
}

/** One move, and what is free is given out after it. */
function play(state: Play, move: { kind: string; who: string }): void {
  const { turns } = state;
  const own = turns.waiting.find((each) => each.who === move.who);
  if (move.kind === 'enter') {
    state.ids += 1;
    state.turns = requestTurn(turns, { id: state.ids, who: move.who });
  } else if (move.kind === 'finish' && (turns.running[move.who] ?? 0) > 0)
    state.turns = finishTurn(turns, move.who);
  else if (move.kind === 'leave' && own !== undefined) state.turns = cancelTurn(turns, own.id);
  else if (move.kind === 'away' && own !== undefined)
    state.turns = isNextOfItsOwn(turns, own)
      ? keepTurn(turns, own, state.now + 10_000)
      : cancelTurn(turns, own.id);
  else if (move.kind === 'pass') state.now += 4_000;
  noteWanting(state);
  const { turns: after, granted } = grantTurns(state.turns, state.now);
  state.turns = after;
  for (const each of granted) noteServed(state, each);
  noteWanting(state);
}

/** Who wants a turn and has none under way is to be passed over at most once by each other one. */
function noteWanting({ turns, now, passedOver }: Play): void {
  const kept = Object.entries(turns.kept).filter(([, until]) => until > now);
  const wanting = new Set([...turns.waiting.map((each) => each.who), ...kept.map(([id]) => id)]);
  for (const id of passedOver.keys())
    if (!wanting.has(id) || (turns.running[id] ?? 0) > 0) passedOver.delete(id);
  for (const id of wanting)
    if (!passedOver.has(id) && (turns.running[id] ?? 0) === 0) passedOver.set(id, new Map());
}

function noteServed({ turns, now, passedOver }: Play, served: Waiting): void {
  passedOver.delete(served.who);
  const isFree = freeOf(turns, now) > 0;
  for (const [id, counts] of passedOver) {
    // Whose slot is empty and kept for it was not passed over.
    if (isFree && !turns.waiting.some((each) => each.who === id)) continue;
    counts.set(served.who, (counts.get(served.who) ?? 0) + 1);
  }
}

function freeOf({ limits: of, running, starts }: Turns, now: number): number {
  const busy = Object.values(running).reduce((sum, n) => sum + n, 0);
  const inMinute = starts.filter((at) => at > now - 60_000).length;
  return Math.min(of.concurrency - busy, (of.rpm ?? Infinity) - inMinute);
}

const limits = fc.record({
  concurrency: fc.integer({ min: 1, max: 4 }),
  rpm: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
});

const start = (of: Turns['limits']): Play => ({
  turns: noTurns(of),
  now: 0,
  ids: 0,
  passedOver: new Map(),
});

describe('turns at one endpoint', () => {
  verifies(
    'CB-15',
    'pass nobody over for more than one turn of each other installation, however many it wants',
    () => {
      fc.assert(
        fc.property(limits, moves, (of, all) => {
          const state = start(of);
          for (const move of all) {
            play(state, move);
            for (const counts of state.passedOver.values())
              expect(Math.max(0, ...counts.values())).toBeLessThanOrEqual(1);
          }
        }),
        { numRuns: 500 },
      );
    },
  );

  test('stay within the limits, and leave no slot empty that somebody below its share waits for', () => {
    fc.assert(
      fc.property(limits, moves, (of, all) => {
        const state = start(of);
        const starts: number[] = [];
        for (const move of all) {
          const { count, running } = state.turns;
          const before = { count, most: (id: string) => running[id] ?? 0 };
          play(state, move);
          for (let n = before.count; n < state.turns.count; n += 1) starts.push(state.now);
          const { turns, now } = state;
          const busy = Object.values(turns.running).reduce((sum, n) => sum + n, 0);
          const inMinute = starts.filter((at) => at > now - 60_000).length;
          expect(busy).toBeLessThanOrEqual(of.concurrency);
          expect(inMinute).toBeLessThanOrEqual(of.rpm ?? Infinity);
          const free = Math.min(of.concurrency - busy, (of.rpm ?? Infinity) - inMinute);
          const has = (id: string): number => turns.running[id] ?? 0;
          for (const [id, n] of Object.entries(turns.running))
            if (n > mostOf(turns, id)) expect(n).toBeLessThanOrEqual(before.most(id));
          if (turns.waiting.some((each) => has(each.who) < mostOf(turns, each.who)))
            expect(free).toBeLessThanOrEqual(Object.keys(turns.kept).length);
        }
      }),
      { numRuns: 500 },
    );
  });

  verifies(
    'CB-15',
    'go to one installation alone, and half of them where another one called within a day',
    () => {
      const of = { concurrency: 4, rpm: undefined };
      const flood = (turns: Turns, now: number): number => {
        const many = [1, 2, 3, 4, 5].reduce(
          (all, id) => requestTurn(all, { id, who: 'flood' }),
          turns,
        );
        return grantTurns(many, now).granted.length;
      };
      expect(flood(noTurns(of), 0)).toBe(4);
      const called = finishTurn(
        grantTurns(requestTurn(noTurns(of), { id: 9, who: 'quiet' }), 0).turns,
        'quiet',
      );
      expect(flood(called, SHARED_MS - 1)).toBe(2);
      expect(flood(called, SHARED_MS)).toBe(4);
    },
  );

  test('keep the turn of a refused caller until it had time to retry', () => {
    let turns = noTurns({ concurrency: 1, rpm: undefined });
    const give = (now: number): string[] => {
      const { turns: after, granted } = grantTurns(turns, now);
      turns = after;
      return granted.map(({ who: id }) => id);
    };
    turns = requestTurn(turns, { id: 1, who: 'flood' });
    expect(give(0)).toEqual(['flood']);
    turns = requestTurn(turns, { id: 2, who: 'quiet' });
    expect(give(0)).toEqual([]);
    turns = keepTurn(turns, { id: 2, who: 'quiet' }, 3_000);
    turns = requestTurn(turns, { id: 3, who: 'flood' });
    turns = finishTurn(turns, 'flood');
    expect(give(1_000)).toEqual([]);
    turns = requestTurn(turns, { id: 4, who: 'quiet' });
    expect(give(2_000)).toEqual(['quiet']);
    turns = finishTurn(turns, 'quiet');
    expect(give(2_000)).toEqual(['flood']);
    // A caller that does not return is not waited for.
    turns = keepTurn(requestTurn(turns, { id: 5, who: 'quiet' }), { id: 5, who: 'quiet' }, 3_000);
    turns = requestTurn(finishTurn(turns, 'flood'), { id: 6, who: 'flood' });
    expect(give(2_999)).toEqual([]);
    expect(give(3_000)).toEqual(['flood']);
  });

  test('tell when the rate has room again', () => {
    let turns = noTurns({ concurrency: 9, rpm: 2 });
    for (const [id, now] of [
      [1, 0],
      [2, 20_000],
    ] as const)
      turns = grantTurns(requestTurn(turns, { id, who: 'a' }), now).turns;
    expect(rateWaitMs(turns, 20_000)).toBe(40_000);
    expect(rateWaitMs(turns, 60_000)).toBe(0);
  });
});
