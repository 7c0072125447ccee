/** An effect whose run is further on GitHub than in a restored store is refused; every other one is carried out. */
import { describe, expect, test } from 'vitest';
import { createRefuseOvertaken } from '../../src/act/refuse-overtaken.ts';
import type { ActPorts } from '../../src/act/ports.ts';
import type { Effect } from '../../src/domain/event/effect.ts';
import { renderMarker, type MarkerData } from '../../src/domain/github/marker.ts';
import { derivedId } from '../../src/domain/run/ids.ts';
import type { Run } from '../../src/domain/run/state/run-record.ts';
import type { OwnCheck } from '../../src/ports/github/pulls.ts';
import { aRun, at, NOW } from '../helpers/a-run.ts';
import { THREAD } from '../helpers/play.ts';

const KEY = 'thread:7/12';
const SECRET = 'a secret';
/** When the process began: the runs of these tests are older. */
const OPENED = NOW + 1_000;

interface Said {
  marker?: MarkerData;
  scope?: string;
  secret?: string;
  isOurs?: boolean;
}

interface World {
  state: unknown;
  said: Said[];
  checks: OwnCheck[];
  /** What was read, in its order. */
  calls: string[];
  ports: ActPorts;
}

function createWorld(state: unknown): World {
  const world: Omit<World, 'ports'> = { state, said: [], checks: [], calls: [] };
  const read = {
    comments: async (_: unknown, limit: number) => {
      world.calls.push(`comments ${limit}`);
      return world.said.map(({ marker, scope = KEY, secret = SECRET, isOurs = true }) => ({
        isOurs,
        body: marker === undefined ? 'Words.' : `Words.\n${renderMarker(marker, secret, scope)}`,
      }));
    },
  };
  const reviewChecks = async (_: unknown, of: { name: string; headSha: string }) => {
    world.calls.push(`checks ${of.name} ${of.headSha}`);
    return world.checks;
  };
  const session = { read, pulls: { reviewChecks }, reviews: {}, counts: { read: 2 } };
  const load = async () => {
    world.calls.push('load');
    return world.state === undefined ? undefined : { version: 1, state: world.state };
  };
  const ports = {
    clock: { now: () => OPENED },
    github: { at: () => session },
    store: { load },
    markerSecret: SECRET,
  };
  return Object.assign(world, { ports: ports as unknown as ActPorts });
}

function stateOf(run: Run, more: object = {}): unknown {
  return { v: 1, runs: { [run.trigger]: run }, ...more };
}

function effectOf(run: string, decidedAt = at(500)): Effect {
  const data = {
    kind: 'look' as const,
    thread: THREAD,
    actor: { id: 1, login: 'a', isBot: false },
  };
  return { id: `${run}/1-look`, key: KEY, run, at: decidedAt, data };
}

/** What becomes of it: the code of the refusal, or what it asked of GitHub. */
async function outcomeOf(world: World, effect: Effect): Promise<unknown> {
  return createRefuseOvertaken(world.ports)(effect).catch((error: { code: string }) => error.code);
}

const LIVE = (run: string, stage?: MarkerData['stage']): MarkerData => ({
  kind: 'run',
  run,
  key: 'live',
  ...(stage && { stage }),
});

describe('a run that this process began', () => {
  test.each([
    ['at the moment of its start', derivedId('x', OPENED)],
    ['later', derivedId('x', OPENED + 1)],
    ['under a name without a time', 'reconcile'],
  ])('%s is looked at by nobody', async (_, run) => {
    const world = createWorld(stateOf(aRun('issue_review', { id: run })));
    world.said = [{ marker: LIVE(run, 'ended') }];
    expect(await outcomeOf(world, effectOf(run))).toEqual({});
    expect(world.calls).toEqual([]);
  });
});

test('a run without a thread has no trace to be read, and its effects are carried out', async () => {
  const own = derivedId('x', OPENED - 1);
  const run = aRun('code_watch', { id: own, thread: { ...THREAD, number: 0 } });
  const world = createWorld(stateOf(run));
  expect(await outcomeOf(world, effectOf(own))).toEqual({});
  expect(world.calls).toEqual(['load']);
});

describe('a discussion that began before', () => {
  const own = derivedId('x', OPENED - 1);
  const run = () => aRun('issue_review', { id: own });
  const COUNTS = { read: 2 };

  test.each<[string, unknown, Said[]]>([
    ['has ended on GitHub', 'run-ended', [{ marker: LIVE(own, 'ended') }]],
    ['waits on GitHub', 'run-waiting', [{ marker: LIVE(own, 'waiting') }]],
    ['goes on there', COUNTS, [{ marker: LIVE(own) }]],
    ['has written nothing', COUNTS, []],
    ['is another one than has ended', COUNTS, [{ marker: LIVE('other', 'ended') }]],
    [
      'has ended by a comment that is not ours',
      COUNTS,
      [{ marker: LIVE(own, 'ended'), isOurs: false }],
    ],
    [
      'has ended by a marker of another thread',
      COUNTS,
      [{ marker: LIVE(own, 'ended'), scope: 'thread:7/13' }],
    ],
    ['has ended by a forged marker', COUNTS, [{ marker: LIVE(own, 'ended'), secret: 'guessed' }]],
    [
      'has ended by words of another key',
      COUNTS,
      [{ marker: { ...LIVE(own, 'ended'), key: 'maya-1' } }],
    ],
    ['stands below words without a marker', 'run-ended', [{}, { marker: LIVE(own, 'ended') }]],
  ])('and %s: %s', async (_, ...[outcome, said]) => {
    const world = createWorld(stateOf(run()));
    world.said = said;
    expect(await outcomeOf(world, effectOf(own))).toEqual(outcome);
    expect(world.calls.slice(0, 2)).toEqual(['load', 'comments 100']);
  });

  test('is refused with words that name it, and with what happened', async () => {
    const details = 'The store was restored from an older backup. Nothing is done twice.';
    for (const [stage, words] of [
      ['ended', `Run ${own} has ended on GitHub, and goes on in the store.`],
      ['waiting', `Run ${own} waits for a person on GitHub, and goes on in the store.`],
    ] as const) {
      const world = createWorld(stateOf(run()));
      world.said = [{ marker: LIVE(own, stage) }];
      const refused = createRefuseOvertaken(world.ports)(effectOf(own));
      await expect(refused).rejects.toMatchObject({ message: words, details, retryable: false });
    }
  });

  test('is looked at once, whatever comes of it', async () => {
    for (const [stage, outcome] of [
      ['ended', 'run-ended'],
      [undefined, COUNTS],
    ] as const) {
      const world = createWorld(stateOf(run()));
      world.said = [{ marker: LIVE(own, stage) }];
      const refuse = createRefuseOvertaken(world.ports);
      const outcomes: unknown[] = [];
      for (let n = 0; n < 3; n += 1)
        outcomes.push(await refuse(effectOf(own)).catch((error: { code: string }) => error.code));
      const again = outcome === COUNTS ? {} : outcome;
      expect(outcomes).toEqual([outcome, again, again]);
      expect(world.calls.filter((call) => call.startsWith('comments'))).toHaveLength(1);
    }
  });

  test.each<[string, unknown, unknown]>([
    ['nothing', {}, undefined],
    ['a state of another shape', {}, { v: 2, runs: { issue_review: run() } }],
    ['another run', {}, stateOf(aRun('issue_review', { id: 'other' }))],
    ['that it has ended', {}, stateOf({ ...run(), status: 'closed' })],
    [
      'that it was overtaken',
      'run-ended',
      stateOf({ ...run(), status: 'closed', isOvertaken: true }),
    ],
  ])('is not looked for on GitHub where the store knows %s', async (_, ...[outcome, state]) => {
    const world = createWorld(state);
    expect(await outcomeOf(world, effectOf(own))).toEqual(outcome);
    expect(world.calls).toEqual(['load']);
  });

  test('that another process has ended meanwhile is no news', async () => {
    const world = createWorld(stateOf(run()));
    world.said = [{ marker: LIVE(own, 'ended') }];
    const { load } = world.ports.store;
    let loads = 0;
    world.ports.store.load = async (key) => {
      loads += 1;
      if (loads === 2) world.state = stateOf({ ...run(), status: 'closed' });
      return load(key);
    };
    expect(await outcomeOf(world, effectOf(own))).toEqual({ read: 2 });
    expect(loads).toBe(2);
  });
});

describe('a run that waits on GitHub', () => {
  const own = derivedId('x', OPENED - 1);
  const marker = LIVE(own, 'waiting');
  const needsYou = { owner: 'tom', question: 'Which?', since: at(400), reminders: 0 };

  test('and has waited before in the store goes on', async () => {
    const world = createWorld(stateOf(aRun('issue_review', { id: own, wasBlocked: true })));
    world.said = [{ marker }];
    expect(await outcomeOf(world, effectOf(own))).toEqual({ read: 2 });
  });

  test('goes on with what was decided after the store learnt of it, and with all that follows', async () => {
    const world = createWorld(stateOf(aRun('issue_review', { id: own })));
    world.said = [{ marker }];
    const refuse = createRefuseOvertaken(world.ports);
    const refused = { code: 'run-waiting' };
    await expect(refuse(effectOf(own, at(600)))).rejects.toMatchObject(refused);
    world.state = stateOf(aRun('issue_review', { id: own, status: 'blocked', needsYou }));
    await expect(refuse(effectOf(own, at(400)))).rejects.toMatchObject(refused);
    expect(await refuse(effectOf(own, at(401)))).toEqual({});
    expect(await refuse(effectOf(own, at(300)))).toEqual({});
  });

  test('and has ended meanwhile is refused, whenever it was decided', async () => {
    const blocked = aRun('issue_review', { id: own, status: 'blocked', needsYou });
    const world = createWorld(stateOf(blocked));
    world.said = [{ marker: LIVE(own, 'ended') }];
    expect(await outcomeOf(world, effectOf(own, at(900)))).toBe('run-ended');
  });
});

describe('an answer, and a plan', () => {
  const own = derivedId('x', OPENED - 1);
  const talk = { v: 1, runs: {}, talks: { [own]: { id: own, thread: THREAD } } };
  const planning = { v: 1, runs: {}, planning: { id: own, thread: THREAD } };
  const words = (stage?: MarkerData['stage']): MarkerData => ({ ...LIVE(own, stage), key: 'said' });

  test.each<[string, unknown, unknown, Said[]]>([
    ['an answer that was given', 'run-ended', talk, [{ marker: words() }]],
    ['an answer that was not given', { read: 2 }, talk, []],
    ['an answer to somebody else', { read: 2 }, talk, [{ marker: LIVE('other', 'ended') }]],
    [
      'a plan that has come to its end',
      'run-ended',
      planning,
      [{ marker: words() }, { marker: words('ended') }],
    ],
    [
      'a plan that asks people',
      { read: 2 },
      planning,
      [{ marker: words() }, { marker: words('waiting') }],
    ],
  ])('%s: %s', async (_, ...[outcome, state, said]) => {
    const world = createWorld(state);
    world.said = said;
    expect(await outcomeOf(world, effectOf(own))).toEqual(outcome);
  });
});

describe('a review that began before', () => {
  const own = derivedId('x', OPENED - 1);
  const check = (over: Partial<OwnCheck> = {}): OwnCheck => ({
    id: 1,
    run: own,
    isEnded: true,
    ...over,
  });
  const run = (over: Partial<Run<'pr_review'>> = {}) =>
    stateOf(aRun('pr_review', { id: own, headSha: 'abc', ...over }));
  const READ = ['load', 'checks quorum / review abc'];

  test.each<[string, unknown, OwnCheck[]]>([
    ['its check has ended', 'run-ended', [check()]],
    ['its check goes on', { read: 2 }, [check({ isEnded: false })]],
    ['its newest check goes on', { read: 2 }, [check(), check({ id: 2, isEnded: false })]],
    ['it has no check', { read: 2 }, []],
    ['the check of another run has ended', { read: 2 }, [check({ run: 'other' })]],
  ])('where %s: %s', async (_, ...[outcome, checks]) => {
    const world = createWorld(run());
    world.checks = checks;
    expect(await outcomeOf(world, effectOf(own))).toEqual(outcome);
    expect(world.calls.slice(0, 2)).toEqual(READ);
  });

  test.each<[string, Partial<Run<'pr_review'>>]>([
    ['whose head is not known', { headSha: '' }],
    ['that has asked a person', { wasBlocked: true }],
    ['whose check ended before', { checkStage: 'abc ended' }],
  ])('%s is not looked for', async (_, over) => {
    const world = createWorld(run(over));
    world.checks = [check()];
    expect(await outcomeOf(world, effectOf(own))).toEqual({});
    expect(world.calls).toEqual(['load']);
  });

  test('is refused where there are no pull requests', async () => {
    const world = createWorld(run());
    world.ports.github = { at: () => ({ read: {}, counts: {} }) } as never;
    expect(await outcomeOf(world, effectOf(own))).toBe('no-pull-requests');
  });
});
