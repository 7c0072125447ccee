/** The journal of a plan on the memory branch: the text that `quorum journal` prints, written as things happen. */
import { describe, expect, test } from 'vitest';
import { aPlanWorld, sayTask, type PlanWorld } from '../helpers/a-plan-story.ts';
import { REPO } from '../helpers/a-world.ts';
import { memoryOf } from '../helpers/memory-of.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { quorum } from '../hosts/cli/fake-io.ts';
import { verifies } from '../verifies.ts';

async function printed({ appEnv }: PlanWorld, number: number): Promise<string> {
  const env = { QUORUM_DATA: appEnv['QUORUM_DATA'] ?? '' };
  const { code, out } = await quorum(['journal', `${REPO}#${number}`], { env });
  expect(code).toBe(0);
  return out;
}

/** How often each write asked GitHub. */
async function callsOfWrites({ store }: PlanWorld): Promise<number[]> {
  const effects = await store.records.effects({ limit: 10_000 });
  return effects
    .filter(({ data }) => data.kind === 'write-journal')
    .map(({ githubCalls }) => Object.values(githubCalls).reduce((sum, each) => sum + each, 0));
}

describe.skipIf(noBwrap !== undefined)('the journal of a plan', () => {
  verifies(
    ['CB-13'],
    'is on the memory branch at each pull request and at the end, byte for byte as it is printed',
    async () => {
      const world = await aPlanWorld();
      const number = await world.plan([sayTask(1, 'goodbye')]);
      await world.idle();
      const path = `journal/${number}.md`;
      const opened = (await memoryOf(world))?.[path] ?? '';
      expect(opened).toContain('pull request #2 was opened');
      expect(opened).toContain('- State: open');
      await world.emulator.as('tom').comment(REPO, 2, '/pm approve');
      await world.idle();
      const closed = (await memoryOf(world))?.[path] ?? '';
      expect(closed).toContain('**#2 was merged**');
      expect(closed).toContain(`**Quorum closed #${number}** as completed.`);
      expect(closed).toBe(await printed(world, number));
      const calls = await callsOfWrites(world);
      expect(calls.length).toBeLessThanOrEqual(4);
      expect(Math.max(...calls)).toBeLessThanOrEqual(5);
      const [last = ''] = (await world.tell(number)).comments.slice(-1);
      expect(last).toMatch(
        /^### Plan complete\n[^]*<details><summary>Report<\/summary>\n\n- Calls of models: [^]*<\/details>/,
      );
      expect(world.openApi.violations).toEqual([]);
    },
  );
});

describe('the journal', () => {
  test('is not written where it is switched off', async () => {
    const world = await aPlanWorld('journal:\n  enabled: false\n');
    const number = await world.plan([sayTask(1, 'goodbye')], 'eve');
    await world.idle();
    await world.emulator.as('tom').comment(REPO, number, '/pm reject');
    await world.idle();
    const files = (await memoryOf(world)) ?? {};
    expect(Object.keys(files).filter((each) => each.startsWith('journal/'))).toEqual([]);
    expect(await callsOfWrites(world)).toEqual([1, 1]);
  });
});
