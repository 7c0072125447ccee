/** Strangers who ask for more than they should, and comments that speak to everybody at once. */
import { expect } from 'vitest';
import { aModel } from '../helpers/a-model.ts';
import { aWorld, isWrite, READY_ISSUE, REPO, type TestWorld } from '../helpers/a-world.ts';
import { anIssue, say } from '../helpers/talking.ts';
import { verifies } from '../verifies.ts';

const ISSUES = 30;

function commentsOf(world: TestWorld): number {
  return world.emulator.requests.filter(
    (each) =>
      isWrite(each) && each.actor.startsWith('installation') && each.path.endsWith('/comments'),
  ).length;
}

verifies(
  'LOOP-06: no model for a stranger',
  'thirty issues of a stranger, with questions, labels asked for and commands, cost no call of a model',
  async () => {
    const { server, env } = await aModel();
    const world = await aWorld({ env });
    const eve = world.emulator.as('eve');
    for (let n = 0; n < ISSUES; n += 1) {
      const { number } = await eve.openIssue(REPO, { ...READY_ISSUE, title: `Issue ${n}` });
      for (const body of [
        '@maya where is it?',
        'Quorum, please look',
        '/pm deliberate',
        '/pm ask why?',
      ])
        await eve.comment(REPO, number, body);
    }
    await world.idle();
    expect(server.calls).toEqual([]);
    // The refusal of a command, once in a thread for each of the two.
    expect(commentsOf(world)).toBeGreaterThan(0);
    expect(commentsOf(world)).toBeLessThanOrEqual(2 * ISSUES);
    const number = await world.ask(READY_ISSUE);
    await world.idle();
    expect((await world.tell(number)).comments).toHaveLength(1);
    expect(server.calls.length).toBeGreaterThan(0);
  },
);

verifies(
  'LOOP-06: five answers in a thread and hour',
  'a stranger who asks the same thread for a report again and again is answered five times, and others still are',
  async () => {
    const world = await aWorld();
    const number = await anIssue(world);
    for (let n = 0; n < 8; n += 1) await say(world, number, { by: 'eve', body: '/pm status' });
    expect((await world.tell(number)).comments).toHaveLength(5);
    expect((await say(world, number, '/pm status')).answers).toHaveLength(1);
  },
);

verifies(
  [
    'LOOP-07: one speaker for a comment',
    'LOOP-07: same speaker for the same comment',
    'LOOP-07: one comment for an event',
  ],
  'a comment that speaks to five of the team gets one comment, by the same ones each time',
  async () => {
    const { server, env } = await aModel({
      answer: (_, handle) => ({ json: { text: `This is ${handle}.`, references: [] } }),
    });
    const world = await aWorld({ env });
    const all: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const number = await anIssue(world);
      const told = await say(world, number, '@maya @dev @carlos @priya @zoe what now?');
      expect(told.answers).toHaveLength(1);
      all.push([...(told.answers[0] ?? '').matchAll(/This is (\w+)\./g)].join());
    }
    expect(new Set(all).size).toBe(1);
    expect(server.calls.length).toBe(3);
  },
);
