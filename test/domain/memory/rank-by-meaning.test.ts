/** Joining the order of words with the order of meaning, and vectors as they are kept. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  vectorCloseness,
  packVector,
  rankByMeaning,
  unpackVector,
} from '../../../src/domain/memory/recall/rank-by-meaning.ts';

const kept = (...vector: number[]): Int8Array => unpackVector(packVector(vector));

describe('a kept vector', () => {
  test.each([
    { where: 'the same way', a: [1, 2], b: [10, 20], expected: 1 },
    { where: 'the opposite way', a: [1, 2], b: [-1, -2], expected: -1 },
    { where: 'across', a: [1, 0], b: [0, 3], expected: 0 },
    { where: 'nowhere', a: [0, 0], b: [1, 0], expected: 0 },
    { where: 'in another space', a: [1, 0], b: [1, 0, 0], expected: 0 },
  ])('that points $where', ({ a, b, expected }) => {
    expect(vectorCloseness(kept(...a), kept(...b))).toBeCloseTo(expected, 2);
  });

  test('keeps its direction', () => {
    const number = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(number, { minLength: 8, maxLength: 64 }), (vector) => {
        const most = Math.max(...vector.map(Math.abs));
        fc.pre(most > 0.01);
        const exact = Int8Array.from(vector, (each) => Math.round((each / most) * 127));
        expect(unpackVector(packVector(vector))).toEqual(exact);
      }),
    );
  });
});

describe('rankByMeaning', () => {
  const ids = ['a', 'b', 'c', 'd'];

  test('keeps the order of words where nothing is known of the meaning', () => {
    expect(rankByMeaning(ids, new Map())).toEqual(ids);
  });

  test('keeps an order that both agree on', () => {
    const closeness = new Map([
      ['a', 0.9],
      ['b', 0.8],
      ['c', 0.1],
      ['d', 0],
    ]);
    expect(rankByMeaning(ids, closeness)).toEqual(ids);
  });

  test('brings what is last by words and first by meaning before what is last by meaning', () => {
    const closeness = new Map([
      ['a', 0.7],
      ['b', 0.5],
      ['c', 0.1],
      ['d', 0.9],
    ]);
    const ranked = rankByMeaning(ids, closeness);
    expect(ranked.indexOf('d')).toBeLessThan(ranked.indexOf('c'));
    expect(ranked[0]).toBe('a');
  });

  test('loses nothing and adds nothing', () => {
    const closeness = fc.dictionary(fc.constantFrom(...ids, 'x'), fc.double({ noNaN: true }));
    fc.assert(
      fc.property(closeness, (of) => {
        const ranked = rankByMeaning(ids, new Map(Object.entries(of)));
        expect(ranked.toSorted()).toEqual(ids);
      }),
    );
  });
});
