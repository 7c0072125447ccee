/** The playground by GitHub's command line: people use gh alone, and read there what the team answers. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { HOST_OF_GH, writeGhConfig } from '../../src/emulator/github/gh-config.ts';
import { hasGh } from '../helpers/has-gh.ts';
import { aWorld, READY_ISSUE, REPO } from '../helpers/a-world.ts';

const run = promisify(execFile);

describe.skipIf(!hasGh)('by gh (skipped where gh is not installed)', () => {
  test('an issue that is created and labelled gets its verdict, and a command its answer', async () => {
    const dir = await mkdtemp(`${tmpdir()}/gh-`);
    onTestFinished(() => rm(dir, { recursive: true }));
    const socketPath = `${dir}/gh.sock`;
    const world = await aWorld({ emulator: { socketPath } });
    const GH_CONFIG_DIR = await writeGhConfig(dir, socketPath);
    const gh = async (who: string, ...args: string[]): Promise<string> => {
      const env = {
        PATH: process.env['PATH'],
        HOME: dir,
        GH_CONFIG_DIR,
        GH_HOST: HOST_OF_GH,
        GH_REPO: `${HOST_OF_GH}/${REPO}`,
        GH_ENTERPRISE_TOKEN: world.emulator.createUserToken(who),
        GH_NO_UPDATE_NOTIFIER: '1',
        GH_PROMPT_DISABLED: '1',
      };
      return (await run('gh', args, { env, cwd: dir })).stdout;
    };
    await gh('ana', 'label', 'create', 'deliberate');
    const { title, body } = READY_ISSUE;
    const url = await gh('tom', 'issue', 'create', '--title', title, '--body', body);
    expect(url.trim()).toBe(`${world.emulator.url}/${REPO}/issues/1`);
    await world.idle();
    expect(await gh('tom', 'issue', 'view', '1', '--comments')).toBe('');
    await gh('ana', 'issue', 'edit', '1', '--add-label', 'deliberate');
    await world.idle();
    const verdict = await gh('tom', 'issue', 'view', '1', '--comments');
    expect(verdict).toMatch(/^author:\tquorum\n/);
    expect(verdict).toContain('### Ready: ');
    await gh('ana', 'issue', 'comment', '1', '--body', '/pm status');
    await world.idle();
    expect(await gh('tom', 'issue', 'view', '1', '--comments')).toContain('> `/pm status`');
    expect(await gh('tom', 'issue', 'list')).toContain('\tready\t');
  });
});
