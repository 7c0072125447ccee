/** A pull request with as many files as GitHub lists. */
import { expect, test } from 'vitest';
import { aWorld, REPO, type TestWorld } from '../helpers/a-world.ts';

const FILES = 3_000;

/** One commit, as somebody pushes it. */
async function aWidePull(world: TestWorld): Promise<number> {
  const ana = world.emulator.as('ana');
  const git = `/repos/${REPO}/git`;
  const ask = async (method: string, path: string, body?: object): Promise<{ sha: string }> =>
    (await ana.request(method, `${git}${path}`, body)) as { sha: string };
  const main = (await ana.request('GET', `${git}/ref/heads/main`)) as { object: { sha: string } };
  const tree = await ask('POST', '/trees', {
    base_tree: main.object.sha,
    tree: Array.from({ length: FILES }, (_, n) => ({
      path: `src/part-${n}.ts`,
      mode: '100644',
      type: 'blob',
      content: `export const part${n} = ${n};\n`,
    })),
  });
  const commit = { message: 'feat: parts', tree: tree.sha, parents: [main.object.sha] };
  const { sha } = await ask('POST', '/commits', commit);
  await ask('POST', '/refs', { ref: 'refs/heads/wide', sha });
  const { number } = await ana.openPull(REPO, { title: 'Parts', head: 'wide', body: 'As agreed.' });
  return number;
}

test('a change of 3,000 files is reviewed once, and what was not read is named', async () => {
  const world = await aWorld();
  const number = await aWidePull(world);
  await world.idle();
  const { events, effects } = await world.store.records.counts();
  expect([events.dead, effects.dead, effects.refused]).toEqual([0, 0, 0]);
  const pull = (await world.emulator
    .as('ana')
    .request('GET', `/repos/${REPO}/pulls/${number}`)) as {
    head: { sha: string };
  };
  const { check_runs: checks } = (await world.emulator
    .as('ana')
    .request('GET', `/repos/${REPO}/commits/${pull.head.sha}/check-runs`)) as {
    check_runs: { name: string; conclusion: string; output: { title: string; summary: string } }[];
  };
  const own = checks.filter(({ name }) => name === 'quorum / review');
  expect(own).toHaveLength(1);
  // All of its lines are read. 500 files are read whole, and the others are listed.
  expect(own[0]?.output.summary).toContain('3000 new lines of code in 3000 files');
  expect(own[0]?.output.summary).toContain('only its changed lines were read');
  expect(own[0]?.output.summary).toContain('- and 2480 more');
});
