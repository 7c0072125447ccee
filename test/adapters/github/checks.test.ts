/** Check runs on the embedded GitHub: many in one call, each once, and one by one where GraphQL does not help. */
import { expect, test } from 'vitest';
import type { ChecksChange } from '../../../src/ports/github/github-writer.ts';
import { BRANCH, count, NAME, openWorld, type WorkWorld } from './work-world.ts';

const GATES = ['hygiene', 'scope', 'tests'].map((gate) => `quorum / gate / ${gate}`);

async function wanted(world: WorkWorld, isNew: boolean): Promise<ChecksChange> {
  const headSha = (await world.open().work.branchTip(world.repository, BRANCH)) ?? '';
  const checks = GATES.map((name) => ({
    name,
    conclusion: 'success' as const,
    title: `${name} holds`,
    summary: '',
    isNew,
  }));
  return { repository: world.repository, headSha, checks };
}

function shown({ emulator }: WorkWorld): (string | null)[][] {
  const { checkRuns } = emulator.repository(NAME);
  return checkRuns.map(({ name, conclusion, output }) => [name, conclusion, output.title]);
}

const ALL = GATES.map((name) => [name, 'success', `${name} holds`]);

test('new ones are written in one call, and changed in one', async () => {
  const world = await openWorld();
  const change = await wanted(world, true);
  const { write } = world.open();
  await write.ensureChecks(change);
  expect([shown(world), count(world, 'POST', /graphql/)]).toEqual([ALL, 1]);
  const failing = change.checks.map((each) => ({ ...each, conclusion: 'failure' as const }));
  await write.ensureChecks({ ...change, checks: failing });
  expect(shown(world).map(([, conclusion]) => conclusion)).toEqual(GATES.map(() => 'failure'));
  expect([count(world, 'POST', /graphql/), count(world, 'POST', /check-runs/)]).toEqual([2, 0]);
});

test('a process that knows nothing finds them and writes nothing', async () => {
  const world = await openWorld();
  await world.open().write.ensureChecks(await wanted(world, true));
  await world.open().write.ensureChecks(await wanted(world, false));
  expect([shown(world), count(world, 'POST', /graphql/)]).toEqual([ALL, 1]);
});

test.each([
  ['a server without GraphQL', { kind: 'status', status: 404 }],
  ['an answer that is cut off after they were written', { kind: 'truncated' }],
] as const)('%s gets each of them once', async (_, fault) => {
  const world = await openWorld();
  const change = await wanted(world, true);
  world.emulator.faults.add({ path: /graphql/, fault });
  const { write } = world.open();
  // The caller retries when a lost answer does not show the outcome.
  await write.ensureChecks(change).catch(async () => {
    await world.open().write.ensureChecks(await wanted(world, false));
  });
  expect(shown(world)).toEqual(ALL);
});

/** As after the automatic suites were switched off: GitHub's reference wants a suite before the first check run. */
function withoutSuites({ emulator, repository: { installationId } }: WorkWorld): void {
  const { appId } = emulator.installation(installationId);
  const repository = emulator.repository(NAME);
  repository.appsWithoutSuites = new Set([appId]);
  repository.checkSuites.length = 0;
}

test.each(['all of them', 'one alone'] as const)(
  'a commit without a check suite gets one, once, before its check runs: %s',
  async (which) => {
    const world = await openWorld();
    const change = await wanted(world, true);
    withoutSuites(world);
    const checks = which === 'one alone' ? change.checks.slice(0, 1) : change.checks;
    await world.open().write.ensureChecks({ ...change, checks });
    expect(shown(world)).toEqual(ALL.slice(0, checks.length));
    expect(count(world, 'POST', /check-suites$/)).toBe(1);
  },
);

test('a check run that is refused although its commit has a suite is not sent again', async () => {
  const world = await openWorld();
  const change = await wanted(world, true);
  const fault = { kind: 'status', status: 422, body: { message: 'Invalid request.' } } as const;
  world.emulator.faults.add({ path: /check-runs$/, fault, times: Infinity });
  const refused = world.open().write.ensureChecks({ ...change, checks: change.checks.slice(0, 1) });
  await expect(refused).rejects.toMatchObject({ code: 'github-invalid' });
  expect(count(world, 'POST', /check-runs$/)).toBe(1);
});

test('an App that may not write checks gets `github-forbidden`', async () => {
  const world = await openWorld();
  const change = await wanted(world, true);
  const { installationId } = world.repository;
  world.emulator.setPermissions(installationId, { checks: 'read', metadata: 'read' });
  const refused = world.open().write.ensureChecks(change);
  await expect(refused).rejects.toMatchObject({ code: 'github-forbidden' });
});
