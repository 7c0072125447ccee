/** After the store was lost: plans are read again, and holds of attempts that nobody knows are given back. */
import { describe, expect, test } from 'vitest';
import { openPlans, rebuildStore } from '../../../src/act/recover/rebuild-store.ts';
import { RefusedError, TransientError } from '../../../src/domain/event/errors.ts';
import type { Lease } from '../../../src/domain/plan/lease.ts';
import { DEFAULT_LABELS } from '../../../src/domain/repository/labels.ts';
import { aPlanBody, aTask } from '../../helpers/a-plan.ts';
import {
  createMemoryWorld,
  INSTANCE,
  NOW,
  openPlan,
  repositoryOf,
  type MemoryWorld,
} from '../../helpers/memory-github.ts';

const BODY = aPlanBody({ tasks: [aTask(1), aTask(2)] });
const REF = 'refs/quorum/leases/4-1';
const KNOWN = 'task:7/4-1';

function run(world: MemoryWorld, isDry = false) {
  return rebuildStore({ ports: world.ports, readSettings: world.readSettings, isDry });
}

describe('a plan that is open', () => {
  test('is read again, each pass under a name of its own', async () => {
    const world = createMemoryWorld();
    const thread = openPlan(world, BODY.replace('pending', 'in_progress (#9)'));
    expect(await run(world)).toEqual([
      {
        repository: 'acme/r7',
        issue: 4,
        tasks: [
          { task: 1, status: 'in_progress', pull: 9 },
          { task: 2, status: 'pending' },
        ],
      },
    ]);
    expect(world.appended).toEqual([
      {
        id: 'rebuild:thread:7/4:n0n5e',
        key: 'thread:7/4',
        version: expect.any(Number),
        at: new Date(NOW).toISOString(),
        data: {
          kind: 'trigger',
          trigger: {
            kind: 'requested',
            by: 'cli',
            thread,
            actor: { id: 0, login: 'quorum', isBot: true },
            label: 'plan',
            meaning: 'plan',
          },
        },
      },
    ]);
  });

  test('is reported and nothing is changed in a dry run', async () => {
    const world = createMemoryWorld();
    const thread = openPlan(world, BODY);
    const lease = await world.hold(thread, 1);
    const [plan] = await run(world, true);
    expect(plan?.tasks[0]).toEqual({
      task: 1,
      status: 'pending',
      lost: { ref: REF, holder: 'here/run-1' },
    });
    expect(world.appended).toEqual([]);
    expect(await world.heldAt(thread, 1)).toEqual(lease);
  });

  test('is looked for in every installation that is not suspended', async () => {
    const world = createMemoryWorld();
    world.installations = [
      { installationId: 1, account: 'acme', isSuspended: false },
      { installationId: 2, account: 'gone', isSuspended: true },
      { installationId: 3, account: 'else', isSuspended: false },
    ];
    world.repositories = {
      1: [repositoryOf(1, 7), repositoryOf(1, 8)],
      2: [repositoryOf(2, 9)],
      3: [repositoryOf(3, 10)],
    };
    openPlan(world, BODY, { repository: repositoryOf(1, 7), number: 5 });
    for (const [id, of] of [
      [7, 1],
      [8, 1],
      [9, 2],
      [10, 3],
    ] as const)
      openPlan(world, BODY, { repository: repositoryOf(of, id) });
    const plans = await run(world);
    expect(plans.map(({ repository, issue }) => `${repository}#${issue}`)).toEqual([
      'acme/r7#5',
      'acme/r7#4',
      'acme/r8#4',
      'acme/r10#4',
    ]);
    expect(world.appended.map(({ key }) => key)).toEqual([
      'thread:7/5',
      'thread:7/4',
      'thread:8/4',
      'thread:10/4',
    ]);
    expect(world.calls.filter((call) => call.startsWith('repositories'))).toEqual([
      'repositories 1',
      'repositories 3',
    ]);
  });
});

describe('a hold', () => {
  test.each<[string, boolean, Partial<Lease>, unknown]>([
    ['of an attempt that nobody knows', true, {}, undefined],
    [
      'that has not run out, of an attempt that nobody knows',
      true,
      { expiresAt: NOW + 9_000_000 },
      undefined,
    ],
    ['of an attempt that another one has followed', true, {}, { run: { id: 'run-2' } }],
    ['where the task has no attempt', true, {}, { v: 1 }],
    ['of the attempt that goes on', false, {}, { run: { id: 'run-1' } }],
    ['that was given back', false, { isReleased: true }, undefined],
    ['of another instance', false, { holder: 'there/run-1' }, undefined],
    ['of an instance whose name begins alike', false, { holder: `${INSTANCE}-2/run-1` }, undefined],
  ])('%s: is given back, %s', async (_, ...[isLost, over, state]) => {
    const world = createMemoryWorld();
    const thread = openPlan(world, BODY);
    const lease = await world.hold(thread, 1, over);
    if (state !== undefined) world.states.set(KNOWN, state);
    const [plan] = await run(world);
    const lost = { lost: { ref: REF, holder: lease.holder } };
    expect(plan?.tasks).toEqual([
      { task: 1, status: 'pending', ...(isLost && lost) },
      { task: 2, status: 'pending' },
    ]);
    expect(await world.heldAt(thread, 1)).toEqual(isLost ? { ...lease, isReleased: true } : lease);
  });

  test('is not given back by an installation that writes no code', async () => {
    const world = createMemoryWorld();
    const thread = openPlan(world, BODY);
    const lease = await world.hold(thread, 1);
    delete world.ports.codingRuntime;
    expect((await run(world))[0]?.tasks[0]).toEqual({ task: 1, status: 'pending' });
    expect(await world.heldAt(thread, 1)).toEqual(lease);
  });

  test('is looked for where the repository keeps its holds', async () => {
    const world = createMemoryWorld();
    const { config } = world;
    world.config = {
      ...config,
      plans: { ...config.plans, leaseNamespace: 'refs/heads/quorum-lease' },
    };
    const thread = openPlan(world, BODY);
    await world.hold(thread, 1);
    expect((await run(world))[0]?.tasks[0]).toEqual({ task: 1, status: 'pending' });
  });
});

describe('plans', () => {
  const asked = async (world: MemoryWorld): Promise<string[]> => {
    await openPlans(repositoryOf(1, 7), world);
    return world.calls;
  };

  test('are found by the name that the repository gave to their label', async () => {
    const world = createMemoryWorld();
    expect(await asked(world)).toEqual(['labelled 7 plan']);
    const renamed = createMemoryWorld();
    renamed.config = { ...renamed.config, labels: { ...DEFAULT_LABELS, plan: 'roadmap' } };
    expect(await asked(renamed)).toEqual(['labelled 7 roadmap']);
  });

  test('are found by the usual name where the settings cannot be read for good', async () => {
    const world = createMemoryWorld();
    const broken = new RefusedError({ code: 'github-forbidden', message: 'no' });
    world.readSettings = () => Promise.reject(broken);
    expect(await asked(world)).toEqual(['labelled 7 plan']);
  });

  test.each([
    new TransientError({ code: 'github-unavailable', message: 'away' }),
    new Error('a bug'),
  ])('are not guessed after %s', async (thrown) => {
    const world = createMemoryWorld();
    world.readSettings = () => Promise.reject(thrown);
    await expect(asked(world)).rejects.toBe(thrown);
    expect(world.calls).toEqual([]);
  });
});
