/** A lease that is given back, and what goes with it on this machine and on GitHub. */
import { expect, test } from 'vitest';
import type { ActPorts } from '../../../src/act/ports.ts';
import { releaseClaim } from '../../../src/act/task/release.ts';
import { takeLease } from '../../../src/act/task/lease/take-lease.ts';
import { leasePlace } from '../../../src/act/task/coder/coding-runtime.ts';
import type { EffectData } from '../../../src/domain/event/effect.ts';
import { createMemoryRefs } from '../../helpers/memory-leases.ts';

type Release = Extract<EffectData, { kind: 'release' }>;

const THREAD = { installationId: 1, repositoryId: 7, owner: 'acme', repo: 'tidy', number: 4 };
const REPOSITORY = { installationId: 1, repositoryId: 7, owner: 'acme', repo: 'tidy' };
const LEASE_AT = { namespace: 'refs/quorum/leases', lastsMs: 1_800_000 };
const PLACE = leasePlace({ thread: THREAD, task: 1, leaseAt: LEASE_AT }, 'base');
const clock = { now: () => Date.parse('2026-03-02T09:00:00Z'), sleep: () => Promise.resolve() };

async function release(wanted: Partial<Pick<Release, 'branch' | 'end' | 'names'>>) {
  const leases = createMemoryRefs().open();
  const asked = { issue: 4, task: 1, holder: 'run-1', digest: 'd1', lastsMs: LEASE_AT.lastsMs };
  const taken = await takeLease({ leases, clock }, PLACE, asked);
  if (taken.outcome !== 'taken') throw new Error(taken.outcome);
  const removed: string[] = [];
  const deleted: unknown[] = [];
  const tasks = { deleteBranch: async (...branch: unknown[]) => void deleted.push(branch) };
  const session = { counts: { rest: 2 }, leases, work: {}, plans: {}, tasks };
  const ports = {
    clock,
    github: { at: () => session },
    codingRuntime: { git: { remove: async (name: string) => void removed.push(name) } },
  } as unknown as ActPorts;
  const data: Release = {
    kind: 'release',
    thread: THREAD,
    task: 1,
    lease: taken.lease,
    leaseAt: LEASE_AT,
    names: [],
    ...wanted,
  };
  const done = await releaseClaim(data, ports);
  const again = await takeLease({ leases, clock }, PLACE, { ...asked, holder: 'run-2' });
  return { done, removed, deleted, again };
}

test('the lease can be taken by another run at once', async () => {
  const { done, again } = await release({});
  expect(again.outcome).toBe('taken');
  expect(done).toEqual({ effectKind: 'release', result: null, githubCalls: { rest: 2 } });
});

test('the folders of every work name go, and those of its gates, its merge, its base and its needs', async () => {
  const { removed } = await release({ names: ['t1', 't2'] });
  const ends = ['', '-gates', '-merge', '-base', '-needs'];
  expect(removed).toEqual(['t1', 't2'].flatMap((name) => ends.map((end) => `${name}${end}`)));
});

test('a branch is deleted only where one is named, and only at the commit that is named', async () => {
  expect((await release({})).deleted).toEqual([]);
  const { deleted } = await release({ branch: { name: 'quorum/4-1', sha: 'b1' } });
  expect(deleted).toEqual([[REPOSITORY, 'quorum/4-1', 'b1']]);
});
