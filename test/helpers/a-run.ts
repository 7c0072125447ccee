/** A run of any kind as it is stored when it has just begun, and the context in which a reducer takes its next step. */
import { runKindOf } from '../../src/decide/kinds/run-kinds.ts';
import { startRun } from '../../src/decide/discussion/start-run.ts';
import { createStep, type Step } from '../../src/decide/run/decision.ts';
import type { RunContext, ThreadState } from '../../src/decide/run/thread-context.ts';
import type { CouncilTrigger } from '../../src/domain/run/run-trigger.ts';
import type { Run } from '../../src/domain/run/state/run-record.ts';
import { ANA, THREAD } from './play.ts';

export const NOW = Date.parse('2026-03-02T09:00:00Z');
const AT = new Date(NOW).toISOString();
const KEY = `thread:${THREAD.repositoryId}/${THREAD.number}`;

/** So many milliseconds from now, ISO 8601. */
export function at(ms: number): string {
  return new Date(NOW + ms).toISOString();
}

export function aRun<K extends CouncilTrigger>(kind: K, over: Partial<Run<K>> = {}): Run<K> {
  const state: ThreadState = { v: 1, runs: {} };
  startRun(state, {
    event: {
      id: `begin-${kind}`,
      key: KEY,
      version: 1,
      at: AT,
      data: { kind: 'timer', timer: '', run: '' },
    },
    trigger: { kind: 'requested', by: 'cli', thread: THREAD, actor: ANA, label: 'deliberate' },
    kind,
    label: 'deliberate',
    now: NOW,
    runKind: runKindOf({ trigger: kind }),
  });
  return Object.assign({}, state.runs[kind], over) as Run<K>;
}

/** The context of a run; what it wants is in `step`. */
export function contextOf<K extends CouncilTrigger>(
  run: Run<K>,
  { now = NOW, state = {} }: { now?: number; state?: Partial<ThreadState> } = {},
): RunContext<K> {
  const runs: Record<string, Run> = {};
  const whole: ThreadState = { v: 1, runs: Object.assign(runs, { [run.trigger]: run }), ...state };
  return { state: whole, run, step: createStep(KEY, run, now), kind: runKindOf(run) };
}

/** What a step wanted: the effects with their lanes, and the timers and messages. */
export function wantedBy({ step: { effects, events } }: { step: Step }) {
  return {
    effects: effects.map(({ data, lane, slot }) => ({ ...data, lane, ...(slot && { slot }) })),
    events: events.map(({ key, delayMs, data }) => ({ key, delayMs, ...data })),
  };
}
