/**
 * What a standup is based on: who took part, what rules see at the head, how the personas relate to
 * each other, and why no standup is held.
 */
import { describe, expect, test } from 'vitest';
import { changeValue } from '../../../src/act/standup/change-value.ts';
import { lookAtStandup } from '../../../src/act/standup/look-standup.ts';
import type { StandupAnswer } from '../../../src/domain/standup/standup-answer.ts';
import type { Scanner } from '../../../src/ports/scanner.ts';
import { aRunHere } from '../../decide/talk/commands/run-here.ts';
import { THREAD } from '../../helpers/play.ts';
import { aStandupWorld, discussedBy, type Hub, type StandupWorld } from './a-standup-world.ts';

const SOURCE = { run: 'r1', outcome: 'completed' } as const;
const LOUD: StandupAnswer = {
  insights: [{ to: 'none', insight_type: 'risk', message: 'Look.', actionable: true }],
};
const QUIET: StandupAnswer = { insights: [] };

/** A scanner that says these one after the other, and keeps what it was shown. */
function scanning(...answers: (StandupAnswer | 'not-read')[]) {
  const shown: { viewed: { paths: readonly string[] }; team: { handle: string }[] }[] = [];
  const scan = async (_: string, input: (typeof shown)[number]) => {
    shown.push(input);
    const found = answers[shown.length - 1] ?? QUIET;
    return found === 'not-read' ? { kind: found } : { kind: 'read', found: { maya: found } };
  };
  return { shown, scanner: { scan } as unknown as Scanner };
}

async function look(
  change: (world: StandupWorld) => unknown = () => undefined,
  hub?: Partial<Hub>,
) {
  const world = await aStandupWorld(hub);
  await change(world);
  const data = { kind: 'look-standup', thread: THREAD, source: SOURCE } as const;
  const { result, githubCalls } = await lookAtStandup(data, world.context());
  return { result, githubCalls, calls: world.calls };
}

test('those of the team who said something take part, in the order in which they did', async () => {
  const { result, githubCalls } = await look((world) => {
    world.runs = discussedBy('carlos', 'somebody-else', 'maya');
  });
  expect(result.personas.map(({ handle }) => handle)).toEqual(['carlos', 'maya']);
  expect(result.record.team).toEqual(['carlos', 'somebody-else', 'maya']);
  expect(result.record).toMatchObject({ run: 'r1', request: 'Carts lose their discount.' });
  expect(result).not.toHaveProperty('off');
  expect(githubCalls).toEqual({ rest: 3 });
});

describe('no standup is held', () => {
  test.each<[string, (world: StandupWorld) => void, string]>([
    [
      'where standups are off',
      ({ config }) => void (config.standup.enabled = false),
      'standups are switched off here',
    ],
    [
      'where Quorum is off',
      ({ config }) => void (config.enabled = false),
      'standups are switched off here',
    ],
    [
      'where nobody of the team said anything',
      (world) => void (world.runs = discussedBy('somebody-else')),
      'nobody of the team took part',
    ],
    ['where nothing happened', (world) => void (world.runs = {}), 'nobody of the team took part'],
  ])('%s, and nothing is scanned', async (_, change, off) => {
    const { shown, scanner } = scanning(LOUD, LOUD);
    const { result } = await look((world) => {
      world.scanner = scanner;
      change(world);
    });
    expect([result.off, result.offline, shown]).toEqual([off, {}, []]);
  });
});

describe('what rules see', () => {
  test('is looked for at the head only where they would say something without it', async () => {
    const { shown, scanner } = scanning(LOUD, QUIET);
    const { result, calls } = await look((world) => void (world.scanner = scanner));
    expect(shown).toHaveLength(2);
    expect(shown[1]?.viewed.paths).toEqual(['src/cart.ts']);
    expect(shown[1]?.team.map(({ handle }) => handle)).toEqual(['maya', 'carlos']);
    expect(result.offline).toEqual({ maya: QUIET });
    expect(calls.filter((each) => each !== 'survey')).toEqual(['repository', 'paths']);
  });

  test.each<[string, readonly (StandupAnswer | 'not-read')[], number]>([
    ['a clean run', [QUIET], 1],
    ['a scan that cannot be read', ['not-read'], 1],
    ['a second scan that cannot be read', [LOUD, 'not-read'], 2],
  ])('of %s is nothing', async (_, answers, scans) => {
    const { shown, scanner } = scanning(...answers);
    const { result, calls } = await look((world) => void (world.scanner = scanner));
    expect([result.offline, shown.length]).toEqual([{}, scans]);
    if (scans === 1) expect(calls).toEqual(['survey']);
  });

  test('is nothing where rules find nothing', async () => {
    expect((await look()).result.offline).toEqual({});
  });

  test('in a repository without a commit, no file is in view', async () => {
    const { shown, scanner } = scanning(LOUD, LOUD);
    await look((world) => void (world.scanner = scanner), { headSha: '' });
    expect(shown[1]?.viewed.paths).toEqual([]);
  });
});

test('how hard they look and how they stand to each other is what earlier standups left', async () => {
  const fresh = (await look()).result;
  expect(fresh.strictness).toBe('even');
  const { result } = await look(async ({ store }) => {
    const of = { repository: THREAD.repositoryId };
    await changeValue(store.standups, { ...of, name: 'strictness' }, () => ({
      level: 'strict',
      answers: 0,
      noTension: 0,
    }));
    await changeValue(store.standups, { ...of, name: 'relations' }, () => ({
      maya: { carlos: { trust: 0.9, at: '2026-11-20T10:00:00.000Z' } } as never,
    }));
  });
  expect(result.strictness).toBe('strict');
  expect(result.relationships['maya']?.['carlos']?.trust).toBeGreaterThan(
    fresh.relationships['maya']?.['carlos']?.trust ?? 0.5,
  );
});

test('a look of an older version knows less of standups: what is missing is the default', async () => {
  const { result } = await look(({ config }) => {
    const { enabled } = config.standup;
    (config as { standup: unknown }).standup = { enabled };
  });
  expect(result.config.standup.maxInsightsPerAgent).toBe(3);
});

test('a run of another kind is no step of anybody', async () => {
  const { result } = await look((world) => {
    world.runs = { standup: aRunHere({ trigger: 'standup' }) };
  });
  expect(result.personas).toEqual([]);
});
