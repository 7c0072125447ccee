/** A plan in a private repository of a free account: GitHub has no drafts there, and no rules of branches. */
import { describe, expect, test } from 'vitest';
import { aPlanWorld, sayTask, type PlanWorld } from '../helpers/a-plan-story.ts';
import { checksOf, expectAllWell } from '../helpers/a-pull.ts';
import { REPO } from '../helpers/a-world.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';

const PULL = 2;

async function aFreeWorld(mode: 'auto' | 'ask'): Promise<PlanWorld> {
  const world = await aPlanWorld(`review:\n  settleSeconds: 0\nmerge:\n  mode: ${mode}\n`);
  world.emulator.setPlan('acme', 'free');
  await world.emulator.as('ana').request('PATCH', `/repos/${REPO}`, { private: true });
  return world;
}

describe.skipIf(noBwrap !== undefined)('in a private repository of a free account', () => {
  test('GitHub refuses drafts and the rules of branches', async () => {
    const { emulator } = await aFreeWorld('auto');
    const ana = emulator.as('ana');
    const draft = { title: 'A draft', head: 'main', base: 'main', draft: true };
    await expect(ana.request('POST', `/repos/${REPO}/pulls`, draft)).rejects.toThrow(
      'Draft pull requests are not supported in this repository.',
    );
    await expect(ana.request('GET', `/repos/${REPO}/rules/branches/main`)).rejects.toThrow(
      'Upgrade to GitHub Pro',
    );
  });

  test('a task opens an ordinary pull request, which is reviewed, approved and merged', async () => {
    const world = await aFreeWorld('auto');
    await world.plan([sayTask(1, 'goodbye')]);
    await world.idle();
    const ana = world.emulator.as('ana');
    const pull = await ana.request('GET', `/repos/${REPO}/pulls/${PULL}`);
    expect(pull).toMatchObject({ state: 'open', draft: false });
    const { head } = pull as { head: { sha: string } };
    const checks = await checksOf(world, head.sha);
    expect(checks.find(({ name }) => name === 'quorum / review')?.conclusion).toBe('success');
    await world.emulator.as('tom').comment(REPO, PULL, '/pm approve');
    await world.idle();
    expect(await world.body(1)).toContain('**Status:** completed (#2)');
    expect(await world.tell(1)).toMatchObject({
      state: 'closed',
      labels: ['plan', 'plan:complete'],
    });
    // Nothing wanted a draft, and nothing asked GraphQL to make one ready.
    const opened = world.emulator.requests.filter(
      ({ method, path }) => method === 'POST' && path.endsWith('/pulls'),
    );
    expect(opened.map(({ status }) => status)).toEqual([201]);
    await expectAllWell(world);
  });
});
