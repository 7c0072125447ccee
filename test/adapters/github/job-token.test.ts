/** Fewer calls with the token of one job of a workflow, and nothing lost by that. */
import { describe, expect, test } from 'vitest';
import { verifies } from '../../verifies.ts';
import { NAME, count, openWorld, type WorkWorld } from './work-world.ts';

const claim = (body: string): string => body.replace('pending', 'claimed');

async function openPlan(world: WorkWorld, body: string) {
  const alice = world.emulator.as('alice');
  const { number } = await alice.openIssue(NAME, { title: '[PLAN] It', body });
  return {
    ref: world.thread(number),
    body: () => world.emulator.repository(NAME).threads.get(number)?.body,
    edit: (text: string) =>
      void alice.request('PATCH', `/repos/${NAME}/issues/${number}`, { body: text }),
    calls: () => [count(world, 'POST', /graphql/), count(world, 'PATCH', /issues/)],
  };
}

const plansIn = (world: WorkWorld) => world.github({ isJobToken: true }).at(world.repository).plans;

describe('a text', () => {
  test('is read, written and read back in two calls', async () => {
    const world = await openWorld();
    const plan = await openPlan(world, 'Status: pending');
    const outcome = await plansIn(world).editBody(plan.ref, claim);
    expect(outcome).toEqual({ outcome: 'edited', body: 'Status: claimed' });
    expect([plan.body(), plan.calls()]).toEqual(['Status: claimed', [2, 0]]);
  });

  verifies('CFG-06', 'keeps what a person writes between the read and the write', async () => {
    const world = await openWorld();
    const plan = await openPlan(world, 'Status: pending\nNotes:');
    let isFirst = true;
    const outcome = await plansIn(world).editBody(plan.ref, (body) => {
      if (isFirst) plan.edit(`${body} hers`);
      isFirst = false;
      return claim(body);
    });
    expect(outcome).toEqual({ outcome: 'edited', body: 'Status: claimed\nNotes: hers' });
    expect(plan.body()).toBe('Status: claimed\nNotes: hers');
  });

  test.each(['effect-then-fail', 'fail-without-effect'] as const)(
    'whose answer was lost (%s) is true afterwards, or the edit is reported as failed',
    async (kind) => {
      const world = await openWorld();
      const plan = await openPlan(world, 'Status: pending');
      world.emulator.faults.add({ path: /graphql/, nth: 2, fault: { kind } });
      const plans = plansIn(world);
      const first = plans.editBody(plan.ref, claim);
      if (kind === 'effect-then-fail') expect(await first).toMatchObject({ outcome: 'edited' });
      else await expect(first).rejects.toMatchObject({ code: 'github-unavailable' });
      await plans.editBody(plan.ref, claim);
      expect(plan.body()).toBe('Status: claimed');
    },
  );

  test.each([
    ['after it wrote', true],
    ['and did not write', false],
  ])(
    'is there, and nothing of anybody is lost, where GitHub reports a failure %s',
    async (_, isWritten) => {
      const world = await openWorld();
      const plan = await openPlan(world, 'Status: pending');
      const body = { data: { updateIssue: null }, errors: [{ message: 'Something went wrong' }] };
      const hers = isWritten ? 'Status: claimed' : 'Status: pending';
      world.emulator.faults.add({
        path: /graphql/,
        nth: 2,
        fault: { kind: 'status', status: 200, body },
      });
      const edited = plansIn(world).editBody(plan.ref, (text) => {
        // As if the write had arrived.
        if (isWritten) plan.edit(hers);
        return claim(text);
      });
      expect(await edited).toMatchObject({ outcome: 'edited', body: 'Status: claimed' });
      expect([plan.body(), plan.calls()[1]]).toEqual(['Status: claimed', isWritten ? 0 : 1]);
    },
  );

  test('is written through REST where GraphQL refuses to write it', async () => {
    const world = await openWorld();
    const plan = await openPlan(world, 'Status: pending');
    const fault = { kind: 'status', status: 403 } as const;
    world.emulator.faults.add({ path: /graphql/, nth: 2, fault });
    expect(await plansIn(world).editBody(plan.ref, claim)).toMatchObject({ outcome: 'edited' });
    expect([plan.body(), plan.calls()[1]]).toEqual(['Status: claimed', 1]);
  });
});

test.each([
  { how: 'once by a job', isJobToken: true, looks: 1 },
  { how: 'each time by an App', isJobToken: false, looks: 3 },
])('the name for git is looked up $how', async (one) => {
  const world = await openWorld();
  const github = world.github(one);
  for (const _ of [1, 2, 3])
    expect((await github.remote(world.repository)).url).toMatch(/\/acme\/widgets\.git$/);
  const isLook = /^\/(?:repos\/acme\/widgets|repositories\/\d+)$/;
  expect(count(world, 'GET', isLook)).toBe(one.looks);
});
