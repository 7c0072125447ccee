/** What was decided about every event of recorded runs is decided again; `test/fixtures/walks/README.md` says what a difference means. */
import { expect, test } from 'vitest';
import { decide } from '../../src/decide/route.ts';
import { readWalks } from './fixture.ts';
import { replayWalk } from './walk.ts';

for (const [index, walk] of readWalks().entries()) {
  const key = walk.steps[0]?.event.key ?? '';
  test(`${index}: ${key} of ${walk.from}, ${walk.steps.length} events`, () => {
    const decided = replayWalk(walk, decide);
    for (const [n, step] of walk.steps.entries())
      expect(decided[n], `event ${n}, ${step.event.id}`).toEqual(step.decided);
  });
}
