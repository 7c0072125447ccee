/** A task's pull request is answered as soon as people see it, before its thread has heard from the task. */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { aPlanWorld, sayTask } from '../helpers/a-plan-story.ts';
import { REPO } from '../helpers/a-world.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { waitUntil } from '../helpers/wait-until.ts';
import { threadKey } from '../../src/domain/run/thread-ref.ts';
import type { ThreadState } from '../../src/decide/run/thread-context.ts';
import { verifies } from '../verifies.ts';

const PULL = 2;
const SLOW_MS = 120_000;
/** The comment is read within it, before the task hears that its pull request is open. */
const HELD_MS = 8_000;

describe.skipIf(noBwrap !== undefined)('a pull request of a task', { timeout: SLOW_MS }, () => {
  verifies('TG-6', 'is merged on an approval that came before its task told of it', async () => {
    const world = await aPlanWorld();
    // Who could review it is asked for after it is open.
    world.emulator.faults.add({
      method: 'GET',
      path: /\/collaborators$/,
      fault: { kind: 'latency', ms: HELD_MS },
    });
    await world.plan([sayTask(1, 'goodbye')]);
    await waitUntil(async () => (await world.pulls()).length === 1);
    // GitHub's times are whole seconds: an approval in the second of the head is not after it.
    await wait(1_500);
    await world.emulator.as('tom').comment(REPO, PULL, '/pm approve');
    const { id: repositoryId } = world.emulator.repository(REPO);
    const key = threadKey({ repositoryId, number: PULL });
    const state = async () => (await world.store.load(key))?.state as ThreadState | undefined;
    const phases = async () =>
      Object.values((await state())?.talks ?? {}).map(({ phase }) => phase.kind);
    await waitUntil(async () => (await phases()).includes('waiting'));
    expect((await state())?.task).toBeUndefined();
    await waitUntil(async () => (await world.pulls()).every(({ merged_at: at }) => at !== null));
    const { comments } = await world.tell(PULL);
    expect(comments.join('\n')).not.toContain('does not belong to a task');
  });
});
