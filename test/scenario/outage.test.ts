/** P7: whatever is away for a while (the App, GitHub, a model, the store), everything recovers without help. */
import { describe, expect } from 'vitest';
import { TransientError } from '../../src/domain/event/errors.ts';
import { aLeapWorld } from '../helpers/a-leap-world.ts';
import { aModel } from '../helpers/a-model.ts';
import { aPosition, aVerdict } from '../helpers/an-issue.ts';
import { READY_ISSUE, type TestWorld } from '../helpers/a-world.ts';
import { verifies } from '../verifies.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const OTHER_ISSUE = {
  title: 'Say the version with --version',
  body: 'Expected: `node src/cli.ts --version` prints the version of `package.json`.\n\nAcceptance:\n- it prints 1.0.0 and exits 0\n- a case in `test/cli.test.ts`',
};

async function expectReady(world: TestWorld, numbers: readonly number[]): Promise<void> {
  for (const number of numbers) {
    const told = await world.tell(number);
    expect([number, told.labels, told.comments.length]).toEqual([number, ['ready'], 1]);
    expect(told.comments[0]).toMatch(/^### Ready: /m);
    expect(told.reactions).toEqual(['rocket']);
  }
}

async function expectNothingLost(world: TestWorld): Promise<void> {
  const { events, effects } = await world.store.records.counts();
  expect(events).toMatchObject({ dead: 0, parked: 0 });
  expect(effects).toMatchObject({ dead: 0, refused: 0 });
}

describe('away for a while', () => {
  verifies(
    ['P7', 'ING-10', 'DUR-09'],
    'the App, for three days: on its return it finds what was asked meanwhile',
    async () => {
      const world = await aLeapWorld();
      await world.pass(MINUTE);
      await world.stopApp();
      const numbers: number[] = [];
      for (let day = 0; day < 4; day += 1) {
        numbers.push(await world.ask({ ...READY_ISSUE, title: `${READY_ISSUE.title}, ${day}` }));
        await world.emulator.settled();
        world.clock.leap(world.clock.now() + 18 * HOUR);
      }
      expect(world.emulator.deliveries.filter((each) => each.statusCode !== 202)).not.toEqual([]);
      await world.startApp();
      await world.pass(11 * MINUTE);
      for (const number of numbers) {
        const told = await world.tell(number);
        expect(told.comments).toHaveLength(1);
        expect(told.comments[0]).toMatch(/^### (?!Discussing|Stopped)/);
        expect(told.labels).not.toContain('deliberate');
      }
      await expectNothingLost(world);
    },
  );

  verifies(
    ['P7', 'LIM-03'],
    'GitHub, for three hours: nothing dies, few calls are wasted, and then all is done in order',
    async () => {
      const world = await aLeapWorld();
      await world.pass(6 * MINUTE);
      const stop = world.emulator.faults.add({
        times: Infinity,
        fault: { kind: 'status', status: 502 },
      });
      const numbers = [await world.ask(READY_ISSUE), await world.ask(OTHER_ISSUE)];
      world.emulator.clearRequests();
      await world.pass(3 * HOUR);
      expect((await world.store.records.counts()).effects).toMatchObject({ dead: 0, refused: 0 });
      // Below 6 % of what GitHub allows an installation in an hour.
      expect(world.emulator.requests.length / 3).toBeLessThan(300);
      stop();
      await world.pass(12 * MINUTE);
      await expectReady(world, numbers);
      await expectNothingLost(world);
      const wanted = await world.store.records.effects({ key: 'tick:reconcile', limit: 1000 });
      const passes = wanted.filter(
        ({ data }) => data.kind === 'reconcile' && data.part === 'installations',
      );
      expect(passes.filter((pass) => pass.status === 'pending')).toEqual([]);
      // What piled up while nothing worked is one pass, not one for every half hour.
      expect(passes.filter((pass) => pass.status === 'done').length).toBeLessThan(7);
      expect(passes.some((pass) => pass.status === 'superseded')).toBe(true);
    },
  );

  verifies(
    ['P7', 'LIM-07', 'CB-15'],
    'the model, for an hour: offline rules stand in and say so, and then the model is asked again',
    async () => {
      let isDown = true;
      const down = { fault: { kind: 'status' as const, status: 529 } };
      const { server, env } = await aModel({
        position: (_, handle) => (isDown ? down : { json: aPosition({ reasons: handle }) }),
        verdict: () => (isDown ? down : { json: aVerdict() }),
      });
      const world = await aLeapWorld({ env });
      const during = await world.ask(READY_ISSUE);
      await world.pass(15 * MINUTE);
      const [comment] = (await world.tell(during)).comments;
      expect(comment).toMatch(
        /^\*\*No model: only offline rules judged this\.\*\*.+ overloaded or down/,
      );
      expect(comment).toContain('offline rules, no model');
      await world.pass(HOUR);
      isDown = false;
      const asked = server.calls.length;
      const after = await world.ask(OTHER_ISSUE);
      await world.pass(15 * MINUTE);
      expect(server.calls.length).toBeGreaterThan(asked);
      expect((await world.tell(after)).comments[0]).not.toContain('offline');
      await expectReady(world, [during, after]);
      await expectNothingLost(world);
    },
  );

  verifies(
    ['P7', 'P1', 'ING-06'],
    'the store, when a delivery arrives: GitHub receives 503, and the redelivery restores the work',
    async () => {
      const world = await aLeapWorld();
      const append = world.store.append.bind(world.store);
      world.store.append = () =>
        Promise.reject(new TransientError({ code: 'store-down', message: 'The disk is full.' }));
      const number = await world.ask(READY_ISSUE);
      await world.emulator.settled();
      const refused = world.emulator.deliveries.filter((each) => each.statusCode === 503);
      expect(refused.map((each) => `${each.event}.${each.action}`)).toEqual(
        expect.arrayContaining(['issues.opened', 'issues.labeled']),
      );
      const kept = await world.store.records.events({ limit: 100 });
      expect(kept.filter((each) => each.key.startsWith('thread:'))).toEqual([]);
      world.store.append = append;
      await world.pass(11 * MINUTE);
      await expectReady(world, [number]);
      await expectNothingLost(world);
      const guids = new Set(refused.map((each) => each.guid));
      const taken = world.emulator.deliveries.filter(
        (each) => each.redelivery && each.statusCode === 202,
      );
      expect(new Set(taken.map((each) => each.guid).filter((guid) => guids.has(guid)))).toEqual(
        guids,
      );
    },
  );
});
