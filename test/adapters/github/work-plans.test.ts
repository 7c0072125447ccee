/** The plan's text, assignees and reactions on the embedded GitHub. */
import { expect, test } from 'vitest';
import { verifies } from '../../verifies.ts';
import { NAME, count, openWorld, type WorkWorld } from './work-world.ts';

async function openPlan(world: WorkWorld, body: string) {
  const { number } = await world.emulator.as('alice').openIssue(NAME, { title: '[PLAN] It', body });
  return {
    ref: world.thread(number),
    body: () => world.emulator.repository(NAME).threads.get(number)?.body,
    /** As a person does it while a program is thinking. */
    edit: (text: string) =>
      void world.emulator
        .as('alice')
        .request('PATCH', `/repos/${NAME}/issues/${number}`, { body: text }),
  };
}

const claim = (body: string): string => body.replace('pending', 'claimed');

test('a text is edited once, and the second time nothing is written', async () => {
  const world = await openWorld();
  const plan = await openPlan(world, '**Status:** pending\r\n\r\nKeep  this \n');
  const { plans } = world.open();
  expect(await plans.editBody(plan.ref, claim)).toEqual({
    outcome: 'edited',
    body: '**Status:** claimed\r\n\r\nKeep  this \n',
  });
  expect(await plans.editBody(plan.ref, claim)).toMatchObject({ outcome: 'unchanged' });
  expect(await plans.editBody(plan.ref, () => undefined)).toMatchObject({ outcome: 'refused' });
  expect(count(world, 'PATCH', /issues/)).toBe(1);
});

verifies('CFG-06', 'keeps what a person writes between Quorum’s read and its write', async () => {
  const world = await openWorld();
  const plan = await openPlan(world, 'Status: pending\nNotes:');
  let isFirst = true;
  const outcome = await world.open().plans.editBody(plan.ref, (body) => {
    if (isFirst) plan.edit(`${body} hers`);
    isFirst = false;
    return claim(body);
  });
  expect(outcome).toEqual({ outcome: 'edited', body: 'Status: claimed\nNotes: hers' });
  expect(plan.body()).toBe('Status: claimed\nNotes: hers');
});

test('what a person wrote meanwhile is put back where the edit is refused on it', async () => {
  const world = await openWorld();
  const plan = await openPlan(world, 'Status: pending');
  let isFirst = true;
  const outcome = await world.open().plans.editBody(plan.ref, (body) => {
    if (isFirst) plan.edit('Status: completed');
    isFirst = false;
    return body.includes('pending') ? claim(body) : undefined;
  });
  expect(outcome).toEqual({ outcome: 'refused', body: 'Status: completed' });
  expect(plan.body()).toBe('Status: completed');
});

test('who is edited against each time gives up with everything of theirs in place', async () => {
  const world = await openWorld();
  const plan = await openPlan(world, 'Status: pending');
  let times = 0;
  const edited = world.open().plans.editBody(plan.ref, (body) => {
    times += 1;
    plan.edit(`${body} ${times}`);
    return `${body} ours${times}`;
  });
  await expect(edited).rejects.toMatchObject({ code: 'github-conflict', retryable: true });
  expect(times).toBe(5);
});

test('two processes that edit at once lose neither edit', async () => {
  const world = await openWorld();
  const plan = await openPlan(world, 'one: pending, two: pending');
  const set = (name: string) => (body: string) => body.replace(`${name}: pending`, `${name}: done`);
  const outcomes = await Promise.all(
    ['one', 'two'].map((name) => world.open().plans.editBody(plan.ref, set(name))),
  );
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['edited', 'edited']);
  expect(plan.body()).toBe('one: done, two: done');
});

test.each(['effect-then-fail', 'fail-without-effect'] as const)(
  'an edit whose answer was lost (%s) is true afterwards or said to have failed',
  async (kind) => {
    const world = await openWorld();
    const plan = await openPlan(world, 'Status: pending');
    world.emulator.faults.add({ method: 'PATCH', fault: { kind } });
    const { plans } = world.open();
    const first = plans.editBody(plan.ref, claim);
    if (kind === 'effect-then-fail') expect(await first).toMatchObject({ outcome: 'edited' });
    else await expect(first).rejects.toMatchObject({ code: 'github-unavailable' });
    await plans.editBody(plan.ref, claim);
    expect(plan.body()).toBe('Status: claimed');
  },
);

test('without GraphQL a text is read and read back all the same', async () => {
  const world = await openWorld();
  const plan = await openPlan(world, 'Status: pending');
  const fault = { kind: 'status', status: 404 } as const;
  world.emulator.faults.add({ path: /graphql/, times: Infinity, fault });
  expect(await world.open().plans.editBody(plan.ref, claim)).toMatchObject({ outcome: 'edited' });
  expect(plan.body()).toBe('Status: claimed');
});

test('assignees come and go, others stay, and who cannot be assigned is left out', async () => {
  const world = await openWorld();
  const plan = await openPlan(world, 'text');
  const path = `/repos/${NAME}/issues/${plan.ref.number}/assignees`;
  await world.emulator.as('alice').request('POST', path, { assignees: ['bob'] });
  const { plans, read } = world.open();
  const change = { add: ['Alice', 'mallory', 'nobody-here'], remove: [] };
  await plans.assign(plan.ref, change);
  await plans.assign(plan.ref, change);
  expect((await read.issue(plan.ref)).assignees).toEqual(['bob', 'alice']);
  expect(count(world, 'POST', /assignees/)).toBe(1);
  await plans.assign(plan.ref, { add: [], remove: ['bob', 'mallory'] });
  expect((await read.issue(plan.ref)).assignees).toEqual(['alice']);
});

test('reactions tell who and when', async () => {
  const world = await openWorld();
  const plan = await openPlan(world, 'text');
  const { id } = await world.emulator.as('bob').comment(NAME, plan.ref.number, 'Shall we?');
  const path = `/repos/${NAME}/issues/comments/${id}/reactions`;
  await world.emulator.as('alice').request('POST', path, { content: '+1' });
  await world.emulator.as('mallory').request('POST', path, { content: 'heart' });
  const found = await world.open().work.reactions(world.repository, id);
  expect(found.map(({ content, by }) => [content, by.login])).toEqual([
    ['+1', 'alice'],
    ['heart', 'mallory'],
  ]);
  expect(found[0]?.createdAt).toBe('2026-11-05T10:00:00Z');
});
