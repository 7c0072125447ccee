/**
 * Names that change hands between any two requests of the App: renames, transfers, deletions, new repositories under old
 * names and changes of visibility, while the team deliberates and reviews in two repositories at once, or works through a
 * plan. The word that each repository holds is found nowhere but there: not in what is written or pushed to another, not in
 * a prompt beside another's word, and in no line of the log. `NAME_SCHEDULES` is how many schedules are played.
 */
import * as fc from 'fast-check';
import { describe, expect } from 'vitest';
import {
  aNamesWorld,
  aPlannedNamesWorld,
  KINDS,
  type Disturbance,
} from '../helpers/name-schedules.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { verifies } from '../verifies.ts';

const SCHEDULES = Number(process.env['NAME_SCHEDULES'] ?? 6);

const disturbance: fc.Arbitrary<Disturbance> = fc.record({
  kind: fc.constantFrom(...KINDS),
  after: fc.nat(12),
  target: fc.nat(2),
  isLost: fc.boolean(),
});

const WORLDS = [
  { what: 'the team deliberates and reviews', open: aNamesWorld, ends: 2, schedules: SCHEDULES },
  // Each takes as long as three of the others.
  {
    what: 'a plan is worked through',
    open: aPlannedNamesWorld,
    ends: 1,
    schedules: Math.ceil(SCHEDULES / 3),
  },
];

describe.each(WORLDS)('what a repository holds while $what', ({ open, ends, schedules }) => {
  const isSkipped = open === aPlannedNamesWorld && noBwrap !== undefined;
  describe.skipIf(isSkipped)(
    'while names change',
    { timeout: 120_000 + schedules * 120_000 },
    () => {
      verifies('ING-12', 'is reported in that repository when no name changes', async () => {
        const world = await open();
        expect(await world.play([])).toEqual({ told: ends, played: 0 });
      });

      verifies('ING-12', 'stays in it, whatever names change hands', async () => {
        const world = await open();
        let told = 0;
        let played = 0;
        const schedule = fc.array(disturbance, { minLength: 1, maxLength: 5 });
        await fc.assert(
          fc.asyncProperty(schedule, async (changes) => {
            const done = await world.play(changes);
            told += done.told;
            played += done.played;
          }),
          { numRuns: schedules, endOnFailure: true },
        );
        process.stdout.write(`${schedules} schedules, ${played} changes, ${told} ends told\n`);
        expect(played).toBeGreaterThanOrEqual(schedules);
      });
    },
  );
});
