/**
 * What is read of standups: pages of insights with their outcomes, what a plan receives, and the
 * trends.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { listInsights, readTrends, recallForPlan } from '../../../src/act/standup/read-standups.ts';
import type { Insight } from '../../../src/domain/standup/insight.ts';
import type { Tension } from '../../../src/domain/tension/tension.ts';
import { THREAD } from '../../helpers/play.ts';
import { aStandup, anInsight } from '../../helpers/a-kept-standup.ts';
import { verifies } from '../../verifies.ts';
import { aStandupWorld, AT, type StandupWorld } from './a-standup-world.ts';

const REPOSITORY = THREAD.repositoryId;
const NOW = Date.parse(AT);

let world: StandupWorld;
beforeEach(async () => {
  world = await aStandupWorld();
});

async function held(run: string, ...insights: Partial<Insight>[]): Promise<Insight[]> {
  const all = insights.map((each) => anInsight(each.message ?? '', { ...each, run }));
  await world.store.standups.save(aStandup({ repository: REPOSITORY, run, at: AT, insights: all }));
  return all;
}

const decided = (state: Tension['state'], insight: Insight | undefined): Partial<Tension> => ({
  state,
  insights: [insight?.id ?? ''],
});

const PRICE = { message: 'The cart trusts the price that the browser sends' };
const TESTS = { message: 'Nothing tests an empty basket' };

describe('a page of insights', () => {
  test('tells what became of each', async () => {
    const [price, tests] = await held('r1', PRICE, TESTS);
    await world.keep({ ...decided('accepted', price), issue: 31 });
    const page = await listInsights(world.store.standups, {
      repositories: [REPOSITORY],
      limit: 1,
    });
    expect(page).toMatchObject({ total: 2, noTension: 0 });
    const rest = await listInsights(world.store.standups, {
      repositories: [REPOSITORY],
      limit: 5,
      ...(page.next !== undefined && { before: page.next }),
    });
    const all = [...page.insights, ...rest.insights];
    expect(new Set(all.map(({ id }) => id))).toEqual(new Set([price?.id, tests?.id]));
    const told = all.find(({ id }) => id === price?.id);
    expect(JSON.stringify(told)).toContain('accepted');
    expect(JSON.stringify(all.find(({ id }) => id === tests?.id))).not.toContain('accepted');
  });
});

describe('what a plan receives', () => {
  const recall = (wish: string) =>
    recallForPlan(world.store.standups, { repository: REPOSITORY, wish, now: NOW });

  test('is nothing in a repository without a standup', async () => {
    expect(await recall('price')).toEqual([]);
  });

  test('is what is alike first', async () => {
    await held('r1', TESTS, PRICE);
    expect((await recall('check the price in the cart'))[0]?.message).toBe(PRICE.message);
    expect((await recall('tests for an empty basket'))[0]?.message).toBe(TESTS.message);
  });

  verifies('LS-9: nothing settled', 'leaves out what was rejected or closed', async () => {
    const told: Partial<Record<Tension['state'], boolean>> = {};
    for (const state of ['open', 'accepted', 'rejected', 'closed'] as const) {
      world = await aStandupWorld();
      const [price] = await held('r1', PRICE, TESTS);
      await world.keep(decided(state, price));
      const messages = (await recall('price')).map(({ message }) => message);
      told[state] = messages.includes(PRICE.message);
      expect(messages).toContain(TESTS.message);
    }
    expect(told).toEqual({ open: true, accepted: true, rejected: false, closed: false });
  });

  test('is of this repository alone', async () => {
    await world.store.standups.save(
      aStandup({ repository: 99, run: 'r9', insights: [anInsight(PRICE.message, { run: 'r9' })] }),
    );
    expect(await recall('price')).toEqual([]);
  });
});

describe('trends', () => {
  test('sum up reactions, inventions and those without an answer of all standups', async () => {
    for (const [run, invented, skipped] of [
      ['r1', 1, 0],
      ['r2', 2, 3],
    ] as const) {
      const insights = [anInsight(PRICE.message, { run })];
      await world.store.standups.save(
        aStandup({ repository: REPOSITORY, run, at: AT, insights, invented, skipped }),
      );
      await world.store.standups.rate({ repository: REPOSITORY, run }, { up: 2, down: 1 });
    }
    const { themes, health } = await readTrends(world.store.standups, REPOSITORY);
    expect(themes).toMatchObject([{ count: 2, isResolved: false }]);
    expect(health).toMatchObject({ runs: 2, invented: 3, skipped: 3, usefulShare: 4 / 6 });
  });

  test.each<[Tension['state'], boolean]>([
    ['closed', true],
    ['accepted', false],
    ['rejected', false],
  ])('a theme that was %s, and that nobody returned to, is resolved: %s', async (state, isOver) => {
    const [price] = await held('r1', PRICE);
    const insights = [anInsight(TESTS.message, { run: 'r2' })];
    const at = '2026-11-21T10:00:00.000Z';
    await world.store.standups.save(aStandup({ repository: REPOSITORY, run: 'r2', at, insights }));
    await world.keep(decided(state, price));
    const { themes } = await readTrends(world.store.standups, REPOSITORY);
    const own = themes.find((theme) => theme.insights.includes(price?.id ?? ''));
    expect(own?.isResolved).toBe(isOver);
  });

  test('of a repository without a standup are empty', async () => {
    expect((await readTrends(world.store.standups, REPOSITORY)).themes).toEqual([]);
  });
});
