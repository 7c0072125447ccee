/** A world that was written down goes on in another emulator. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/adapters/system/system-clock.ts';
import { createGitHubEmulator } from '../../../src/emulator/github/github-emulator.ts';
import { type GitHubEmulator } from '../../../src/emulator/github/emulator-interface.ts';

const NAME = 'acme/widgets';

async function anEmulator(snapshot?: string): Promise<GitHubEmulator> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'quorum-snapshot-'));
  const given = snapshot === undefined ? {} : { snapshot };
  const emulator = await createGitHubEmulator({ dir, clock: systemClock, ...given });
  onTestFinished(async () => {
    await emulator.close();
    await rm(dir, { recursive: true });
  });
  return emulator;
}

async function populated(): Promise<GitHubEmulator> {
  const emulator = await anEmulator();
  emulator.createOrg('acme');
  emulator.createUser('ana');
  await emulator.createRepository({ owner: 'acme', name: 'widgets', files: { 'a.txt': 'a\n' } });
  emulator.addCollaborator(NAME, 'ana', 'admin');
  const ana = emulator.as('ana');
  const { html_url: link } = await ana.openIssue(NAME, { title: 'One', labels: ['bug'] });
  await ana.comment(NAME, 1, `This is ${link}.`);
  const main = (await ana.request('GET', `/repos/${NAME}/git/ref/heads/main`)) as {
    object: { sha: string };
  };
  const ref = { ref: 'refs/heads/change', sha: main.object.sha };
  await ana.request('POST', `/repos/${NAME}/git/refs`, ref);
  const content = Buffer.from('b\n').toString('base64');
  const commit = { message: 'b', branch: 'change', content };
  await ana.request('PUT', `/repos/${NAME}/contents/b.txt`, commit);
  await ana.openPull(NAME, { title: 'Two', head: 'change' });
  return emulator;
}

test('a snapshot holds threads, people and commits, with links to the new address', async () => {
  const first = await populated();
  const second = await anEmulator(await first.snapshot());
  const read = async (emulator: GitHubEmulator, what: string): Promise<unknown> =>
    emulator.as('ana').request('GET', `/repos/${NAME}/${what}`);
  const toSecond = (answer: unknown): unknown =>
    JSON.parse(JSON.stringify(answer).replaceAll(first.host, second.host));
  for (const what of ['issues/1', 'issues/1/comments', 'pulls/2', 'pulls/2/files', 'branches'])
    expect(await read(second, what)).toEqual(toSecond(await read(first, what)));
});

test('work goes on after a snapshot: numbers follow, and a pull request can be merged', async () => {
  const second = await anEmulator(await (await populated()).snapshot());
  const ana = second.as('ana');
  expect((await ana.openIssue(NAME, { title: 'Three' })).number).toBe(3);
  await ana.request('PUT', `/repos/${NAME}/pulls/2/merge`, {});
  expect(second.repository(NAME).threads.get(2)?.pull?.merged).toBe(true);
});
