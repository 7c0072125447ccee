/** The last task is done: ticks boxes with their evidence, comments once, and closes the issue (TG-9). */
import type { Plan } from '../../domain/plan/plan.ts';
import type { PlanEdit } from '../../domain/plan/body/edit-plan.ts';
import type { PlanState } from '../../domain/plan/plan-view.ts';
import type { TaskNews } from '../../domain/task/task.ts';
import { DEFAULT_LABELS } from '../../domain/repository/labels.ts';
import { threadKey } from '../../domain/run/thread-ref.ts';
import { emitEffect, type Step } from '../run/decision.ts';
import { reportMarker } from '../run/plan-report.ts';
import { writeLane } from '../run/thread-context.ts';
import type { PlanSight } from './advance.ts';

export function isDone({ tasks }: Plan): boolean {
  return tasks.length > 0 && tasks.every(({ status }) => status === 'completed');
}

/** Once for each plan. A plan that people completed by hand is closed the same way, without pull requests to show. */
export function completePlan(step: Step, state: PlanState, { plan, view }: PlanSight): void {
  if (state.isComplete === true) return;
  state.isComplete = true;
  const { thread } = state;
  const merged = Object.values(state.tasks ?? {}).filter((news) => news.mergeSha !== undefined);
  // A box that none of our tasks proves is left for a person to tick.
  const edits = merged.length === plan.tasks.length ? ticks(plan) : [];
  const unheard = { lane: `plan:${threadKey(thread)}`, isUnheard: true as const };
  if (edits.length > 0) emitEffect(step, { kind: 'plan-edit', thread, edits }, unheard);
  const { fullName, host } = view.repository;
  const report = { fullName, ...(host !== undefined && { host }) };
  const body = renderReport(plan, merged);
  state.summary = { body, report };
  const comment = { kind: 'comment' as const, thread, marker: reportMarker(state), report };
  emitEffect(step, { ...comment, body, isNew: true }, unheard);
  tellSource(step, state, { view, how: howDone(plan, merged) });
  // Not `isUnheard`: once the thread is closed, the journal is written again.
  emitEffect(step, { kind: 'close', thread, reason: 'completed' }, { lane: unheard.lane });
}

/** Those who asked for the plan read there. It stays open: only a person knows whether it asked for more. The label that keeps Quorum out is read right before. */
function tellSource(
  step: Step,
  { id, grewFrom, thread }: PlanState,
  { view, how }: { view: PlanSight['view']; how: string },
): void {
  if (grewFrom === undefined) return;
  const source = { ...thread, number: grewFrom };
  emitEffect(
    step,
    {
      kind: 'comment',
      thread: source,
      marker: { kind: 'report', run: id, key: 'source' },
      body: `Plan #${thread.number} is complete: ${how}. It was made from this thread. Nothing more is needed here, unless something is missing.`,
      isNew: true,
      unlessLabelled: view.config.labels['quorum:skip'] ?? DEFAULT_LABELS['quorum:skip'],
    },
    { lane: writeLane(source), isUnheard: true },
  );
}

function howDone({ tasks: { length } }: Plan, merged: readonly TaskNews[]): string {
  const all = length === 1 ? 'its one task is' : `all ${length} tasks are`;
  return `${all} ${merged.length === length ? 'merged' : 'completed'}`;
}

function ticks({ verification }: Plan): PlanEdit[] {
  return verification.flatMap(({ isTicked, text }, check) =>
    isTicked || !SHOWN.test(text) ? [] : [{ kind: 'tick' as const, check, isTicked: true }],
  );
}

/** What merged pull requests show: all tasks are there, and each went through the tests on the base it merged into. */
const SHOWN = /\b(?:all )?tasks? (?:are )?completed?\b|\btests? pass/i;

function renderReport(plan: Plan, merged: readonly TaskNews[]): string {
  const { tasks, verification } = plan;
  const lines = tasks.map(({ number }) => {
    const news = merged.find((each) => each.task === number);
    if (news?.pull === undefined) return `- Task ${number}: completed by hand`;
    return `- Task ${number}: #${news.pull.number}, merged as ${news.mergeSha?.slice(0, 12) ?? ''}${news.attempt > 1 ? `, at attempt ${news.attempt}` : ''}`;
  });
  const how = howDone(plan, merged);
  const isMerged = merged.length === tasks.length;
  return [
    '### Plan complete',
    `${how.charAt(0).toUpperCase()}${how.slice(1)}.`,
    lines.join('\n'),
    renderChecks(verification, isMerged ? merged : []),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** What shows each box that is ticked; the others are people's. */
function renderChecks(verification: Plan['verification'], merged: readonly TaskNews[]): string {
  if (verification.length === 0) return '';
  const pulls = merged.flatMap(({ pull }) => (pull === undefined ? [] : [`#${pull.number}`]));
  const lines = verification.map(({ text, isTicked }) => {
    const isShown = merged.length > 0 && SHOWN.test(text);
    if (isShown) return `- [x] ${text}: shown by the gates of ${pulls.join(', ')}`;
    return isTicked
      ? `- [x] ${text}: ticked by a person`
      : `- [ ] ${text}: no gate proves it; tick it if it holds`;
  });
  return `**Verification**\n\n${lines.join('\n')}`;
}
