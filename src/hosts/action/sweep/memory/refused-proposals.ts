/** That GitHub lets no workflow open a proposal: then no model is paid for words that nobody can read, but once a day. */
import type { ActionsState } from '../../../../domain/actions/actions-state.ts';
import type { WorkflowContext } from '../../job/workflow-context.ts';

/** Name of the cursor: when GitHub refused one last, ISO 8601. */
const REFUSED = 'proposals-refused';
const HOLD_MS = 24 * 3_600_000;

/** @param now - milliseconds since the epoch */
export function noteRefused(state: ActionsState, now: number): ActionsState {
  return { ...state, cursors: { ...state.cursors, [REFUSED]: new Date(now).toISOString() } };
}

export function forgetRefused(state: ActionsState): ActionsState {
  const { [REFUSED]: _, ...cursors } = state.cursors;
  return { ...state, cursors };
}

/** Why no model is asked now, for people. Undefined where one may be, as in a pass that a person started. */
export function tellRefused(
  { cursors }: Pick<ActionsState, 'cursors'>,
  { event }: Pick<WorkflowContext, 'event'>,
  now: number,
): string | undefined {
  const at = cursors[REFUSED];
  const ageMs = now - Date.parse(at ?? '');
  if (at === undefined || event === 'workflow_dispatch' || !(ageMs >= 0 && ageMs < HOLD_MS))
    return undefined;
  return `GitHub did not let a workflow open a proposal on ${at.slice(0, 10)}. A model is asked again a day later, or when a person starts the sweep.`;
}
