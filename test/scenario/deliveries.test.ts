/** Webhooks as GitHub sends them: lost, twice, late, out of order. The reconcile pass finds what they did not bring. */
import { describe, expect } from 'vitest';
import type { HookFaultRule } from '../../src/emulator/github/behave/faults.ts';
import { aLeapWorld, type LeapWorld } from '../helpers/a-leap-world.ts';
import { aModel } from '../helpers/a-model.ts';
import { aVerdict } from '../helpers/an-issue.ts';
import { aPlanBody } from '../helpers/a-plan.ts';
import { READY_ISSUE, REPO } from '../helpers/a-world.ts';
import { verifies } from '../verifies.ts';

const MINUTE = 60_000;

async function expectReady(world: LeapWorld, number: number, comments = 1): Promise<void> {
  const told = await world.tell(number);
  expect([told.labels, told.comments.length, told.reactions]).toEqual([
    ['ready'],
    comments,
    ['rocket'],
  ]);
  expect(told.comments[0]).toMatch(/^### Ready: /);
}

async function expectNothingLost(world: LeapWorld): Promise<void> {
  const { events, effects } = await world.store.records.counts();
  expect(events).toMatchObject({ dead: 0, parked: 0 });
  expect(effects).toMatchObject({ dead: 0 });
}

const FAULTS: [string, Omit<HookFaultRule, 'event'>][] = [
  ['lost, and on record as failed', { fault: { kind: 'lost' } }],
  ['lost without a trace', { fault: { kind: 'lost', recorded: false } }],
  ['sent twice', { fault: { kind: 'duplicate' } }],
  ['an hour late', { fault: { kind: 'delay', ms: 60 * MINUTE } }],
  ['held back behind the next one', { fault: { kind: 'reorder' } }],
];

describe('every delivery is', () => {
  for (const [name, rule] of FAULTS) {
    verifies(
      ['ING-03', 'ING-09', 'ING-10', 'DUR-09', 'P2', 'P7'],
      `${name}: the same end, and one comment`,
      async () => {
        const world = await aLeapWorld();
        await world.pass(MINUTE);
        world.emulator.faults.addHook({ ...rule, times: Infinity });
        const number = await world.ask(READY_ISSUE);
        await world.pass(90 * MINUTE);
        await expectReady(world, number);
        await expectNothingLost(world);
      },
    );
  }

  verifies(
    ['ING-10', 'NW-10', 'P7'],
    'lost while a run waits for a person: the answer is found by reading the thread',
    async () => {
      const { env } = await aModel({
        verdict: (call) => ({
          json: call.system.includes('KEEP-IT')
            ? aVerdict()
            : aVerdict({ verdict: 'HUMAN', question: 'Keep `--legacy`?' }),
        }),
      });
      const world = await aLeapWorld({ env });
      const number = await world.ask(READY_ISSUE);
      await world.pass(2 * MINUTE);
      expect((await world.tell(number)).labels).toEqual(['deliberate', 'needs-human']);
      world.emulator.faults.addHook({ times: Infinity, fault: { kind: 'lost', recorded: false } });
      await world.emulator.as('ana').comment(REPO, number, 'KEEP-IT for one release');
      await world.pass(15 * MINUTE);
      // The verdict, the question that was asked, and that it is settled.
      await expectReady(world, number, 3);
      await expectNothingLost(world);
    },
  );
});

verifies(
  ['ING-10', 'DUR-09'],
  'a plan whose label made no event is found; whose yes it has is not guessed',
  async () => {
    const world = await aLeapWorld();
    await world.pass(MINUTE);
    world.emulator.faults.addHook({ times: Infinity, fault: { kind: 'lost', recorded: false } });
    const number = await world.ask({ title: '[PLAN] Quotes', body: aPlanBody() }, 'plan');
    await world.pass(90 * MINUTE);
    const { comments } = await world.tell(number);
    expect(comments).toHaveLength(1);
    expect(comments[0]).toContain('**Waiting for approval**');
    await expectNothingLost(world);
  },
);

type Deed = (world: LeapWorld, number: number) => Promise<unknown>;

const DEEDS: Record<string, Deed> = {
  labeled: (world, number) => world.emulator.as('ana').label(REPO, number, ['deliberate']),
  unlabeled: (world, number) => world.emulator.as('ana').unlabel(REPO, number, 'deliberate'),
  closed: (world, number) => world.emulator.as('ana').close(REPO, number),
  reopened: (world, number) => world.emulator.as('ana').reopen(REPO, number),
  edited: (world, number) =>
    world.emulator.as('tom').request('PATCH', `/repos/${REPO}/issues/${number}`, {
      body: `${READY_ISSUE.body}\n\nPlease.`,
    }),
};

/** What people did, in order, and what must hold whichever way GitHub tells it. */
const STORIES: [string[], string[]][] = [
  [['labeled', 'edited', 'closed', 'reopened'], ['ready']],
  [['labeled', 'unlabeled'], []],
  [['labeled', 'unlabeled', 'labeled'], ['ready']],
  [['labeled', 'closed'], ['deliberate']],
];

/** Tells everything at the end, in the order that is given. */
async function tellAtOnce(story: readonly string[], isReversed: boolean): Promise<string[]> {
  const world = await aLeapWorld();
  const { number } = await world.emulator.as('tom').openIssue(REPO, READY_ISSUE);
  await world.emulator.settled();
  const from = world.emulator.deliveries.length;
  world.emulator.faults.addHook({ times: Infinity, fault: { kind: 'lost' } });
  for (const deed of story) await DEEDS[deed]?.(world, number);
  world.emulator.faults.clear();
  const held = world.emulator.deliveries.slice(from);
  expect(held.length).toBeGreaterThanOrEqual(story.length);
  for (const delivery of isReversed ? held.toReversed() : held)
    world.emulator.redeliver(delivery.id);
  await world.pass(20 * MINUTE);
  await expectNothingLost(world);
  const told = await world.tell(number);
  // A `closed` that arrives late stops the run with a comment. The reconcile pass then finds the
  // thread open.
  expect(told.comments.filter((body) => !body.startsWith('### Stopped')).length).toBeLessThan(2);
  expect(told.comments.filter((body) => body.startsWith('### Discussing'))).toEqual([]);
  return told.labels;
}

describe('told in order and backwards', () => {
  for (const [story, labels] of STORIES) {
    verifies(
      'ING-09',
      `${story.join(', ')}: the labels end as ${labels.join() || 'none'}`,
      async () => {
        expect(await tellAtOnce(story, false)).toEqual(labels);
        expect(await tellAtOnce(story, true)).toEqual(labels);
      },
    );
  }
});
