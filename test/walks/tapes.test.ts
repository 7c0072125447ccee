/** Recorded effects ask the same of their ports again, and end the same; `test/fixtures/walks/README.md` says what a difference means. */
import { expect, test } from 'vitest';
import { readTapes } from './fixture.ts';
import { replayTape } from './replay-tape.ts';

const { personas, tapes } = readTapes();

for (const [index, tape] of tapes.entries()) {
  test(`${index}: ${tape.effect.data.kind} of ${tape.from}`, async () => {
    const { ending, unknown, missing, answered } = await replayTape(tape, personas);
    expect({ unknown, missing, answered }).toEqual({ unknown: [], missing: [], answered: [] });
    expect(ending).toEqual(tape.ending);
  });
}
