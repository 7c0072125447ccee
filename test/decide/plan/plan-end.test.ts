/** What follows from a look besides its comment: places are asked for, and a complete plan brings the quality loop. */
import { describe, expect, test } from 'vitest';
import { defaultConfig } from '../../../src/domain/config/config.ts';
import { LABEL_LOOKS } from '../../../src/domain/repository/labels.ts';
import { parsePlan } from '../../../src/domain/plan/body/parse-plan.ts';
import { planDigest } from '../../../src/domain/plan/plan-digest.ts';
import type { PlanState, PlanView } from '../../../src/domain/plan/plan-view.ts';
import { ANA, ORDER, PLAN } from '../../helpers/a-task.ts';
import { BEFORE, BODY, ofKind, saying, show, tell, viewOf, YES } from './show-plan.ts';

const READY = { orders: [ORDER], at: BEFORE, left: 3, total: 3, most: 2, said: 1, needs: 1 };

describe('places for tasks', () => {
  test('are asked for what may begin', () => {
    const came = show({ approval: YES }, viewOf());
    expect(came.told).toMatchObject([
      { data: { kind: 'timer' } },
      { key: 'repository:7', id: 'p/places-1', data: { wanted: { busy: 0, needs: 1, left: 3 } } },
    ]);
    expect(came.plan.ready?.orders).toMatchObject([{ ref: { task: 1 }, persona: 'dev' }]);
  });

  test('are given back when the issue is no longer a plan', () => {
    const came = show({ ready: READY }, viewOf(BODY, {}, { state: 'closed' }));
    expect(came.told).toMatchObject([{ id: 'p/places-2', data: { wanted: { needs: 0 } } }]);
    expect(came.plan.ready).toMatchObject({ orders: [], needs: 0 });
    expect(came.ignored).toBeUndefined();
  });

  test('a wait whose end is known is looked at then', () => {
    const waits = { why: 'for a session', until: '2026-11-22T08:00:30.000Z' };
    const came = show({ approval: YES, ready: { ...READY, waits } }, viewOf());
    expect(came.told.find(({ data }) => data.kind === 'timer')?.delayMs).toBe(30_000);
  });
});

test('the comment shows which text waits for approval, and asks the person who labelled it', () => {
  const came = show({}, viewOf());
  expect(ofKind(came, 'comment')).toMatchObject([
    { thread: PLAN, marker: { kind: 'plan', run: 'plan', key: 'plan' } },
  ]);
  expect(came.plan).toMatchObject({ isWaiting: true, showing: { digest: YES.digest } });
  const actor = { ...ANA, isBot: false };
  const trigger = { kind: 'labeled', thread: PLAN, actor, label: 'plan' } as const;
  const read = tell({ labelledBy: { id: 12, login: 'tom' } }, { kind: 'trigger', trigger });
  expect(read.plan.labelledBy).toEqual(ANA);
  const edited = { kind: 'edited', thread: PLAN, actor } as const;
  const again = tell({ labelledBy: ANA }, { kind: 'trigger', trigger: edited });
  expect(again.plan.labelledBy).toEqual(ANA);
});

describe('a plan that is complete', () => {
  const body = saying({ 1: ['completed'], 2: ['completed'], 3: ['completed'] });
  const approval = { ...YES, digest: planDigest(parsePlan(body)) };
  const base = defaultConfig();
  const settings = (plans: object): Partial<PlanView> => ({
    config: { ...base, plans: { ...base.plans, ...plans } },
  });
  const LOOP = settings({ qualityLoop: true });
  const sent = (plan: Partial<PlanState>, over: Partial<PlanView>) =>
    show({ approval, ...plan }, { ...viewOf(body), ...over });

  test('says so by its label', () => {
    expect(ofKind(sent({}, settings({ qualityLoop: false })), 'labels')).toMatchObject([
      { add: [{ name: 'plan:complete', ...LABEL_LOOKS['plan:complete'] }], remove: [] },
    ]);
  });

  test('has the code compared with what it should do, on the authority of the person who approved it', () => {
    const came = sent({}, LOOP);
    expect(came.state.planning).toMatchObject({
      followsUp: true,
      actor: { ...ANA, isBot: false },
      wish: '',
      thread: PLAN,
    });
    expect(ofKind(came, 'look')).toEqual([
      { kind: 'look', thread: PLAN, actor: ANA, isForPlan: true },
    ]);
  });

  test.each([
    ['nobody wants it', {}, settings({ qualityLoop: false })],
    ['it grew so itself', { isFollowUp: true }, LOOP],
    ['the project was said to be done', {}, { ...LOOP, isAsleep: true }],
    ['it was complete before', { isComplete: true }, LOOP],
  ] as [string, Partial<PlanState>, Partial<PlanView>][])('and not where %s', (_, plan, over) => {
    const came = sent(plan, over);
    expect(came.state).not.toHaveProperty('planning');
    expect(ofKind(came, 'look')).toEqual([]);
  });

  test.each([
    [{ qualityLoop: false, workspace: true }, ['plan']],
    [{ qualityLoop: true, workspace: true }, ['loop-begun']],
    [{ qualityLoop: true, workspace: false }, []],
  ])('%j asks whether a workspace is done', (plans, after) => {
    const { told } = sent({}, settings(plans));
    expect(told.flatMap(({ data }) => (data.kind === 'rest-hint' ? [data.after] : []))).toEqual(
      after,
    );
  });

  test('without an approver nothing is wished for', () => {
    const came = show({}, { ...viewOf(body), ...LOOP });
    expect(came.state).not.toHaveProperty('planning');
  });
});
