/**
 * An App whose workers could all be busy with long work: waiting work occupies no worker, and
 * people get answers.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { aPlanWorld, sayTask } from '../helpers/a-plan-story.ts';
import { REPO } from '../helpers/a-world.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { aMark, runningWith } from '../helpers/running-with.ts';
import { waitUntil } from '../helpers/wait-until.ts';

describe.skipIf(noBwrap !== undefined)('two tasks whose tests take hours', () => {
  test('leave a worker free for the person who stops them, and leave nothing behind', async () => {
    const mark = aMark();
    const world = await aPlanWorld(
      'gates:\n  testCommand: sh test.sh\n  testTimeoutSeconds: 100000\n',
      { app: { concurrency: 2 } },
      { 'test.sh': `while :; do sleep ${mark}; done\n` },
    );
    const number = await world.plan([sayTask(1, 'goodbye'), sayTask(2, 'welcome')]);
    const verifying = async (): Promise<(string | undefined)[]> => {
      const all = await world.store.records.effects({ status: 'pending', limit: 100 });
      return all.filter(({ data }) => data.kind === 'verify').map(({ id }) => id);
    };
    await waitUntil(async () => runningWith(mark).length > 0 && (await verifying()).length >= 2);
    // Where two tasks run at once, both have started now.
    await wait(1_000);
    await world.emulator.as('tom').comment(REPO, number, '/pm stop');
    await waitUntil(() => runningWith(mark).length === 0);
    await world.idle();
    expect((await world.body(number)).match(/\*\*Status:\*\* blocked/g)).toHaveLength(2);
    expect(await world.pulls()).toEqual([]);
  });
});
