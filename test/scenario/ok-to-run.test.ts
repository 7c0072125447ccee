/** A pull request from a fork: its code runs only after a person allowed exactly its head, and then behind the sandbox. */
import { describe, expect, test } from 'vitest';
import { moveBranch, openPullOf, writeCommit } from '../helpers/commits.ts';
import { CODER_ENV, planFiles } from '../helpers/a-plan-story.ts';
import { checksOf, headOf, type ToldCheck } from '../helpers/a-pull.ts';
import { aWorld, REPO, type TestWorld } from '../helpers/a-world.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { say } from '../helpers/talking.ts';
import { verifies } from '../verifies.ts';

const FORK = 'tom/tidy';

/** Fails if it finds credentials, a way into the network (allowed hosts are behind a proxy that the environment names), the host's files, or the server at an address. */
const curious = (address: string): string => `import { test } from 'node:test';
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
test('finds nothing', async () => {
  const keys = Object.keys(process.env).filter((key) => /TOKEN|KEY|SECRET|QUORUM/i.test(key));
  assert.deepEqual(keys, []);
  assert.deepEqual(Object.keys(process.env).filter((key) => /^https?_proxy$/i.test(key)), []);
  assert.equal(existsSync('/root/.ssh'), false);
  assert.deepEqual(Object.keys(networkInterfaces()).filter((name) => name !== 'lo'), []);
  await assert.rejects(fetch('${address}'));
});
`;

async function aForkedPull(
  filesFor: (world: TestWorld) => Record<string, string>,
  settings = 'gates:\n  testNetwork: true\n',
): Promise<{ world: TestWorld; number: number }> {
  const world = await aWorld({ env: CODER_ENV, files: planFiles(settings) });
  await world.emulator.createFork(REPO, 'tom');
  const number = await openPullOf(world, filesFor(world), { by: 'tom', repository: FORK });
  await world.idle();
  return { world, number };
}

async function testsOf(world: TestWorld, sha: string): Promise<ToldCheck | undefined> {
  return (await checksOf(world, sha)).find(({ name }) => name === 'quorum / tests');
}

describe.skipIf(noBwrap !== undefined)('a pull request from a fork', () => {
  verifies(
    'CMD-13: no credential',
    'runs nothing until its very head is allowed, and then without network and keys',
    async () => {
      const { world, number } = await aForkedPull(({ emulator }) => ({
        'test/curious.test.js': curious(emulator.apiUrl),
      }));
      const head = await headOf(world, number);
      expect(await testsOf(world, head)).toBeUndefined();
      const stranger = await say(world, number, { by: 'tom', body: `/pm ok-to-run ${head}` });
      expect(stranger.reactions).toEqual(['confused']);
      expect(await testsOf(world, head)).toBeUndefined();
      const allowed = await say(world, number, `/pm ok-to-run ${head}`);
      expect(allowed.answers[0]).toContain('shows the result');
      await world.idle();
      expect(await testsOf(world, head)).toMatchObject({
        conclusion: 'success',
        output: { summary: expect.stringContaining('`ana` allowed this commit to run') },
      });
      expect(world.openApi.violations).toEqual([]);
    },
  );

  verifies('CMD-13: a later push', 'that was pushed to since runs nothing', async () => {
    const { world, number } = await aForkedPull(() => ({
      'src/more.js': 'export const more = 1;\n',
    }));
    const before = await headOf(world, number);
    const { gitDir } = world.emulator.repository(FORK);
    const sha = writeCommit(gitDir, {
      changes: { 'test/bad.test.js': curious(world.emulator.apiUrl) },
      parent: before,
    });
    await moveBranch(world, 'change', { sha, by: 'tom', repository: FORK });
    await world.idle();
    const said = await say(world, number, `/pm ok-to-run ${before}`);
    expect(said.answers[0]).toContain(`The head of this pull request is \`${sha}\``);
    expect(await testsOf(world, before)).toBeUndefined();
    expect(await testsOf(world, sha)).toBeUndefined();
  });

  verifies('CMD-13: no credential', 'runs nothing where the sandbox is off', async () => {
    const files = { 'src/more.js': 'export const more = 1;\n' };
    const { world, number } = await aForkedPull(() => files, 'coder:\n  sandbox: off\n');
    const head = await headOf(world, number);
    await say(world, number, `/pm ok-to-run ${head}`);
    await world.idle();
    expect(await testsOf(world, head)).toMatchObject({
      conclusion: 'failure',
      output: { title: expect.stringContaining('coder.sandbox is off') },
    });
  });

  test('whose tests fail says so', async () => {
    const { world, number } = await aForkedPull(() => ({
      'src/greet.js': 'export const greet = () => 1;\n',
    }));
    const head = await headOf(world, number);
    await say(world, number, `/pm ok-to-run ${head}`);
    await world.idle();
    expect(await testsOf(world, head)).toMatchObject({ conclusion: 'failure' });
  });
});

test('where no code is run the check says so', async () => {
  const world = await aWorld({ files: planFiles('') });
  await world.emulator.createFork(REPO, 'tom');
  const files = { 'src/more.js': 'export const more = 1;\n' };
  const number = await openPullOf(world, files, { by: 'tom', repository: FORK });
  await world.idle();
  const head = await headOf(world, number);
  await say(world, number, `/pm ok-to-run ${head}`);
  await world.idle();
  expect(await testsOf(world, head)).toMatchObject({
    conclusion: 'failure',
    output: { title: 'The tests could not run: this host runs no code (QUORUM_CODER is not set).' },
  });
});
