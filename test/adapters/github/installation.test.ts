/** What happens to the App meanwhile: removed, suspended, repository renamed or transferred. On the embedded GitHub. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { createGitHub } from '../../../src/adapters/github/create-github.ts';
import { createGitHubEmulator } from '../../../src/emulator/github/github-emulator.ts';
import { RefusedError } from '../../../src/domain/event/errors.ts';
import { verifies } from '../../verifies.ts';
import { createTestClock, SECRET, steady } from './stage.ts';

const MARKER = { kind: 'run', run: 'r', key: 'live' } as const;

async function openWorld() {
  const dir = await mkdtemp(join(tmpdir(), 'quorum-installation-'));
  const clock = createTestClock();
  const emulator = await createGitHubEmulator({ dir, clock });
  onTestFinished(async () => {
    await emulator.close();
    await rm(dir, { recursive: true, force: true });
  });
  emulator.createUser('alice');
  emulator.createOrg('acme', { alice: 'admin' });
  emulator.createOrg('rival', { alice: 'admin' });
  const repository = await emulator.createRepository({ owner: 'acme', name: 'widgets' });
  const app = await emulator.createApp({
    name: 'Quorum',
    permissions: { issues: 'write', contents: 'write', metadata: 'read' },
  });
  const installationId = emulator.installApp(app.appId, 'acme');
  const { number } = await emulator.as('alice').openIssue('acme/widgets', { title: 'One' });
  const github = createGitHub({
    auth: { kind: 'app', appId: app.appId, privateKey: app.privateKey },
    baseUrl: emulator.apiUrl,
    markerSecret: SECRET,
    clock,
    random: steady,
  });
  const thread = {
    installationId,
    repositoryId: repository.id,
    owner: 'acme',
    repo: 'widgets',
    number,
  };
  const write = (body: string) =>
    github.at(thread).write.ensureComment(thread, { marker: MARKER, body });
  const bodies = () =>
    (repository.threads.get(number)?.comments ?? []).map((one) => one.body.split('\n')[0]);
  return { emulator, clock, github, thread, write, bodies };
}

verifies('ING-12', 'an App that was removed writes nothing more', async () => {
  const { emulator, github, thread, write, bodies } = await openWorld();
  await write('before');
  emulator.removeInstallation(thread.installationId);
  github.forget(thread.installationId);
  await expect(write('after')).rejects.toBeInstanceOf(RefusedError);
  expect(bodies()).toEqual(['before']);
  expect(await github.app.repositories(thread.installationId)).toEqual([]);
});

verifies(
  'ING-12',
  'an App that was removed without our being told writes nothing more either',
  async () => {
    const { emulator, thread, write, bodies } = await openWorld();
    await write('before');
    emulator.removeInstallation(thread.installationId);
    await expect(write('after')).rejects.toMatchObject({ retryable: false });
    expect(bodies()).toEqual(['before']);
  },
);

verifies('ING-12', 'an App that is suspended is refused until it is let in again', async () => {
  const { emulator, github, thread, write, bodies } = await openWorld();
  await write('before');
  emulator.suspendInstallation(thread.installationId);
  await expect(write('while')).rejects.toMatchObject({ retryable: false });
  emulator.suspendInstallation(thread.installationId, false);
  github.forget(thread.installationId);
  await write('after');
  expect(bodies()).toEqual(['after']);
});

verifies('ING-12', 'a repository that was renamed is found by its number', async () => {
  const { emulator, github, thread, write, bodies } = await openWorld();
  await write('before');
  emulator.renameRepository('acme/widgets', 'gadgets');
  await write('after');
  expect(bodies()).toEqual(['after']);
  expect(await github.at(thread).read.issue(thread)).toMatchObject({ title: 'One' });
});

verifies('ING-12', 'a name that another repository took over gets nothing', async () => {
  const { emulator, clock, github, thread, write, bodies } = await openWorld();
  await write('before');
  emulator.renameRepository('acme/widgets', 'gadgets');
  await emulator.createRepository({ owner: 'acme', name: 'widgets' });
  const other = await emulator.as('alice').openIssue('acme/widgets', { title: 'Not yours' });
  clock.advance(11 * 60_000);
  github.forget(thread.installationId);
  await write('after');
  expect(bodies()).toEqual(['after']);
  const threads = emulator.repository('acme/widgets').threads;
  expect(threads.get(other.number)?.comments).toEqual([]);
});

verifies(
  'ING-12',
  'git gets the repository’s current name, and never one that another took over',
  async () => {
    const { emulator, github, thread } = await openWorld();
    const before = await github.remote(thread);
    emulator.renameRepository('acme/widgets', 'gadgets');
    const after = await github.remote(thread);
    expect([before.url, after.url].map((url) => new URL(url).pathname)).toEqual([
      '/acme/widgets.git',
      '/acme/gadgets.git',
    ]);
    await emulator.createRepository({ owner: 'acme', name: 'widgets' });
    github.forget(thread.installationId);
    const { url } = await github.remote(thread);
    expect(new URL(url).pathname).toBe('/acme/gadgets.git');
  },
);

verifies('ING-12', 'a repository that was transferred away gets nothing', async () => {
  const { emulator, clock, thread, write, bodies } = await openWorld();
  await write('before');
  emulator.transferRepository('acme/widgets', 'rival');
  clock.advance(11 * 60_000);
  await expect(write('after')).rejects.toBeInstanceOf(RefusedError);
  expect([bodies(), thread.owner]).toEqual([['before'], 'acme']);
});
