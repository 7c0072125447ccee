/** News of a build for the thread that tells of it: another red run, or that it is well again. */
import { describe, expect, test } from 'vitest';
import {
  afterBuild,
  countRed,
  heal,
  onBuilt,
  onNewsView,
} from '../../../../src/decide/kinds/build/news.ts';
import type { BuildState, BuildView } from '../../../../src/domain/build/build-view.ts';
import type { Event } from '../../../../src/domain/event/event.ts';
import type { Trigger } from '../../../../src/domain/event/trigger.ts';
import type { Run } from '../../../../src/domain/run/state/run-record.ts';
import {
  aBuildLook,
  aBuildRun,
  aBuildState,
  aBuildView,
  aReading,
  BRANCH,
  lookOf,
  PULL,
} from '../../../helpers/a-build-view.ts';
import { at, NOW, contextOf, wantedBy } from '../../../helpers/a-run.ts';
import { aComment, aVerdict } from '../../../helpers/an-issue.ts';
import { ANA, THREAD } from '../../../helpers/play.ts';
import { BUILD_FAILURE } from '../../../../src/decide/kinds/build/kind.ts';
import { runOf, type ThreadState } from '../../../../src/decide/run/thread-context.ts';

type Look = Run<'build_failure'>;

const EVENT: Event = {
  id: 'news-1',
  key: 'thread:7/12',
  version: 1,
  at: at(0),
  data: { kind: 'timer', timer: 't', run: 'r' },
};
const COOLDOWN_MS = aBuildLook().settings.cooldownMs;
const ended = (over: Partial<Look> = {}): Look =>
  aBuildLook({
    status: 'consensus',
    verdict: aVerdict({ verdict: 'CHANGES' }),
    phase: { kind: 'ended' },
    endedAt: at(-COOLDOWN_MS),
    ...over,
  });
const build = (over: Partial<BuildState> = {}): Look => ended({ build: aBuildState(over) });
const kindsOf = (context: ReturnType<typeof contextOf<'build_failure'>>): string[] =>
  context.step.effects.map(({ data }) => data.kind);

describe('what a thread learns of a build', () => {
  const built = (over: Partial<Extract<Trigger, { kind: 'built' }>> = {}) => ({
    kind: 'built' as const,
    thread: THREAD,
    actor: ANA,
    where: PULL,
    isRed: true,
    ...over,
  });
  const tell = (run: Look | undefined, over: Parameters<typeof built>[0] = {}) => {
    const state: ThreadState = { v: 1, runs: run === undefined ? {} : { build_failure: run } };
    const decision = onBuilt({ state, event: EVENT, now: NOW }, built(over), BUILD_FAILURE);
    return { ...decision, now: runOf(state, 'build_failure') };
  };

  test('starts a look when nothing was reported before', () => {
    for (const run of [
      undefined,
      ended({ build: { where: PULL, runs: [], green: undefined, times: 1 } }),
    ]) {
      const { effects, ignored, now } = tell(run, { where: BRANCH });
      expect(ignored).toBeUndefined();
      expect(effects.map(({ data }) => data)).toEqual([
        expect.objectContaining({ kind: 'look-build', where: BRANCH, thread: THREAD }),
      ]);
      expect(now).toMatchObject({
        status: 'active',
        label: '',
        build: { where: BRANCH, runs: [], times: 1 },
        phase: { kind: 'looking', next: 'start', effectId: effects[0]?.id },
      });
      expect(now?.build).not.toHaveProperty('isTold');
      expect(now?.build).not.toHaveProperty('isOrphan');
    }
  });

  test('is nothing when the build is green and nothing was reported', () => {
    expect(tell(undefined, { isRed: false })).toMatchObject({
      effects: [],
      ignored: 'nothing was reported here',
    });
  });

  test('starts a look when a run of which nothing is kept had reported a failure', () => {
    const { effects, now } = tell(undefined, { isRed: false, isOrphan: true });
    expect(effects.map(({ data }) => data.kind)).toEqual(['look-build']);
    expect(now?.build).toMatchObject({ isTold: true, isOrphan: true });
  });

  test.each<[string, boolean, Partial<BuildState>]>([
    ['is red again', true, {}],
    ['is red again after it was well', true, { healed: aBuildRun() }],
    ['is well', false, {}],
  ])('makes the look that was made look at the news where it %s', (_, ...[isRed, over]) => {
    const run = build(over);
    const { effects, ignored, now } = tell(run, { isRed, where: BRANCH });
    expect(ignored).toBeUndefined();
    expect(effects).toEqual([
      expect.objectContaining({
        id: `${run.id}/2-look-build`,
        data: expect.objectContaining({ kind: 'look-build', where: BRANCH, known: '501/1' }),
      }),
    ]);
    expect(now).toMatchObject({ id: run.id, recheck: effects[0]?.id, build: { where: BRANCH } });
  });

  test('is nothing when the build is green and that was reported', () => {
    expect(tell(build({ healed: aBuildRun() }), { isRed: false })).toMatchObject({
      effects: [],
      ignored: 'that was reported already',
    });
  });
});

describe('a red run', () => {
  const other = (over: Partial<BuildView> = {}): BuildView =>
    aBuildView({ reading: aReading({ fingerprint: 'second' }), ...over });
  const moved = aBuildRun({ id: 502, headSha: 'd'.repeat(40) });
  const SAME = 'the same failure: the earlier result applies';
  const SOON = 'a run ended a moment ago';

  test.each<[string, string | undefined, Look, BuildView]>([
    ['with the same failure', SAME, build(), aBuildView({ reading: aReading() })],
    ['that could not be read', SAME, build(), aBuildView()],
    [
      'with the same failure, long after',
      SAME,
      ended({ endedAt: at(-9 * COOLDOWN_MS) }),
      aBuildView(),
    ],
    [
      'with the same failure soon after it was well',
      SAME,
      ended({ endedAt: at(1 - COOLDOWN_MS), build: aBuildState({ healed: aBuildRun() }) }),
      aBuildView(),
    ],
    [
      'with the same failure long after it was well',
      undefined,
      build({ healed: aBuildRun() }),
      aBuildView(),
    ],
    ['with another failure', undefined, build(), other()],
    [
      'with another failure of the same commit, soon',
      SOON,
      ended({ endedAt: at(1 - COOLDOWN_MS) }),
      other(),
    ],
    [
      'with another failure of another commit, soon',
      undefined,
      ended({ endedAt: at(1 - COOLDOWN_MS) }),
      other({ runs: [moved] }),
    ],
    [
      'with another failure, of a run that has not ended',
      undefined,
      aBuildLook({ status: 'blocked' }),
      other(),
    ],
  ])('%s: %s', (_, ...[reason, run, view]) => {
    const context = contextOf({ ...run, recheck: 'r' });
    const outcome = onNewsView(context, lookOf(view));
    expect(outcome).toEqual(
      reason === undefined ? { kind: 'handled' } : { kind: 'ignored', reason },
    );
    expect(context.run).not.toHaveProperty('recheck');
    expect(context.run.build?.isAnother).toBe(reason === undefined ? true : undefined);
    expect(kindsOf(context)).toEqual(reason === undefined ? [] : ['comment']);
    if (reason !== undefined) expect(context.run.build).not.toHaveProperty('healed');
    expect(context.run.build?.alsoFailed).toEqual(reason === SOON ? aBuildRun() : undefined);
  });

  test('with the same failure lets go of what else had failed', () => {
    const context = contextOf(build({ alsoFailed: moved }));
    onNewsView(context, lookOf(aBuildView({ runs: [moved] })));
    expect(context.run.build).toEqual(aBuildState({ runs: [moved], times: 2 }));
  });

  test('waits for the next step while the team discusses', () => {
    const context = contextOf(aBuildLook({ status: 'active' }));
    expect(onNewsView(context, lookOf(other({ runs: [moved] })))).toEqual({
      kind: 'ignored',
      reason: 'it is seen with the next step, or after the last',
    });
    expect(context.run.build).toEqual(aBuildState({ isStale: true }));
    expect(kindsOf(context)).toEqual([]);
  });

  test.each<[string, number, Partial<BuildView>]>([
    ['that was seen before is not counted', 4, {}],
    ['that is new is counted', 5, { runs: [moved] }],
    ['of another attempt is counted', 5, { runs: [aBuildRun({ attempt: 2 })] }],
    ['with another failure begins anew', 1, { ...other(), runs: [moved] }],
  ])('%s', (_, ...[times, view]) => {
    const state = aBuildState({ times: 4 });
    const { reading, ...unread } = structuredClone(state);
    countRed(state, aBuildView({ ...view, green: moved }));
    const runs = view.runs ?? [aBuildRun()];
    expect(state).toEqual({ ...unread, reading, times, runs, green: moved });
    countRed(unread, aBuildView({ ...view, green: moved }));
    expect(unread).toEqual({ ...unread, times: 4, runs, green: moved });
  });
});

describe('what the look at the news found', () => {
  const reasonOf = (run: Look, view: Partial<BuildView>, stopped?: string) => {
    const context = contextOf(run);
    const outcome = onNewsView(
      context,
      lookOf(aBuildView(view), stopped === undefined ? {} : { stopped }),
    );
    return [
      outcome.kind === 'ignored' ? outcome.reason : 'handled',
      context.run.status,
      ...kindsOf(context),
    ];
  };
  const closed = { ...aBuildView().thread, state: 'closed' as const } as NonNullable<
    BuildView['thread']
  >;

  test('ends a look that goes on, and says so', () => {
    expect(reasonOf(aBuildLook({ status: 'blocked' }), { thread: closed })).toEqual([
      'handled',
      'closed',
      'comment',
    ]);
    expect(reasonOf(aBuildLook(), {}, 'somebody changed the team')).toEqual([
      'handled',
      'closed',
      'comment',
    ]);
  });

  test('says nothing in a look that is over', () => {
    expect(reasonOf(ended(), { thread: closed })).toEqual([
      'the pull request was closed',
      'consensus',
    ]);
    expect(reasonOf(ended(), { void: 'it was deleted' })).toEqual(['it was deleted', 'consensus']);
  });

  test('is nothing while the build goes on, and where no failure is kept', () => {
    expect(reasonOf(ended(), { verdict: 'open' })).toEqual([
      'nothing that counts has ended yet',
      'consensus',
    ]);
    const { build: _, ...without } = ended();
    expect(reasonOf(without, {})).toEqual(['no failure is kept', 'consensus']);
  });

  test('tells that it is well again', () => {
    expect(reasonOf(ended(), { verdict: 'green' })).toEqual(['handled', 'consensus', 'comment']);
  });
});

describe('a build that is well again', () => {
  const green = aBuildRun({ id: 600, attempt: 2, number: 18, conclusion: 'success' });
  const well = (over: Partial<BuildView> = {}): BuildView =>
    aBuildView({ verdict: 'green', runs: [green], ...over });
  const CLOSED = { kind: 'close', thread: THREAD, reason: 'completed', lane: 'write:thread:7/12' };
  const STAYS = ' Somebody has commented here, so this stays open. Close it when it is settled.';
  const notice = (more = '') => ({
    kind: 'comment',
    thread: THREAD,
    marker: { kind: 'notice', run: 'build', key: 'green-600-2' },
    body: `**Passing again:** [run 18](/acme/tidy/actions/runs/600) at \`ccccccc\` passed.${more}`,
    lane: 'write:thread:7/12',
  });

  test('is shown where the failure was reported, and its outcome is no longer asked for', () => {
    const context = contextOf(ended());
    const thread = { ...aBuildView().thread, labels: ['ready', 'bug', 'changes-requested'] };
    expect(heal(context, well({ thread: thread as never }))).toEqual({ kind: 'handled' });
    expect(context.run.build?.healed).toEqual(green);
    expect(wantedBy(context).effects).toEqual([
      expect.objectContaining({
        kind: 'comment',
        marker: { kind: 'report', run: 'build', key: 'live' },
      }),
      {
        kind: 'labels',
        thread: THREAD,
        add: [],
        remove: ['ready', 'changes-requested'],
        lane: 'write:thread:7/12',
      },
    ]);
    expect(context.run.status).toBe('consensus');
  });

  test('ends a look that goes on', () => {
    const context = contextOf(aBuildLook());
    heal(context, well());
    expect(context.run).toMatchObject({ status: 'closed', endReason: 'the build is green again' });
    expect(kindsOf(context)).toEqual(['comment']);
  });

  test('is nothing without a run that says so, or a failure that is kept', () => {
    const nothing = { kind: 'ignored', reason: 'no failure is kept' };
    expect(heal(contextOf(ended()), well({ runs: [] }))).toEqual(nothing);
    const { build: _, ...without } = ended();
    expect(heal(contextOf(without), well())).toEqual(nothing);
  });

  const bot = { id: 9, login: 'ci[bot]', isBot: true };
  const self = { id: 900, login: 'quorum', isBot: false };
  const marker = { kind: 'run', run: 'r', key: 'live' } as const;
  const inTime = { createdAt: at(5_000).slice(0, 19) };
  const early = { createdAt: at(4_000) };

  test.each<[string, boolean, Parameters<typeof aComment>[0], Partial<BuildState>]>([
    ['a person has spoken since', true, inTime, {}],
    ['a person has spoken before', false, early, {}],
    ['a person has spoken before, as far as anybody knows', true, early, { isOrphan: true }],
    ['a bot has spoken', false, { ...inTime, author: bot }, {}],
    ['we have spoken ourselves', false, { ...inTime, author: self }, {}],
    ['the team has spoken', false, { ...inTime, marker }, {}],
  ])('on a branch, where %s: its issue stays open, %s', (_, ...[isShared, comment, over]) => {
    const run = { ...build({ where: BRANCH, ...over }), startedAt: at(5_000) };
    const context = contextOf(run);
    heal(context, well({ comments: [aComment(comment)] }));
    expect(wantedBy(context).effects.slice(1)).toEqual(
      isShared ? [notice(STAYS)] : [notice(), CLOSED],
    );
  });
});

describe('after a step', () => {
  const after = (run: Look) => {
    const context = contextOf(run);
    afterBuild(context, EVENT);
    return context;
  };

  test('what came in between is looked at, once the team has come to an end', () => {
    const context = after(build({ isStale: true }));
    expect(kindsOf(context)).toEqual(['look-build']);
    expect(context.run.recheck).toBe(context.step.effects[0]?.id);
    expect(context.run.build).not.toHaveProperty('isStale');
    const going = after(aBuildLook({ status: 'active', build: aBuildState({ isStale: true }) }));
    expect([kindsOf(going), going.run.build?.isStale]).toEqual([[], true]);
  });

  test('another failure gets a look of its own, and a question about what is past is taken back', () => {
    const run = aBuildLook({
      status: 'blocked',
      build: aBuildState({ isAnother: true, times: 3, green: aBuildRun() }),
    });
    const context = after(run);
    expect(run).toMatchObject({
      status: 'closed',
      endReason: 'the build fails for another reason now',
    });
    const next = runOf(context.state, 'build_failure');
    expect(next?.id).not.toBe(run.id);
    expect(next).toMatchObject({ status: 'active', phase: { kind: 'looking', next: 'start' } });
    expect(next?.build).toEqual({
      where: PULL,
      runs: [aBuildRun()],
      green: aBuildRun(),
      times: 3,
      isTold: true,
    });
    expect(kindsOf(context)).toEqual(['look-build']);
    expect(context.step.events.map(({ data }) => data.kind)).toEqual(['run-ended']);
  });

  test('texts that only a prompt needs are let go of, and what people see is kept', () => {
    const long = `${'x'.repeat(2_400)}\n${'y'.repeat(900)}`;
    const [job] = aReading().jobs;
    const range = { commits: [], suspects: 0, total: 1, patches: [{ path: 'a.ts', patch: '+1' }] };
    const reading = aReading({
      files: [{ path: 'a.ts', from: 1, text: 'a' }],
      jobs: job === undefined ? [] : [{ ...job, log: long }],
      range,
    });
    const { run } = after(build({ reading }));
    expect(run.build?.reading).toEqual({
      ...reading,
      files: [],
      jobs: [{ ...job, log: `${'x'.repeat(2_400)}\n(more in the log)` }],
      range: { ...range, patches: [] },
    });
    const waiting = after(
      aBuildLook({
        status: 'blocked',
        phase: { kind: 'waiting' },
        build: aBuildState({ reading }),
      }),
    );
    expect(waiting.run.build?.reading).toEqual(reading);
  });
});
