/** The embedded GitHub as the remote of real git, by an installation's token. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createGit } from '../../../src/adapters/git/create-git.ts';
import { readPrivateKey, renderAppJwt } from '../../../src/adapters/github/client/app-jwt.ts';
import { createGitHubEmulator } from '../../../src/emulator/github/github-emulator.ts';
import { systemClock } from '../../../src/adapters/system/system-clock.ts';
import type { DiskShares } from '../../../src/domain/config/disk-shares.ts';
import type { Git } from '../../../src/ports/git.ts';
import type { GitWorld } from '../../contract/git.ts';

export const FILES = {
  'README.md': '# Widgets\n',
  'src/a.ts': 'one\ntwo\nthree\n',
  'run.sh': '#!/bin/sh\n',
  '.gitignore': 'ignored/\n',
};

export interface EmulatedGit extends GitWorld {
  emulator: Awaited<ReturnType<typeof createGitHubEmulator>>;
  /** Where mirrors and worktrees are. */
  folder: string;
  authorization: string;
  another(shares?: DiskShares): Git;
  app: { appId: number; privateKey: string };
  close(): Promise<void>;
}

export async function openEmulatedGit(
  files: Record<string, string> = FILES,
  publicName?: string,
): Promise<EmulatedGit> {
  const dir = await mkdtemp(join(tmpdir(), 'quorum-git-'));
  const emulator = await createGitHubEmulator({
    dir: join(dir, 'remote'),
    clock: systemClock,
    ...(publicName !== undefined && { publicName }),
  });
  emulator.createUser('alice');
  emulator.createOrg('acme', { alice: 'member' });
  const { id } = await emulator.createRepository({
    owner: 'acme',
    name: 'widgets',
    private: true,
    files,
  });
  emulator.addCollaborator('acme/widgets', 'alice', 'write');
  const permissions = { contents: 'write', metadata: 'read' } as const;
  const { appId, privateKey } = await emulator.createApp({ name: 'Quorum', permissions });
  const installationId = emulator.installApp(appId, 'acme');
  const jwt = await renderAppJwt(appId, readPrivateKey(privateKey), systemClock.now());
  const made = await fetch(`${emulator.apiUrl}/app/installations/${installationId}/access_tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${jwt}` },
  });
  const { token } = (await made.json()) as { token: string };
  const authorization = `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;
  const ref = { installationId, repositoryId: id, owner: 'acme', repo: 'widgets' };
  const api = emulator.as('alice');
  const headOf = async (branch: string): Promise<string> => {
    const found = await api.request('GET', `/repos/acme/widgets/git/ref/heads/${branch}`);
    return (found as { object: { sha: string } }).object.sha;
  };
  const baseSha = await headOf('main');
  const folder = join(dir, 'data');
  const remote = { url: `${emulator.url}/acme/widgets.git`, authorization };
  const another = (shares?: DiskShares) =>
    createGit({
      folder,
      remoteOf: () => Promise.resolve(remote),
      clock: systemClock,
      ...(shares && { shares }),
    });
  return {
    emulator,
    folder,
    authorization,
    app: { appId, privateKey },
    git: another(),
    another,
    ref,
    baseSha,
    async commitThere(branch, changed) {
      const at = `/repos/acme/widgets`;
      await headOf(branch).catch(() =>
        api.request('POST', `${at}/git/refs`, { ref: `refs/heads/${branch}`, sha: baseSha }),
      );
      for (const [path, text] of Object.entries(changed)) {
        const known = (await api
          .request('GET', `${at}/contents/${path}?ref=${branch}`)
          .catch(() => undefined)) as { sha: string } | undefined;
        await api.request('PUT', `${at}/contents/${path}`, {
          message: 'theirs',
          branch,
          content: Buffer.from(text).toString('base64'),
          ...(known !== undefined && { sha: known.sha }),
        });
      }
      return headOf(branch);
    },
    losePushAnswer: () =>
      void emulator.faults.add({
        method: 'POST',
        path: /git-receive-pack$/,
        fault: { kind: 'effect-then-fail', reset: true },
      }),
    cutLine: () =>
      emulator.faults.add({
        path: /\/acme\/widgets\.git\//,
        times: Infinity,
        fault: { kind: 'reset' },
      }),
    async close() {
      await emulator.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Closed when the test is over. */
export async function emulatedGitForTest(files?: Record<string, string>): Promise<EmulatedGit> {
  const world = await openEmulatedGit(files);
  onTestFinished(() => world.close());
  return world;
}
