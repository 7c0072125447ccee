/** How personas stand to each other decides nothing: the same council with all relationships replaced wants the same. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Relationship } from '../../src/domain/persona/persona.ts';
import type { Position } from '../../src/domain/run/council.ts';
import { aPosition, aVerdict, aView, TEAM } from '../helpers/an-issue.ts';
import { ANA, play, THREAD, type Play } from '../helpers/play.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const relationship: fc.Arbitrary<Relationship> = fc.record({
  trust: share,
  rapport: share,
  tension: share,
});
const HANDLES = TEAM.map(({ handle }) => handle);
/** Of each persona towards each other one. */
const relationships = fc.array(fc.array(relationship, { minLength: 4, maxLength: 4 }), {
  minLength: 4,
  maxLength: 4,
});
const vote: fc.Arbitrary<Position['vote']> = fc.constantFrom('READY', 'DRAFT', 'CLOSE');

function council(
  all: readonly (readonly Relationship[])[],
  votes: readonly Position['vote'][],
  lead: 'READY' | 'DRAFT' | 'CLOSE',
): Play {
  const personas = TEAM.map((persona, n) => ({
    ...persona,
    relationships: Object.fromEntries(
      HANDLES.flatMap((to, m) => {
        const towards = all[n]?.[m];
        return to === persona.handle || towards === undefined ? [] : [[to, towards]];
      }),
    ),
  }));
  const played = play({
    look: () => aView({ personas }),
    ask: ({ purpose, persona }) =>
      purpose === 'verdict'
        ? aVerdict({ verdict: lead })
        : aPosition({ vote: votes[HANDLES.indexOf(persona)] ?? 'READY' }),
  });
  played.send({ kind: 'labeled', thread: THREAD, actor: ANA, label: 'deliberate' });
  return played;
}

test('every effect of a council, its verdict and comments included, is the same whatever the relationships are', () => {
  fc.assert(
    fc.property(
      fc.tuple(relationships, relationships),
      fc.array(vote, { minLength: 4, maxLength: 4 }),
      fc.constantFrom('READY', 'DRAFT', 'CLOSE'),
      (both, votes, lead) => {
        const [first, second] = both.map((all) => council(all, votes, lead));
        expect(second?.effects).toEqual(first?.effects);
        expect(second?.bodies()).toEqual(first?.bodies());
        expect(first?.of('comment').length).toBeGreaterThan(0);
      },
    ),
    { numRuns: 40 },
  );
});
