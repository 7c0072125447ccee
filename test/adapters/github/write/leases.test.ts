/** Leases on the embedded GitHub: real refs in a real repository, over HTTP. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createGitHub } from '../../../../src/adapters/github/create-github.ts';
import { createGitHubEmulator } from '../../../../src/emulator/github/github-emulator.ts';
import { renewLease, takeLease } from '../../../../src/act/task/lease/take-lease.ts';
import { leaseRef } from '../../../../src/domain/plan/lease.ts';
import { describeLeases, wantedBy, type LeaseWorld } from '../../../contract/leases.ts';
import { createTestClock, SECRET, steady } from '../stage.ts';

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

interface EmulatedLeases extends LeaseWorld {
  /** Calls since the last time it was asked. */
  calls(): number;
}

async function openWorld(): Promise<EmulatedLeases> {
  const dir = await mkdtemp(join(tmpdir(), 'quorum-leases-'));
  const clock = createTestClock();
  const emulator = await createGitHubEmulator({ dir, clock });
  closing.push(async () => {
    await emulator.close();
    await rm(dir, { recursive: true, force: true });
  });
  emulator.createUser('alice');
  emulator.createOrg('acme', { alice: 'member' });
  // A workflow that exists already does not count as brought in by a lease.
  const files = { 'README.md': '# Widgets\n', '.github/workflows/ci.yml': 'on: push\n' };
  const { id } = await emulator.createRepository({ owner: 'acme', name: 'widgets', files });
  emulator.addCollaborator('acme/widgets', 'alice', 'write');
  const permissions = { contents: 'write', metadata: 'read' } as const;
  const { appId, privateKey } = await emulator.createApp({ name: 'Quorum', permissions });
  const installationId = emulator.installApp(appId, 'acme');
  const repository = { installationId, repositoryId: id, owner: 'acme', repo: 'widgets' };
  const main = await emulator.as('alice').request('GET', '/repos/acme/widgets/git/ref/heads/main');
  const baseSha = (main as { object: { sha: string } }).object.sha;
  let seen = 0;
  return {
    clock,
    races: 4,
    open: () =>
      createGitHub({
        auth: { kind: 'app', appId, privateKey },
        baseUrl: emulator.apiUrl,
        markerSecret: SECRET,
        clock,
        random: steady,
        budgets: 'off',
      }).at(repository).leases,
    place: (task) => ({
      repository,
      ref: leaseRef('refs/quorum/leases', { issue: 7, task }),
      baseSha,
    }),
    loseAnswer: (nth) =>
      void emulator.faults.add({ nth, fault: { kind: 'effect-then-fail', reset: true } }),
    calls: () => {
      const count = emulator.requests.length - seen;
      seen = emulator.requests.length;
      return count;
    },
  };
}

describeLeases('the emulator', openWorld);

test('a first claim costs six calls with its token and the check of the name, a renewal three', async () => {
  const world = await openWorld();
  const leases = world.open();
  const ports = { leases, clock: world.clock };
  world.calls();
  const taken = await takeLease(ports, world.place(1), wantedBy('a', 1));
  expect(world.calls()).toBeLessThanOrEqual(6);
  if (taken.outcome !== 'taken') throw new Error('not taken');
  const long = 30 * 60_000;
  await renewLease(ports, world.place(1), { own: taken.lease, lastsMs: long, atLeastMs: long });
  expect(world.calls()).toBeLessThanOrEqual(4);
});
