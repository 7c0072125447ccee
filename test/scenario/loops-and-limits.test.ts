/** Own words trigger nothing, bots go unanswered, and a flood stays below GitHub's limits and our own. */
import { describe, expect } from 'vitest';
import { DEFAULT_BUDGETS } from '../../src/adapters/github/client/github-options.ts';
import { aLeapWorld } from '../helpers/a-leap-world.ts';
import { aWorld, isWrite, READY_ISSUE, REPO } from '../helpers/a-world.ts';
import { verifies } from '../verifies.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('a loop', () => {
  verifies('LOOP-01', 'ends at the door: every event of our own is ignored as such', async () => {
    const world = await aWorld();
    await world.ask(READY_ISSUE);
    await world.idle();
    const bot = `${world.emulator.app(world.appId).slug}[bot]`;
    const own = world.emulator.deliveries.filter(
      (each) => JSON.parse(each.payload).sender.login === bot,
    );
    expect(own.length).toBeGreaterThan(3);
    const events = await world.store.records.events({ limit: 1000 });
    for (const { guid, event, action } of own) {
      const kept = events.find((each) => each.id === guid);
      expect([event, action, kept?.status]).toEqual([event, action, 'ignored']);
    }
    const told = await world.tell(1);
    expect(told.comments).toHaveLength(1);
  });

  verifies(
    ['LOOP-02'],
    'with a bot that answers each of our comments and edits does not start: it is never answered',
    async () => {
      const world = await aWorld();
      const other = await world.emulator.createApp({
        name: 'Echo Robot',
        owner: 'acme',
        permissions: { issues: 'write', metadata: 'read' },
        events: [],
      });
      world.emulator.installApp(other.appId, 'acme');
      const bot = `${world.emulator.app(other.appId).slug}[bot]`;
      let echoes = 0;
      const stop = world.emulator.onExchange(({ method, path, actor }) => {
        const isOurs =
          actor.includes('installation') || actor.includes(String(world.installationId));
        if (method === 'GET' || !path.includes('comments') || !isOurs || echoes >= 30) return;
        echoes += 1;
        void world.emulator
          .as(bot)
          .comment(REPO, 1, '/pm approve @carlos you said so, deliberate again');
      });
      const number = await world.ask(READY_ISSUE);
      await world.idle();
      stop();
      expect(echoes).toBeGreaterThan(1);
      expect(echoes).toBeLessThan(30);
      const told = await world.tell(number);
      expect(told.labels).toEqual(['ready']);
      const ours = told.all.filter((each) => each.body.includes('<!-- quorum:v1'));
      expect(ours).toHaveLength(1);
    },
  );

  verifies(
    ['LOOP-08'],
    'with a bot that takes our labels off does not start: no label is put on again',
    async () => {
      const world = await aLeapWorld();
      const number = await world.ask(READY_ISSUE);
      await world.pass(2 * MINUTE);
      expect((await world.tell(number)).labels).toEqual(['ready']);
      await world.emulator.as('ana').unlabel(REPO, number, 'ready');
      await world.pass(HOUR);
      const told = await world.tell(number);
      expect(told.labels).toEqual([]);
      expect(told.comments).toHaveLength(1);
    },
  );
});

describe('a flood', () => {
  verifies(
    ['LIM-03', 'LIM-04'],
    'of 60 labelled issues is worked off below every limit of GitHub, each with one comment',
    async () => {
      const asked = 60;
      // GitHub's own limits hold in the emulator, and ours in the App.
      const world = await aLeapWorld({
        emulator: { limits: { enforced: true } },
        app: { budgets: DEFAULT_BUDGETS, reconcileEveryMs: 0 },
      });
      for (let n = 1; n <= asked; n += 1) {
        const title = `Wish ${n}: ${READY_ISSUE.title}`;
        await world.emulator
          .as('ana')
          .openIssue(REPO, { title, body: `Wish ${n}`, labels: ['deliberate'] });
      }
      for (let hours = 0; hours < 12; hours += 1) {
        await world.pass(HOUR);
        if ((await world.store.records.counts()).effects.pending === 0) break;
      }
      const { events, effects } = await world.store.records.counts();
      expect(events).toMatchObject({ dead: 0, parked: 0 });
      expect(effects).toMatchObject({ pending: 0, dead: 0, refused: 0 });
      const ours = world.emulator.requests.filter(isWrite);
      expect(ours.filter((each) => each.status === 403 || each.status === 429)).toEqual([]);
      const created = ours.filter(
        (each) => /\/issues\/\d+\/comments$/.test(each.path) && each.status === 201,
      );
      expect(created).toHaveLength(asked);
      expect(new Set(created.map((each) => each.path)).size).toBe(asked);
      const times = created.map((each) => Date.parse(each.at));
      expect(mostWithin(times, MINUTE)).toBeLessThanOrEqual(20);
      expect(mostWithin(times, HOUR)).toBeLessThanOrEqual(250);
    },
  );
});

/** The most of these moments in any window of that length; GitHub's times have whole seconds. */
function mostWithin(times: readonly number[], ms: number): number {
  return Math.max(
    ...times.map((from) => times.filter((at) => at >= from && at < from + ms - 1000).length),
  );
}
