/** Protected files and hooks: agents change those that the approved text names, and no others. */
import { describe, expect } from 'vitest';
import { adding, aPlanWorld, sayTask, type PlanWorld } from '../helpers/a-plan-story.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { verifies } from '../verifies.ts';

const OWNERS = { CODEOWNERS: '* @ana\n' };
const HOOK = { '.husky/pre-commit': 'npm test\n' };
const WORKFLOW = { '.github/workflows/ci.yml': 'on: push\n' };
/** A task that changes more than its function; it names those of `named` besides. */
async function planWith(diff: string, named: readonly string[]): Promise<PlanWorld> {
  const world = await aPlanWorld();
  const task = sayTask(1, 'goodbye');
  await world.plan([
    {
      ...task,
      files: [...task.files, ...named.map((path) => ({ path, note: 'as agreed' }))],
      description: task.description.replace('```diff\n', `\`\`\`diff\n${diff}\n`),
    },
  ]);
  await world.idle();
  return world;
}

describe.skipIf(noBwrap !== undefined)('a task', () => {
  verifies(
    ['TG-5', 'EXE-05'],
    'changes the owners and a hook that its approved text names, flagged for reviewers',
    async () => {
      const named = ['CODEOWNERS', '.husky/pre-commit'];
      const world = await planWith(adding({ ...OWNERS, ...HOOK }), named);
      expect(await world.pulls()).toHaveLength(1);
      const [comment] = (await world.tell(1)).comments;
      expect(comment).toContain('Task 1 may change `CODEOWNERS`, which is protected');
      const effects = await world.store.records.effects({ limit: 500 });
      const told = JSON.stringify(effects.filter(({ data }) => data.kind === 'check'));
      for (const flag of [
        '`CODEOWNERS` is protected',
        '`.husky/pre-commit` changes what git runs or fetches',
      ])
        expect(told).toContain(flag);
    },
  );

  for (const [what, diff, named, sentence] of [
    ['owners that it does not name', adding(OWNERS), [], '`CODEOWNERS` is protected'],
    ['a hook that it does not name', adding(HOOK), [], '`.husky/pre-commit` changes what git'],
    [
      'a workflow, named or not',
      adding(WORKFLOW),
      ['.github/workflows/ci.yml'],
      '`.github/workflows/ci.yml` is protected: only people change it',
    ],
  ] as const)
    verifies(['TG-5', 'EXE-05', 'CFG-01: never by a task'], `does not change ${what}`, async () => {
      const world = await planWith(diff, named);
      expect(await world.pulls()).toEqual([]);
      expect((await world.tell(1)).comments[0]).toContain(sentence);
      expect(await world.body(1)).toContain('**Status:** blocked (failed 3 times');
    });
});
