/** The names under which a run is stored: stores of earlier versions have the same. */
import { expect, expectTypeOf, test } from 'vitest';
import { startRun } from '../../../src/decide/discussion/start-run.ts';
import { runKindOf } from '../../../src/decide/kinds/run-kinds.ts';
import type { ThreadState } from '../../../src/decide/run/thread-context.ts';
import { EVENT_VERSION, type Event } from '../../../src/domain/event/event.ts';
import type { Run } from '../../../src/domain/run/state/run-record.ts';
import { COUNCIL_TRIGGERS } from '../../../src/domain/run/run-trigger.ts';
import { ANA, THREAD } from '../../helpers/play.ts';

const STORED = [
  'actor',
  'calls',
  'contributions',
  'githubCalls',
  'hasSettled',
  'headSha',
  'heardCommentId',
  'id',
  'inFlight',
  'isBudgetExhausted',
  'isFound',
  'isOffline',
  'isRequested',
  'label',
  'lookedAt',
  'participants',
  'phase',
  'posted',
  'queue',
  'relatedIssues',
  'round',
  'ruleIds',
  'settings',
  'sittingOut',
  'startedAt',
  'status',
  'step',
  'thread',
  'trigger',
  'unchangedRuns',
  'wasBlocked',
];

test.each(COUNCIL_TRIGGERS)(
  'a new run of %s is stored flat, with every field of a record',
  (kind) => {
    const state: ThreadState = { v: 1, runs: {} };
    const trigger = { kind: 'labeled' as const, thread: THREAD, actor: ANA, label: 'deliberate' };
    const at = '2026-03-01T12:00:00.000Z';
    const data = { kind: 'trigger' as const, trigger };
    const event: Event = { id: 'e', key: 'thread:7/12', version: EVENT_VERSION, at, data };
    const runKind = runKindOf({ trigger: kind });
    startRun(state, { event, trigger, kind, label: 'deliberate', now: Date.parse(at), runKind });
    const stored = JSON.parse(JSON.stringify(state.runs[kind])) as object;
    expect(Object.keys(stored).toSorted()).toEqual(STORED);
  },
);

test('the type of a run shows what its own kind keeps, and nothing of another one', () => {
  expectTypeOf<Run<'pr_review'>>().toHaveProperty('review');
  expectTypeOf<Run<'code_watch'>>().not.toHaveProperty('review');
  expectTypeOf<Run<'code_watch'>>().not.toHaveProperty('verdict');
  expectTypeOf<Run<'issue_review'>>().not.toHaveProperty('watch');
  expectTypeOf<Run>().not.toHaveProperty('verdict');
});

test('a thread keeps several runs of a kind by what they are about, each with its own results', () => {
  const state: ThreadState = { v: 1, runs: {} };
  const trigger = { kind: 'labeled' as const, thread: THREAD, actor: ANA, label: 'deliberate' };
  const kind = 'chat_message';
  const start = (about: string, now: number): void => {
    const at = new Date(now).toISOString();
    const data = { kind: 'trigger' as const, trigger };
    const event: Event = { id: about, key: 'thread:7/12', version: EVENT_VERSION, at, data };
    const runKind = runKindOf({ trigger: kind });
    startRun(state, { event, trigger, kind, label: '', now, runKind, about });
  };
  for (let i = 0; i < 30; i += 1) {
    start(`run-${i}`, i * 1000);
    const run = state.runs[`chat_message:run-${i}`];
    if (run !== undefined && i !== 3) run.status = 'consensus';
  }
  const names = Object.keys(state.runs);
  expect(new Set(Object.values(state.runs).map(({ id }) => id)).size).toBe(names.length);
  // Twenty that ended, the newest, and the one that goes on.
  expect(names).toHaveLength(22);
  expect(names).toContain('chat_message:run-3');
  expect(names).toContain('chat_message:run-29');
  expect(names).not.toContain('chat_message:run-5');
});
