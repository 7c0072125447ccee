/** How personas stand to each other decides nothing: with all relationships replaced the same is wanted. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Relationship } from '../../src/domain/persona/persona.ts';
import type { ChangeVerdict, Position } from '../../src/domain/run/council.ts';
import { aPullView } from '../helpers/a-finding.ts';
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

function related(all: readonly (readonly Relationship[])[]) {
  return TEAM.map((persona, n) => ({
    ...persona,
    relationships: Object.fromEntries(
      HANDLES.flatMap((to, m) => {
        const towards = all[n]?.[m];
        return to === persona.handle || towards === undefined ? [] : [[to, towards]];
      }),
    ),
  }));
}

function council(
  all: readonly (readonly Relationship[])[],
  votes: readonly Position['vote'][],
  lead: 'READY' | 'DRAFT' | 'CLOSE',
): Play {
  const personas = related(all);
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

function review(
  all: readonly (readonly Relationship[])[],
  votes: readonly ChangeVerdict['verdict'][],
  lead: ChangeVerdict['verdict'],
): Play {
  const personas = related(all);
  const played = play({
    look: () => ({ code: 'bug', message: '', retryable: false }),
    pull: () => aPullView({ personas }),
    ask: ({ purpose, persona }) =>
      purpose === 'verdict'
        ? aVerdict({ verdict: lead, question: 'Which?' })
        : aPosition({ vote: votes[HANDLES.indexOf(persona)] ?? 'APPROVE' }),
  });
  const about = { thread: THREAD, actor: ANA };
  played.send({ kind: 'pull', action: 'opened', headSha: 'b'.repeat(40), ...about });
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

test('every effect of a review, its check and findings included, is the same as well', () => {
  const word = fc.constantFrom('APPROVE' as const, 'CHANGES' as const);
  fc.assert(
    fc.property(
      fc.tuple(relationships, relationships),
      fc.array(word, { minLength: 4, maxLength: 4 }),
      fc.constantFrom('APPROVE' as const, 'CHANGES' as const, 'HUMAN' as const),
      (both, votes, lead) => {
        const [first, second] = both.map((all) => review(all, votes, lead));
        expect(second?.effects).toEqual(first?.effects);
        expect(first?.of('review-check').length).toBeGreaterThan(0);
      },
    ),
    { numRuns: 40 },
  );
});

test('what standups have learned of relationships is read by standups alone', () => {
  const src = join(import.meta.dirname, '../../src');
  const readers = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .filter((name) => /load\([^)]*'relations'\)/.test(readFileSync(join(src, name), 'utf8')));
  expect(readers.toSorted()).toEqual([
    'act/standup/look-standup.ts',
    'hosts/action/standup/advance-standups.ts',
  ]);
});
