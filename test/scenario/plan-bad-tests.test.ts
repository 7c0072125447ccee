/** A repository's test command that says one thing and does another, in an approved plan: only what holds is believed. */
import { describe, expect } from 'vitest';
import { aPlanWorld, sayTask, type PlanWorld } from '../helpers/a-plan-story.ts';
import { listen } from '../helpers/listen.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { aMark, runningWith } from '../helpers/running-with.ts';
import { leasesOf } from '../helpers/what-is-left.ts';
import { verifies } from '../verifies.ts';

const SLOW_MS = 120_000;

function summary({ pass, fail }: { pass: number; fail: number }): string {
  const counts = [`tests ${pass + fail}`, `pass ${pass}`, `fail ${fail}`, 'skipped 0'];
  return counts.map((line) => `echo '# ${line}'`).join('; ');
}

/** A plan of one task whose own change is sound, where the repository's tests are this script. */
async function planTestedBy(script: string, seconds = 60): Promise<PlanWorld> {
  const command = `gates:\n  testCommand: sh test.sh\n  testTimeoutSeconds: ${seconds}\n`;
  const world = await aPlanWorld(`merge:\n  mode: auto\n${command}`, {}, { 'test.sh': script });
  await world.plan([sayTask(1, 'goodbye')]);
  await world.idle();
  return world;
}

async function expectStopped(world: PlanWorld, ...says: string[]): Promise<void> {
  expect(await world.pulls()).toEqual([]);
  const [comment] = (await world.tell(1)).comments;
  for (const each of says) expect(comment).toContain(each);
  expect(await world.body(1)).toContain('**Status:** blocked');
}

describe.skipIf(noBwrap !== undefined)('a task whose test command', { timeout: SLOW_MS }, () => {
  for (const [what, script, says] of [
    [
      'prints success and exits 1',
      `${summary({ pass: 3, fail: 0 })}; exit 1\n`,
      'ended with 1: 3 passed, 0 failed',
    ],
    [
      'prints a failure and exits 0',
      `${summary({ pass: 2, fail: 1 })}; exit 0\n`,
      '2 passed, 1 failed',
    ],
  ] as const)
    verifies(['TG-5', 'EXE-03'], `${what} is tried again, then put before a person`, async () => {
      await expectStopped(await planTestedBy(script), says, 'failed 3 times');
    });

  verifies(['TG-5', 'EXE-04'], 'runs nothing waits for a person, at once', async () => {
    const world = await planTestedBy(`${summary({ pass: 0, fail: 0 })}; exit 0\n`);
    await expectStopped(world, '`sh test.sh` ran no test.');
  });

  verifies(
    ['TG-5', 'EXE-08: endless loop', 'EXE-08: task ends and its lease is free'],
    'hangs is ended, and neither a process nor a lease of it is left',
    async () => {
      const mark = aMark();
      const world = await planTestedBy(`trap '' TERM; while :; do sleep ${mark}; done\n`, 1);
      await expectStopped(world, '`sh test.sh` did not end within');
      expect(runningWith(mark)).toEqual([]);
      expect(leasesOf(world)).toMatchObject([{ isReleased: true }]);
    },
  );

  verifies(['TG-5', 'EXE-02: child processes'], 'opens the network reaches nobody', async () => {
    const { port, reached } = await listen();
    const call = `require('node:net').connect(${port}, '127.0.0.1').on('error', () => {})`;
    const world = await planTestedBy(`node -e "${call}"; ${summary({ pass: 1, fail: 0 })}\n`);
    expect([await world.pulls(), reached()]).toMatchObject([[{ number: 2 }], 0]);
  });
});
