/** What a base branch requires, where GitHub does not tell it plainly: unknown is never taken for nothing. */
import { expect, test } from 'vitest';
import type { BranchRules } from '../../../src/emulator/github/checks/branch-rules.ts';
import { verifies } from '../../verifies.ts';
import { NAME, openPull, openWorld, type WorkWorld } from './work-world.ts';

const RULES: BranchRules = { from: 'protection', checks: [], isStrict: false, hasQueue: false };

function protect(world: WorkWorld, more: Partial<BranchRules>): void {
  world.emulator.repository(NAME).rules = new Map([['main', { ...RULES, ...more }]]);
}

function withoutGraphql({ emulator }: WorkWorld): void {
  emulator.faults.add({ path: /graphql/, times: Infinity, fault: { kind: 'status', status: 404 } });
}

/** GraphQL tells everything but the base's rules. */
async function openHidden(): Promise<WorkWorld> {
  return openWorld({ behaviour: { hidesUpdateRule: true } });
}

test.each(['graphql', 'rest'] as const)(
  'a private repository on the Free plan has no rules (%s)',
  async (by) => {
    const world = await openWorld();
    const { ref, headSha } = await openPull(world);
    world.emulator.repository(NAME).private = true;
    if (by === 'rest') withoutGraphql(world);
    const { tasks } = world.open();
    const facts = await tasks.mergeFacts(ref);
    expect(facts).toMatchObject({ required: [], unresolved: 0, hasQueue: false });
    expect(await tasks.merge(ref, { sha: headSha, method: 'squash' })).toMatchObject({
      outcome: 'merged',
    });
  },
);

test('a private repository on the Free plan gets a pull request that is no draft', async () => {
  const world = await openWorld();
  world.emulator.repository(NAME).private = true;
  const { ref } = await openPull(world, { isDraft: true });
  expect((await world.open().pulls.pull(ref)).isDraft).toBe(false);
});

test('on a plan that has drafts it is one', async () => {
  const world = await openWorld();
  world.emulator.repository(NAME).private = true;
  world.emulator.setPlan('acme', 'team');
  const { ref } = await openPull(world, { isDraft: true });
  expect((await world.open().pulls.pull(ref)).isDraft).toBe(true);
});

verifies('TG-6', 'any other refusal of the rules is unknown, and says so', async () => {
  const world = await openWorld();
  const { ref } = await openPull(world);
  withoutGraphql(world);
  const { tasks } = world.open();
  for (const message of [
    'Resource not accessible by integration',
    'Upgrade to GitHub Pro or make this repository public',
    'Upgrade to GitHub Enterprise to enable this feature.',
    'You may not. Upgrade to GitHub Pro or make this repository public to enable this feature.',
  ]) {
    const fault = { kind: 'status', status: 403, body: { message } } as const;
    world.emulator.faults.add({ path: /\/rules\/branches\//, fault });
    await expect(tasks.mergeFacts(ref)).rejects.toMatchObject({
      code: 'branch-rules-unknown',
      message: `GitHub does not tell what \`main\` requires of a merge: ${message}`,
    });
  }
});

verifies('TG-6', 'a protection that GraphQL does not tell is asked for by REST', async () => {
  const world = await openHidden();
  const { ref, headSha, number } = await openPull(world);
  const { tasks } = world.open();
  expect(await tasks.mergeFacts(ref)).toMatchObject({ required: [], unresolved: 0 });
  protect(world, { checks: [{ context: 'ci' }, { context: 'other', appId: 4711 }] });
  expect((await tasks.mergeFacts(ref)).required).toEqual([
    { name: 'ci', appId: undefined, reports: [] },
    { name: 'other', appId: 4711, reports: [] },
  ]);
  // Then no answer says whether the branch wants conversations resolved: they count.
  const said = { body: 'Why?', path: 'task.md', line: 1, side: 'RIGHT', commit_id: headSha };
  const comments = `/repos/${NAME}/pulls/${number}/comments`;
  await world.emulator.as('bob').request('POST', comments, said);
  expect((await tasks.mergeFacts(ref)).unresolved).toBe(1);
  protect(world, { from: 'ruleset', checks: [{ context: 'ci' }] });
  expect(await tasks.mergeFacts(ref)).toMatchObject({
    required: [{ name: 'ci', reports: [] }],
    unresolved: 0,
  });
});

verifies('TG-6', 'a protection that neither tells is unknown, and says so', async () => {
  const world = await openHidden();
  const { ref } = await openPull(world);
  const { tasks } = world.open();
  const branch = (await world.emulator
    .as('alice')
    .request('GET', `/repos/${NAME}/branches/main`)) as object;
  const answer = (over: { status: number; body: unknown }) =>
    world.emulator.faults.add({
      path: /\/branches\/main$/,
      fault: { kind: 'status', ...over },
    });
  answer({ status: 403, body: { message: 'Resource not accessible by integration' } });
  await expect(tasks.mergeFacts(ref)).rejects.toMatchObject({ code: 'branch-rules-unknown' });
  for (const protection of [undefined, { enabled: true }]) {
    answer({ status: 200, body: { ...branch, protected: true, protection } });
    await expect(tasks.mergeFacts(ref)).rejects.toMatchObject({
      code: 'branch-rules-unknown',
      message:
        'GitHub does not tell what `main` requires of a merge: it is protected, and its required checks are not named.',
    });
  }
});
