/** `quorum review --pr` against an embedded GitHub: everything is read, nothing is written. */
import { beforeAll, afterAll, describe, expect, test } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createGitHubEmulator } from '../../src/emulator/github/github-emulator.ts';
import { type GitHubEmulator } from '../../src/emulator/github/emulator-interface.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { quorum } from '../hosts/cli/fake-io.ts';
import { temporaryFolder } from '../hosts/cli/temporary-folder.ts';

const REPO = 'ana/shop';
const RUN = `import { exec } from 'node:child_process';

export function run(name: string): void {
  exec(\`ls \${name}\`);
}
`;

describe('a pull request on GitHub', () => {
  let emulator: GitHubEmulator;
  let dir: string;
  let url: string;

  beforeAll(async () => {
    dir = mkdtempSync(path.join(os.tmpdir(), 'quorum-review-'));
    emulator = await createGitHubEmulator({ dir, clock: systemClock });
    emulator.createUser('ana');
    emulator.createUser('reader');
    await emulator.createRepository({
      owner: 'ana',
      name: 'shop',
      files: { 'src/a.ts': 'export const a = 1;\n', 'README.md': '# Shop\n' },
    });
    const ana = emulator.as('ana');
    const main = (await ana.request('GET', `/repos/${REPO}/git/ref/heads/main`)) as {
      object: { sha: string };
    };
    await ana.request('POST', `/repos/${REPO}/git/refs`, {
      ref: 'refs/heads/change',
      sha: main.object.sha,
    });
    await ana.request('PUT', `/repos/${REPO}/contents/src/run.ts`, {
      message: 'run',
      branch: 'change',
      content: Buffer.from(RUN).toString('base64'),
    });
    const pull = await ana.openPull(REPO, {
      title: 'Run it',
      head: 'change',
      body: '',
      draft: true,
    });
    url = pull.html_url;
    emulator.clearRequests();
  });

  afterAll(async () => {
    await emulator.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const env = () => ({
    GITHUB_TOKEN: emulator.createUserToken('reader'),
    GHE_HOST: emulator.host,
    GHE_PROTOCOL: 'http',
  });

  test.each([['council'], ['rules']])(
    'is reviewed by %s, a draft too, without a write',
    async (who) => {
      const more = who === 'rules' ? ['--no-model'] : [];
      for (const args of [
        ['--pr', '1', '--repo', REPO],
        ['--pr', url],
      ]) {
        const said = await quorum(['review', ...args, '--json', ...more], {
          cwd: temporaryFolder(),
          env: env(),
        });
        expect(said.err).not.toContain('quorum:');
        expect(said.code).toBe(1);
        expect(said.json()).toMatchObject({
          verdict: 'CHANGES',
          findings: [{ ruleId: 'js-shell-command', path: 'src/run.ts', line: 4 }],
        });
      }
      expect(emulator.requests.length).toBeGreaterThan(5);
      const isRead = (request: { method: string; path?: string; url?: string }) =>
        request.method === 'GET' || JSON.stringify(request).includes('graphql');
      expect(emulator.requests.filter((request) => !isRead(request))).toEqual([]);
      const reviews = await emulator.as('ana').request('GET', `/repos/${REPO}/pulls/1/reviews`);
      expect(reviews).toEqual([]);
    },
  );

  test('needs a token, a repository and a pull request that is there', async () => {
    const cwd = temporaryFolder();
    const end = async (args: string[], given: Record<string, string>) => {
      const { code, err } = await quorum(['review', ...args], { cwd, env: given });
      return [code, /\[([\w-]+)\]/.exec(err)?.[1]];
    };
    const { GITHUB_TOKEN: _token, ...withoutToken } = env();
    expect(await end(['--pr', '1', '--repo', REPO], withoutToken)).toEqual([2, 'token-missing']);
    expect(await end(['--pr', '1'], env())).toEqual([2, 'repository-invalid']);
    expect(await end(['--pr', 'one'], env())).toEqual([2, 'pull-invalid']);
    expect(await end(['--pr', '99', '--repo', REPO], env())).toEqual([1, 'github-not-found']);
    expect(await end(['--pr', 'https://github.com/ana/shop/pull/1'], env())).toEqual([
      2,
      'host-unknown',
    ]);
  });
});
