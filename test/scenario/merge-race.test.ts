/** Two pull requests of a plan that each pass alone and break together, approved at the same moment. */
import { describe, expect, vi } from 'vitest';
import { adding, aPlanWorld, sayTask } from '../helpers/a-plan-story.ts';
import { REPO } from '../helpers/a-world.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { verifies } from '../verifies.ts';

/** Adds a function, and a test that wants it to be the only one. */
function only(number: number, name: string) {
  const task = sayTask(number, name);
  const test = [
    "import { readdirSync } from 'node:fs';",
    "import { test } from 'node:test';",
    "import assert from 'node:assert/strict';",
    "const more = readdirSync('src').filter((name) => /goodbye|welcome/.test(name));",
    "test('there is one more', () => assert.equal(more.length, 1));",
    '',
  ].join('\n');
  const diff = adding({ [`test/${name}-count.test.js`]: test });
  return {
    ...task,
    files: [...task.files, { path: `test/${name}-count.test.js`, note: 'counts them' }],
    description: task.description.replace(/\n```$/, `\n${diff}\n\`\`\``),
  };
}

describe.skipIf(noBwrap !== undefined)('of two approved heads', () => {
  verifies(
    ['TG-6', 'P3', 'GIT-02'],
    'the second is tested on what the first made of the base',
    async () => {
      const world = await aPlanWorld();
      const number = await world.plan([only(1, 'goodbye'), only(2, 'welcome')]);
      await world.idle();
      const pulls = await world.pulls();
      expect(pulls).toHaveLength(2);
      const tom = world.emulator.as('tom');
      await Promise.all(pulls.map((pull) => tom.comment(REPO, pull.number, '/pm approve')));
      await world.idle();
      const merged = (await world.pulls()).filter(({ merged_at: at }) => at !== null);
      expect(merged).toHaveLength(1);
      const body = await world.body(number);
      expect(body.match(/\*\*Status:\*\* completed/g)).toHaveLength(1);
    },
  );

  verifies(
    'TG-6',
    'one that GitHub refuses for a base of that moment is merged later',
    async () => {
      const world = await aPlanWorld();
      const number = await world.plan([sayTask(1, 'goodbye')]);
      await world.idle();
      const message = 'Base branch was modified. Review and try the merge again.';
      world.emulator.faults.add({
        method: 'PUT',
        path: /merge$/,
        fault: { kind: 'status', status: 405, body: { message } },
      });
      await world.emulator.as('tom').comment(REPO, 2, '/pm approve');
      const merged = async () => (await world.pulls()).filter(({ merged_at: at }) => at !== null);
      await vi.waitFor(async () => expect(await merged()).toHaveLength(1), 60_000);
      await world.idle();
      const told = [await world.body(number), ...(await world.tell(number)).comments].join('\n');
      expect(told).toContain('**Status:** completed');
      expect(told).not.toContain('GitHub refused the merge');
    },
  );
});
