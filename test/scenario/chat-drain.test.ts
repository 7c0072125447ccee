/** A long queue for Slack, in the store of a whole App that is killed again and again. */
import { expect, test } from 'vitest';
import { drainChats } from '../chaos/drain-chats.ts';

test('of thirty answers in three threads, three kills lose none, send none twice and keep their order', async () => {
  const { wanted, sent, tooSoon, impatient } = await drainChats({
    answers: 30,
    threads: 3,
    kills: 3,
    speed: 10,
    refusedSeconds: 5,
  });
  expect(sent).toEqual(wanted);
  // Within each process. A restart forgets a limit, which then costs one request that is refused.
  expect({ tooSoon, impatient }).toEqual({ tooSoon: 0, impatient: 0 });
});
