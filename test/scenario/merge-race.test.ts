/** Two pull requests of a plan that each pass alone and break together, approved at the same moment. */
import { describe, expect } from 'vitest';
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
      const tom = world.sandbox.as('tom');
      await Promise.all(pulls.map((pull) => tom.comment(REPO, pull.number, '/pm approve')));
      await world.idle();
      const merged = (await world.pulls()).filter(({ merged_at: at }) => at !== null);
      expect(merged).toHaveLength(1);
      const body = await world.body(number);
      expect(body.match(/\*\*Status:\*\* completed/g)).toHaveLength(1);
    },
  );
});
