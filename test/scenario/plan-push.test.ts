/**
 * Between the proof of a change and its push, things happen that no event reported. Quorum looks
 * once more before it pushes.
 */
import { execFileSync } from 'node:child_process';
import { describe, expect } from 'vitest';
import { aPlanWorld, sayTask, type PlanWorld } from '../helpers/a-plan-story.ts';
import { REPO } from '../helpers/a-world.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { runningWith } from '../helpers/running-with.ts';
import { branchesOf } from '../helpers/what-is-left.ts';
import { verifies } from '../verifies.ts';
import { waitUntil } from '../helpers/wait-until.ts';

async function reword(world: PlanWorld): Promise<void> {
  const body = (await world.body(1)).replace(
    'Add `goodbye(name)`.',
    'Add `goodbye(name)`, please.',
  );
  await world.emulator.as('ana').request('PATCH', `/repos/${REPO}/issues/1`, { body });
}

async function switchOff({ emulator }: PlanWorld): Promise<void> {
  const path = `/repos/${REPO}/contents/.github/quorum.yml`;
  const { sha } = (await emulator.as('ana').request('GET', path)) as { sha: string };
  const content = Buffer.from('enabled: false\n').toString('base64');
  await emulator.as('ana').request('PUT', path, { message: 'Off', content, sha });
}

/** A task whose tests are running, where GitHub tells nobody of what happens to its plan. */
async function whileTested(
  act: (world: PlanWorld) => Promise<unknown>,
  by = 'ana',
): Promise<PlanWorld> {
  const nap = `5.${String(Math.random()).slice(2, 8)}`;
  const script = `sleep ${nap}; echo '# tests 1'; echo '# pass 1'; echo '# fail 0'; echo '# skipped 0'\n`;
  const settings = 'merge:\n  mode: auto\ngates:\n  testCommand: sh test.sh\n';
  const world = await aPlanWorld(settings, {}, { 'test.sh': script });
  await world.plan([sayTask(1, 'goodbye')], by);
  if (by !== 'ana') {
    await world.idle();
    await world.emulator.as(by).comment(REPO, 1, '/pm approve');
  }
  await waitUntil(() => runningWith(`sleep\u{0}${nap}`).length > 0);
  world.emulator.faults.addHook({ event: 'issues', times: Infinity, fault: { kind: 'lost' } });
  await act(world);
  await world.idle();
  return world;
}

describe.skipIf(noBwrap !== undefined)('what was proved is not pushed', () => {
  async function expectNothingPushed(world: PlanWorld, why: string): Promise<void> {
    expect([await branchesOf(world), await world.pulls()]).toEqual([['main'], []]);
    const failed = await world.store.records.effects({ status: 'refused', limit: 10 });
    expect(failed.map(({ data, reason }) => [data.kind, reason?.split(':')[0]])).toContainEqual([
      'publish',
      why,
    ]);
  }

  verifies(['CB-4', 'TG-4'], 'when the text changed by then', async () => {
    const world = await whileTested(reword);
    await expectNothingPushed(world, 'task-edited');
  });

  verifies(['CMD-02'], 'when the person who approved it may not write any more', async () => {
    const world = await whileTested(({ emulator }) => {
      emulator.addCollaborator(REPO, 'tom', 'read');
      return Promise.resolve();
    }, 'tom');
    await expectNothingPushed(world, 'permission-lost');
    expect(await world.body(1)).toContain('who said yes, does not have the write role any more');
  });

  verifies(['CMD-02'], 'when the team is switched off by then', async () => {
    const world = await whileTested(switchOff);
    await expectNothingPushed(world, 'switched-off');
  });

  verifies(['TG-4', 'DUR-03'], 'when the hold is somebody else’s by then', async () => {
    const world = await whileTested(({ emulator }) => {
      const { gitDir } = emulator.repository(REPO);
      const lease = ['update-ref', '-d', 'refs/quorum/leases/1-1'];
      execFileSync('git', ['--git-dir', gitDir, ...lease]);
      return Promise.resolve();
    });
    await expectNothingPushed(world, 'lease-lost');
  });
});
