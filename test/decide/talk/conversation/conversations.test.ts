/** Random conversations through the reducer itself, from the delivery of a comment to the comment that answers it. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../../verifies.ts';
import { playConversation, type Cast, type Outcome } from './play-conversation.ts';

const cast: fc.Arbitrary<Cast> = fc.record({
  seed: fc.integer({ min: 0, max: 2 ** 31 }),
  instances: fc.integer({ min: 1, max: 3 }),
  bots: fc.integer({ min: 0, max: 3 }),
  people: fc.integer({ min: 1, max: 3 }),
  humanWords: fc.integer({ min: 1, max: 6 }),
  pauseMs: fc.constantFrom(0, 20_000, 300_000, 4_000_000),
  isListed: fc.boolean(),
});

const MAX_HOPS = 2;
const MAX_OWN_AN_HOUR = 12;
const HOUR_MS = 3_600_000;

/** What is wrong with how a conversation went, in words. */
function faultsOf({ said, hasEnded, asks }: Outcome): string[] {
  const own = said.filter(({ role }) => role === 'quorum');
  const answersTo = Map.groupBy(own, ({ by, to }) => `${by} to ${to}`);
  const talks = Map.groupBy(asks, ({ instance, talk }) => `${instance} ${talk}`);
  const busiest = own.filter(
    ({ by, at }) =>
      own.filter((each) => each.by === by && each.at <= at && each.at > at - HOUR_MS).length >
      MAX_OWN_AN_HOUR,
  );
  return [
    hasEnded ? '' : 'it goes on for ever',
    own.some(({ hops }) => hops > MAX_HOPS) ? 'an answer too far from the last human word' : '',
    own.some(({ by, to }) => said.find(({ id }) => id === to)?.by === by)
      ? 'an own word answered'
      : '',
    [...answersTo.values()].some((each) => each.length > 1) ? 'two answers to one comment' : '',
    [...talks.values()].some((each) => each.length > 2) ? 'more than a second voice' : '',
    asks.some(({ depth }) => depth > 1) ? 'a cascade of a cascade' : '',
    busiest.length > 0 ? 'too many comments in an hour' : '',
  ].filter((fault) => fault !== '');
}

verifies(
  ['TG-10', 'TG-12', 'TG-13', 'LOOP-02', 'LOOP-07: one comment for an event', 'NW-12', 'P6'],
  'conversations through the reducer end within two hops, one answer to a comment, and within the caps',
  () => {
    let answers = 0;
    fc.assert(
      fc.property(cast, (given) => {
        const outcome = playConversation(given);
        answers += outcome.said.filter(({ role }) => role === 'quorum').length;
        expect(faultsOf(outcome)).toEqual([]);
      }),
      { numRuns: 150 },
    );
    // The guards are no wall: people are answered.
    expect(answers).toBeGreaterThan(150);
  },
);

verifies('P6', 'who asks forty times at once is answered a dozen times in an hour', () => {
  for (const bots of [0, 2]) {
    const flood = { instances: 1, bots, people: 1, humanWords: 40, pauseMs: 1_000, isListed: true };
    expect(faultsOf(playConversation({ ...flood, seed: 7 }))).toEqual([]);
  }
});

test('the property can tell: where every account passes for a person, it does not hold', () => {
  const given = {
    instances: 3,
    bots: 1,
    people: 2,
    humanWords: 2,
    pauseMs: 20_000,
    isListed: true,
  };
  const faults = faultsOf(playConversation({ ...given, seed: 1, isBlind: true }));
  expect(faults).toContain('an answer too far from the last human word');
  expect(faults).toContain('an own word answered');
});
