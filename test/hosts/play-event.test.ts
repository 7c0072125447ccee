/** What a job plays, whatever it is about: one event to its end, and no end that nobody decided. */
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite.ts';
import { systemRandom } from '../../src/adapters/system/system-clock.ts';
import type { Reducer } from '../../src/decide/route.ts';
import { EVENT_VERSION } from '../../src/domain/event/event.ts';
import { playedId, playEvent } from '../../src/hosts/action/job/play-event.ts';
import { createFastClock } from '../contract/fast-clock.ts';
import { PLAN } from '../helpers/a-task.ts';
import { ANA } from '../helpers/play.ts';

const quiet = () => undefined;
const log = { info: quiet, warn: quiet, error: quiet, debug: quiet };
const NOTHING = { effects: [], events: [] };

async function play(decide: Reducer): Promise<string> {
  const clock = createFastClock();
  const store = await openSqliteStore({ memory: true, clock });
  onTestFinished(() => store.close());
  const at = new Date(clock.now()).toISOString();
  const trigger = { kind: 'edited' as const, thread: PLAN, actor: ANA };
  const played = {
    basics: { env: {}, log, clock, random: systemRandom },
    store,
    keys: ['thread:1/1', 'repository:1'] as const,
    claim: 'claim',
    at,
    data: { kind: 'trigger' as const, trigger },
    decide,
    perform: () => Promise.reject(new Error('nothing is carried out here')),
    what: 'the standup',
    timeoutMs: 3_600_000,
  };
  return playEvent(played, async () => {
    const seen = (await store.load('thread:1/1'))?.state as { id: string };
    expect(seen.id).toBe(playedId(played));
    return seen.id;
  });
}

test('an event is decided, and what the store has at the end is read', async () => {
  expect(await play((_, { id }) => ({ state: { id }, ...NOTHING }))).toMatch(/^actions:/);
});

test('an event that no decision came of fails the job, with the reason and what to do', async () => {
  const broken: Reducer = () => {
    throw new Error('no such phase');
  };
  await expect(play(broken)).rejects.toMatchObject({
    code: 'action-run-failed',
    message: expect.stringMatching(
      /^The standup could not go on: .*no such phase.*\. Run the failed job again\.$/,
    ) as string,
  });
});

test('an event that a newer version has to decide fails the job, and says which version is needed', async () => {
  const older: Reducer = (state, event) => {
    if (event.id.endsWith('/told')) return { state, ...NOTHING };
    const told = { ...event, id: `${event.id}/told`, version: EVENT_VERSION + 1 };
    return { state, effects: [], events: [told] };
  };
  await expect(play(older)).rejects.toMatchObject({
    code: 'action-run-failed',
    message: `The standup could not go on: event version ${EVENT_VERSION + 1} is newer than this worker. Set a newer version of Quorum in this workflow, then run it again.`,
  });
});
