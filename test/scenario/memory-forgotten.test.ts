/** What a process counts of the memory of an installation goes when the App is removed from it. */
import { expect, test } from 'vitest';
import { renderEntryLine } from '../../src/domain/memory/file/entry-line.ts';
import { anEntry } from '../domain/memory/some-memory.ts';
import { aWorld, REPO, type TestWorld } from '../helpers/a-world.ts';
import { tipOf } from '../helpers/commits.ts';
import { aPull } from '../helpers/talking.ts';

const TOKEN = ['reads', 'the', 'metrics', 'of', 'this', 'test'].join('-');
const STALE = 'quorum_memory_stale_notes';

async function staleNotes({ app }: TestWorld): Promise<string | undefined> {
  const text = await (
    await fetch(`${app.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
  ).text();
  return text.split('\n').find((line) => line.startsWith(`${STALE} `));
}

test.each(['removed', 'suspended'] as const)(
  'stale notes of an installation are counted until it is %s',
  async (how) => {
    const world = await aWorld({
      env: { QUORUM_DASHBOARD_TOKEN: TOKEN },
      files: { '.github/quorum.yml': 'review:\n  settleSeconds: 0\n' },
    });
    const ana = world.emulator.as('ana');
    const line = renderEntryLine(anEntry({ persona: 'team', createdAt: '2020-01-02' }), '');
    const branch = 'quorum/memory';
    const ref = { ref: `refs/heads/${branch}`, sha: await tipOf(world) };
    await ana.request('POST', `/repos/${REPO}/git/refs`, ref);
    await ana.request('PUT', `/repos/${REPO}/contents/personas/team/working.md`, {
      message: 'by hand',
      branch,
      content: Buffer.from(`## 2020-01-02 [PATTERN]\n\n${line}\n`).toString('base64'),
    });
    await aPull(world, { 'src/run.ts': 'export const run = 1;\n' });
    await world.idle();
    expect(await staleNotes(world)).toBe(`${STALE} 1`);
    const { emulator, installationId } = world;
    if (how === 'removed') emulator.removeInstallation(installationId);
    else emulator.suspendInstallation(installationId);
    await world.idle();
    expect(await staleNotes(world)).toBe(`${STALE} 0`);
  },
);
