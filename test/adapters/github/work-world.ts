/** A repository with a task's branch on the embedded GitHub, every exchange held against GitHub's own description. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { createGitHub } from '../../../src/adapters/github/create-github.ts';
import { createGitHubEmulator } from '../../../src/emulator/github/github-emulator.ts';
import {
  type GitHubEmulator,
  type EmulatorOptions,
} from '../../../src/emulator/github/emulator-interface.ts';
import type { RepositoryRef, ThreadRef } from '../../../src/domain/run/thread-ref.ts';
import type { GitHubWork, PullWanted, WorkSession } from '../../../src/ports/github/work.ts';
import { withOpenApiCheck } from '../../emulator/github/openapi.ts';
import { createTestClock, SECRET, steady } from './stage.ts';

export const NAME = 'acme/widgets';
export const BRANCH = 'quorum/task-1-2-rename';

export interface WorkWorld {
  emulator: GitHubEmulator;
  repository: RepositoryRef;
  /** The adapter of a process of its own. */
  github(options?: { isJobToken: boolean }): GitHubWork;
  /** A session of a process of its own. */
  open(): WorkSession;
  /** Writes a file on a branch as alice; its new tip. */
  push(branch: string, file?: string): Promise<string>;
  thread(number: number): ThreadRef;
}

const ALL = {
  contents: 'write',
  issues: 'write',
  pull_requests: 'write',
  checks: 'write',
  statuses: 'read',
  metadata: 'read',
} as const;

export async function openWorld(options: Partial<EmulatorOptions> = {}): Promise<WorkWorld> {
  const dir = await mkdtemp(join(tmpdir(), 'quorum-work-'));
  const clock = createTestClock();
  const emulator = await createGitHubEmulator({ dir, clock, ...options });
  const watch = withOpenApiCheck(emulator);
  onTestFinished(async () => {
    await emulator.close();
    await rm(dir, { recursive: true, force: true });
    expect(watch.violations).toEqual([]);
    expect(watch.checked()).toBeGreaterThan(0);
  });
  for (const login of ['alice', 'bob', 'mallory']) emulator.createUser(login);
  emulator.createOrg('acme', { alice: 'member', bob: 'member' });
  const files = { 'README.md': '# Widgets\n' };
  const { id } = await emulator.createRepository({ owner: 'acme', name: 'widgets', files });
  emulator.addCollaborator(NAME, 'alice', 'write');
  emulator.addCollaborator(NAME, 'bob', 'write');
  const { appId, privateKey } = await emulator.createApp({ name: 'Quorum', permissions: ALL });
  const installationId = emulator.installApp(appId, 'acme');
  const repository = { installationId, repositoryId: id, owner: 'acme', repo: 'widgets' };
  const as = emulator.as('alice');
  const push = async (branch: string, file = 'task.md'): Promise<string> => {
    const content = Buffer.from(`${file} on ${branch}\n`).toString('base64');
    const change = { message: `task(2): ${file}`, content, branch };
    const answer = await as.request('PUT', `/repos/${NAME}/contents/${file}`, change);
    return (answer as { commit: { sha: string } }).commit.sha;
  };
  const main = (await as.request('GET', `/repos/${NAME}/git/ref/heads/main`)) as {
    object: { sha: string };
  };
  const ref = { ref: `refs/heads/${BRANCH}`, sha: main.object.sha };
  await as.request('POST', `/repos/${NAME}/git/refs`, ref);
  await push(BRANCH);
  const github: WorkWorld['github'] = (over = { isJobToken: false }) =>
    createGitHub({
      ...over,
      auth: { kind: 'app', appId, privateKey },
      baseUrl: emulator.apiUrl,
      markerSecret: SECRET,
      clock,
      random: steady,
      budgets: 'off',
    });
  return {
    emulator,
    repository,
    push,
    thread: (number) => ({ ...repository, number }),
    github,
    open: () => github().at(repository),
  };
}

export const WANTED: Omit<PullWanted, 'headSha'> = {
  marker: { kind: 'plan', run: 'r1', key: 'task-2' },
  head: BRANCH,
  base: 'main',
  title: 'Rename it',
  body: 'What was done.',
  isDraft: false,
};

/** One of Quorum's pull requests, ready to be merged. */
export async function openPull(world: WorkWorld, wanted: Partial<PullWanted> = {}) {
  const at = `/repos/${NAME}/git/ref/heads/${BRANCH}`;
  const { object } = (await world.emulator.as('alice').request('GET', at)) as {
    object: { sha: string };
  };
  const all = { ...WANTED, headSha: object.sha, ...wanted };
  const pull = await world.open().tasks.ensurePull(world.repository, all);
  return { ...pull, ref: world.thread(pull.number) };
}

/** Requests of this method and path that reached the emulator. */
export function count({ emulator }: WorkWorld, method: string, path: RegExp): number {
  return emulator.requests.filter((one) => one.method === method && path.test(one.path)).length;
}
