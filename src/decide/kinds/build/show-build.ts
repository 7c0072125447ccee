/** What people see of a failed build: one live comment on the thread that tells of it, and a label for the outcome. */
import type { Run } from '../../../domain/run/state/run-record.ts';
import type { VerdictWord } from '../../../domain/run/council.ts';
import { LABEL_LOOKS, type Label } from '../../../domain/repository/labels.ts';
import { labelName } from '../../run/run-settings.ts';
import { emitEffect } from '../../run/decision.ts';
import { writeLane, type RunContext } from '../../run/thread-context.ts';
import { renderBuild } from './render.ts';

/** One comment for each thread, whichever run wrote it last: edits notify nobody. */
export function showBuild({ run, step }: RunContext<'build_failure'>): void {
  if (run.build === undefined) return;
  emitEffect(
    step,
    {
      kind: 'comment',
      thread: run.thread,
      marker: { kind: 'report', run: 'build', key: 'live' },
      body: renderBuild(run, run.build, step.now),
    },
    { lane: writeLane(run.thread), slot: `${run.id}/live` },
  );
}

/** On an issue a clear fix is work that can start; on a pull request it is a change to make. */
function outcomeOf({ build }: Run<'build_failure'>, verdict: VerdictWord): Label | undefined {
  if (verdict === 'HUMAN') return 'needs-human';
  if (verdict !== 'CHANGES') return undefined;
  return build?.where.kind === 'pull' ? 'changes-requested' : 'ready';
}

const OUTCOME_LABELS: readonly Label[] = ['ready', 'needs-human', 'changes-requested'];

export function setOutcome({ run, step }: RunContext<'build_failure'>): void {
  const { thread, verdict, settings } = run;
  if (verdict === undefined) return;
  const outcome = outcomeOf(run, verdict.verdict);
  const add =
    outcome === undefined ? [] : [{ name: labelName(settings, outcome), ...LABEL_LOOKS[outcome] }];
  const remove = OUTCOME_LABELS.filter((label) => label !== outcome).map((label) =>
    labelName(settings, label),
  );
  emitEffect(step, { kind: 'labels', thread, add, remove }, { lane: writeLane(thread) });
}

/** It is well again: what the outcome asked for is not asked for any more. */
export function dropOutcome(
  { run, step }: RunContext<'build_failure'>,
  labels: readonly string[],
): void {
  const { thread, settings } = run;
  const remove = OUTCOME_LABELS.map((label) => labelName(settings, label)).filter((name) =>
    labels.includes(name),
  );
  if (remove.length === 0) return;
  emitEffect(step, { kind: 'labels', thread, add: [], remove }, { lane: writeLane(thread) });
}
