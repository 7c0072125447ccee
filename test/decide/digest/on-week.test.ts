/** When a repository's week ends, and what becomes of what was read then. */
import { describe, expect, test } from 'vitest';
import { decideRepository } from '../../../src/decide/repository.ts';
import type { Decision } from '../../../src/decide/run/decision.ts';
import { DEFAULT_WEEK } from '../../../src/domain/digest/week.ts';
import type { WeekView } from '../../../src/domain/digest/week-view.ts';
import type { EffectKind } from '../../../src/domain/event/effect.ts';
import { EVENT_VERSION, type EventData } from '../../../src/domain/event/event.ts';
import type { IssueOutcome } from '../../../src/domain/github/issue-outcome.ts';
import type { ErrorCode } from '../../../src/domain/event/error-codes.ts';
import type { RepositoryState } from '../../../src/domain/repository/repository-state.ts';
import { PLAN } from '../../helpers/a-task.ts';

const { number: _, ...REPOSITORY } = PLAN;
/** A Wednesday. */
const NOW = Date.parse('2026-11-25T12:00:00Z');
const MONDAY = '2026-11-30T09:00:00.000Z';
const DAY = 24 * 3_600_000;

const READ: Extract<WeekView, { kind: 'read' }> = {
  kind: 'read',
  from: '2026-11-23T09:00:00.000Z',
  to: MONDAY,
  digest: {
    from: '2026-11-23',
    to: '2026-11-30',
    done: [{ number: 4, title: 'Carts' }],
    merged: [],
    spent: { usd: 0, isPartlyUnknown: false },
    tensions: [],
    themes: [],
    waiting: [],
    failures: [],
  },
  threads: [4],
};

function play() {
  let state: unknown;
  let count = 0;
  let now = NOW;
  let lag = 0;
  const send = (data: EventData): Decision => {
    count += 1;
    const at = new Date(now).toISOString();
    const event = { id: `e${count}`, key: 'repository:7', version: EVENT_VERSION, at, data };
    const decision = decideRepository(state, event, { now: now + lag });
    state = JSON.parse(JSON.stringify(decision.state));
    return decision;
  };
  const week = () => (state as RepositoryState).week;
  const effect = (decision: Decision) => {
    const [first, ...others] = decision.effects;
    expect(others).toEqual([]);
    return first;
  };
  return {
    send,
    week,
    pass: (ms: number) => void (now += ms),
    /** Events are decided so long after they happened. */
    lag: (ms: number) => void (lag = ms),
    work: () => send({ kind: 'rest-hint', run: 'r', after: 'loop-begun', repository: REPOSITORY }),
    /** The end of the week that is waited for. */
    end: () => {
      now = Math.max(now, Date.parse(MONDAY));
      const { id = '', timer = '' } = week() ?? {};
      return effect(send({ kind: 'timer', timer, run: id }));
    },
    read: (result: WeekView) =>
      send({
        kind: 'done',
        effectKind: 'look-week',
        effectId: week()?.looking ?? '',
        run: week()?.id ?? '',
        result,
      }),
    wrote: (result: IssueOutcome) =>
      send({
        kind: 'done',
        effectKind: 'issue',
        effectId: week()?.showing?.effectId ?? '',
        run: week()?.id ?? '',
        result,
      }),
    fail: (effectKind: EffectKind, code: ErrorCode) =>
      send({
        kind: 'failed',
        effectKind,
        effectId: week()?.looking ?? week()?.showing?.effectId ?? '',
        run: week()?.id ?? '',
        failure: { code, message: code, retryable: false },
      }),
  };
}

const CREATED: IssueOutcome = { outcome: 'created', number: 9, url: 'https://x' };

function timersIn({ events }: Decision): string[] {
  return events.flatMap(({ at, delayMs = 0, data }) =>
    data.kind === 'timer' ? [new Date(Date.parse(at) + delayMs).toISOString()] : [],
  );
}

describe('the timer', () => {
  test('is set for the end of the week by the first work, and by no later one', () => {
    const world = play();
    expect(timersIn(world.work())).toEqual([MONDAY]);
    expect(timersIn(world.work())).toEqual([]);
  });

  test('is not set where nothing happened', () => {
    const world = play();
    const paused = { by: 'ana', why: '', at: '2026-11-25T12:00:00Z' };
    expect(world.send({ kind: 'paused', run: 'r', pause: paused }).events).toEqual([]);
    expect(world.week()).toBeUndefined();
  });

  test('asks once for a week, and for no other week while nothing happens', () => {
    const world = play();
    world.work();
    expect(world.end()?.data).toEqual({
      kind: 'look-week',
      repository: REPOSITORY,
      setting: DEFAULT_WEEK,
      since: '2026-11-23T09:00:00.000Z',
    });
    expect(world.end()).toBeUndefined();
    world.read(READ);
    world.wrote(CREATED);
    expect(world.week()?.timer).toBeUndefined();
  });

  test('is set again by what happens while the week is read', () => {
    const world = play();
    world.work();
    world.end();
    expect(timersIn(world.work())).toEqual(['2026-12-07T09:00:00.000Z']);
    world.read(READ);
    expect(world.week()?.timer).toBeDefined();
  });

  test('after an absence of weeks asks once, from where it was read last', () => {
    const world = play();
    world.work();
    world.end();
    world.read(READ);
    world.wrote(CREATED);
    world.work();
    world.pass(30 * DAY);
    expect(world.end()?.data).toMatchObject({ since: MONDAY, issue: 9 });
    expect(world.end()).toBeUndefined();
  });

  test('begins with the week in which something happened again', () => {
    const world = play();
    world.work();
    world.end();
    world.read(READ);
    world.wrote(CREATED);
    world.pass(30 * DAY);
    world.work();
    world.pass(7 * DAY);
    expect(world.end()?.data).toMatchObject({ since: '2026-12-28T09:00:00.000Z' });
  });

  test('moves with the settings, and what was set before says nothing any more', () => {
    const world = play();
    world.work();
    world.end();
    world.work();
    const { timer: old = '', id = '' } = world.week() ?? {};
    const setting = { weekday: 'friday', hour: 17, timeZone: 'Europe/Madrid' } as const;
    expect(timersIn(world.read({ kind: 'moved', setting }))).toEqual(['2026-12-04T16:00:00.000Z']);
    expect(world.send({ kind: 'timer', timer: old, run: id }).effects).toEqual([]);
    expect(world.end()?.data).toMatchObject({ kind: 'look-week', setting });
  });

  test('is set again when the look fails, but not where the App may not act any more', () => {
    for (const [code, timers] of [
      ['github-forbidden', ['2026-12-07T09:00:00.000Z']],
      ['place-closed', []],
    ] as const) {
      const world = play();
      world.work();
      world.end();
      expect(timersIn(world.fail('look-week', code))).toEqual(timers);
    }
  });
});

test('a digest that is off begins again with the week of the event, whenever that is decided', () => {
  const world = play();
  world.work();
  world.end();
  world.lag(30 * DAY);
  world.read({ kind: 'off', why: 'the weekly digest is switched off here' });
  expect(world.week()?.until).toBe(MONDAY);
});

test('a look that fails loses nothing, also when more happened meanwhile', () => {
  const world = play();
  world.work();
  world.end();
  world.work();
  world.fail('look-week', 'github-forbidden');
  world.pass(7 * DAY);
  expect(world.end()?.data).toMatchObject({ since: '2026-11-23T09:00:00.000Z' });
});

describe('what was read', () => {
  test('is written into one issue, and its thread hears of it', () => {
    const world = play();
    world.work();
    world.end();
    const [issue] = world.read(READ).effects;
    expect(issue).toMatchObject({
      lane: `issues:${REPOSITORY.repositoryId}`,
      data: {
        kind: 'issue',
        title: 'Quorum: status',
        marker: { kind: 'report', key: 'status' },
        labels: [],
        isPinned: true,
      },
    });
    const [told, ...others] = world.wrote(CREATED).events;
    expect(others).toEqual([]);
    expect(told).toMatchObject({
      key: `thread:${REPOSITORY.repositoryId}/9`,
      data: { kind: 'week-shown', from: READ.from, to: MONDAY, threads: [4] },
    });
  });

  test('is not written where it tells what the issue tells already', () => {
    const world = play();
    world.work();
    world.end();
    world.read(READ);
    world.wrote(CREATED);
    world.work();
    world.pass(7 * DAY);
    world.end();
    const to = '2026-12-07T09:00:00.000Z';
    expect(world.read({ ...READ, from: MONDAY, to }).effects).toEqual([]);
    expect(world.week()).toMatchObject({ until: to, issue: 9 });
  });

  test('opens no issue where there is nothing to tell, but an open one says so', () => {
    const nothing = { ...READ, digest: { ...READ.digest, done: [] } };
    const world = play();
    world.work();
    world.end();
    expect(world.read(nothing).effects).toEqual([]);
    world.work();
    world.pass(7 * DAY);
    world.end();
    world.read(READ);
    world.wrote(CREATED);
    world.work();
    world.pass(7 * DAY);
    world.end();
    expect(world.read(nothing).effects).toMatchObject([{ data: { kind: 'issue' } }]);
  });

  test('counts once: a second answer to the same look changes nothing', () => {
    const world = play();
    world.work();
    world.end();
    const { looking: effectId = '', id: run = '' } = world.week() ?? {};
    world.read(READ);
    const again = { kind: 'done', effectKind: 'look-week', effectId, run, result: READ } as const;
    expect(world.send(again)).toMatchObject({ effects: [], ignored: 'nothing waits for it' });
  });

  test('goes into the next digest when it could not be written', () => {
    const world = play();
    world.work();
    world.end();
    world.read(READ);
    expect(timersIn(world.fail('issue', 'github-forbidden'))).toHaveLength(1);
    expect(world.week()?.until).toBe('2026-11-23T09:00:00.000Z');
  });
});

describe('an issue that a person closed', () => {
  test('is off, whether the look or the write found it so', () => {
    const world = play();
    world.work();
    world.end();
    world.read(READ);
    const closed = world.wrote({ outcome: 'closed', number: 9, url: '' });
    expect(closed).toMatchObject({ events: [], ignored: expect.stringContaining('#9 was closed') });
    expect(world.week()).toMatchObject({ issue: 9, isOff: true });
    world.work();
    world.pass(7 * DAY);
    expect(world.end()?.data).toMatchObject({ isOff: true, issue: 9 });
    expect(world.read({ kind: 'off', why: 'closed', isClosed: true }).effects).toEqual([]);
    expect(world.week()?.isOff).toBe(true);
  });

  test('is on again once it is open', () => {
    const world = play();
    world.work();
    world.end();
    world.read({ kind: 'off', why: 'closed', isClosed: true });
    world.work();
    world.pass(7 * DAY);
    world.end();
    expect(world.read(READ).effects).toHaveLength(1);
    expect(world.week()?.isOff).toBeUndefined();
  });
});

test('the weeks of a repository have effects of their own', () => {
  const world = play();
  const ids = new Set<string>();
  for (let week = 0; week < 5; week += 1) {
    world.work();
    world.pass(7 * DAY);
    ids.add(world.end()?.id ?? '');
  }
  expect(ids.size).toBe(5);
});
