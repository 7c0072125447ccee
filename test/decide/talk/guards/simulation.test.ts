/** Thousands of random conversations between instances, other bots and people, all of which end. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { mayAnswer } from '../../../../src/decide/talk/guards/may-answer.ts';
import { verifies } from '../../../verifies.ts';
import { simulate, type Cast, type Guard, type Outcome } from './simulate.ts';

const cast: fc.Arbitrary<Cast> = fc.record({
  seed: fc.integer({ min: 0, max: 2 ** 31 }),
  instances: fc.integer({ min: 2, max: 10 }),
  bots: fc.integer({ min: 0, max: 4 }),
  people: fc.integer({ min: 1, max: 3 }),
  humanWords: fc.integer({ min: 1, max: 6 }),
  isListed: fc.boolean(),
});

const MAX_HOPS = 2;

function farthest({ said }: Outcome): number {
  return Math.max(0, ...said.filter(({ role }) => role === 'quorum').map(({ hops }) => hops));
}

verifies(
  ['TG-10', 'TG-11', 'TG-12', 'TG-13'],
  'thousands of conversations end within two hops after the last human word',
  () => {
    let answers = 0;
    let cascades = 0;
    fc.assert(
      fc.property(cast, (given) => {
        const outcome = simulate(given, mayAnswer);
        answers += outcome.said.filter(({ role }) => role === 'quorum').length;
        cascades += farthest(outcome) === MAX_HOPS ? 1 : 0;
        expect(outcome.hasEnded).toBe(true);
        expect(farthest(outcome)).toBeLessThanOrEqual(MAX_HOPS);
        const lastWord = outcome.said.findLastIndex(({ role }) => role === 'person');
        const after = outcome.said.slice(lastWord + 1).filter(({ role }) => role === 'quorum');
        // Each instance answers the person once, and may be drawn in once more.
        expect(after.length).toBeLessThanOrEqual(2 * given.instances);
      }),
      { numRuns: 3_000 },
    );
    // The guards are no wall: people are answered, and a teammate who is asked speaks once.
    expect(answers).toBeGreaterThan(3_000);
    expect(cascades).toBeGreaterThan(50);
  },
);

test('the simulation can tell: without the guards it goes on for ever', () => {
  const careless: Guard = (conversation) => {
    const last = conversation.comments.at(-1);
    return last !== undefined && last.kind !== 'us' && last.addressesUs
      ? { answer: true, to: last.id, maybeCircle: false }
      : { answer: false, reason: 'not-addressed', react: false };
  };
  const given = { instances: 6, bots: 3, people: 2, humanWords: 3, isListed: true };
  const seeds = Array.from({ length: 50 }, (_, index) => index * 7_919);
  const outcomes = seeds.map((seed) => simulate({ ...given, seed }, careless));
  expect(outcomes.filter((each) => farthest(each) > MAX_HOPS).length).toBeGreaterThan(10);
});
