/** What people see of a standup: one comment, or a line in the plan's report where nobody has a tension (LS-8). */
import {
  noTensionLine,
  renderStandup,
  type StandupView,
} from '../../../domain/standup/standup-comment.ts';
import { emitEffect, emitTimer } from '../../run/decision.ts';
import { endRun } from '../../run/end-run.ts';
import { HANDLED, type Outcome } from '../../run/outcome.ts';
import { firstWrite } from '../../run/decision.ts';
import { writeLane, type RunContext } from '../../run/thread-context.ts';
import { showInReport } from '../../run/plan-report.ts';

type Context = RunContext<'standup'>;

/** When boxes are read again, in case no delivery told that somebody ticked one. */
const READ_AGAIN_MS = [3_600_000, 86_400_000, 604_800_000] as const;

function viewOf({ run }: Context): StandupView | undefined {
  const { shown, about } = run;
  if (shown === undefined) return undefined;
  const { ticked, ...rest } = shown;
  return { ...rest, run: about?.run ?? run.id, ticked: new Set(ticked) };
}

/** Writes the comment, or writes it again; false where there is nothing to show. */
export function writeStandup(context: Context): boolean {
  const { run, step } = context;
  const view = viewOf(context);
  const body = view === undefined ? undefined : renderStandup(view);
  if (body === undefined) return false;
  if (run.body === body) return true;
  run.body = body;
  const marker = { kind: 'standup' as const, run: run.id, key: 'standup' };
  emitEffect(
    step,
    { kind: 'comment', thread: run.thread, marker, body, ...firstWrite(run, 'standup') },
    { lane: writeLane(run.thread) },
  );
  return true;
}

/** Writes again what we wrote last: somebody changed more than they may. */
export function restoreComment({ run, step }: Context): void {
  const { body, thread } = run;
  if (body === undefined) return;
  const marker = { kind: 'standup' as const, run: run.id, key: 'standup' };
  emitEffect(step, { kind: 'comment', thread, marker, body }, { lane: writeLane(thread) });
}

/** Without any tension: answers the person who asked, or adds a line to the plan's report. */
export function tellNoTension(context: Context): void {
  const { state, run, step } = context;
  const view = viewOf(context);
  if (view === undefined) return;
  const line = noTensionLine(view);
  if (run.askedIn === undefined) {
    if (state.plan !== undefined) showInReport(step, state.plan, line);
    return;
  }
  const marker = { kind: 'notice' as const, run: run.id, key: 'standup' };
  emitEffect(
    step,
    { kind: 'comment', thread: run.thread, marker, body: line, isNew: true },
    { lane: writeLane(run.thread), isUnheard: true },
  );
}

/** Without the moment where nothing is wanted: a replay could not repeat it. */
export function endStandup(context: Context, reason?: string): Outcome {
  const { run, step } = context;
  run.status = reason === undefined ? 'consensus' : 'closed';
  if (reason !== undefined) run.endReason = reason;
  delete run.answers;
  if (run.body !== undefined) emitTimer(step, 'boxes', READ_AGAIN_MS[0]);
  if (run.askedIn === undefined) run.phase = { kind: 'ended' };
  else endRun(context);
  return HANDLED;
}

/** Sets the next reading of boxes, as long as there is one. */
export function readLater({ run, step }: Context): void {
  run.readings = (run.readings ?? 0) + 1;
  const next = READ_AGAIN_MS[run.readings];
  if (next !== undefined) emitTimer(step, 'boxes', next);
}
