/** What participants said becomes insights that are true at the head; tensions move, and all of it is kept once. */
import { describe, expect, test } from 'vitest';
import { settleStandup } from '../../../src/act/standup/settle-standup.ts';
import type { GivenAnswer } from '../../../src/domain/standup/standup-run.ts';
import type { Tension } from '../../../src/domain/tension/tension.ts';
import { CALL } from '../../decide/talk/commands/run-here.ts';
import { said } from '../../domain/standup/some-insights.ts';
import { THREAD } from '../../helpers/play.ts';
import {
  aStandupWorld,
  aTension,
  AT,
  HEAD,
  INSIGHT,
  type StandupWorld,
} from './a-standup-world.ts';

const TRUE = INSIGHT.message;
const INVENTED = '`src/nowhere.ts:9` is never tested by anybody.';
const say = (handle: string, ...messages: string[]): GivenAnswer => ({
  handle,
  value: { insights: messages.map((message) => said(message, { to: 'none' })) },
  calls: [CALL],
});

function settle(world: StandupWorld, answers: readonly GivenAnswer[], run = 'r1') {
  return settleStandup(
    {
      kind: 'settle-standup',
      thread: THREAD,
      source: { run, outcome: 'completed' },
      answers: [...answers],
      skipped: [{ handle: 'tom', why: 'model-busy' }],
    },
    world.context(),
  );
}

describe('what was said', () => {
  test('is kept where it is true, with who said it and what it took', async () => {
    const world = await aStandupWorld();
    const { result } = await settle(world, [say('maya', TRUE), say('carlos')]);
    expect(result.insights.map(({ from, type, message }) => [from, type, message])).toEqual([
      ['maya', 'risk', TRUE],
      ['carlos', 'none', ''],
    ]);
    expect(result.insights[0]).toMatchObject({
      run: 'r1',
      model: CALL.model,
      costUsd: 0.25,
      tokens: 2,
      ms: CALL.latencyMs,
      refs: [{ path: 'src/cart.ts', line: 2 }],
    });
    expect(result).toMatchObject({ headSha: HEAD, invented: 0, followUps: {}, closed: [] });
  });

  test('is dropped and counted where it cites what is not there', async () => {
    const world = await aStandupWorld();
    const { result } = await settle(world, [say('maya', INVENTED, TRUE)]);
    expect(result.insights.map(({ message }) => message)).toEqual([TRUE]);
    expect(result.invented).toBe(1);
  });

  test.each<[string, GivenAnswer]>([
    ['of somebody who took no part', say('tom', TRUE)],
    ['that cannot be read', { handle: 'maya', value: 'words', calls: [CALL] }],
  ])('an answer %s is no insight', async (_, answer) => {
    const { result } = await settle(await aStandupWorld(), [answer]);
    expect(result.insights).toEqual([]);
  });

  test.each([
    { insights: 1, kept: 1 },
    { insights: 99, kept: 3 },
  ])('of one participant at most $kept are kept where $insights may be', async (row) => {
    const world = await aStandupWorld();
    world.config.standup.maxInsightsPerAgent = row.insights;
    const words = ['price', 'order', 'charge', 'basket'];
    const all = words.map((word) => `\`src/cart.ts:2\` says nothing of the ${word}.`);
    const { result } = await settle(world, [say('maya', ...all)]);
    expect(result.insights).toHaveLength(row.kept);
  });

  test('costs what is not known where one of its calls does', async () => {
    const unknown = { ...CALL, costUsd: undefined };
    const { result } = await settle(await aStandupWorld(), [
      { ...say('maya', TRUE), calls: [CALL, unknown] },
      { ...say('carlos'), calls: [] },
    ]);
    expect(result.insights.map(({ model, costUsd }) => [model, costUsd])).toEqual([
      [CALL.model, undefined],
      ['offline', 0],
    ]);
  });

  test('without any tension nothing is asked of GitHub but the settings', async () => {
    const world = await aStandupWorld();
    const { result } = await settle(world, [say('maya'), say('carlos')]);
    expect(world.calls).toEqual(['survey']);
    expect(result.headSha).toBe(HEAD);
  });
});

describe('tensions', () => {
  test('are opened once for a run, however many see the same', async () => {
    const world = await aStandupWorld();
    await settle(world, [say('maya', TRUE), say('carlos', `${TRUE} Still.`)]);
    const { tensions } = await world.book();
    expect(tensions.map(({ number, from, seen }) => [number, from, seen])).toEqual([
      [1, 'maya', 1],
    ]);
  });

  test.each<[string, Partial<Tension>, object | undefined]>([
    ['that is open is counted', {}, { kind: 'repeats', number: 1, seen: 2 }],
    [
      'with a follow-up is shown with it',
      { state: 'accepted', issue: 31 },
      { kind: 'issue', number: 31 },
    ],
  ])('one %s', async (_, kept, followUp) => {
    const world = await aStandupWorld();
    await world.keep({ ...kept, insights: ['0123456789'], lastRun: 'r0' });
    const { result } = await settle(world, [say('maya', TRUE)]);
    const [insight] = result.insights;
    expect(result.followUps[insight?.id ?? '']).toEqual(followUp);
    expect((await world.book()).tensions[0]).toMatchObject({ seen: 2, lastRun: 'r1' });
  });

  test('one that people rejected stays silent as long as its lines are the same', async () => {
    const world = await aStandupWorld();
    await world.keep({ state: 'rejected' });
    const { result } = await settle(world, [say('maya', TRUE), say('carlos')]);
    expect(result.insights.map(({ from }) => from)).toEqual(['carlos']);
    expect((await world.book()).tensions).toHaveLength(1);
    world.hub.files['src/cart.ts'] = 'const a = 1;\nconst price = basket.price;\n';
    const later = await settle(world, [say('maya', TRUE)], 'r2');
    expect(later.result.insights).toHaveLength(1);
    expect((await world.book()).tensions.at(-1)).toMatchObject({ state: 'open', after: 1 });
  });

  test('an open one whose lines are gone is closed, and one that is accepted is not', async () => {
    const world = await aStandupWorld({ files: { 'src/cart.ts': 'const a = 1;\n' } });
    await world.keep({}, { state: 'accepted' });
    const { result } = await settle(world, [say('maya')]);
    expect(result.closed).toEqual([1]);
    const { tensions } = await world.book();
    expect(tensions[0]?.closedBy).toEqual({ kind: 'lines-gone', sha: HEAD });
    expect(tensions[1]?.state).toBe('accepted');
  });

  test('one whose file was renamed is followed, and not closed', async () => {
    const world = await aStandupWorld();
    await world.keep({});
    world.hub.files = { 'src/basket/cart.ts': world.hub.files['src/cart.ts'] ?? '' };
    const { result } = await settle(world, [say('maya')]);
    expect(result.closed).toEqual([]);
    expect((await world.book()).tensions[0]?.refs).toEqual([
      { path: 'src/basket/cart.ts', line: 2 },
    ]);
  });

  test('those of a persona whom people hardly ever agree with are marked', async () => {
    const world = await aStandupWorld();
    const rejected = Array.from({ length: 10 }, (_, n) => ({
      state: 'rejected' as const,
      message: `other ${n}`,
      refs: [],
    }));
    await world.keep(...rejected);
    const { result } = await settle(world, [say('maya', TRUE)]);
    expect(result.demoted).toEqual(['maya']);
  });
});

describe('what is kept', () => {
  test('is the whole standup, also what is silent, with the head that it was checked at', async () => {
    const world = await aStandupWorld();
    await world.keep({ state: 'rejected' });
    await settle(world, [say('maya', TRUE, INVENTED), say('carlos')]);
    const of = { repositories: [THREAD.repositoryId], limit: 10 };
    const [kept] = await world.store.standups.standups(of);
    expect(kept).toMatchObject({
      name: 'acme/tidy',
      run: 'r1',
      thread: THREAD.number,
      at: AT,
      headSha: HEAD,
      invented: 1,
      skipped: 1,
    });
    const { insights } = await world.store.standups.insights(of);
    expect(insights.map(({ from }) => from).toSorted()).toEqual(['carlos', 'maya']);
  });

  test('counts once for a run: another attempt teaches nothing more', async () => {
    const world = await aStandupWorld();
    const strictness = async () =>
      (await world.store.standups.load(THREAD.repositoryId, 'strictness'))?.value;
    await settle(world, [say('maya', TRUE), say('carlos')]);
    expect(await strictness()).toMatchObject({ answers: 2, noTension: 1 });
    await settle(world, [say('maya', TRUE), say('carlos')]);
    expect(await strictness()).toMatchObject({ answers: 2, noTension: 1 });
    expect((await world.book()).tensions).toEqual([
      expect.objectContaining({ seen: 1, message: aTension().message }),
    ]);
  });
});
