/** Labels ask for runs and plans, under their own names or those that the repository gave them. */
import { describe, expect, test } from 'vitest';
import { decide } from '../../src/decide/route.ts';
import type { ThreadState } from '../../src/decide/run/thread-context.ts';
import { EVENT_VERSION, type EventData } from '../../src/domain/event/event.ts';
import type { NamedLabel } from '../../src/domain/event/result.ts';
import type { Trigger } from '../../src/domain/event/trigger.ts';
import { threadKey } from '../../src/domain/run/thread-ref.ts';
import { ANA, THREAD } from '../helpers/play.ts';

const AT = '2026-03-02T09:00:00Z';
const ROBOT = { id: 5, login: 'robot[bot]', isBot: true };
const DELIVERED = { digest: 'd', at: AT };

function send(data: EventData, state: object = {}) {
  const event = { id: 'e1', key: threadKey(THREAD), version: EVENT_VERSION, at: AT, data };
  const before = { v: 1, runs: {}, ...state };
  const decision = decide(before, event, { now: Date.parse(AT) });
  return {
    state: decision.state as ThreadState,
    effects: decision.effects.map((each) => each.data),
    ignored: decision.ignored,
  };
}

type Started = Extract<Trigger, { kind: 'labeled' | 'requested' | 'opened' }>;

function start(over: { kind: Started['kind'] } & Record<string, unknown>, state: object = {}) {
  const trigger = { thread: THREAD, actor: ANA, label: 'x', labels: [], ...over } as Started;
  return send({ kind: 'trigger', trigger }, state);
}

function named(over: Partial<NamedLabel>) {
  const result: NamedLabel = { thread: THREAD, actor: ANA, label: 'ours', ...over };
  return send({
    kind: 'done',
    effectKind: 'name-label',
    effectId: 'label:e/1',
    run: 'label:e',
    result,
  });
}

describe('a label of Quorum', () => {
  test.each([
    ['deliberate', 'issue_review'],
    ['prd', 'prd_kickoff'],
  ] as const)('%s starts a discussion', (label, kind) => {
    for (const came of [
      start({ kind: 'labeled', label }),
      start({ kind: 'opened', labels: ['bug', label] }),
      named({ meaning: label }),
    ]) {
      expect(Object.keys(came.state.runs)).toEqual([kind]);
      expect(came.effects).toMatchObject([{ kind: 'look' }]);
    }
    expect(named({ meaning: label }).state.runs).toMatchObject({
      [kind]: { label: 'ours' },
    });
  });

  test('plan makes it a plan, no matter who put it on', () => {
    const by = { id: 100, login: 'ana' };
    const plan = DELIVERED;
    for (const came of [
      start({ kind: 'labeled', label: 'plan', plan }),
      start({ kind: 'opened', labels: ['bug', 'plan'], plan }),
      named({ meaning: 'plan', plan }),
    ]) {
      expect(came.state.plan?.labelledBy).toEqual({ ...by, plan });
      expect(came.effects).toMatchObject([{ kind: 'look-plan', actor: by }]);
    }
    expect(start({ kind: 'labeled', label: 'plan' }).state.plan?.labelledBy).toEqual(by);
  });

  test.each([
    ['that a bot put on', start({ kind: 'labeled', label: 'plan', actor: ROBOT })],
    [
      'that a pass found again',
      start({ kind: 'requested', meaning: 'plan', label: 'x', by: 'reconcile' }),
    ],
    ['that a bot put on under another name', named({ meaning: 'plan', actor: ROBOT })],
  ])('plan is no yes where it is one %s', (_, came) => {
    expect(came.state.plan).not.toHaveProperty('labelledBy');
    expect(came.effects).toMatchObject([{ kind: 'look-plan' }]);
    expect(came.effects[0]).not.toHaveProperty('actor');
  });

  test.each([
    ['plan-me', start({ kind: 'labeled', label: 'plan-me' })],
    ['plan-me', start({ kind: 'opened', labels: ['bug', 'plan-me'] })],
    ['bitte', start({ kind: 'requested', meaning: 'plan-me', label: 'bitte', by: 'reconcile' })],
    ['ours', named({ meaning: 'plan-me' })],
  ])('%s has the PM plan, and is taken off again', (label, came) => {
    expect(came.state.planning).toMatchObject({ label, wish: '', actor: ANA });
    expect(came.effects.map(({ kind }) => kind)).toEqual(['react', 'look']);
  });

  const planning = { id: 'q', phase: { kind: 'thinking', effectId: 'q/1' } };

  test.each([
    [{ planning }, ANA, 'a plan is being made already'],
    [{}, ROBOT, 'automated accounts ask for no plan'],
    [{ plan: { id: 'p', step: 0, thread: THREAD } }, ANA, 'this is a plan'],
  ])('plan-me is ignored: case %#', (state, actor, ignored) => {
    const came = start({ kind: 'labeled', label: 'plan-me', actor }, state);
    expect(came).toMatchObject({ effects: [], ignored });
  });

  test('a search of the code may be of a folder', () => {
    const of = (over: object) =>
      start({
        kind: 'requested',
        meaning: 'code-watch',
        label: 'code-watch',
        by: 'cli',
        ...over,
      } as never);
    expect(of({ path: 'src' }).state.runs.code_watch).toMatchObject({
      label: 'code_watch',
      path: 'src',
    });
    expect(of({}).state.runs.code_watch).not.toHaveProperty('path');
  });
});

describe('a label of the repository', () => {
  test('is asked about, each of them', () => {
    const one = { kind: 'name-label', thread: THREAD, actor: ANA };
    expect(start({ kind: 'labeled', label: 'bug', plan: DELIVERED }).effects).toEqual([
      { ...one, label: 'bug', plan: DELIVERED },
    ]);
    expect(start({ kind: 'opened', labels: ['bug', 'ui'] }).effects).toEqual([
      { ...one, label: 'bug' },
      { ...one, label: 'ui' },
    ]);
  });

  test('that means nothing starts nothing, and neither does none', () => {
    for (const came of [named({}), named({ meaning: 'hold' })])
      expect(came).toMatchObject({ effects: [], ignored: 'the label `ours` asks for nothing' });
    expect(start({ kind: 'opened', labels: [] })).toMatchObject({
      effects: [],
      ignored: 'opened without a label',
    });
  });
});
