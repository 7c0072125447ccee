/** How strict the prompt is follows how often nothing is seen, one step at a time. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { moveStrictness, STRICTNESS } from '../../../src/domain/standup/strictness.ts';
import { verifies } from '../../verifies.ts';

test.each([
  ['even', 20, 1, { to: 'strict', why: 'inventing', rate: 0.05 }],
  ['open', 20, 0, { to: 'even', why: 'inventing', rate: 0 }],
  ['strict', 20, 0, undefined],
  ['even', 20, 15, { to: 'open', why: 'not-looking', rate: 0.75 }],
  ['open', 20, 20, undefined],
  ['even', 20, 2, undefined],
  ['even', 20, 14, undefined],
  ['even', 20, 8, undefined],
  ['even', 19, 0, undefined],
] as const)('%s, %i answers, %i without a tension', (...row) => {
  const [from, answers, noTension, expected] = row;
  const move = moveStrictness(from, { answers, noTension });
  if (expected === undefined) expect(move).toBeUndefined();
  else expect(move).toEqual({ from, answers, ...expected });
});

verifies('LS-11: one step', 'a move is to the next level, less strict where nobody looks', () => {
  const answers = fc.nat(60).chain((all) => fc.tuple(fc.constant(all), fc.nat(all)));
  fc.assert(
    fc.property(fc.constantFrom(...STRICTNESS), answers, (from, [all, noTension]) => {
      const move = moveStrictness(from, { answers: all, noTension });
      if (move === undefined) return;
      const step = STRICTNESS.indexOf(move.to) - STRICTNESS.indexOf(from);
      expect(step).toBe(move.why === 'not-looking' ? -1 : 1);
      expect(noTension / all > 0.5).toBe(move.why === 'not-looking');
    }),
  );
});
