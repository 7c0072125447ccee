/**
 * When Quorum looks at a plan again: by a timer, after a failure, and when a task reports its
 * state.
 */
import { describe, expect, test } from 'vitest';
import type { PlanState } from '../../../src/domain/plan/plan-view.ts';
import { LEASE, ORDER } from '../../helpers/a-task.ts';
import { AT, BEFORE, BODY, LANE, newsOf, saying, show, tell, viewOf, YES } from './show-plan.ts';

describe('when it is looked at again', () => {
  const held = (waitsUntil: string) => ({ 1: newsOf(1, { state: 'released', waitsUntil }) });
  const idle = saying({ 1: ['blocked'], 3: ['completed'] });
  const soon = '2026-11-22T08:00:20.000Z';

  test.each([
    ['a yes is waited for', idle, {}, 60_000],
    ['something could begin', BODY, { approval: YES, looks: 2 }, 240_000],
    ['something is worked on', idle, { approval: YES, tasks: { 1: newsOf(1, {}) } }, 60_000],
    ['nothing moves', idle, { approval: YES }, undefined],
    ['a task may begin soon', BODY, { approval: YES, tasks: held(soon) }, 20_000],
    ['that moment has passed', BODY, { approval: YES, tasks: held(BEFORE) }, 60_000],
    ['it is now', BODY, { approval: YES, tasks: held(AT) }, 60_000],
  ] as [string, string, Partial<PlanState>, number | undefined][])(
    '%s',
    (...[, body, plan, delayMs]) => {
      const came = show(plan, viewOf(body));
      const timers = came.told.filter(({ data }) => data.kind === 'timer');
      expect(timers.map((timer) => timer.delayMs)).toEqual(delayMs === undefined ? [] : [delayMs]);
      expect(came.plan.timer !== undefined).toBe(delayMs !== undefined);
    },
  );

  test('what was freed is looked at, whatever else moves', () => {
    const came = show({ approval: YES }, viewOf(idle, { unheld: [{ task: 1 }] }));
    expect(came.plan).toHaveProperty('timer');
  });

  test('a timer that is over has it read, once', () => {
    const timer = { kind: 'timer', timer: '3-look', run: 'p' } as const;
    const came = tell({ timer: '3-look', looks: 1 }, timer);
    expect(came.wants).toEqual([`look-plan in ${LANE}, waits`]);
    expect(came.plan).toMatchObject({ looks: 2, looking: 'p/1-look-plan' });
    expect(came.plan).not.toHaveProperty('timer');
    const old = tell({ timer: '4-look', looks: 1 }, timer);
    expect(old).toMatchObject({ effects: [], ignored: 'its turn has passed' });
    expect(old.plan).toMatchObject({ timer: '4-look', looks: 1 });
    expect(tell({ timer: '3-look' }, timer).plan.looks).toBe(1);
  });
});

describe('a plan that could not be read', () => {
  const failed = (code: 'github-unavailable' | 'place-closed', plan: Partial<PlanState>) =>
    tell(
      { looking: 'p/look', ...plan },
      {
        kind: 'failed',
        effectKind: 'look-plan',
        effectId: 'p/look',
        run: 'p',
        failure: { code, message: 'no', retryable: false },
      },
    );

  test.each([
    ['github-unavailable', {}, 120_000],
    ['github-unavailable', { looks: 3 }, 900_000],
    ['github-unavailable', { looks: 19 }, 900_000],
    ['github-unavailable', { looks: 20 }, undefined],
    ['place-closed', { looks: 20 }, 900_000],
  ] as const)('because of %s is tried again: case %#', (code, plan, delayMs) => {
    const came = failed(code, plan);
    expect(came.plan.looks).toBe(('looks' in plan ? plan.looks : 0) + 1);
    expect(came.plan).not.toHaveProperty('looking');
    expect(came.told.map((each) => each.delayMs)).toEqual(delayMs === undefined ? [] : [delayMs]);
    expect(came.ignored).toBe(
      delayMs === undefined ? `the plan could not be read: ${code}` : undefined,
    );
    expect(came.effects).toEqual([]);
  });

  test('keeps no place from others', () => {
    const ready = { orders: [ORDER], at: BEFORE, left: 3, total: 3, most: 2, said: 1, needs: 1 };
    const came = failed('github-unavailable', { looks: 20, ready });
    expect(came.told).toMatchObject([
      { key: 'repository:7', id: 'p/places-2', data: { wanted: { said: 2, busy: 0, needs: 0 } } },
    ]);
    expect(came.plan.ready).toMatchObject({ orders: [], needs: 0 });
    expect(came.ignored).toBeUndefined();
  });
});

describe('what a task tells its plan', () => {
  const told = (plan: Partial<PlanState>, over: Parameters<typeof newsOf>[1]) =>
    tell(plan, { kind: 'task-told', run: 'r', news: newsOf(1, over) });
  const holds = { lease: LEASE, leaseAt: ORDER.lease, digest: 'd' };

  test.each([
    [{ tasks: { 1: newsOf(1, { state: 'claimed' }) } }, { state: 'claimed' }, false],
    [{}, { state: 'claimed' }, true],
    [{ tasks: { 1: newsOf(1, { state: 'in_review' }) } }, { state: 'claimed' }, true],
    [{ tasks: { 1: newsOf(1, { state: 'claimed' }) } }, { state: 'verifying' }, true],
  ] as const)('has it read again: case %#', (plan, over, isRead) => {
    const came = told({ ...plan, looks: 4 }, over);
    expect(came.wants).toEqual(isRead ? [`look-plan in ${LANE}, waits`] : []);
    expect(came.ignored).toBe(isRead ? undefined : 'the plan already shows it');
    expect(came.plan.tasks?.['1']).toEqual(newsOf(1, over));
    expect(came.plan.looks).toBe(isRead ? undefined : 4);
  });

  test.each([
    [{ state: 'released', isElsewhere: true }, { othersAt: BEFORE }],
    [{ state: 'released', holds }, { endedAt: BEFORE }],
    [{ state: 'in_review', holds }, {}],
    [{ state: 'released' }, {}],
  ] as const)('of others and of an end is kept: case %#', (over, kept) => {
    const { othersAt, endedAt } = told({}, over).plan;
    expect({ ...(othersAt && { othersAt }), ...(endedAt && { endedAt }) }).toEqual(kept);
  });

  test('others that a look shows are kept with its time', () => {
    expect(show({}, viewOf(BODY, { hasOthers: true })).plan.othersAt).toBe(AT);
    expect(show({}, viewOf()).plan).not.toHaveProperty('othersAt');
  });
});
