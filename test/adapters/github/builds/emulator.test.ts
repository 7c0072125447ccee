/** Builds by the GitHub adapter on the embedded GitHub, over HTTP. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createGitHub } from '../../../../src/adapters/github/create-github.ts';
import type { AppCredentials } from '../../../../src/emulator/github/world/seed-apps.ts';
import { createGitHubEmulator } from '../../../../src/emulator/github/github-emulator.ts';
import { describeBuilds, type BuildsWorld } from '../../../contract/builds.ts';
import { octokitOf } from '../../../emulator/github/start.ts';
import { withOpenApiCheck, type OpenApiWatch } from '../../../emulator/github/openapi.ts';
import { createTestClock, SECRET, steady } from '../stage.ts';

const NAME = 'acme/widgets';
const REPO = { owner: 'acme', repo: 'widgets' };
const Sha = z.object({ sha: z.string() });
const Ref = z.object({ object: Sha });
const Pushed = z.object({ commit: Sha });

let openApi: OpenApiWatch | undefined;

async function openWorld(): Promise<BuildsWorld> {
  const dir = await mkdtemp(join(tmpdir(), 'quorum-builds-'));
  const clock = createTestClock();
  const emulator = await createGitHubEmulator({ dir, clock });
  openApi = withOpenApiCheck(emulator);
  emulator.createUser('alice');
  emulator.createOrg('acme', { alice: 'admin' });
  const history = Array.from({ length: 206 }, (_, n) => ({
    message: `feat: ${n}`,
    author: 'alice',
    files: { [`many/${n}.ts`]: `${n}\n` },
  }));
  const repository = await emulator.createRepository({ ...REPO, name: REPO.repo, history });
  await emulator.createFork(NAME, 'alice');
  const install = async (name: string, permissions: Record<string, 'read' | 'write'>) => {
    const app = await emulator.createApp({ name, permissions });
    return { app, installationId: emulator.installApp(app.appId, 'acme') };
  };
  const ours = await install('Quorum', {
    actions: 'read',
    checks: 'write',
    contents: 'read',
    metadata: 'read',
  });
  const other = await install('Elsewhere CI', { checks: 'write', contents: 'read' });
  const ref = { ...REPO, installationId: ours.installationId, repositoryId: repository.id };
  const alice = emulator.as('alice');
  const headSha = async () =>
    Ref.parse(await alice.request('GET', `/repos/${NAME}/git/ref/heads/main`)).object.sha;
  const first = await headSha();
  const writeCheck = async (
    by: { app: AppCredentials; installationId: number },
    check: { name: string; conclusion: string; output?: object },
  ) => {
    const timeDifference = Math.floor((clock.now() - Date.now()) / 1000);
    const { appId, privateKey } = by.app;
    const auth = { appId, privateKey, installationId: by.installationId, timeDifference };
    const octokit = octokitOf({ baseUrl: emulator.apiUrl, auth });
    await octokit.request('POST /repos/{owner}/{repo}/check-runs', {
      ...REPO,
      ...check,
      head_sha: await headSha(),
      status: 'completed',
    } as never);
    return appId;
  };
  return {
    repository: ref,
    headSha,
    longRange: async () => {
      const oldest = await alice.request(
        'GET',
        `/repos/${NAME}/commits?per_page=1&page=206&sha=${first}`,
      );
      return { baseSha: z.array(Sha).parse(oldest)[0]?.sha ?? '', headSha: first };
    },
    open: () =>
      createGitHub({
        auth: { kind: 'app', appId: ours.app.appId, privateKey: ours.app.privateKey },
        baseUrl: emulator.apiUrl,
        markerSecret: SECRET,
        clock,
        random: steady,
        budgets: 'off',
      }),
    endRun: async ({ isFork, ...run }) =>
      (await emulator.endRun(NAME, { ...run, ...(isFork && { from: 'alice/widgets' }) })).id,
    commit: async (path, message) => {
      const content = Buffer.from(`${path}\n`).toString('base64');
      const target = `/repos/${NAME}/contents/${path}`;
      return Pushed.parse(await alice.request('PUT', target, { message, content })).commit.sha;
    },
    check: ({ name, conclusion, text = '', notes = [] }) =>
      writeCheck(other, {
        name,
        conclusion,
        output: {
          title: name,
          summary: 'The end.',
          text,
          annotations: notes.map(({ path, line, message }) => ({
            path,
            start_line: line,
            end_line: line,
            annotation_level: 'failure',
            message,
          })),
        },
      }),
    ownCheck: async (name) => void (await writeCheck(ours, { name, conclusion: 'failure' })),
    withoutActions: () =>
      emulator.setPermissions(ours.installationId, { checks: 'write', contents: 'read' }),
    breakNext: (path, fault) => void emulator.faults.add({ path, fault }),
    close: async () => {
      await emulator.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

describeBuilds('the emulator', openWorld);

test('every exchange of the contract fits GitHub’s own description', () => {
  expect(openApi?.checked()).toBeGreaterThan(50);
  expect(openApi?.violations).toEqual([]);
});
