/** A task's own pull request with a serious finding of a rule, under a team and a person that approve. */
import { describe, expect } from 'vitest';
import { aModel } from '../helpers/a-model.ts';
import { aPlanWorld, adding, sayTask, testOf } from '../helpers/a-plan-story.ts';
import { expectAllWell, reviewsOf } from '../helpers/a-pull.ts';
import { aPosition, aVerdict } from '../helpers/an-issue.ts';
import { REPO } from '../helpers/a-world.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { verifies } from '../verifies.ts';

const PULL = 2;

/** Runs text as code, and passes its test. */
function evalTask() {
  const task = sayTask(1, 'goodbye');
  const change = adding({
    'src/goodbye.js':
      "export function goodbye(name) {\n  return eval('`goodbye, ' + name + '`');\n}\n",
    'test/goodbye.test.js': testOf('goodbye', 'goodbye'),
  });
  return { ...task, description: `Add \`goodbye(name)\`.\n\n\`\`\`diff\n${change}\n\`\`\`` };
}

describe.skipIf(noBwrap !== undefined)('a pull request of a task', () => {
  verifies(
    ['TG-6', 'P3', 'INJ-09: verdicts merge nothing'],
    'with a serious finding waits for a person to settle it',
    async () => {
      const { env } = await aModel({
        position: ({ n }, handle) => ({
          json: aPosition({ vote: 'APPROVE', line: handle, reasons: `${handle}, ${n}` }),
        }),
        verdict: () => ({ json: aVerdict({ verdict: 'APPROVE', headline: 'well made' }) }),
      });
      const world = await aPlanWorld('merge:\n  mode: auto\nreview:\n  settleSeconds: 0\n', {
        env,
      });
      await world.plan([evalTask()]);
      await world.idle();
      const tom = world.emulator.as('tom');
      await tom.comment(REPO, PULL, '/pm approve');
      await world.idle();
      const isMerged = async () => (await world.pulls()).every(({ merged_at: at }) => at !== null);
      expect(await isMerged()).toBe(false);
      const { checks } = await reviewsOf(world, PULL);
      const byName = new Map(checks.map((check) => [check.name, check]));
      expect(byName.get('quorum / review')?.conclusion).toBe('neutral');
      const merge = byName.get('quorum / merge')?.output.summary;
      expect(merge).toContain('a high finding of `js-eval` is open in `src/goodbye.js#L2`');
      expect(
        checks.filter(
          ({ name, conclusion }) => name.startsWith('quorum / review') && conclusion === 'success',
        ),
      ).toEqual([]);
      await tom.comment(REPO, PULL, '/pm feedback js-eval: the name is our own');
      await world.idle();
      expect(await isMerged()).toBe(true);
      await expectAllWell(world);
    },
  );
});
