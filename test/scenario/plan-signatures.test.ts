/** Branches that take only commits with verified signatures: the commits that Quorum makes have none. */
import { describe, expect } from 'vitest';
import type { BranchRules } from '../../src/emulator/github/checks/branch-rules.ts';
import { aPlanWorld, sayTask, type PlanWorld } from '../helpers/a-plan-story.ts';
import { REPO } from '../helpers/a-world.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { leasesOf } from '../helpers/what-is-left.ts';
import { verifies } from '../verifies.ts';

const BY_PEOPLE = 'merge:\n  mode: never\n';

function demandSignatures(
  { emulator }: PlanWorld,
  branch: string,
  from: BranchRules['from'],
): void {
  const rules: BranchRules = { from, checks: [], isStrict: false, hasQueue: false, mustSign: true };
  emulator.repository(REPO).rules = new Map([[branch, rules]]);
}

async function commentOf(world: PlanWorld): Promise<string> {
  return (await world.tell(1)).comments[0] ?? '';
}

describe.skipIf(noBwrap !== undefined)('signatures that are demanded', () => {
  for (const [from, branch, settings, says] of [
    ['ruleset', 'main', undefined, '`main` takes only commits with verified signatures'],
    ['protection', 'main', undefined, '`main` takes only commits with verified signatures'],
    ['ruleset', '~ALL', BY_PEOPLE, 'tasks (`quorum/*`) take only commits with verified signatures'],
  ] as const)
    verifies(
      'GIT-10',
      `by a ${from} of ${branch} are reported before the plan is approved, and nothing begins after it`,
      async () => {
        const world = await aPlanWorld(settings);
        demandSignatures(world, branch, from);
        await world.plan([sayTask(1, 'goodbye')], 'eve');
        await world.idle();
        const before = await commentOf(world);
        expect(before).toContain('**Waiting for approval**');
        expect(before).toContain(`**No task would start after approval**:`);
        expect(before).toContain(says);
        await world.emulator.as('tom').comment(REPO, 1, '/pm approve');
        await world.idle();
        expect(await commentOf(world)).toMatch(/Approved by `tom`.* No task starts: /);
        expect([leasesOf(world), await world.pulls()]).toEqual([[], []]);
      },
    );

  verifies('GIT-10', 'of the base keep nobody from work that people merge', async () => {
    const world = await aPlanWorld(BY_PEOPLE);
    demandSignatures(world, 'main', 'ruleset');
    await world.plan([sayTask(1, 'goodbye')]);
    await world.idle();
    expect(await world.pulls()).toHaveLength(1);
  });

  verifies('GIT-10', 'while a pull request waits refuse its merge, in words', async () => {
    const world = await aPlanWorld();
    await world.plan([sayTask(1, 'goodbye')]);
    await world.idle();
    demandSignatures(world, 'main', 'ruleset');
    await world.emulator.as('tom').comment(REPO, 2, '/pm approve');
    await world.idle();
    const { checkRuns } = world.emulator.repository(REPO);
    const shown = checkRuns.filter(({ name }) => name === 'quorum / merge').at(-1);
    expect(shown?.output.summary).toContain(
      'GitHub refused the merge: The branch takes only commits with verified signatures',
    );
    expect(await world.pulls()).toMatchObject([{ merged_at: null }]);
  });
});
