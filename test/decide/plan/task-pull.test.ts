/** What a task learns of its pull request: a new head, a verdict, and that something moved. */
import { describe, expect, test } from 'vitest';
import { decide } from '../../../src/decide/route.ts';
import { createStep } from '../../../src/decide/run/decision.ts';
import type { ThreadState } from '../../../src/decide/run/thread-context.ts';
import { toRunContext } from '../../../src/decide/kinds/run-kinds.ts';
import { notifyHeadMoved, notifyVerdict } from '../../../src/decide/plan/task-pull.ts';
import { EVENT_VERSION, type EventData, type PullNews } from '../../../src/domain/event/event.ts';
import { threadKey } from '../../../src/domain/run/thread-ref.ts';
import { aFinding } from '../../helpers/a-finding.ts';
import { aPosition, aVerdict } from '../../helpers/an-issue.ts';
import { ANA, THREAD } from '../../helpers/play.ts';
import { aRunHere, CALL } from '../talk/commands/run-here.ts';

const AT = '2026-03-02T09:00:00.000Z';
const HEAD = 'c'.repeat(40);
const REF = { plan: { ...THREAD, number: 4 }, task: 2 };
const TASK = { ref: REF, run: 'r', headSha: HEAD, count: 3 };

function send(data: EventData, state: object = {}) {
  const event = { id: 'e1', key: threadKey(THREAD), version: EVENT_VERSION, at: AT, data };
  return decide({ v: 1, runs: {}, ...state }, event, { now: Date.parse(AT) });
}

describe('a task has pushed', () => {
  const adopted = { kind: 'adopted', run: 'r2', task: REF, thread: THREAD, headSha: HEAD } as const;

  test('its review starts here, and needs nobody to have a role', () => {
    const { state, effects, events } = send(
      { ...adopted, headAt: AT, isNew: true },
      { task: TASK },
    );
    expect((state as ThreadState).task).toEqual({ ...TASK, run: 'r2', headAt: AT });
    expect((state as ThreadState).runs.pr_review).toMatchObject({
      status: 'active',
      actor: { id: 0, login: 'quorum', isBot: true },
    });
    expect(effects.map(({ data }) => data.kind)).toContain('look-pull');
    expect(events).toEqual([]);
  });

  test('what was reviewed before is not reviewed again: the task receives a request to look', () => {
    const { state, effects, events } = send({ ...adopted, isNew: false, isReviewed: true });
    expect((state as ThreadState).task).toEqual({ ref: REF, run: 'r2', headSha: HEAD, count: 1 });
    expect((state as ThreadState).runs).toEqual({});
    expect(effects).toEqual([]);
    expect(events).toMatchObject([
      {
        key: 'task:7/4-2',
        id: 'r2/e1/task:7/4-2-1',
        data: { kind: 'pull-told', run: 'r2', news: { kind: 'moved' } },
      },
    ]);
  });
});

describe('something may have changed that a merge rests on', () => {
  const trigger = { kind: 'pull-changed', thread: THREAD, actor: ANA } as never;

  test('the task is notified, if there is one', () => {
    const { events, ignored } = send({ kind: 'trigger', trigger }, { task: TASK });
    expect(events).toMatchObject([{ data: { run: 'r', news: { kind: 'moved' } } }]);
    expect(ignored).toBeUndefined();
    const none = send({ kind: 'trigger', trigger });
    expect(none).toMatchObject({ events: [], ignored: 'no task waits for a merge here' });
  });

  test('what was decided beside it is kept, and is not called ignored any more', () => {
    const other = { id: 'other', key: 'thread:7/9', version: EVENT_VERSION, at: AT };
    const state = { v: 1, runs: {}, task: { ...TASK } } as unknown as ThreadState;
    const event = { id: 'e1', key: threadKey(THREAD), version: EVENT_VERSION, at: AT };
    const before = { state, effects: [], events: [other], ignored: 'nothing' } as never;
    const after = notifyHeadMoved({ state, event: event as never, now: 0 }, before);
    expect(after.events).toMatchObject([other, { data: { news: { kind: 'moved' } } }]);
    expect(after).not.toHaveProperty('ignored');
  });

  test('the merge queue is answered, even in a pause', () => {
    const queued = { kind: 'queued', thread: THREAD, group: { headSha: HEAD } } as never;
    const { effects, events } = send({ kind: 'trigger', trigger: queued }, { task: TASK });
    expect(effects.map(({ data }) => data)).toMatchObject([
      { kind: 'report-group', thread: THREAD, group: { headSha: HEAD }, evenPaused: true },
    ]);
    expect(events).toEqual([]);
  });
});

describe('a review has ended', () => {
  const entry = (n: number, over: object = {}) => ({
    number: n,
    status: 'open',
    firstSha: HEAD,
    lastSha: HEAD,
    finding: aFinding({
      fingerprint: `f${n}`,
      path: 'a.ts',
      line: n,
      title: `Thing ${n}`,
      ...over,
    }),
  });
  const said = (handle: string, vote: 'APPROVE' | 'READY') => ({
    handle,
    name: handle,
    round: 1,
    outcome: 'said',
    position: aPosition({ vote }),
  });

  function told(
    over: object = {},
    task: object | undefined = TASK,
  ): { news: PullNews | undefined; task: unknown } {
    const run = aRunHere({
      id: 'v',
      trigger: 'pr_review',
      status: 'consensus',
      verdict: aVerdict({ verdict: 'APPROVE', changes: [] }),
      participants: [{ handle: 'maya' }, { handle: 'dev' }],
      lead: { handle: 'carlos' },
      contributions: [said('maya', 'APPROVE')],
      review: { headSha: HEAD, ledger: { reviewedSha: HEAD, findings: [] }, settled: [] },
      calls: [CALL],
      ...over,
    });
    const state = {
      v: 1,
      runs: { pr_review: run },
      ...(task && { task: { ...task } }),
    } as unknown as ThreadState;
    const context = toRunContext(state, run, createStep('k', run, Date.parse(AT)));
    notifyVerdict(context as never);
    notifyVerdict(context as never);
    const data = context.step.events.map((event) => event.data);
    expect(data.length).toBeLessThanOrEqual(1);
    const [one] = data;
    return { news: one?.kind === 'pull-told' ? one.news : undefined, task: state.task };
  }

  test('its task learns of it once, with who said what', () => {
    const { news, task } = told();
    expect(news).toEqual({
      kind: 'reviewed',
      headSha: HEAD,
      verdict: 'APPROVE',
      asks: [],
      voices: [
        { handle: 'maya', vote: 'APPROVE' },
        { handle: 'dev' },
        { handle: 'carlos', vote: 'APPROVE' },
      ],
    });
    expect(task).toEqual({ ...TASK, count: 4, told: `v@${HEAD}@consensus@0` });
  });

  test.each([
    ['it goes on', { status: 'active' }, TASK],
    ['it has no verdict', { verdict: undefined }, TASK],
    ['nothing was reviewed', { review: undefined }, TASK],
    ['it was told before', {}, { ...TASK, told: `v@${HEAD}@consensus@0` }],
    ['it is of no task', {}, undefined],
  ])('nothing is reported when %s', (...[, over, task]) => {
    expect(told(over, task ?? (false as never)).news).toBeUndefined();
  });

  test('an approval by rules that replaced a model counts for no persona', () => {
    const insteadOf = { name: 'sonnet', code: 'model-timeout' };
    const calls = [{ ...CALL, provider: 'offline', insteadOf }];
    const contributions = [said('maya', 'APPROVE'), said('dev', 'READY')];
    expect(told({ calls, contributions }).news).toMatchObject({
      voices: [{ handle: 'maya' }, { handle: 'dev', vote: 'READY' }, { handle: 'carlos' }],
    });
    const { news } = told({ calls });
    expect(JSON.stringify(news)).not.toContain('"vote":"APPROVE"');
  });

  test('what is asked for is at most twenty things, each with how', () => {
    const findings = [
      entry(1, { advice: 'Do it.', suggestion: 'x' }),
      entry(2, { advice: undefined, suggestion: 'y' }),
      entry(3, { advice: undefined, suggestion: undefined }),
      entry(4, { advice: 'z'.repeat(1100) }),
      { ...entry(5), status: 'dismissed' },
      ...Array.from({ length: 20 }, (_, n) => entry(n + 6)),
    ];
    const ledger = { reviewedSha: HEAD, findings };
    const verdict = aVerdict({ changes: [{ text: 'Rename it.', by: 'maya' } as never] });
    const { news } = told({ verdict, review: { headSha: HEAD, ledger, settled: [] } });
    const asks = news?.kind === 'reviewed' ? news.asks : [];
    expect(asks).toHaveLength(20);
    expect(asks.slice(0, 4)).toEqual([
      'Rename it.',
      'a.ts:1: Thing 1 Do it.',
      'a.ts:2: Thing 2 Suggested: y',
      'a.ts:3: Thing 3',
    ]);
    expect(asks[4]).toHaveLength(1000);
    expect(asks.some((ask) => ask.includes('Thing 5'))).toBe(false);
  });
});
