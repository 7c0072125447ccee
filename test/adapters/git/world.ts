/** The embedded GitHub as the remote of real git, by an installation's token. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createGit } from '../../../src/adapters/git/git.ts';
import { readPrivateKey, renderAppJwt } from '../../../src/adapters/github/client/app-jwt.ts';
import { createSandboxGitHub } from '../../../src/emulator/github/sandbox-github.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import type { DiskShares } from '../../../src/domain/config/disk-shares.ts';
import type { Git } from '../../../src/ports/git.ts';
import type { GitWorld } from '../../contract/git.ts';

export const FILES = {
  'README.md': '# Widgets\n',
  'src/a.ts': 'one\ntwo\nthree\n',
  'run.sh': '#!/bin/sh\n',
  '.gitignore': 'ignored/\n',
};

export interface SandboxGit extends GitWorld {
  sandbox: Awaited<ReturnType<typeof createSandboxGitHub>>;
  /** Where mirrors and worktrees are. */
  folder: string;
  authorization: string;
  another(shares?: DiskShares): Git;
  app: { appId: number; privateKey: string };
  close(): Promise<void>;
}

export async function openSandboxGit(files: Record<string, string> = FILES): Promise<SandboxGit> {
  const dir = await mkdtemp(join(tmpdir(), 'quorum-git-'));
  const sandbox = await createSandboxGitHub({ dir: join(dir, 'remote'), clock: systemClock });
  sandbox.createUser('alice');
  sandbox.createOrg('acme', { alice: 'member' });
  const { id } = await sandbox.createRepository({
    owner: 'acme',
    name: 'widgets',
    private: true,
    files,
  });
  sandbox.addCollaborator('acme/widgets', 'alice', 'write');
  const permissions = { contents: 'write', metadata: 'read' } as const;
  const { appId, privateKey } = await sandbox.createApp({ name: 'Quorum', permissions });
  const installationId = sandbox.installApp(appId, 'acme');
  const jwt = await renderAppJwt(appId, readPrivateKey(privateKey), systemClock.now());
  const made = await fetch(`${sandbox.apiUrl}/app/installations/${installationId}/access_tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${jwt}` },
  });
  const { token } = (await made.json()) as { token: string };
  const authorization = `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;
  const ref = { installationId, repositoryId: id, owner: 'acme', repo: 'widgets' };
  const api = sandbox.as('alice');
  const headOf = async (branch: string): Promise<string> => {
    const found = await api.request('GET', `/repos/acme/widgets/git/ref/heads/${branch}`);
    return (found as { object: { sha: string } }).object.sha;
  };
  const baseSha = await headOf('main');
  const folder = join(dir, 'data');
  const remote = { url: `${sandbox.url}/acme/widgets.git`, authorization };
  const another = (shares?: DiskShares) =>
    createGit({
      folder,
      remoteOf: () => Promise.resolve(remote),
      clock: systemClock,
      ...(shares && { shares }),
    });
  return {
    sandbox,
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
      void sandbox.faults.add({
        method: 'POST',
        path: /git-receive-pack$/,
        fault: { kind: 'effect-then-fail', reset: true },
      }),
    cutLine: () =>
      sandbox.faults.add({
        path: /\/acme\/widgets\.git\//,
        times: Infinity,
        fault: { kind: 'reset' },
      }),
    async close() {
      await sandbox.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Closed when the test is over. */
export async function sandboxGitForTest(files?: Record<string, string>): Promise<SandboxGit> {
  const world = await openSandboxGit(files);
  onTestFinished(() => world.close());
  return world;
}
