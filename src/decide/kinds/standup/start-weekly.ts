/** The status issue shows a new week: its thread looks back on what no other standup looked at. */
import type { EventData } from '../../../domain/event/event.ts';
import { derivedId } from '../../../domain/run/ids.ts';
import { OURSELVES } from '../../../domain/run/thread-ref.ts';
import { startRun } from '../../discussion/start-run.ts';
import type { Decision } from '../../run/decision.ts';
import type { RunKind, ThreadContext } from '../../run/thread-context.ts';

/** Once for each week, however often the event comes. */
export function onWeekShown(
  { state, event, now }: ThreadContext,
  { run, thread, from, to, details, threads }: Extract<EventData, { kind: 'week-shown' }>,
  runKind: RunKind<'standup'>,
): Decision {
  state.weekly = { run, thread, from, to, details };
  if (threads.length === 0) return { state, effects: [], events: [] };
  return startRun(state, {
    event,
    trigger: { kind: 'requested', by: 'reconcile', thread, actor: OURSELVES, label: '' },
    kind: 'standup',
    runKind,
    about: `week/${to}`,
    standup: {
      run: derivedId(`week ${event.key} ${to}`, now),
      outcome: 'completed',
      week: { from, to, threads },
    },
    label: '',
    now,
  });
}
