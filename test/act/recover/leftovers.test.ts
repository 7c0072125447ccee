/** What work on tasks has left behind: worktrees that nobody touches, and holds that ran out. */
import { describe, expect, test } from 'vitest';
import { findLeftovers, removeLeftovers } from '../../../src/act/recover/leftovers.ts';
import { CLOCK_SKEW_MS, type Lease } from '../../../src/domain/plan/lease.ts';
import { aPlanBody, aTask } from '../../helpers/a-plan.ts';
import {
  createMemoryWorld,
  NOW,
  openPlan,
  placeAt,
  repositoryOf,
  type MemoryWorld,
} from '../../helpers/memory-github.ts';

const BODY = aPlanBody({ tasks: [aTask(1), aTask(2)] });
const HOUR_MS = 3_600_000;

function find(world: MemoryWorld) {
  const { ports, readSettings } = world;
  return findLeftovers({ ports, readSettings, idleMs: HOUR_MS });
}

function aWorktree(name: string, idleMs: number): MemoryWorld['worktrees'][number] {
  return { name, folder: `/work/${name}`, branch: `quorum/${name}`, idleMs };
}

describe('a worktree', () => {
  test('is left over once nothing has changed in it for so long', async () => {
    const world = createMemoryWorld();
    const [busy, still, old] = [
      aWorktree('busy', HOUR_MS - 1),
      aWorktree('still', HOUR_MS),
      aWorktree('old', HOUR_MS + 1),
    ];
    world.worktrees = [busy, still, old];
    const found = await find(world);
    expect(found).toEqual({ worktrees: [still, old], leases: [] });
    await removeLeftovers(found, world.ports);
    expect(world.calls.filter((call) => call.startsWith('remove'))).toEqual([
      'remove still',
      'remove old',
    ]);
  });

  test('cannot be looked for where no code is written', async () => {
    const world = createMemoryWorld();
    delete world.ports.codingRuntime;
    await expect(find(world)).rejects.toMatchObject({ code: 'no-workshop' });
    const nothing = { worktrees: [], leases: [] };
    await expect(removeLeftovers(nothing, world.ports)).rejects.toMatchObject({
      code: 'no-workshop',
    });
  });
});

describe('a hold', () => {
  const under = (status: string): string => BODY.replace('pending', status);

  test.each<[string, boolean, Partial<Lease>, string]>([
    ['that ran out', true, {}, BODY],
    ['that ran out as long ago as clocks differ', false, { expiresAt: NOW - CLOCK_SKEW_MS }, BODY],
    ['that ran out a moment before that', true, { expiresAt: NOW - CLOCK_SKEW_MS - 1 }, BODY],
    ['that stands', false, { expiresAt: NOW + 1 }, BODY],
    ['that was given back', false, { isReleased: true }, BODY],
    ['for which a pull request stands', false, {}, under('in_progress (#9)')],
    ['of work that has no pull request', true, {}, under('in_progress (a moment)')],
    ['of work that is done', true, {}, under('completed (#9)')],
  ])('%s: is left over, %s', async (_, ...[isLeft, over, body]) => {
    const world = createMemoryWorld();
    const thread = openPlan(world, body);
    const lease = await world.hold(thread, 1, over);
    const found = await find(world);
    const place = placeAt(thread, 1);
    expect(found).toEqual({
      worktrees: [],
      leases: isLeft
        ? [
            {
              repository: 'acme/r7',
              ref: 'refs/quorum/leases/4-1',
              holder: 'here/run-1',
              expiredAt: new Date(lease.expiresAt).toISOString(),
              place,
              lease,
            },
          ]
        : [],
    });
    expect(await world.heldAt(thread, 1)).toEqual(lease);
    await removeLeftovers(found, world.ports);
    expect(await world.heldAt(thread, 1)).toEqual(isLeft ? { ...lease, isReleased: true } : lease);
  });

  test('of every plan is found, and of no installation that is suspended', async () => {
    const world = createMemoryWorld();
    world.installations = [
      { installationId: 2, account: 'gone', isSuspended: true },
      { installationId: 1, account: 'acme', isSuspended: false },
    ];
    world.repositories = { 1: [repositoryOf(1, 7), repositoryOf(1, 8)], 2: [repositoryOf(2, 9)] };
    const threads = [
      openPlan(world, BODY),
      openPlan(world, BODY, { repository: repositoryOf(1, 7), number: 5 }),
      openPlan(world, BODY, { repository: repositoryOf(1, 8), number: 6 }),
    ];
    openPlan(world, BODY, { repository: repositoryOf(2, 9), number: 7 });
    for (const thread of threads) await world.hold(thread, 2, { holder: 'there/run-9' });
    const { leases } = await find(world);
    expect(leases.map(({ repository, ref, holder }) => [repository, ref, holder])).toEqual([
      ['acme/r7', 'refs/quorum/leases/4-2', 'there/run-9'],
      ['acme/r7', 'refs/quorum/leases/5-2', 'there/run-9'],
      ['acme/r8', 'refs/quorum/leases/6-2', 'there/run-9'],
    ]);
    expect(world.calls.filter((call) => call.startsWith('repositories'))).toEqual([
      'repositories 1',
    ]);
  });

  test('whose commit nobody can read stays', async () => {
    const world = createMemoryWorld();
    openPlan(world, BODY);
    world.leases.read = async () => ({ sha: 'x', lease: undefined });
    expect((await find(world)).leases).toEqual([]);
  });

  test('that somebody took over since it was found stays theirs', async () => {
    const world = createMemoryWorld();
    const thread = openPlan(world, BODY);
    const lease = await world.hold(thread, 1);
    const found = await find(world);
    const kept = await world.leases.read(placeAt(thread, 1));
    const theirs = { ...lease, holder: 'there/run-2', fence: 4 };
    await world.leases.move(placeAt(thread, 1), kept?.sha ?? '', theirs);
    await removeLeftovers(found, world.ports);
    expect(await world.heldAt(thread, 1)).toEqual(theirs);
  });
});
