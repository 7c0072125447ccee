/** Pull requests of tasks on the embedded GitHub: opened once, made ready, reviewed, their branches taken away. */
import { describe, expect, test } from 'vitest';
import { parseMarker, pullScope, splitMarker } from '../../../src/domain/github/marker.ts';
import { shownDigest } from '../../../src/domain/github/own-text.ts';
import { SECRET } from './stage.ts';
import { BRANCH, NAME, WANTED, count, openPull, openWorld, type WorkWorld } from './work-world.ts';

test('a pull request is opened once and found again by a process that knows nothing', async () => {
  const world = await openWorld();
  const first = await openPull(world, { isDraft: true });
  expect(first).toMatchObject({ outcome: 'created', state: 'open', isMerged: false });
  expect(await openPull(world)).toMatchObject({ outcome: 'unchanged', number: first.number });
  const edited = await openPull(world, {
    title: 'Renamed',
    marker: { ...WANTED.marker, run: 'r2' },
  });
  expect(edited).toMatchObject({ outcome: 'edited', number: first.number });
  const pull = await world.open().pulls.pull(first.ref);
  expect(pull).toMatchObject({ title: 'Renamed', isDraft: true, headRef: BRANCH });
  expect(pull.headSha).toBe(first.headSha);
});

test('a pull request whose answer was lost is there once', async () => {
  const world = await openWorld();
  const fault = { kind: 'effect-then-fail', status: 502 } as const;
  world.emulator.faults.add({ method: 'POST', path: `/repos/${NAME}/pulls`, fault });
  await expect(openPull(world)).rejects.toMatchObject({ code: 'github-unavailable' });
  expect(await openPull(world)).toMatchObject({ outcome: 'unchanged' });
});

test('two processes that open at once open one', async () => {
  const world = await openWorld();
  const [one, two] = await Promise.all([openPull(world), openPull(world)]);
  expect(one.number).toBe(two.number);
  expect([one.outcome, two.outcome].toSorted()).toEqual(['created', 'unchanged']);
});

test('one that a list does not show yet is looked for again from the queue', async () => {
  const world = await openWorld();
  const { number } = await openPull(world);
  const fault = { kind: 'stale', behindMs: 3_600_000 } as const;
  world.emulator.faults.add({ method: 'GET', path: /\/pulls$/, times: Infinity, fault });
  const lagging = { code: 'github-lagging', retryAfterMs: 2_000 };
  await expect(openPull(world)).rejects.toMatchObject(lagging);
  world.emulator.faults.clear();
  expect(await openPull(world)).toMatchObject({ outcome: 'unchanged', number });
});

test('one that nobody can have opened is not looked for, and found where it is there all the same', async () => {
  const world = await openWorld();
  const lists = () => count(world, 'GET', /\/pulls$/);
  const first = await openPull(world, { isNew: true });
  expect([first.outcome, lists()]).toEqual(['created', 0]);
  const again = await openPull(world, { isNew: true });
  expect([again.outcome, again.number, lists()]).toEqual(['unchanged', first.number, 1]);
});

test('an open draft comes with its id, so that it can be made ready without being read', async () => {
  const world = await openWorld();
  await openPull(world, { isDraft: true });
  const { ref, draftId } = await openPull(world);
  const reads = () => count(world, 'GET', /pulls/);
  const before = reads();
  await world.open().tasks.ensureReady(ref, draftId);
  expect([draftId === undefined, reads() - before]).toEqual([false, 0]);
  expect((await openPull(world)).draftId).toBeUndefined();
});

test('one that a person closed stays closed, and one without its marker is taken for ours', async () => {
  const world = await openWorld();
  const { number } = await openPull(world);
  const alice = world.emulator.as('alice');
  await alice.request('PATCH', `/repos/${NAME}/pulls/${number}`, { body: 'mine now' });
  expect(await openPull(world)).toMatchObject({ number, outcome: 'edited' });
  await alice.request('PATCH', `/repos/${NAME}/pulls/${number}`, { state: 'closed' });
  expect(await openPull(world)).toMatchObject({ number, outcome: 'unchanged', state: 'closed' });
});

test('one that ended with another head does not count for the branch’s new one', async () => {
  const world = await openWorld();
  const { number } = await openPull(world);
  const path = `/repos/${NAME}/pulls/${number}`;
  await world.emulator.as('alice').request('PATCH', path, { state: 'closed' });
  await world.push(BRANCH, 'more.md');
  const again = await openPull(world);
  expect([again.outcome, again.state, again.number === number]).toEqual(['created', 'open', false]);
});

test('a repository without drafts gets an ordinary pull request', async () => {
  const world = await openWorld();
  const body = { message: 'Draft pull requests are not supported in this repository.' };
  const fault = { kind: 'status', status: 422, body } as const;
  world.emulator.faults.add({ method: 'POST', path: `/repos/${NAME}/pulls`, fault });
  const { ref } = await openPull(world, { isDraft: true });
  expect((await world.open().pulls.pull(ref)).isDraft).toBe(false);
});

test('a pull request that somebody else opened for the branch is not taken', async () => {
  const world = await openWorld();
  await world.emulator.as('alice').openPull(NAME, { title: 'Mine', head: BRANCH });
  await expect(openPull(world)).rejects.toMatchObject({ code: 'github-invalid' });
});

test.each(['none', 'effect-then-fail', 'fail-without-effect'] as const)(
  'a draft becomes ready (fault: %s)',
  async (kind) => {
    const world = await openWorld();
    const { ref } = await openPull(world, { isDraft: true });
    if (kind !== 'none') world.emulator.faults.add({ path: /graphql/, fault: { kind } });
    const ready = world.open().tasks.ensureReady(ref);
    if (kind === 'fail-without-effect')
      await expect(ready).rejects.toMatchObject({ code: 'github-unavailable' });
    else await ready;
    await world.open().tasks.ensureReady(ref);
    expect((await world.open().pulls.pull(ref)).isDraft).toBe(false);
    expect(count(world, 'POST', /graphql/)).toBe(kind === 'fail-without-effect' ? 2 : 1);
  },
);

test('an App that may not make it ready says so', async () => {
  const world = await openWorld();
  const { ref } = await openPull(world, { isDraft: true });
  const fault = { kind: 'status', status: 403, body: { message: 'no' } } as const;
  world.emulator.faults.add({ path: /graphql/, fault });
  await expect(world.open().tasks.ensureReady(ref)).rejects.toMatchObject({
    code: 'github-forbidden',
  });
});

test('reviewers are asked once; the author and strangers are named instead', async () => {
  const world = await openWorld();
  const { number } = await world.emulator
    .as('alice')
    .openPull(NAME, { title: 'Hers', head: BRANCH });
  const { tasks } = world.open();
  const ask = () =>
    tasks.requestReviewers(world.thread(number), { logins: ['Bob', 'alice', 'nobody-here'] });
  expect(await ask()).toEqual({
    asked: ['Bob'],
    refused: ['alice', 'nobody-here'],
    refusedTeams: [],
  });
  const posts = count(world, 'POST', /requested_reviewers/);
  expect(await tasks.requestReviewers(world.thread(number), { logins: ['bob'] })).toEqual({
    asked: ['bob'],
    refused: [],
    refusedTeams: [],
  });
  const review = { event: 'APPROVE', body: 'Fine.' };
  await world.emulator.as('bob').request('POST', `/repos/${NAME}/pulls/${number}/reviews`, review);
  await tasks.requestReviewers(world.thread(number), { logins: ['bob'] });
  expect(count(world, 'POST', /requested_reviewers/)).toBe(posts);
});

test('reviewers of one that was just opened are asked in one call, whichever others are named', async () => {
  const world = await openWorld();
  const { ref } = await openPull(world);
  const ask = (logins: string[]) =>
    world.open().tasks.requestReviewers(ref, { logins, isNew: true });
  const reads = count(world, 'GET', /pulls\//);
  expect(await ask(['bob', 'Bob'])).toMatchObject({ asked: ['Bob'], refused: [] });
  const calls = () => count(world, 'POST', /requested_reviewers/);
  expect([calls(), count(world, 'GET', /pulls\//) - reads]).toEqual([1, 0]);
  expect(await ask(['bob', 'nobody-here'])).toMatchObject({ refused: ['nobody-here'] });
});

test.each([true, false])(
  'names the teams that it may not ask, and asks the people (new: %s)',
  async (isNew) => {
    const world = await openWorld();
    world.emulator.createTeam('acme', 'core');
    const { ref } = await openPull(world);
    const ask = (teams: string[]) =>
      world.open().tasks.requestReviewers(ref, { logins: ['bob'], teams, isNew });
    const refused = { asked: ['bob'], refused: [], refusedTeams: ['core', 'gone'] };
    expect(await ask(['core', 'gone'])).toEqual(refused);
    const id = world.repository.installationId;
    const { permissions } = world.emulator.installation(id);
    world.emulator.setPermissions(id, { ...permissions, members: 'read' });
    expect(await ask(['core', 'gone'])).toMatchObject({ refusedTeams: ['gone'] });
  },
);

test('lists the people who may write, without bots', async () => {
  const world = await openWorld();
  const { emulator, repository } = world;
  for (const [login, role] of [
    ['carol', 'admin'],
    ['dave', 'triage'],
  ] as const) {
    emulator.createUser(login);
    emulator.addCollaborator(NAME, login, role);
  }
  const told = await world.open().work.writers(repository);
  expect(told.map(({ login }) => login).toSorted()).toEqual(['alice', 'bob', 'carol']);
  const fault = { kind: 'status', status: 403, body: { message: 'no' } } as const;
  emulator.faults.add({ path: /collaborators$/, fault });
  expect(await world.open().work.writers(repository)).toEqual([]);
});

test('a branch is taken away while it is where it was left', async () => {
  const world = await openWorld();
  const { tasks, work } = world.open();
  const old = await work.branchTip(world.repository, BRANCH);
  const tip = await world.push(BRANCH, 'more.md');
  expect(await tasks.deleteBranch(world.repository, BRANCH, old ?? '')).toBe('moved');
  const fault = { kind: 'status', status: 404, body: { message: 'Not Found' } } as const;
  world.emulator.faults.add({ method: 'GET', path: /git\/ref\/heads/, fault });
  expect(await tasks.deleteBranch(world.repository, BRANCH, tip)).toBe('deleted');
  expect(await tasks.deleteBranch(world.repository, BRANCH, tip)).toBe('was-gone');
  expect(await work.branchTip(world.repository, BRANCH)).toBeUndefined();
});

test('a branch that somebody else takes away at the same moment is gone', async () => {
  const world = await openWorld();
  const tip = await world.open().work.branchTip(world.repository, BRANCH);
  const gone = await Promise.all(
    [1, 2].map(() => world.open().tasks.deleteBranch(world.repository, BRANCH, tip ?? '')),
  );
  expect(gone).toContain('deleted');
  expect(gone).not.toContain('moved');
});

test('a credential in the title of a pull request does not reach GitHub', async () => {
  const world = await openWorld();
  const key = ['AKIA', 'Z7Q4M2X9K5T8W3VB'].join('');
  const { number } = await openPull(world, { title: `Rename ${key}` });
  const path = `/repos/${NAME}/pulls/${number}`;
  const { title } = (await world.emulator.as('alice').request('GET', path)) as { title: string };
  expect(title).toMatch(/^Rename /);
  expect(title).not.toContain(key);
});

describe('the text of a pull request that is published again', () => {
  const NEXT = {
    title: 'The next title',
    body: 'What was done next.',
    from: ['What was done.', WANTED.title].map(shownDigest),
  };
  const patch = async (world: WorkWorld, number: number, fields: object): Promise<void> => {
    await world.emulator.as('alice').request('PATCH', `/repos/${NAME}/pulls/${number}`, fields);
  };
  const shown = ({ emulator, repository }: WorkWorld, number: number) => {
    const { title, body: whole } = emulator.repository(NAME).threads.get(number) ?? {};
    const body = whole ?? '';
    const run = parseMarker(body, SECRET, pullScope(repository))?.run;
    return { title, text: splitMarker(body).text, run };
  };

  test('makes way where it is one that Quorum wrote, under the title that a person gave it', async () => {
    const world = await openWorld();
    const { number } = await openPull(world);
    await patch(world, number, { title: 'Mine' });
    expect(await openPull(world, NEXT)).toMatchObject({ number, outcome: 'edited' });
    expect(shown(world, number)).toMatchObject({ title: 'Mine', text: NEXT.body });
  });

  test('makes way under a new title where Quorum wrote both', async () => {
    const world = await openWorld();
    const { number } = await openPull(world);
    expect(await openPull(world, NEXT)).toMatchObject({ number, outcome: 'edited' });
    expect(shown(world, number)).toMatchObject({ title: NEXT.title, text: NEXT.body });
  });

  test('makes way where a person deleted its marker alone', async () => {
    const world = await openWorld();
    const { number } = await openPull(world);
    await patch(world, number, { body: 'What was done.\n\n' });
    await openPull(world, NEXT);
    expect(shown(world, number).text).toBe(NEXT.body);
  });

  test.each([
    ['edited it', (body: string) => body.replace('What was done.', 'Mine.')],
    ['began it with a block of code', () => '    mine();\n\nMine.'],
    ['wrote below the marker', (body: string) => `${body}\n\nMine.`],
    ['took the marker away', () => 'Mine.'],
    ['emptied it', () => ''],
  ])('stays after a person %s, and keeps or gets the marker of this run', async (_, change) => {
    const world = await openWorld();
    const { number } = await openPull(world);
    const mine = change(world.emulator.repository(NAME).threads.get(number)?.body ?? '');
    await patch(world, number, { body: mine });
    const marker = { ...WANTED.marker, run: 'r2' };
    expect((await openPull(world, { ...NEXT, marker })).number).toBe(number);
    expect(shown(world, number)).toMatchObject({ text: splitMarker(mine).text, run: 'r2' });
    expect(await openPull(world, { ...NEXT, marker })).toMatchObject({ outcome: 'unchanged' });
  });

  test('that a person wrote stays, and each new head brings an edit, from which consent to that head counts', async () => {
    const world = await openWorld();
    const { number } = await openPull(world);
    await patch(world, number, { body: 'Mine.' });
    await openPull(world, NEXT);
    const next = { ...NEXT, headSha: 'b'.repeat(40) };
    expect(await openPull(world, next)).toMatchObject({ number, outcome: 'edited' });
    expect(await openPull(world, next)).toMatchObject({ number, outcome: 'unchanged' });
    expect(shown(world, number).text).toBe('Mine.');
  });
});
