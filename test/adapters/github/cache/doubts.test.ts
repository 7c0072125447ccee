/** An answer that may be stale is asked for again from the queue, before it is believed. */
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../verifies.ts';
import {
  createTestClock,
  inQueue,
  openGitHub,
  openStage,
  REF,
  THREAD,
  WIRE_SELF,
  wireIssue,
  type Reply,
  type Stage,
  type TestClock,
} from '../stage.ts';

const THERE: Reply = { body: wireIssue(5, { user: WIRE_SELF }) };

/** Answers one after the other, the last one from then on. */
function inTurn(...replies: Reply[]): () => Reply {
  let next = 0;
  return () => replies[Math.min(next++, replies.length - 1)] ?? {};
}

describe('an issue', () => {
  const readIn = (stage: Stage, clock: TestClock) => {
    const { read } = openGitHub(stage, clock).at(REF);
    return inQueue(clock, () => read.issue(THREAD));
  };

  verifies('ING-11', 'that does not exist yet is read twice more, from the queue', async () => {
    const stage = await openStage(inTurn({ status: 404 }, { status: 404 }, THERE));
    const clock = createTestClock();
    const { found, waits } = await readIn(stage, clock);
    expect(found).toMatchObject({ number: 5 });
    expect(waits).toEqual([300, 900]);
    expect(clock.naps).toEqual([]);
  });

  verifies('ING-11', 'that stays away is not found, and at once for the next effect', async () => {
    const stage = await openStage(() => ({ status: 404 }));
    const clock = createTestClock();
    const { read } = openGitHub(stage, clock).at(REF);
    const reading = inQueue(clock, () => read.issue(THREAD));
    await expect(reading).rejects.toMatchObject({
      code: 'github-not-found',
      isEventuallyConsistent: true,
    });
    expect(stage.seen).toHaveLength(3);
    await expect(read.issue(THREAD)).rejects.toMatchObject({ code: 'github-not-found' });
    clock.advance(10 * 60_000);
    await expect(read.issue(THREAD)).rejects.toMatchObject({ code: 'github-lagging' });
    expect(clock.naps).toEqual([]);
  });

  test('that was there in between is doubted from the beginning', async () => {
    const stage = await openStage(inTurn({ status: 404 }, THERE, { status: 404 }));
    const clock = createTestClock();
    const { read } = openGitHub(stage, clock).at(REF);
    await inQueue(clock, () => read.issue(THREAD));
    clock.advance(5_000);
    await expect(read.issue(THREAD)).rejects.toMatchObject({
      code: 'github-lagging',
      retryAfterMs: 300,
    });
  });
});
