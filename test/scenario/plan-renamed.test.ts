/** A plan whose repository gets another name or owner while it is worked on: git finds it by its number, as REST does. */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { aPlanWorld, sayTask, type PlanWorld } from '../helpers/a-plan-story.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { REPO } from '../helpers/a-world.ts';
import { leasesOf } from '../helpers/what-is-left.ts';
import { verifies } from '../verifies.ts';

const PULL = 2;

/** A task is held, and its repository is still being fetched. */
async function aHeldTask(): Promise<PlanWorld> {
  const world = await aPlanWorld();
  world.emulator.createOrg('globex');
  world.emulator.installApp(world.appId, 'globex');
  const slow = { kind: 'latency', ms: 3_000 } as const;
  world.emulator.faults.add({ path: /git-upload-pack/, fault: slow });
  await world.plan([sayTask(1, 'goodbye')]);
  for (let looks = 0; looks < 600 && leasesOf(world).length === 0; looks += 1) await wait(50);
  return world;
}

/** Somebody else takes the former name: it leads nowhere any more. */
async function takeName({ emulator }: PlanWorld): Promise<void> {
  const [owner = '', name = ''] = REPO.split('/');
  await emulator.createRepository({ owner, name, files: { 'README.md': '# Another one\n' } });
}

/** What happens, and the name afterwards. */
const CHANGES: [string, (world: PlanWorld) => unknown, string][] = [
  ['is renamed', ({ emulator }) => emulator.renameRepository(REPO, 'neat'), 'acme/neat'],
  [
    'has its owner renamed',
    ({ emulator }) => {
      emulator.renameAccount('acme', 'umbrella');
      emulator.createOrg('acme');
    },
    'umbrella/tidy',
  ],
  [
    'goes to another account with the App',
    ({ emulator }) => emulator.transferRepository(REPO, 'globex'),
    'globex/tidy',
  ],
];

async function isMerged({ emulator }: PlanWorld, name: string): Promise<boolean> {
  const pull = await emulator.as('ana').request('GET', `/repos/${name}/pulls/${PULL}`);
  return (pull as { merged: boolean }).merged;
}

describe.skipIf(noBwrap !== undefined)('a plan whose repository', () => {
  for (const [what, change, name] of CHANGES) {
    verifies('ING-12', `${what} during a task goes on: it is pushed and merged there`, async () => {
      const world = await aHeldTask();
      await change(world);
      await world.idle();
      await world.emulator.as('tom').comment(name, PULL, '/pm approve');
      await world.idle();
      expect(await isMerged(world, name)).toBe(true);
      const { events, effects } = await world.store.records.counts();
      expect([events.dead, effects.dead]).toEqual([0, 0]);
    });

    verifies('ING-12', `${what} while another takes its name is merged where it is`, async () => {
      const world = await aPlanWorld();
      world.emulator.createOrg('globex');
      world.emulator.installApp(world.appId, 'globex');
      await world.plan([sayTask(1, 'goodbye')]);
      await world.idle();
      await change(world);
      await takeName(world);
      await world.emulator.as('tom').comment(name, PULL, '/pm approve');
      await world.idle();
      expect(await isMerged(world, name)).toBe(true);
      const other = world.emulator.repository(REPO);
      expect([other.checkRuns, [...other.threads.keys()]]).toEqual([[], []]);
    });
  }
});
