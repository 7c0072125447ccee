/**
 * The stream of one place whose builds Quorum follows: when it looks at them, and what it reports
 * to a thread.
 */
import { describe, expect, test } from 'vitest';
import { decideBuild } from '../../../../src/decide/kinds/build/follow-builds.ts';
import { buildKey, type BuildPlace } from '../../../../src/domain/build/build.ts';
import type { BuildView } from '../../../../src/domain/build/build-view.ts';
import { defaultConfig } from '../../../../src/domain/config/config.ts';
import type { ErrorCode } from '../../../../src/domain/event/error-codes.ts';
import type { EventData } from '../../../../src/domain/event/event.ts';
import type { Result } from '../../../../src/domain/event/result.ts';
import type { IssueOutcome } from '../../../../src/domain/github/issue-outcome.ts';
import { aBuildRun, aBuildView, BRANCH, lookOf, PULL } from '../../../helpers/a-build-view.ts';
import { at, NOW } from '../../../helpers/a-run.ts';
import { ANA, THREAD } from '../../../helpers/play.ts';

const { number: _, ...REPOSITORY } = THREAD;
const ISSUE_KEY = 'workflow-31/main';

/** A place, event after event, as its store would keep it. */
function follow(where: BuildPlace = PULL) {
  const key = buildKey(REPOSITORY.repositoryId, where);
  let state: unknown;
  let count = 0;
  let waiting = '';
  const send = (data: EventData) => {
    count += 1;
    const before = structuredClone(state);
    const event = { id: `e${count}`, key, version: 1, at: at(0), data };
    const decision = decideBuild(state, event, { now: NOW });
    expect(state).toEqual(before);
    state = JSON.parse(JSON.stringify(decision.state));
    waiting = decision.effects.at(-1)?.id ?? waiting;
    return {
      effects: decision.effects.map(({ data: wanted, lane }) => ({
        ...wanted,
        ...(lane && { lane }),
      })),
      told: decision.events.map(({ id, key: to, data: said }) => ({ id, to, said })),
      ignored: decision.ignored,
    };
  };
  const about = () => ({ effectId: waiting, run: waiting.split('/')[0] ?? '' });
  return {
    state: () => state as Record<string, unknown>,
    waiting: () => waiting,
    send,
    news: (isRed: boolean) =>
      send({
        kind: 'trigger',
        trigger: { kind: 'build', repository: REPOSITORY, actor: ANA, where, isRed },
      }),
    answer: (result: Result) => send({ kind: 'done', ...about(), ...result }),
    fail: (code: ErrorCode) =>
      send({
        kind: 'failed',
        effectKind: 'look-build',
        ...about(),
        failure: { code, message: '', retryable: false },
      }),
  };
}

const looked = (over: Partial<BuildView> = {}): Result => ({
  effectKind: 'look-build',
  result: lookOf(aBuildView(over)),
});
const red = (where: BuildPlace): Result => looked({ where, verdict: 'red' });
const green = (where: BuildPlace, over: Partial<BuildView> = {}): Result =>
  looked({ where, verdict: 'green', ...over });
const opened = (outcome: IssueOutcome): Result => ({ effectKind: 'issue', result: outcome });
const NOTHING = { effects: [], told: [] };

/** The second step of a run tells a thread, the third where an issue was opened between. */
function built(number: number, over: object, step = 2) {
  const thread = { ...REPOSITORY, number };
  return {
    id: expect.stringMatching(new RegExp(`^[0-9A-Z]{26}/${step}-told$`)),
    to: `thread:7/${number}`,
    said: { kind: 'trigger', trigger: { kind: 'built', thread, actor: ANA, ...over } },
  };
}

const PULL_CHANGED = {
  id: expect.stringMatching(/^[0-9A-Z]{26}\/pull$/),
  to: 'thread:7/12',
  said: { kind: 'trigger', trigger: { kind: 'pull-changed', thread: THREAD, actor: ANA } },
};

describe('the builds of a pull request', () => {
  test('are looked at when one is red, and the pull request is notified both times', () => {
    const place = follow();
    expect(place.news(true)).toEqual({
      effects: [{ kind: 'look-build', repository: REPOSITORY, where: PULL }],
      told: [PULL_CHANGED],
      ignored: undefined,
    });
    expect(place.answer(red(PULL))).toEqual({
      effects: [],
      told: [built(12, { where: PULL, isRed: true })],
      ignored: undefined,
    });
    expect(place.waiting()).toMatch(/\/1-look-build$/);
    expect(place.state()).toEqual({ v: 1, told: THREAD, isSure: true });
  });

  test('are not looked at when one is green and nothing was reported, but the merge is', () => {
    const place = follow();
    expect(place.news(false)).toEqual({ effects: [], told: [PULL_CHANGED], ignored: undefined });
    expect(place.state()).toEqual({ v: 1 });
  });

  test('are reported as green again once', () => {
    const place = follow();
    place.news(true);
    place.answer(red(PULL));
    expect(place.news(false).effects).toHaveLength(1);
    expect(place.answer(green(PULL))).toEqual({
      effects: [],
      told: [built(12, { where: PULL, isRed: false })],
      ignored: undefined,
    });
    expect(place.state()).toEqual({ v: 1, isSure: true });
    expect(place.news(false).effects).toEqual([]);
  });

  test('that ended while they were looked at are looked at once more', () => {
    const place = follow();
    place.news(true);
    const first = place.waiting();
    expect([place.news(true).effects, place.news(false).effects]).toEqual([[], []]);
    expect(place.state()).toMatchObject({ going: { effectId: first, isStale: true } });
    const { effects, told } = place.answer(red(PULL));
    expect(effects).toEqual([{ kind: 'look-build', repository: REPOSITORY, where: PULL }]);
    expect(told).toHaveLength(1);
    expect(place.state()).toMatchObject({ going: { effectId: place.waiting(), isStale: false } });
    expect(place.waiting()).not.toBe(first);
  });
});

describe('a look', () => {
  const OFF = { ...defaultConfig(), enabled: false };

  test.each<[string, Result, boolean]>([
    ['nothing that counts has ended yet', looked({ verdict: 'open' }), false],
    ['it was deleted', looked({ void: 'it was deleted' }), true],
    ['it was deleted', looked({ void: 'it was deleted', verdict: 'open' }), true],
    ['Quorum is switched off here (`enabled: false`)', looked({ config: OFF }), true],
    ['it is green', looked({ verdict: 'green' }), true],
  ])('tells nobody: %s', (reason, ...[result, isSure]) => {
    const place = follow();
    place.news(true);
    expect(place.answer(result)).toEqual({ ...NOTHING, ignored: reason });
    expect(place.state()).toEqual({ v: 1, ...(isSure && { isSure }) });
  });

  test('that failed is over, and the next news are looked at', () => {
    const place = follow();
    place.news(true);
    expect(place.fail('github-forbidden')).toEqual({
      ...NOTHING,
      ignored: 'look-build failed: github-forbidden',
    });
    expect(place.state()).toEqual({ v: 1 });
    expect(place.news(true).effects).toHaveLength(1);
  });

  test('that nobody waits for changes nothing, and neither does what is not about a build', () => {
    const place = follow();
    const late = { effectId: 'x/1-look-build', run: 'x', kind: 'done', ...red(PULL) } as const;
    expect(place.send(late)).toEqual({ ...NOTHING, ignored: 'nothing waits for it' });
    place.news(true);
    expect(place.send(late)).toEqual({ ...NOTHING, ignored: 'nothing waits for it' });
    expect(place.send({ kind: 'timer', timer: 't', run: 'r' })).toEqual({
      ...NOTHING,
      ignored: 'not about a build',
    });
    expect(place.state()).toHaveProperty('going');
  });
});

describe('the builds of the branch', () => {
  const ORPHAN = { where: BRANCH, isRed: false, isOrphan: true };
  const look = (seek?: string) => ({
    kind: 'look-build',
    repository: REPOSITORY,
    where: BRANCH,
    ...(seek && { seek: { kind: 'report', key: seek } }),
  });

  test('are looked at with what this store may have lost, until that is known', () => {
    const place = follow(BRANCH);
    expect(place.news(false)).toEqual({ effects: [look(ISSUE_KEY)], told: [], ignored: undefined });
    expect(place.answer(green(BRANCH))).toEqual({ ...NOTHING, ignored: 'it is green' });
    expect(place.news(false)).toEqual({ ...NOTHING, ignored: 'nothing was red here' });
    expect(place.news(true).effects).toEqual([look()]);
    expect(place.news(true)).toEqual({
      ...NOTHING,
      ignored: 'joined the look that is going on',
    });
  });

  test('that are well tell the issue that was found open', () => {
    const place = follow(BRANCH);
    place.news(false);
    expect(place.answer(green(BRANCH, { sought: 44 }))).toEqual({
      effects: [],
      told: [built(44, ORPHAN)],
      ignored: undefined,
    });
    expect(place.state()).toEqual({ v: 1, isSure: true });
  });

  test('open one issue, for a failure since they were last well', () => {
    const place = follow(BRANCH);
    place.news(true);
    const last = aBuildRun({ id: 9, conclusion: 'success', endedAt: at(-5) });
    const { effects } = place.answer(looked({ where: BRANCH, green: last }));
    expect(effects).toEqual([
      {
        kind: 'issue',
        repository: REPOSITORY,
        marker: { kind: 'report', key: ISSUE_KEY, run: 'build' },
        title: 'CI fails on main',
        body: expect.stringContaining('`CI` fails on `main`'),
        labels: [],
        since: at(-5),
        lane: 'issues:7',
      },
    ]);
    expect(place.answer(opened({ outcome: 'created', number: 44, url: '' }))).toEqual({
      effects: [],
      told: [built(44, { where: BRANCH, isRed: true }, 3)],
      ignored: undefined,
    });
    expect(place.state()).toMatchObject({ told: { ...REPOSITORY, number: 44 } });
    expect(place.news(true).effects).toEqual([look()]);
    expect(place.answer(green(BRANCH, { sought: 50 })).told).toEqual([
      built(44, { where: BRANCH, isRed: false }),
    ]);
  });

  test('open an issue for every failure where they were never well', () => {
    const place = follow(BRANCH);
    place.news(true);
    const [issue] = place.answer(red(BRANCH)).effects;
    expect(issue).not.toHaveProperty('since');
  });

  test.each<IssueOutcome>([{ outcome: 'full' }, { outcome: 'closed', number: 44, url: '' }])(
    'tell nobody where the issue is not wanted: $outcome',
    (outcome) => {
      const place = follow(BRANCH);
      place.news(true);
      place.answer(red(BRANCH));
      expect(place.answer(opened(outcome))).toEqual({
        ...NOTHING,
        ignored: 'somebody closed the issue of this failure',
      });
      expect(place.state()).not.toHaveProperty('told');
    },
  );

  test('that ended while the issue was opened are looked at after that', () => {
    const place = follow(BRANCH);
    place.news(true);
    place.answer(red(BRANCH));
    place.news(false);
    const { effects } = place.answer(opened({ outcome: 'edited', number: 44, url: '' }));
    expect(effects).toEqual([look()]);
  });

  test('of another service are named by its App, in so many characters', () => {
    const where: BuildPlace = {
      kind: 'branch',
      source: { kind: 'checks', appId: 5 },
      branch: 'b'.repeat(200),
    };
    const [wanted] = follow(where).news(false).effects;
    expect(wanted).toMatchObject({ seek: { key: `app-5/${'b'.repeat(114)}` } });
  });
});
