/** Merges on the embedded GitHub: what they depend on, and that they happen once and at one head. */
import { expect, test } from 'vitest';
import type { BranchRules } from '../../../src/emulator/github/checks/branch-rules.ts';
import { verifies } from '../../verifies.ts';
import { NAME, BRANCH, count, openPull, openWorld, type WorkWorld } from './work-world.ts';

const RULES: BranchRules = { from: 'protection', checks: [], isStrict: false, hasQueue: false };

function protect(world: WorkWorld, more: Partial<BranchRules>): void {
  world.emulator.repository(NAME).rules = new Map([['main', { ...RULES, ...more }]]);
}

/** A branch of the base with one more file. */
async function branchWith(world: WorkWorld, file: string): Promise<string> {
  const as = world.emulator.as('alice');
  const { object } = (await as.request('GET', `/repos/${NAME}/git/ref/heads/main`)) as {
    object: { sha: string };
  };
  await as.request('POST', `/repos/${NAME}/git/refs`, { ref: 'refs/heads/other', sha: object.sha });
  await world.push('other', file);
  return 'other';
}

async function report(world: WorkWorld, sha: string, state: string): Promise<void> {
  const status = { state, context: 'ci' };
  await world.emulator.as('alice').request('POST', `/repos/${NAME}/statuses/${sha}`, status);
}

test('reads everything that a merge depends on for one head', async () => {
  const world = await openWorld();
  const { ref, number, headSha } = await openPull(world);
  const { tasks, reviews } = world.open();
  const check = { name: 'quorum / gates', headSha, run: 'r1', title: 't', summary: 's' };
  await reviews.ensureReviewCheck(world.repository, {
    ...check,
    conclusion: 'success',
    annotations: [],
  });
  await report(world, headSha, 'failure');
  await report(world, headSha, 'pending');
  const bob = world.emulator.as('bob');
  for (const event of ['APPROVE', 'COMMENT'])
    await bob.request('POST', `/repos/${NAME}/pulls/${number}/reviews`, { event, body: 'so' });
  await tasks.requestReviewers(ref, { logins: ['alice'] });
  await bob.label(NAME, number, ['hold']);
  protect(world, { checks: [{ context: 'ci' }, { context: 'other', appId: 4711 }] });
  const facts = await tasks.mergeFacts(ref);
  expect(facts).toMatchObject({
    state: 'open',
    isDraft: false,
    isMerged: false,
    mergeSha: undefined,
    headSha,
    baseRef: 'main',
    isUpToDate: true,
    isMergeable: true,
    labels: ['hold'],
    isAutoMerge: false,
    hasQueue: false,
    isInQueue: false,
    methods: ['squash', 'merge', 'rebase'],
    author: { isBot: true },
    requestedReviewers: [{ login: 'alice' }],
    reviews: [{ by: { login: 'bob' }, state: 'approved', permission: 'write', commitSha: headSha }],
    required: [
      { name: 'ci', appId: undefined, reports: [{ kind: 'status', state: 'pending' }] },
      { name: 'other', appId: 4711, reports: [] },
    ],
  });
  // The same by REST alone.
  world.emulator.faults.add({
    path: /graphql/,
    times: Infinity,
    fault: { kind: 'status', status: 404 },
  });
  const { around, ...same } = facts;
  expect(around?.repository.headSha).toBe(facts.baseTip);
  expect(await world.open().tasks.mergeFacts(ref)).toEqual(same);
});

test('reads the rules of rulesets, queues, auto-merge and methods', async () => {
  const world = await openWorld();
  const { ref, number } = await openPull(world);
  const repository = world.emulator.repository(NAME);
  protect(world, { from: 'ruleset', checks: [{ context: 'ci' }], isStrict: true, hasQueue: true });
  repository.mergeWays = new Set(['squash']);
  const pull = repository.threads.get(number)?.pull;
  if (pull !== undefined) pull.autoMerge = { byId: repository.ownerId, way: 'squash' };
  await world.push('main', 'other.md');
  expect(await world.open().tasks.mergeFacts(ref)).toMatchObject({
    hasQueue: true,
    isAutoMerge: true,
    isUpToDate: false,
    methods: ['squash'],
    required: [{ name: 'ci', reports: [] }],
  });
});

test('statuses that may not be read are missing, which is no success', async () => {
  const world = await openWorld();
  const { ref, headSha } = await openPull(world);
  await report(world, headSha, 'success');
  protect(world, { checks: [{ context: 'ci' }] });
  const body = { message: 'Resource not accessible by integration' };
  const fault = { kind: 'status', status: 403, body } as const;
  world.emulator.faults.add({ path: /statuses$/, fault });
  const { required } = await world.open().tasks.mergeFacts(ref);
  expect(required).toEqual([{ name: 'ci', appId: undefined, reports: [], isHidden: true }]);
});

test.each(['squash', 'merge', 'rebase'] as const)(
  'a head is merged by %s, once',
  async (method) => {
    const world = await openWorld();
    const { ref, headSha } = await openPull(world);
    const { tasks, work } = world.open();
    const wanted = { sha: headSha, method, title: 'task(2): Rename it' };
    const first = await tasks.merge(ref, wanted);
    expect(first).toMatchObject({ outcome: 'merged' });
    const sha = await work.branchTip(world.repository, 'main');
    expect(first).toMatchObject({ sha });
    expect(await world.open().tasks.merge(ref, wanted)).toEqual({ outcome: 'was-merged', sha });
    expect(await tasks.mergeFacts(ref)).toMatchObject({ isMerged: true, mergeSha: sha, headSha });
    expect(count(world, 'PUT', /merge$/)).toBe(1);
  },
);

verifies(
  'GIT-06',
  'a merge whose answer was lost is found, one without effect is not',
  async () => {
    const world = await openWorld();
    const { ref, headSha } = await openPull(world);
    const wanted = { sha: headSha, method: 'squash' } as const;
    const { tasks } = world.open();
    const fail = (kind: 'effect-then-fail' | 'fail-without-effect') =>
      world.emulator.faults.add({ method: 'PUT', path: /merge$/, fault: { kind, status: 502 } });
    fail('fail-without-effect');
    await expect(tasks.merge(ref, wanted)).rejects.toMatchObject({ code: 'github-unavailable' });
    fail('effect-then-fail');
    expect(await tasks.merge(ref, wanted)).toMatchObject({ outcome: 'merged' });
    expect(await tasks.merge(ref, wanted)).toMatchObject({ outcome: 'was-merged' });
    expect(count(world, 'PUT', /merge$/)).toBe(2);
  },
);

test('a head that moved is not merged, before nor after', async () => {
  const world = await openWorld();
  const { ref, headSha } = await openPull(world);
  const moved = await world.push(BRANCH, 'more.md');
  const { tasks } = world.open();
  expect(await tasks.merge(ref, { sha: headSha, method: 'squash' })).toEqual({
    outcome: 'refused',
    reason: 'Head branch was modified. Review and try the merge again.',
    isHeadMoved: true,
  });
  expect((await tasks.mergeFacts(ref)).isMerged).toBe(false);
  await tasks.merge(ref, { sha: moved, method: 'squash' });
  expect(await tasks.merge(ref, { sha: headSha, method: 'squash' })).toMatchObject({
    outcome: 'refused',
    isHeadMoved: true,
  });
});

test('reports a refusal by the base branch in GitHub’s words', async () => {
  const world = await openWorld();
  const { ref, headSha } = await openPull(world);
  const { tasks } = world.open();
  const merge = () => tasks.merge(ref, { sha: headSha, method: 'squash' });
  const refusal = (reason: string) => ({ outcome: 'refused', reason, isHeadMoved: false });
  protect(world, { checks: [{ context: 'ci' }] });
  expect(await merge()).toEqual(refusal('Required status check "ci" is expected.'));
  await report(world, headSha, 'success');
  world.emulator.repository(NAME).mergeWays = new Set(['rebase']);
  expect(await merge()).toEqual(refusal('Squash merges are not allowed on this repository.'));
  world.emulator.repository(NAME).mergeWays = new Set(['squash']);
  protect(world, { hasQueue: true });
  expect(await merge()).toEqual(refusal('Changes must be made through the merge queue'));
  protect(world, { checks: [{ context: 'ci' }] });
  expect(await merge()).toMatchObject({ outcome: 'merged' });
});

test('a head that is behind workflow files of the base is refused in words that say what to do', async () => {
  const world = await openWorld();
  await world.push('main', '.github/workflows/ci.yml');
  // The branch gets the file as it was, and the base changes it after that.
  const { ref, headSha } = await openPull(world);
  await world.push(BRANCH, '.github/workflows/ci.yml');
  const head = await world.push(BRANCH, 'more.md');
  expect(head).not.toBe(headSha);
  const { tasks } = world.open();
  const wanted = { sha: head, method: 'squash', title: 't', message: 'm' } as const;
  const refused = await tasks.merge(ref, wanted);
  expect(refused).toMatchObject({ outcome: 'refused', isHeadMoved: false });
  expect(refused).toMatchObject({
    reason: expect.stringMatching(
      /^`\.github\/workflows\/ci\.yml` differs from the base branch\. .*merge it yourself\.$/,
    ) as string,
  });
});

test('a head goes into the merge queue once, and no other head does', async () => {
  const world = await openWorld();
  const { ref, headSha } = await openPull(world);
  const enqueue = () => world.open().tasks.enqueue(ref, headSha);
  expect(await enqueue()).toEqual({
    outcome: 'refused',
    reason: 'Merge queue is not enabled.',
    isHeadMoved: false,
  });
  protect(world, { from: 'ruleset', hasQueue: true });
  world.emulator.faults.add({ path: /graphql/, nth: 2, fault: { kind: 'truncated' } });
  await expect(enqueue()).rejects.toMatchObject({ code: 'unexpected-answer' });
  expect(await enqueue()).toEqual({ outcome: 'queued' });
  const facts = await world.open().tasks.mergeFacts(ref);
  expect(facts).toMatchObject({ hasQueue: true, isInQueue: true, isAutoMerge: false });
  await world.push(BRANCH, 'more.md');
  expect(await enqueue()).toMatchObject({ outcome: 'refused', isHeadMoved: true });
  world.emulator.repository(NAME).rules?.clear();
  const alice = world.emulator.as('alice');
  await alice.request('PUT', `/repos/${NAME}/pulls/${ref.number}/merge`, {});
  const moved = (await world.open().tasks.mergeFacts(ref)).headSha;
  expect(await world.open().tasks.enqueue(ref, moved)).toMatchObject({ outcome: 'was-merged' });
});

test.each(['protection', 'ruleset'] as const)(
  'conversations that are not resolved are counted where %s wants them to be',
  async (from) => {
    const world = await openWorld();
    const { ref, headSha, number } = await openPull(world);
    const said = { body: 'Why?', path: 'task.md', line: 1, side: 'RIGHT', commit_id: headSha };
    const comments = `/repos/${NAME}/pulls/${number}/comments`;
    await world.emulator.as('bob').request('POST', comments, said);
    const unresolved = async () => (await world.open().tasks.mergeFacts(ref)).unresolved;
    expect(await unresolved()).toBe(0);
    protect(world, { from, mustResolve: true });
    expect(await unresolved()).toBe(1);
    const [comment] =
      world.emulator.repository(NAME).threads.get(number)?.pull?.reviewComments ?? [];
    if (comment !== undefined) comment.isResolved = true;
    expect(await unresolved()).toBe(0);
  },
);

test('two processes that merge at once merge once', async () => {
  const world = await openWorld();
  const { ref, headSha } = await openPull(world);
  const merge = () => world.open().tasks.merge(ref, { sha: headSha, method: 'squash' });
  const outcomes = await Promise.all([merge(), merge()]);
  const shas = outcomes.map((one) => ('sha' in one ? one.sha : one.reason));
  expect(new Set(shas).size).toBe(1);
  expect(await merge()).toEqual({ outcome: 'was-merged', sha: shas[0] });
});

test('of two merges into one base at once the second is a race, and passes when asked for again', async () => {
  const world = await openWorld();
  const { ref, headSha } = await openPull(world);
  const { number } = await world.emulator.as('alice').openPull(NAME, {
    title: 'Another',
    head: await branchWith(world, 'another.md'),
  });
  const other = world.thread(number);
  const { headSha: otherSha } = await world.open().tasks.mergeFacts(other);
  const first = world.open().tasks.merge(ref, { sha: headSha, method: 'squash', isNew: true });
  const second = world.open().tasks.merge(other, { sha: otherSha, method: 'squash', isNew: true });
  const outcomes = await Promise.all([first, second]);
  expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['base-moved', 'merged']);
  expect(outcomes).toContainEqual({
    outcome: 'base-moved',
    reason: 'Base branch was modified. Review and try the merge again.',
  });
  const [late, sha] =
    outcomes[0].outcome === 'merged' ? ([other, otherSha] as const) : ([ref, headSha] as const);
  const again = await world.open().tasks.merge(late, { sha, method: 'squash' });
  expect(again.outcome).toBe('merged');
});

test.each([405, 409])(
  'a %i that says that the base was modified is one, and others are final',
  async (status) => {
    const world = await openWorld();
    const { ref, headSha } = await openPull(world);
    const { tasks } = world.open();
    const merge = () => tasks.merge(ref, { sha: headSha, method: 'squash', isNew: true });
    const refuse = (message: string) =>
      world.emulator.faults.add({
        method: 'PUT',
        path: /merge$/,
        fault: { kind: 'status', status, body: { message } },
      });
    refuse('Base branch was modified. Review and try the merge again.');
    expect(await merge()).toMatchObject({ outcome: 'base-moved' });
    for (const message of ['Pull Request is not mergeable', 'The base branch was modified.']) {
      refuse(message);
      expect(await merge()).toEqual({ outcome: 'refused', reason: message, isHeadMoved: false });
    }
  },
);

test('an App without write access to contents does not merge', async () => {
  const world = await openWorld();
  const { ref, headSha } = await openPull(world);
  const { installationId } = world.repository;
  const permissions = { contents: 'read', pull_requests: 'write', metadata: 'read' } as const;
  world.emulator.setPermissions(installationId, permissions);
  const merged = world.open().tasks.merge(ref, { sha: headSha, method: 'squash' });
  await expect(merged).rejects.toMatchObject({ code: 'github-forbidden' });
});

test.each(['merge', 'squash', 'rebase'] as const)(
  'a %s of unsigned commits into a branch that requires signatures is refused, and says what to do',
  async (method) => {
    const world = await openWorld();
    const { ref, headSha: sha } = await openPull(world);
    protect(world, { mustSign: true });
    const words = { title: 't', message: 'm' };
    const merged = await world.open().tasks.merge(ref, { sha, method, ...words });
    expect(merged).toMatchObject({
      outcome: 'refused',
      reason: expect.stringContaining('leave `quorum/*` out of the rule'),
    });
  },
);

test("signatures on two branches of a person's repository without rulesets are asked about in one call, each time again", async () => {
  const world = await openWorld();
  const { emulator } = world;
  const place = { owner: 'alice', repo: 'gadgets' };
  const files = { 'README.md': '# Gadgets\n' };
  const { id } = await emulator.createRepository({ owner: 'alice', name: 'gadgets', files });
  const installationId = emulator.installApp(emulator.app('quorum').id, 'alice');
  const own = { ...place, installationId, repositoryId: id };
  const { work } = world.github().at(own);
  for (const _ of [1, 2]) {
    const asked = await requestsOf(world, async () => {
      for (const branch of [BRANCH, 'main']) expect(await work.mustSign(own, branch)).toBe(false);
    });
    expect(asked).toEqual(['/graphql']);
  }
});

test('an organisation may have rulesets that no count shows, so the rules of each branch are asked for', async () => {
  const world = await openWorld();
  const { work } = world.open();
  const asked = await requestsOf(world, async () => {
    for (const branch of [BRANCH, 'main'])
      expect(await work.mustSign(world.repository, branch)).toBe(false);
  });
  expect(asked.filter((path) => path.includes('/rules/'))).toHaveLength(2);
});

async function requestsOf(world: WorkWorld, act: () => Promise<void>): Promise<string[]> {
  const before = world.emulator.requests.length;
  await act();
  const asked = world.emulator.requests.slice(before).map(({ path }) => path);
  return asked.filter((path) => !path.endsWith('/access_tokens'));
}

for (const from of ['protection', 'ruleset'] as const)
  test(`a ${from} of the default branch that demands signatures is found after another branch was asked about`, async () => {
    const world = await openWorld();
    protect(world, { from, mustSign: true });
    const { work } = world.open();
    expect(await work.mustSign(world.repository, 'quorum/task-1-1-work')).toBe(false);
    expect(await work.mustSign(world.repository, 'main')).toBe(true);
  });

test('a server that tells nothing of rulesets in GraphQL is asked for the rules of each branch', async () => {
  const world = await openWorld();
  protect(world, { from: 'ruleset', mustSign: true });
  const fault = { kind: 'status', status: 404 } as const;
  world.emulator.faults.add({ path: '/graphql', times: Infinity, fault });
  expect(await world.open().work.mustSign(world.repository, 'main')).toBe(true);
});
