/** What a project needs cannot be had: its plan says so, in words that harm nobody, and a stop ends the waiting. */
import { describe, expect } from 'vitest';
import { aPlanWorld, sayTask } from '../helpers/a-plan-story.ts';
import { REPO } from '../helpers/a-world.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { aMark, runningWith } from '../helpers/running-with.ts';
import { verifies } from '../verifies.ts';
import { waitUntil } from '../helpers/wait-until.ts';

const SECRET = ['gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0', 'k1L2m3N4o5P6q7R8'].join('');

function settings(command: string): string {
  return `plans:\n  maxAttempts: 1\ncoder:\n${command}`;
}

describe.skipIf(noBwrap !== undefined)('a task whose project', () => {
  verifies(
    'CB-5',
    'cannot be installed says the last words of it, without keys, and closes its code',
    async () => {
      const script = `echo 'fetching \`somewhere\` with ${SECRET} for @scope/package'; exit 3\n`;
      const files = { 'fetch.sh': script };
      const world = await aPlanWorld(settings('  initCommand: sh fetch.sh\n'), {}, files);
      const number = await world.plan([sayTask(1, 'goodbye')]);
      await world.idle();
      const [body, [comment = '']] = [
        await world.body(number),
        (await world.tell(number)).comments,
      ];
      expect(comment).toContain('ended with 3, so nothing could be worked on or tested.');
      expect(comment).toContain("It said: `fetching 'somewhere' with");
      expect(body).toContain('**Status:** blocked (');
      expect(`${body}${comment}`).not.toContain(SECRET);
      const [status = ''] = /\*\*Status:\*\* blocked .*/.exec(body) ?? [];
      expect(status.split('`').length % 2).toBe(1);
    },
  );

  verifies(
    ['CB-5', 'EXE-02: setup', 'EXE-02: report of what was refused'],
    'asks a host that is not allowed says which, and the setting',
    async () => {
      const world = await aPlanWorld(
        settings('  initCommand: curl -fsS https://registry.evil.example\n'),
      );
      const number = await world.plan([sayTask(1, 'goodbye')]);
      await world.idle();
      const [comment] = (await world.tell(number)).comments;
      expect(comment).toContain("refused connections to 'registry.evil.example:443'");
      expect(comment).toContain('add registry.evil.example:443 to QUORUM_SANDBOX_HOSTS');
    },
  );

  verifies('CB-5', 'builds for long is left at once by a stop', async () => {
    const mark = aMark();
    const world = await aPlanWorld(settings(`  preBuildCommand: sleep ${mark}\n`));
    const number = await world.plan([sayTask(1, 'goodbye')]);
    await waitUntil(() => runningWith(mark).length > 0);
    await world.emulator.as('ana').comment(REPO, number, '/pm stop');
    await world.idle();
    expect(runningWith(mark)).toEqual([]);
    expect(await world.body(number)).toContain('**Status:** blocked (stopped by ana');
  });
});
