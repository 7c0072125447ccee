/** Repositories that went away and are there again: work goes on as soon as an installation reports their id. */
import { describe, expect } from 'vitest';
import { aLeapWorld, type LeapWorld } from '../helpers/a-leap-world.ts';
import { READY_ISSUE, REPO } from '../helpers/a-world.ts';
import { verifies } from '../verifies.ts';

const MINUTE = 60_000;
/** The first finds that the repository is there, the second what was lost in it. */
const TWO_PASSES = 12 * MINUTE;

async function withGlobex(): Promise<LeapWorld> {
  const world = await aLeapWorld();
  world.emulator.createOrg('globex');
  await world.pass(MINUTE);
  return world;
}

function loseAll({ emulator }: LeapWorld): void {
  emulator.faults.addHook({ times: Infinity, fault: { kind: 'lost', recorded: false } });
}

async function expectWork(world: LeapWorld, { within }: { within: number }): Promise<void> {
  world.emulator.addCollaborator(REPO, 'ana', 'admin');
  const number = await world.ask(READY_ISSUE);
  await world.pass(within);
  expect((await world.tell(number)).labels).toEqual(['ready']);
}

/** Also out of the list of an installation on all repositories, as on GitHub when it is transferred. */
async function leave(world: LeapWorld, to: string): Promise<void> {
  const { emulator, installationId } = world;
  emulator.changeRepositories(installationId, { removed: [REPO] });
  emulator.transferRepository(REPO, to);
  emulator.installation(installationId).repositoryIds = undefined;
  await world.pass(TWO_PASSES);
}

describe('a repository is worked on again', () => {
  verifies(['ING-12', 'P7'], 'when it was deleted and restored, within two passes', async () => {
    const world = await withGlobex();
    const { id } = world.emulator.repository(REPO);
    await world.emulator.deleteRepository(REPO);
    await world.pass(TWO_PASSES);
    await world.emulator.restoreRepository(id);
    await world.pass(TWO_PASSES);
    await expectWork(world, { within: 2 * MINUTE });
  });

  verifies(['ING-12', 'P7'], 'with what happened there before that was noticed', async () => {
    const world = await withGlobex();
    const { id } = world.emulator.repository(REPO);
    await world.emulator.deleteRepository(REPO);
    await world.pass(TWO_PASSES);
    loseAll(world);
    await world.emulator.restoreRepository(id);
    await expectWork(world, { within: TWO_PASSES });
  });

  verifies(['ING-12', 'P7'], 'at once when it was transferred away and back', async () => {
    const world = await withGlobex();
    await leave(world, 'globex');
    world.emulator.transferRepository('globex/tidy', 'acme');
    await world.emulator.settled();
    await expectWork(world, { within: 2 * MINUTE });
  });

  verifies(['ING-12', 'P7'], 'when it was transferred back and the webhook was lost', async () => {
    const world = await withGlobex();
    const other = world.emulator.installApp(world.appId, 'globex');
    await leave(world, 'globex');
    world.emulator.removeInstallation(other);
    await world.pass(MINUTE);
    loseAll(world);
    world.emulator.transferRepository('globex/tidy', 'acme');
    await expectWork(world, { within: TWO_PASSES });
  });

  verifies(['ING-12', 'P7'], 'at once when it was restored and added to the App', async () => {
    const world = await withGlobex();
    const { id } = world.emulator.repository(REPO);
    await world.emulator.deleteRepository(REPO);
    await world.pass(MINUTE);
    await world.emulator.restoreRepository(id);
    world.emulator.changeRepositories(world.installationId, { added: [REPO] });
    await world.emulator.settled();
    await expectWork(world, { within: 2 * MINUTE });
  });
});
