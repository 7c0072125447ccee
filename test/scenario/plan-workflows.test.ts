/** A plan whose base gets other workflow files while it is worked on: the App may not push or merge what is behind them. */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { aPlanWorld, sayTask, type PlanWorld } from '../helpers/a-plan-story.ts';
import { REPO } from '../helpers/a-world.ts';
import { tipOf } from '../helpers/commits.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { leasesOf } from '../helpers/what-is-left.ts';
import { verifies } from '../verifies.ts';

const WORKFLOW = '.github/workflows/ci.yml';
const BRANCH = 'quorum/task-1-1-a-function-that-says-goodbye';
const SETTINGS = 'review:\n  settleSeconds: 0\nmerge:\n  mode: auto\n';
const WITH_WORKFLOW = { [WORKFLOW]: 'on: push\njobs: {}\n' };

/** Somebody with the right to changes it on the default branch. */
async function changeWorkflow({ emulator }: PlanWorld, text: string): Promise<void> {
  const ana = emulator.as('ana');
  const at = `/repos/${REPO}/contents/${WORKFLOW}`;
  const { sha } = (await ana.request('GET', at)) as { sha: string };
  const content = Buffer.from(text).toString('base64');
  await ana.request('PUT', at, { message: 'ci: change', content, sha });
}

async function stateOf(world: PlanWorld): Promise<[boolean[], string]> {
  const merged = (await world.pulls()).map(({ merged_at: at }) => at !== null);
  const { emulator } = world;
  const at = `/repos/${REPO}/contents/${WORKFLOW}`;
  const { content } = (await emulator.as('ana').request('GET', at)) as { content: string };
  return [merged, Buffer.from(content, 'base64').toString()];
}

describe.skipIf(noBwrap !== undefined)('workflow files that change on the base', () => {
  verifies(
    'GIT-10',
    'before a task is pushed: it is made again on the base as it is, proved there and pushed',
    async () => {
      const world = await aPlanWorld(SETTINGS, {}, WITH_WORKFLOW);
      const slow = { kind: 'latency', ms: 3_000 } as const;
      world.emulator.faults.add({ path: /git-upload-pack/, fault: slow });
      await world.plan([sayTask(1, 'goodbye')]);
      for (let looks = 0; looks < 600 && leasesOf(world).length === 0; looks += 1) await wait(50);
      await changeWorkflow(world, 'on: pull_request\njobs: {}\n');
      const base = await tipOf(world);
      await world.idle();
      expect(await world.body(1)).toContain('**Status:** in_progress (#2)');
      const head = await tipOf(world, BRANCH);
      const commit = await world.emulator
        .as('ana')
        .request('GET', `/repos/${REPO}/git/commits/${head}`);
      expect(commit).toMatchObject({ parents: [{ sha: base }] });
    },
  );

  verifies(
    'GIT-10',
    'while its pull request waits: it is made again, reviewed and approved again, and merged',
    async () => {
      const world = await aPlanWorld(SETTINGS, {}, WITH_WORKFLOW);
      await world.plan([sayTask(1, 'goodbye')]);
      await world.idle();
      const before = await tipOf(world, BRANCH);
      await changeWorkflow(world, 'on: pull_request\njobs: {}\n');
      await world.emulator.as('tom').comment(REPO, 2, '/pm approve');
      await world.idle();
      expect(await tipOf(world, BRANCH)).not.toBe(before);
      await world.emulator.as('tom').comment(REPO, 2, '/pm approve');
      await world.idle();
      expect(await stateOf(world)).toEqual([[true], 'on: pull_request\njobs: {}\n']);
    },
  );
});
